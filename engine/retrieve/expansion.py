"""From children that matched to passages worth reading: neighbours merged, context added."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.types import FURNITURE, Block, Child, Extent, Passage, Placed, Span, pages_of

_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Window:
    """The blocks of a parent's extents ``first`` to ``last``, counted from 0, around some cores."""

    parent_id: str
    cores: tuple[Child, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Context:
    """The text of a window and where each part of it comes from."""

    text: str
    passages: tuple[Passage, ...]


def readable(blocks: Sequence[Block]) -> list[Block]:
    """Blocks without what repeats on every page."""
    return [block for block in blocks if block.kind not in FURNITURE]


def merge(windows: Sequence[Window], placed: Placed, budget: int, limit: int) -> list[Window]:
    """Add the next best child: into a window it touches or overlaps, or else as a new one.

    Windows join only if what they span together fits the budget; beyond ``limit`` windows a child
    that touches none is left out.
    """
    child, _, _, extents = placed
    first, last = _reach(placed)
    merged = list(windows)
    for at, window in enumerate(windows):
        if window.parent_id != child.parent_id:
            continue
        start, end = min(first, window.first), max(last, window.last)
        near = first <= window.last + 1 and last >= window.first - 1
        if near and _length(extents, start, end) <= budget:
            cores = (*window.cores, child)
            merged[at] = replace(window, cores=cores, first=start, last=end)
            return merged
    if len(merged) < limit:
        merged.append(Window(child.parent_id, (child,), first, last))
    return merged


def widen(
    windows: Sequence[Window], extents_of: Mapping[str, Sequence[Extent]], budget: int
) -> list[Window]:
    """Give each window, best first, neighbours that fit the budget and no other window has."""
    taken = {
        (window.parent_id, at) for window in windows for at in range(window.first, window.last + 1)
    }
    widened: list[Window] = []
    for window in windows:
        extents = extents_of[window.parent_id]
        first, last = window.first, window.last
        room = budget - _length(extents, first, last)
        growing = True
        while growing:
            growing = False
            for at in (first - 1, last + 1):
                if not 0 <= at < len(extents) or (window.parent_id, at) in taken:
                    continue
                if extents[at].chars + len(_SEPARATOR) <= room:
                    room -= extents[at].chars + len(_SEPARATOR)
                    first, last = min(first, at), max(last, at)
                    taken.add((window.parent_id, at))
                    growing = True
        widened.append(replace(window, first=first, last=last))
    return widened


def read_window(cores: Sequence[Child], blocks: Sequence[Block], budget: int) -> Context:
    """The text of a window's blocks; where it exceeds the budget, only the cores of it."""
    length = sum(len(block.text) + len(_SEPARATOR) for block in blocks)
    whole = length <= max(budget, len(cores[0].text))
    matched: dict[str, list[Span]] = {}
    for child in cores:
        for span in child.spans:
            matched.setdefault(span.block_id, []).append(span)
    text = ""
    passages: list[Passage] = []
    for block in blocks:
        spans = _cover(matched.get(block.block_id, []))
        shown = [Span(block.block_id, 0, len(block.text))] if whole else spans
        for part in shown:
            text += _SEPARATOR if text else ""
            for start, end, core in _cut(part, spans):
                passages.append(_passage(block, start, end, len(text), core))
                text += block.text[start:end]
    return Context(text, tuple(passages))


def _passage(block: Block, start: int, end: int, at: int, core: bool) -> Passage:
    """The passage that shows ``block.text[start:end]`` from ``at`` on."""
    return Passage(
        block.block_id, block.source_id, at, at + end - start, pages_of(block, start, end),
        block.section_path, block.kind, core, header=block.text[: block.header_chars],
        label=block.label, page_breaks=tuple((at + o - start, p) for o, p in block.page_breaks),
        boxes=block.boxes,
    )  # fmt: skip


def _reach(placed: Placed) -> tuple[int, int]:
    """The extents of a child's first and last block."""
    first = bisect_left(placed.extents, (placed.first,))
    return first, bisect_left(placed.extents, (placed.last,), lo=first)


def _length(extents: Sequence[Extent], first: int, last: int) -> int:
    return sum(extent.chars + len(_SEPARATOR) for extent in extents[first : last + 1])


def _cover(spans: Sequence[Span]) -> list[Span]:
    """Spans of one block, in order, with overlaps joined."""
    covered: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if covered and span.start <= covered[-1].end + 1:
            last = covered[-1]
            covered[-1] = Span(last.block_id, last.start, max(last.end, span.end))
        else:
            covered.append(span)
    return covered


def _cut(part: Span, cores: Sequence[Span]) -> list[tuple[int, int, bool]]:
    """A shown slice as consecutive pieces, each wholly inside or outside the cores."""
    if not cores:
        return [(part.start, part.end, False)]
    edges = {part.start, part.end}
    for core in cores:
        edges |= {edge for edge in (core.start, core.end) if part.start < edge < part.end}
    cuts = sorted(edges)
    return [
        (start, end, any(core.start <= start and end <= core.end for core in cores))
        for start, end in zip(cuts, cuts[1:], strict=False)
    ]
