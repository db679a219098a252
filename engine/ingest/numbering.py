"""Automatic numbers of word processors: counters by level, written as the document shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_SYLLABLES = "가나다라마바사아자차카타파하"
_JAMO = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_STEMS, _HANJA_STEMS = "갑을병정무기경신임계", "甲乙丙丁戊己庚辛壬癸"
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        while number >= value:
            text, number = text + letters, number - value
    return text


def _letters(alphabet: str) -> Callable[[int], str]:
    return lambda number: alphabet[(number - 1) % len(alphabet)]


def _series(first: str, count: int) -> Callable[[int], str]:
    """Characters that follow each other in Unicode; plain digits past the last."""
    return lambda number: chr(ord(first) + number - 1) if number <= count else str(number)


def _sino(digits: str, ten: str) -> Callable[[int], str]:
    def write(number: int) -> str:
        if number > 99:
            return str(number)
        tens, ones = divmod(number, 10)
        head = ("" if tens == 1 else digits[tens - 1]) + ten if tens else ""
        return head + (digits[ones - 1] if ones else "")

    return write


FORMATS: Mapping[str, Callable[[int], str]] = {
    "DIGIT": str,
    "CIRCLED_DIGIT": _series("①", 20),
    "ROMAN_CAPITAL": _roman,
    "ROMAN_SMALL": lambda number: _roman(number).lower(),
    "LATIN_CAPITAL": _letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "LATIN_SMALL": _letters("abcdefghijklmnopqrstuvwxyz"),
    "CIRCLED_LATIN_CAPITAL": _series("Ⓐ", 26),
    "CIRCLED_LATIN_SMALL": _series("ⓐ", 26),
    "HANGUL_SYLLABLE": _letters(_SYLLABLES),
    "CIRCLED_HANGUL_SYLLABLE": _series("㉮", 14),
    "HANGUL_JAMO": _letters(_JAMO),
    "CIRCLED_HANGUL_JAMO": _series("㉠", 14),
    "HANGUL_PHONETIC": _sino("일이삼사오육칠팔구", "십"),
    "IDEOGRAPH": _sino("一二三四五六七八九", "十"),
    "CIRCLED_IDEOGRAPH": _series("㊀", 10),
    "DECAGON_CIRCLE": _letters(_STEMS),
    "DECAGON_CIRCLE_HANJA": _letters(_HANJA_STEMS),
}
"""Named as the HWPX format spells them; the codes of HWP 5 count through them in this order."""


@dataclass(frozen=True, slots=True)
class NumberLevel:
    """How one level shows its number: ``template`` holds ``^1`` for the number of level 1."""

    template: str
    form: str = "DIGIT"
    start: int = 1


@dataclass
class Counters:
    """Where each list of a document stands; a deeper level starts again under a new number."""

    _at: dict[str, list[int]] = field(default_factory=dict)

    def next(self, key: str, level: int, levels: Sequence[NumberLevel]) -> str:
        """The mark of the next paragraph at ``level`` (from 0) of the list ``key``."""
        if not 0 <= level < len(levels):
            return ""
        counts = self._at.setdefault(key, [])
        del counts[level + 1 :]
        while len(counts) <= level:
            counts.append(levels[len(counts)].start - (len(counts) == level))
        counts[level] += 1
        mark = levels[level].template
        for depth, count in enumerate(counts, 1):
            shape = FORMATS.get(levels[depth - 1].form, str)
            mark = mark.replace(f"^{depth}", shape(count) if 0 < count < 10_000 else str(count))
        return mark.strip()
