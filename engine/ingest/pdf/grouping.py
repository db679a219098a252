"""Neighbouring list items become one list, neighbouring lines of contents one index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.ingest.pdf.entries import Entry

_MAX_LIST, _LONG_ITEM = 800, 200
_CIRCLED = re.compile(r"\s*[①-⑳]")
_ARTICLE = re.compile(r"제\s*\d+\s*조")


def grouped(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Neighbouring list items as one list, neighbouring lines of contents as one index."""
    group: list[Entry] = []
    article = False
    for entry in entries:
        if entry.kind == "heading":
            article = bool(_ARTICLE.match(entry.text))
        if entry.kind == "list" and (
            len(entry.text) > _LONG_ITEM or article and _CIRCLED.match(entry.text)
        ):
            entry.kind = "paragraph"
        if group and not _belongs(group, entry):
            yield _merged(group)
            group = []
        group.append(entry)
        if entry.kind not in ("list", "index"):
            yield _merged(group)
            group = []
    if group:
        yield _merged(group)


def _belongs(group: list[Entry], entry: Entry) -> bool:
    last = group[-1]
    if entry.kind == "paragraph" and last.kind == "list" and _indented(last, entry):
        entry.kind = "list"
    return entry.kind == last.kind and (entry.kind == "index" or not _is_full(group, entry))


def _is_full(group: list[Entry], entry: Entry) -> bool:
    """Whether a list ends here: long enough, and the next item is none of its inner ones."""
    size = sum(len(p.text) for p in group)
    first, line = group[0].lines[0], entry.lines[0]
    inner = line.x0 - line.left > first.x0 - first.left + 0.4 * line.size
    return size > _MAX_LIST * (3 if inner else 1)


def _indented(item: Entry, entry: Entry) -> bool:
    """Whether a short line stands inside the list item above it."""
    a, b = item.lines, entry.lines
    near = a[-1].page == b[0].page and a[-1].column == b[0].column
    inside = 0.5 < (b[0].x0 - a[0].x0) / b[0].size < 6 and b[0].base - a[-1].base < 2 * b[0].size
    return near and inside and len(entry.text) <= _LONG_ITEM


def _merged(group: list[Entry]) -> Entry:
    """One entry of several; list items keep their depth as two blanks a step."""
    if len(group) == 1:
        return group[0]
    depths = _depths(group) if group[0].kind == "list" else [0] * len(group)
    text = ""
    breaks: list[tuple[int, int]] = []
    page = group[0].page
    for entry, depth in zip(group, depths, strict=True):
        text += "\n" * bool(text) + "  " * depth
        if entry.page != page:
            breaks.append((len(text), entry.page))
        breaks += [(len(text) + at, to) for at, to in entry.breaks]
        text += entry.text
        page = entry.lines[-1].page
    lines = [line for entry in group for line in entry.lines]
    return Entry(group[0].kind, text, lines, breaks=tuple(breaks))


def _depths(group: list[Entry]) -> list[int]:
    """Steps of indentation, counted within each column."""
    depths: list[int] = []
    steps: list[float] = []
    column = -1
    for entry in group:
        line = entry.lines[0]
        if line.column != column:
            steps, column = [], line.column
        while steps and line.x0 < steps[-1] - 0.4 * line.size:
            steps.pop()
        if not steps or line.x0 > steps[-1] + 0.4 * line.size:
            steps.append(line.x0)
        depths.append(min(len(steps) - 1, 5))
    return depths
