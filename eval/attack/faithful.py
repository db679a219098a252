"""True sentences in other words: the source's own, respelled by rule. None may be flagged.

The rules are written apart from the normaliser they test, on surface forms only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Rewrite = Callable[[str, random.Random], str | None]
"""A sentence in another spelling; None where the rule finds nothing to do."""

_WIDE = str.maketrans("0123456789,%()", "０１２３４５６７８９，％（）")
_ENDINGS = [
    (r"하였다\.$", "했다."), (r"했다\.$", "하였습니다."), (r"되었다\.$", "됐다."),
    (r"한다\.$", "합니다."), (r"된다\.$", "됩니다."), (r"있다\.$", "있습니다."),
    (r"없다\.$", "없습니다."), (r"이다\.$", "입니다."), (r"았다\.$", "았습니다."),
    (r"었다\.$", "었습니다."), (r"였다\.$", "였습니다."), (r"입니다\.$", "이다."),
    (r"합니다\.$", "한다."), (r"됩니다\.$", "된다."),
]  # fmt: skip


def verbatim(text: str, rng: random.Random) -> str | None:
    """The sentence as it stands."""
    return text


def grouped(text: str, rng: random.Random) -> str | None:
    """35,000 as 35000 and the other way."""
    if re.search(r"\d,\d{3}", text):
        return re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return _once(r"(?<![\d.,제])\d{5,9}(?![\d.,])", lambda m: f"{int(m[0]):,}", text)


def thousands(text: str, rng: random.Random) -> str | None:
    """3,000원 as 3천 원, 20,000명 as 2만 명."""
    return _once(
        r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{4,9})(?=(?:원|명|개|건|톤|km|대|부|가구)(?![가-힣A-Za-z]))",
        lambda m: _in_myriads(int(m[0].replace(",", ""))) + " ", text,
    )  # fmt: skip


def _in_myriads(value: int) -> str:
    parts = []
    for size, name in ((10**8, "억"), (10**4, "만")):
        if value >= size:
            parts.append(f"{value // size:,}{name}")
            value %= size
    if value and value % 1000 == 0:
        parts.append(f"{value // 1000}천")
    elif value:
        parts.append(f"{value:,}")
    return " ".join(parts)


def in_hangul(text: str, rng: random.Random) -> str | None:
    """3만 as 삼만."""
    digits = "영일이삼사오육칠팔구"
    return _once(
        r"(?<![\d.,가-힣])(?<![만억] )([2-9])(만|백|천|억) ?(?=(?:원|명|달러|마리|톤)(?![가-힣]))",
        lambda m: f"{digits[int(m[1])]}{m[2]} ", text,
    )  # fmt: skip


def wide(text: str, rng: random.Random) -> str | None:
    """Figures in full width."""
    changed = text.translate(_WIDE)
    return changed if changed != text else None


def percent(text: str, rng: random.Random) -> str | None:
    """% as 퍼센트."""
    return _once(r"(?<=\d)%(?![pP포])", lambda m: rng.choice(["퍼센트", " %", " 퍼센트"]), text)


def dates(text: str, rng: random.Random) -> str | None:
    """2024년 3월 1일 as 2024. 3. 1. or 2024-03-01."""

    def respell(m: re.Match[str]) -> str:
        y, month, d = int(m[1]), int(m[2]), int(m[3])
        return rng.choice(
            [f"{y}. {month}. {d}.", f"{y}.{month}.{d}.", f"{y}-{month:02}-{d:02}",
             f"{y}/{month}/{d}",
             f"{y}년{month}월{d}일"]
        )  # fmt: skip

    return _once(r"(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일", respell, text)


def times(text: str, rng: random.Random) -> str | None:
    """오후 3시 30분 as 15:30."""

    def respell(m: re.Match[str]) -> str:
        hour = int(m[2]) % 12 + (12 if m[1] == "오후" else 0)
        return rng.choice([f"{hour:02}:{int(m[3] or 0):02}", f"{hour}시{int(m[3] or 0)}분"])

    return _once(r"(오전|오후) ?(\d{1,2})시(?: ?(\d{1,2})분)?", respell, text)


def unit_names(text: str, rng: random.Random) -> str | None:
    """Names for signs: km as 킬로미터, 명 as 사람."""
    names = {
        "km": "킬로미터",
        "kg": "킬로그램",
        "cm": "센티미터",
        "mm": "밀리미터",
        "m": "미터",
        "명": "사람",
    }
    return _once(
        r"(?<=\d) ?(km|kg|cm|mm|m|명)(?![A-Za-z가-힣²³2/])", lambda m: f"{names[m[1]]}", text
    )


def spacing(text: str, rng: random.Random) -> str | None:
    """Spaces put before units, or taken away."""
    apart = (
        r"(?<=\d)(원|명|개월|년간|시간|퍼센트|미터|킬로미터|회|건|권|대)(?=[ ,.은는이가을를의에])"
    )
    return _once(apart, lambda m: " " + m[1], text) or _once(
        r"(?<=\d) (?=(?:원|명|개월|시간|회|건|권|대|미터)(?:[ ,.은는이가을를의에]))",
        lambda m: "",
        text,
    )


def article_spacing(text: str, rng: random.Random) -> str | None:
    """제13조제2항 as 제13조 제2항."""
    return _once(r"(?<=\d조)(?=제\d+항)|(?<=항)(?=제\d+호)", lambda m: " ", text)


def endings(text: str, rng: random.Random) -> str | None:
    """했다 as 하였다 or 했습니다."""
    for pattern, ending in _ENDINGS:
        if re.search(pattern, text):
            return re.sub(pattern, ending, text)
    return None


def without_asides(text: str, rng: random.Random) -> str | None:
    """What stands in round brackets left out."""
    shorter = re.sub(r" ?\([^()]*\)", "", text)
    return shorter if shorter != text and len(shorter) > 20 else None


def marks(text: str, rng: random.Random) -> str | None:
    """Quotation marks in another form."""
    changed = text.translate(str.maketrans("“”‘’", "\"\"''"))
    if changed == text and text.count('"') == 2:
        changed = text.replace('"', "“", 1).replace('"', "”", 1)
    return changed if changed != text else None


def ranges(text: str, rng: random.Random) -> str | None:
    """3~5일 as 3일에서 5일."""
    return _once(
        r"(?<![\d.])(\d+) ?[~∼～] ?(\d+)(명|일|년|개월|시간|세|%)",
        lambda m: f"{m[1]}{m[3]}에서 {m[2]}{m[3]}", text,
    )  # fmt: skip


def _once(pattern: str, change: Callable[[re.Match[str]], str], text: str) -> str | None:
    changed = re.sub(pattern, change, text)
    return changed if changed != text else None


FAITHFUL: dict[str, Rewrite] = {
    "verbatim": verbatim, "digit grouping": grouped, "3,000 → 3천": thousands,
    "3만 → 삼만": in_hangul, "full width": wide, "% → 퍼센트": percent, "dates respelled": dates,
    "times respelled": times, "unit names": unit_names, "unit spacing": spacing,
    "article spacing": article_spacing, "endings": endings, "brackets left out": without_asides,
    "quotation marks": marks, "ranges": ranges,
}  # fmt: skip
