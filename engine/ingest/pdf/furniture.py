"""Running headers and footers: lines at the edge of pages that repeat, and page numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.ingest.pdf.lines import Line
from engine.ingest.pdf.page import Page

Zone = Literal["header", "footer"]

_EDGE_LINES = 4
_LEVELS = 60
_NUMBER = re.compile(r"\d+")
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
    key: tuple[Zone, str, int]
    alone: bool


def find_furniture(pages: Sequence[Page]) -> Furniture:
    """Find what repeats at nearly the same height, with a number that counts pages or none."""
    groups: defaultdict[tuple[Zone, str, int], list[_Edge]] = defaultdict(list)
    for page in pages:
        for edge in _edges(page):
            groups[edge.key].append(edge)
    needed = 2 if len(pages) <= 4 else 3
    zones: dict[Line, Zone] = {}
    labels: dict[int, str] = {}
    for key, group in groups.items():
        near = [e for level in (-1, 1) for e in groups.get((key[0], key[1], key[2] + level), [])]
        for edge in _repeating(group, [*group, *near], needed):
            zones[edge.line] = edge.zone
            _label(edge, labels)
    return Furniture(zones, labels)


def _edges(page: Page) -> Iterator[_Edge]:
    """Lines among the first and the last of a page, and all that run in another direction."""
    lines = [item for item in page.flow if isinstance(item, Line)]
    frame = page.frames[0]
    main = sorted((line for line in lines if line.group == 0), key=lambda line: line.base)
    for zone, some in (("header", main[:_EDGE_LINES]), ("footer", main[-_EDGE_LINES:])):
        for line in some:
            middle = line.base / frame.height
            if (zone == "header") == (middle < 0.5):
                yield _edge(line, "header" if zone == "header" else "footer", middle, main)
    for line in lines:
        if line.group:
            yield _edge(line, "header", line.base / frame.height, [line, line])


def _edge(line: Line, zone: Zone, middle: float, main: list[Line]) -> _Edge:
    key = _NUMBER.sub("#", " ".join(line.text.split()))
    return _Edge(line, zone, (zone, key, round(middle * _LEVELS)), _stands_alone(line, zone, main))


def _stands_alone(line: Line, zone: Zone, main: list[Line]) -> bool:
    """Whether a line is the outermost of its page, with room between it and the text."""
    level = [o for o in main if abs(o.base - line.base) < line.size]
    order = main if zone == "header" else main[::-1]
    others = [o for o in order if o not in level]
    if order[0] not in level or not others:
        return bool(order[0] in level)
    gap = others[0].y0 - line.y1 if zone == "header" else line.y0 - others[0].y1
    return gap > 0.8 * line.size


def _repeating(group: list[_Edge], near: list[_Edge], needed: int) -> Iterable[_Edge]:
    """Members whose text is the same on enough pages, or whose number keeps pace with the page."""
    texts = Counter(edge.line.text for edge in near)
    paces = Counter(pace for edge in near for pace in _paces(edge))
    sizes = sorted(edge.line.size for edge in near)
    usual = sizes[len(sizes) // 2]
    for edge in group:
        if edge.line.size > 1.15 * usual:
            continue
        counted = any(paces[pace] >= needed for pace in _paces(edge))
        same = texts[edge.line.text] >= needed and not _ONLY_NUMBER.fullmatch(edge.line.text)
        if counted or same or edge.alone and _is_number(edge.line.text):
            yield edge


def _paces(edge: _Edge) -> set[int]:
    """Page less printed number, for each number in a line."""
    numbers = [int(n) for n in _NUMBER.findall(edge.line.text)[:6] if len(n) <= 5]
    roman = _ROMAN.fullmatch(edge.line.text)
    if roman:
        numbers.append(-roman_number(roman[1]))
    return {edge.line.page - abs(n) for n in numbers}


def _is_number(text: str) -> bool:
    return bool(_ONLY_NUMBER.fullmatch(text) or _ROMAN.fullmatch(text))


def _label(edge: _Edge, labels: dict[int, str]) -> None:
    text = edge.line.text.strip()
    match = _ONLY_NUMBER.fullmatch(text) or _ROMAN.fullmatch(text)
    if match and edge.line.page not in labels:
        labels[edge.line.page] = match[1]


def roman_number(text: str) -> int:
    """Value of a small Roman numeral."""
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}[c] for c in text.lower()]
    after = [*values[1:], 0]
    return sum(-v if v < n else v for v, n in zip(values, after, strict=True))
