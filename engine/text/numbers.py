"""Numbers as Korean writes them: 35,000, 3만 5천, 1.5억, 삼만, 스물다섯, 3분의 1."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from engine.text.units import starts_unit

_FIGURES = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?")
_SMALL = {"십": 10, "백": 100, "천": 1000}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12, "경": 10**16}
_DIGITS = {c: i for i, c in enumerate("영일이삼사오육칠팔구")} | {"공": 0, "륙": 6}
_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70,
    "여든": 80, "아흔": 90,
}  # fmt: skip
_ONES = {
    "하나": 1, "한": 1, "첫": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "석": 3, "네": 4, "넷": 4,
    "넉": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_NATIVE = re.compile(rf"(?P<tens>{'|'.join(_TENS)})?(?P<ones>{'|'.join(_ONES)})?")
_SINO = re.compile(r"[일이삼사오육륙칠팔구십백천만억조]+(?: [일이삼사오육륙칠팔구십백천만억]+)?")


class Number(NamedTuple):
    """A value and where its spelling ends."""

    value: Decimal
    end: int


def read_figures(text: str, at: int) -> Number | None:
    """A number that starts with a digit at an offset of folded text, multipliers included."""
    if _FIGURES.match(text, at) is None:
        return None
    total = section = Decimal(0)
    last = Decimal(10**20)
    end = at
    while (match := _FIGURES.match(text, end)) and (end == at or _value(match) < last):
        value = _value(match)
        end = _multipliers_end(text, match.end())
        smallest = last
        for multiplier in text[match.end() : end].strip():
            if multiplier in _SMALL:
                section += value * _SMALL[multiplier]
                smallest = Decimal(_SMALL[multiplier])
            else:
                total += (section + value) * _LARGE[multiplier]
                section = Decimal(0)
                smallest = Decimal(_LARGE[multiplier])
            value = Decimal(0)
        section += value
        if smallest is last:
            break
        last = smallest
        if text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit():
            if not _continues(text, end + 1):
                break
            end += 1
    while text[end - 1] == " ":
        end -= 1
    return Number(total + section, end)


def _value(match: re.Match[str]) -> Decimal:
    return Decimal(match[0].replace(",", ""))


def _continues(text: str, at: int) -> bool:
    """Whether figures behind a space belong to the number: 3만 5천, 2만 5,000, not 3만 5명."""
    match = _FIGURES.match(text, at)
    if match is None:
        return False
    return len(match[0]) >= 3 or _multipliers_end(text, match.end()) > match.end()


def _multipliers_end(text: str, at: int) -> int:
    """End of the run of multipliers; one that only starts the next word is left to it."""
    if text[at : at + 1] == " " and re.match(r" [천백십]?[만억조](?= |\d|$|원|명|개)", text[at:]):
        at += 1
    end = at
    while text[end : end + 1] in _SMALL or text[end : end + 1] in _LARGE:
        end += 1
    while end > at and not (starts_unit(text, end) or text[end].isdigit()):
        end -= 1
    if text.startswith(("만큼", "조각", "조합"), end - 1):
        end -= 1
    return max(end, at)


def read_sino(text: str, at: int) -> Number | None:
    """A number in Hangul of Chinese origin, 삼만 오천; None where the syllables are no number."""
    match = _SINO.match(text, at)
    if match is None:
        return None
    for spelled in (match[0], match[0].split(" ")[0]):
        value = _sino_value(spelled.replace(" ", ""))
        if value is not None:
            return Number(value, at + len(spelled))
    return None


def _sino_value(spelled: str) -> Decimal | None:
    total = section = 0
    digit: int | None = None
    last_small, last_large = 10**4, 10**20
    for character in spelled:
        if character in _DIGITS:
            if digit is not None:
                return None
            digit = _DIGITS[character]
        elif character in _SMALL:
            if _SMALL[character] >= last_small:
                return None
            last_small = _SMALL[character]
            section += (1 if digit is None else digit) * last_small
            digit = None
        else:
            if _LARGE[character] >= last_large:
                return None
            last_large, last_small = _LARGE[character], 10**4
            total += ((section + (digit or 0)) or 1) * last_large
            section, digit = 0, None
    return Decimal(total + section + (digit or 0))


def read_native(text: str, at: int) -> Number | None:
    """A number in native words, 스물다섯."""
    match = _NATIVE.match(text, at)
    if match is None or not match[0]:
        return None
    value = _TENS.get(match["tens"] or "", 0) + _ONES.get(match["ones"] or "", 0)
    return Number(Decimal(value), match.end())
