"""Footnotes: small lines with a mark at the foot of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.ingest.pdf.headings import Body
from engine.ingest.pdf.lines import Line

_MARK = re.compile(r"\s*(?:\d{1,3}\s*[).]?\s*\S|\[\d+\]|[*†‡§]+\s*\S|주\s*\d*\s*[).:]|각주)")
_SMALLER = 0.93
_UPPER_PART = 0.4


def split_footnotes(
    column: Sequence[Line], body: Body, height: float
) -> tuple[list[Line], list[Line]]:
    """The lines of a column without its footnotes, and the footnotes."""
    start = len(column)
    while start and column[start - 1].size <= _SMALLER * body.size:
        start -= 1
    while start < len(column) and not _MARK.match(column[start].text):
        start += 1
    if start in (0, len(column)) or column[start].base < _UPPER_PART * height:
        return list(column), []
    gap = column[start].y0 - column[start - 1].y1
    if gap < 0.5 * body.size:
        return list(column), []
    return list(column[:start]), list(column[start:])


def opens_footnote(line: Line) -> bool:
    """Whether a line starts a footnote."""
    return bool(_MARK.match(line.text))
