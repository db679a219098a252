"""Which numbered lines head a section: 제1장, Ⅰ., 1., 1.1, 가., told from numbered sentences.

Only the text is looked at: a line heads something if it is short, states nothing, and something
other than its own sibling follows it.
"""

from __future__ import annotations

import re

_PATTERNS = (
    re.compile(r"제\s?\d+\s?[편부](?:\s|$)"),
    re.compile(r"제\s?\d+\s?장(?:\s|$)"),
    re.compile(r"제\s?\d+\s?절(?:\s|$)"),
    re.compile(r"제\s?\d+\s?관(?:\s|$)"),
    re.compile(r"(?:[Ⅰ-Ⅻ]\s?\.?|[IVX]{1,5}\.)\s"),
    re.compile(r"\d{1,2}\.\s?(?=[^\d\s])"),
    re.compile(r"\d{1,2}\.\d{1,2}\.?\s"),
    re.compile(r"\d{1,2}(?:\.\d{1,2}){2}\.?\s"),
    re.compile(r"\d{1,2}(?:\.\d{1,2}){3}\.?\s"),
    re.compile(r"[가나다라마바사아자차카타파하]\.\s"),
)
CHAPTER_RANKS = 4
"""Ranks up to here name their own kind (제1장): they head a section wherever they stand."""
_MAX_HEADING_CHARS = 60
_STATES = re.compile(
    r"[다요까음함됨임][.?!]$|(?:[가-힣]니|[하되이있없였었았했됐겠않같]|[한된진든난온간는린른])다$"
    r"|[는를]$|[.:;,]$|다\. |\.{4,}"
)
_RUN_IN = re.compile(
    r"(\d{1,2}(?:\.\d{1,2})*\.?\s?[^\s\d.](?:.{1,24}?))(?:\s{2,}|\n)(\S[^\0]{14,})"
)


def number_rank(text: str) -> int | None:
    """Depth of the kind of number a line starts with, from 1; None without a number."""
    return next((rank for rank, p in enumerate(_PATTERNS, 1) if p.match(text)), None)


def may_head(text: str) -> bool:
    """Whether a line is short and is no sentence."""
    text = text.strip()
    return 0 < len(text) <= _MAX_HEADING_CHARS and "\n" not in text and not _STATES.search(text)


def heads(before: str | None, text: str, after: str | None) -> int | None:
    """Rank of a line that heads what follows, None for any other line.

    ``before`` and ``after`` are its neighbours, None where no paragraph stands. Numbered lines that
    follow each other without anything between are a list.
    """
    rank = number_rank(text)
    if rank is None or not may_head(text):
        return None
    if rank <= CHAPTER_RANKS:
        return rank
    following = number_rank(after) if after else None
    if after == "" or (following is not None and following <= rank):
        return None
    listed = before is not None and number_rank(before) == rank and may_head(before)
    return None if listed else rank


def part_run_in(text: str) -> tuple[str, str] | None:
    """Heading and body of a line that runs on (``1. 적용범위  이 기준은 …``), if it does."""
    match = _RUN_IN.fullmatch(text)
    if not match or number_rank(text) is None or not may_head(match[1]):
        return None
    return match[1].strip(), match[2].strip()
