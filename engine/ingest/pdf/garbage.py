"""Whether the text layer of a page can be read, so that what cannot is never indexed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

State = Literal["text", "broken", "image", "blank"]

_BROKEN, _DOUBTFUL, _MOJIBAKE, _SYMBOLS = 0.3, 0.05, 0.25, 0.6
_PICTURE, _MIN_LETTERS, _MANY_PATHS = 0.4, 4, 20
_CID = re.compile(r"\(cid:\d+\)")
_LEADERS = re.compile(r"[.·…‥_=-]{3,}")
_HANGUL = re.compile(r"[가-힣]")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_NATIONAL = ("euc_kr", "gb2312", "big5", "shift_jis")
_RARE, _ENOUGH_CHINESE = 0.25, 20
_LATIN = re.compile(r"[A-Za-z]")
_EXPECTED = re.compile(
    r"[\u0020-\u007e\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2000-\u2bff\u3000-\u30ff\u3130-\u318f"
    r"\u3200-\u33ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffef"
    r"\U0001d400-\U0001d7ff\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
_ADVICE = "run OCR over the file first, or put the JSON of Upstage Document Parse in its place"


@dataclass(frozen=True, slots=True)
class Quality:
    """``ratio``: share of unreadable characters, or of the page that pictures cover."""

    page: int
    state: State
    ratio: float


def judge(page: int, text: str, unmapped: int, pictures: float, paths: int) -> Quality:
    """Judge a page by its characters, those without a meaning, its pictures and drawn paths."""
    text = _LEADERS.sub("", unicodedata.normalize("NFC", "".join(text.split())))
    letters = sum(c.isalpha() for c in text)
    if letters < _MIN_LETTERS and (pictures >= _PICTURE or paths > _MANY_PATHS and not text):
        return Quality(page, "image", pictures)
    if not text:
        return Quality(page, "blank", 0.0)
    ratio = broken_share(text, unmapped)
    return Quality(page, "broken" if ratio >= _BROKEN else "text", ratio)


def broken_share(text: str, unmapped: int = 0) -> float:
    """The share of characters that cannot be what the page shows."""
    known, cids = _CID.subn("", text)
    strange = sum(not _EXPECTED.match(c) for c in known) + _random_syllables(known)
    total = len(known) + cids
    share = min((max(strange, unmapped) + cids) / total, 1.0)
    return max(share, _other_reading(known)) if not _HANGUL.search(known) else share


def _random_syllables(text: str) -> int:
    """How many syllables or Chinese characters are ones that hardly occur, where many are.

    Korean is written with 2,350 of the 11,172 syllables (KS X 1001); bytes read in the wrong
    encoding fall on any of them, and on Chinese characters that no national set holds together.
    """
    hangul, chinese = _HANGUL.findall(text), _CHINESE.findall(text)
    rare = len(hangul) - _held(hangul, "euc_kr")
    unheld = len(chinese) - max(_held(chinese, codec) for codec in _NATIONAL)
    return (rare if rare > _RARE * len(hangul) else 0) + (
        unheld if unheld > _RARE * len(chinese) and len(chinese) >= _ENOUGH_CHINESE else 0
    )


def _held(characters: list[str], codec: str) -> int:
    return sum(len(c.encode(codec, "ignore")) == 2 for c in characters)


def _other_reading(text: str) -> float:
    """In text without Hangul: the share of accented letters, or of symbols, where either rules.

    Korean bytes read as Latin-1 are all accents and symbols; a font whose codes merely look like
    ASCII gives punctuation where there were words. English and figures are neither.
    """
    accented = sum("\u00a1" <= c <= "\u024f" for c in text) / max(len(text), 1)
    plain = sum(c.isalnum() for c in text) / max(len(text), 1)
    if accented >= _MOJIBAKE:
        return max(accented, _BROKEN)
    few = len(_LATIN.findall(text)) < 0.3 * len(text)
    return 1 - plain if few and len(text) >= 40 and 1 - plain >= _SYMBOLS else 0.0


def warnings(qualities: Iterable[Quality]) -> Iterator[str]:
    """One line for each run of pages with the same trouble."""
    troubled = [q for q in qualities if q.state in ("broken", "image") or q.ratio >= _DOUBTFUL]
    for (_, state), run in groupby(
        enumerate(troubled), key=lambda i: (i[1].page - i[0], i[1].state)
    ):
        found = [quality for _, quality in run]
        pages = (
            f"page {found[0].page}"
            if len(found) == 1
            else (f"pages {found[0].page}-{found[-1].page}")
        )
        yield f"{pages}: {_describe(state, [q.ratio for q in found])}"


def _describe(state: State, ratios: list[float]) -> str:
    low, high = f"{min(ratios):.0%}", f"{max(ratios):.0%}"
    share = low if low == high else f"{low} to {high}"
    if state == "image":
        return f"no text, only pictures (over {share} of the page); left out: {_ADVICE}"
    if state == "broken":
        return f"{share} of the characters are unreadable; left out: {_ADVICE}"
    return f"{share} of the characters are unreadable; the rest is kept"


def refusal(qualities: Iterable[Quality], pages: int) -> str:
    """Why a file without a usable page cannot be read; damaged pages have no quality."""
    states = [q.state for q in qualities]
    if set(states) == {"blank"} and len(states) == pages:
        return f"none of its {pages} pages holds text or a picture"
    damaged = [f"{pages - len(states)} damaged"] if len(states) < pages else []
    why = ", ".join([*_counts(states), *damaged])
    return f"no page of {pages} has usable text ({why}); {_ADVICE}"


def _counts(states: list[State]) -> list[str]:
    names = {
        "broken": "with unreadable characters",
        "image": "with pictures only",
        "blank": "blank",
    }
    return [f"{states.count(s)} {names[s]}" for s in sorted(set(states))]
