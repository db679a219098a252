"""Tables with horizontal rules only: columns are where white space runs through all rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.ingest.pdf.drawing import Rect
from engine.ingest.pdf.words import Word

_SAME, _MIN_RULES = 4.0, 3
_GAP = 0.8
_FILLED = 0.7
_MAX_HEIGHT = 0.7

Row = tuple[tuple[Word, ...], ...]
"""The words of each cell."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Where a table stands, its column edges, its rows, and how many of them are header."""

    bounds: Rect
    xs: tuple[float, ...]
    rows: tuple[Row, ...]
    header_rows: int


def find_open_tables(
    edges: Sequence[Rect], words: Sequence[Word], height: float
) -> Iterator[OpenTable]:
    """Tables between at least three rules of one width, the first two of which hold a header."""
    for rules in _rule_groups(edges):
        top, bottom = rules[0][1], rules[-1][1]
        x0, x1 = rules[0][0], rules[0][2]
        inside = [w for w in words if top < w.y <= bottom + 1 and x0 - 2 <= w.x0 and w.x1 <= x1 + 2]
        if bottom - top > _MAX_HEIGHT * height or not inside:
            continue
        xs = _columns(inside, x0, x1)
        rows = _rows(inside, xs)
        header = sum(_base(row) <= rules[1][1] for row in rows)
        if len(xs) >= 3 and _is_tabular(rows) and 0 < header < len(rows):
            yield OpenTable((x0, top, x1, bottom), xs, rows, header)


def _rule_groups(edges: Sequence[Rect]) -> Iterator[list[Rect]]:
    """Rules that start and end alike and that no vertical edge touches, from top to bottom."""
    down = [edge for edge in edges if edge[0] == edge[2]]
    groups: defaultdict[tuple[int, int], list[Rect]] = defaultdict(list)
    for edge in sorted((e for e in edges if e[1] == e[3]), key=lambda e: e[1]):
        if not any(_touches(edge, v) for v in down):
            groups[round(edge[0] / _SAME), round(edge[2] / _SAME)].append(edge)
    for rules in groups.values():
        apart = [rules[0], *(b for a, b in pairwise(rules) if b[1] - a[1] > _SAME)]
        if len(apart) >= _MIN_RULES:
            yield apart


def _touches(rule: Rect, down: Rect) -> bool:
    return rule[0] - 3 <= down[0] <= rule[2] + 3 and down[1] - 3 <= rule[1] <= down[3] + 3


def _columns(words: Sequence[Word], x0: float, x1: float) -> tuple[float, ...]:
    """Middles of the white stripes that no word crosses, between the ends of the rules."""
    stripes: list[float] = []
    reach: float | None = None
    for word in sorted(words, key=lambda w: w.x0):
        if reach is not None and word.x0 - reach > _GAP * word.size:
            stripes.append((word.x0 + reach) / 2)
        reach = word.x1 if reach is None else max(reach, word.x1)
    return (x0 - 2, *stripes, x1 + 2)


def _rows(words: Sequence[Word], xs: tuple[float, ...]) -> tuple[Row, ...]:
    """Words by baseline and column."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.y, w.x0)):
        if lines and word.y - lines[-1][0].y <= 0.4 * word.size:
            lines[-1].append(word)
        else:
            lines.append([word])
    return tuple(_cells(line, xs) for line in lines)


def _cells(line: list[Word], xs: tuple[float, ...]) -> Row:
    return tuple(
        tuple(sorted((w for w in line if a <= (w.x0 + w.x1) / 2 < b), key=lambda w: w.x0))
        for a, b in pairwise(xs)
    )


def _base(row: Row) -> float:
    return max(word.y for cell in row for word in cell)


def _is_tabular(rows: Sequence[Row]) -> bool:
    """Whether most rows fill several columns."""
    several = sum(sum(bool(cell) for cell in row) >= 2 for row in rows)
    return len(rows) >= 2 and several >= _FILLED * len(rows)
