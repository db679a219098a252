"""Running headers and footers: lines at the edge of pages that repeat, and page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from engine.ingest.pdf.lines import Line
from engine.ingest.pdf.page import Page

Zone = Literal["header", "footer"]

_EDGE_ROWS, _GAP = 3, 0.8
_LEVELS = 60
_AT_START, _AT_END = re.compile(r"(\d{1,4})(?=\s)"), re.compile(r"(?<=\s)(\d{1,4})$")
_ONLY_NUMBER = re.compile(
    r"[-–—~·\s(\[]*(?:page\s*|p\.\s*)?(\d{1,4})(?:\s*(?:/|of|중)\s*\d{1,4})?\s*(?:쪽|페이지)?[-–—~·\s)\]]*",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"[-–—\s]*([ivxl]{1,7})[-–—\s]*")


@dataclass(frozen=True, slots=True)
class Furniture:
    """Which lines are running headers or footers, and the number each page prints on itself."""

    zones: dict[Line, Zone]
    labels: dict[int, str]


@dataclass(frozen=True, slots=True)
class _Edge:
    line: Line
    zone: Zone
    level: int
    alone: bool


def find_furniture(pages: Sequence[Page]) -> Furniture:
    """Find what repeats at nearly the same height, and lines whose number keeps pace with pages."""
    needed = 2 if len(pages) <= 4 else 3
    edges = [edge for page in pages for edge in _edges(page)]
    texts = _by_level((edge, edge.line.text) for edge in edges)
    paces = _by_level((edge, pace) for edge in edges for pace in _paces(edge.line))
    zones: dict[Line, Zone] = {}
    labels: dict[int, str] = {}
    for edge in edges:
        same = _repeats(texts, edge, edge.line.text, needed)
        pace = next((p for p in _paces(edge.line) if _repeats(paces, edge, p, needed)), None)
        number = _is_number(edge.line.text)
        if same and not number or pace is not None or edge.alone and number:
            zones[edge.line] = edge.zone
            _label(edge.line, pace, labels)
    found: defaultdict[int, list[Line]] = defaultdict(list)
    for line in zones:
        found[line.page].append(line)
    beside = {e.line: e.zone for e in edges if any(_beside(e.line, o) for o in found[e.line.page])}
    return Furniture({**beside, **zones}, labels)


def _beside(line: Line, other: Line) -> bool:
    """Whether two lines of a page stand in one row."""
    return line.group == other.group and abs(line.base - other.base) < 0.5 * line.size


Sizes = dict[tuple[Zone, int, str | int], dict[int, float]]


def _by_level(found: Iterable[tuple[_Edge, str | int]]) -> Sizes:
    """Size of what shows something, by page, for each zone and height."""
    sizes: defaultdict[tuple[Zone, int, str | int], dict[int, float]] = defaultdict(dict)
    for edge, shown in found:
        sizes[edge.zone, edge.level, shown][edge.line.page] = edge.line.size
    return sizes


def _repeats(sizes: Sizes, edge: _Edge, shown: str | int, needed: int) -> bool:
    """Whether enough lines near this height, not of smaller print, show the same."""
    near: dict[int, float] = {}
    for step in (-1, 1, 0):
        near |= sizes.get((edge.zone, edge.level + step, shown), {})
    return len(near) >= needed and edge.line.size <= 1.15 * median(near.values())


def _edges(page: Page) -> Iterator[_Edge]:
    """Lines among the first and the last of a page, and all that run in another direction."""
    lines = [item for item in page.flow if isinstance(item, Line)]
    frame = page.frames[0]
    main = sorted((line for line in lines if line.group == 0), key=lambda line: line.base)
    zones: tuple[tuple[Zone, list[Line]], ...] = (("header", main), ("footer", main[::-1]))
    for zone, order in zones:
        for line in _outside(order):
            middle = line.base / frame.height
            if (zone == "header") == (middle < 0.5):
                yield _edge(line, zone, middle, main)
    for line in lines:
        if line.group:
            yield _edge(line, "header", line.base / frame.height, [line, line])


def _outside(order: list[Line]) -> list[Line]:
    """The outermost lines up to the widest gap near the edge; none where there is no gap."""
    rows: list[list[Line]] = []
    for line in order:
        if rows and abs(line.base - rows[-1][0].base) < 0.5 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    edge = rows[: _EDGE_ROWS + 1]
    gaps = [
        (abs(b[0].base - a[0].base) - b[0].size) / a[0].size
        for a, b in zip(edge, edge[1:], strict=False)
    ]
    widest = max(range(len(gaps)), key=lambda at: gaps[at], default=0)
    kept = rows if not gaps else rows[: widest + 1] if gaps[widest] > _GAP else []
    return [line for row in kept for line in row]


def _edge(line: Line, zone: Zone, middle: float, main: list[Line]) -> _Edge:
    return _Edge(line, zone, round(middle * _LEVELS), _stands_alone(line, zone, main))


def _stands_alone(line: Line, zone: Zone, main: list[Line]) -> bool:
    """Whether a line is the outermost of its page, with room between it and the text."""
    level = [o for o in main if abs(o.base - line.base) < line.size]
    order = main if zone == "header" else main[::-1]
    others = [o for o in order if o not in level]
    if order[0] not in level or not others:
        return bool(order[0] in level)
    gap = others[0].y0 - line.y1 if zone == "header" else line.y0 - others[0].y1
    return gap > 0.8 * line.size


def _paces(line: Line) -> list[int]:
    """Page less printed number, for a number at either end of a line."""
    text = line.text.strip()
    only = _ONLY_NUMBER.fullmatch(text)
    ends = [only] if only else [_AT_START.match(text), _AT_END.search(text)]
    numbers = [int(match[1]) for match in ends if match]
    roman = _ROMAN.fullmatch(text)
    if roman:
        numbers.append(roman_number(roman[1]))
    return [line.page - number for number in dict.fromkeys(numbers)]


def _is_number(text: str) -> bool:
    return bool(_ONLY_NUMBER.fullmatch(text) or _ROMAN.fullmatch(text))


def _label(line: Line, pace: int | None, labels: dict[int, str]) -> None:
    text = line.text.strip()
    match = _ONLY_NUMBER.fullmatch(text) or _ROMAN.fullmatch(text)
    if match:
        labels[line.page] = match[1]
    elif pace is not None:
        labels.setdefault(line.page, str(line.page - pace))


def roman_number(text: str) -> int:
    """Value of a small Roman numeral."""
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}[c] for c in text.lower()]
    after = [*values[1:], 0]
    return sum(-v if v < n else v for v, n in zip(values, after, strict=True))
