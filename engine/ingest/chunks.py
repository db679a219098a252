"""Blocks become parents (what is read) and children (what is searched)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.config import Chunking
from engine.text.kiwi import Korean
from engine.types import FURNITURE, Block, Child, Parent, Span, page_span, pages_of

_WINDOW_CHARS = 20_000
"""Kiwi is asked about no more at a time: its memory grows with the text."""
_BY_LINE = frozenset({"table", "list", "code", "figure", "index"})


def make_parents(blocks: Sequence[Block], chunking: Chunking) -> list[Parent]:
    """One parent a section; a section over ``parent_max_chars`` is parted between blocks."""
    parents: list[Parent] = []
    for section, members in groupby(blocks, key=lambda block: block.section):
        for part, group in enumerate(_parts(list(members), chunking.parent_max_chars), 1):
            first = group[0]
            base = f"{first.doc_id}:S{section}"
            parents.append(
                Parent(
                    parent_id=base if part == 1 else f"{base}.{part}",
                    doc_id=first.doc_id,
                    section=section,
                    title=first.section_path[0] if first.section_path else "",
                    block_ids=tuple(block.block_id for block in group),
                    pages=page_span(block.pages for block in group),
                )
            )
    return parents


def _parts(blocks: list[Block], limit: int) -> Iterator[list[Block]]:
    part: list[Block] = []
    size = 0
    for block in blocks:
        if part and size + len(block.text) > limit:
            yield part
            part, size = [], 0
        part.append(block)
        size += len(block.text)
    if part:
        yield part


def make_children(
    parent: Parent, blocks: Sequence[Block], chunking: Chunking, korean: Korean, first: int = 1
) -> list[Child]:
    """Children of one parent, numbered from ``first`` within the section.

    Neighbouring blocks are merged to ``child_target_chars``; a child starts with the last block of
    the one before where that still fits. A heading never ends a child that has a successor.
    """
    by_id = {block.block_id: block for block in blocks}
    members = [by_id[block_id] for block_id in parent.block_ids]
    units = [
        unit
        for block in members
        if block.kind not in FURNITURE and block.text.strip()
        for unit in _units(block, chunking, korean)
    ]
    children: list[Child] = []
    for group in _merge(units, by_id, chunking):
        spans = _join_spans([span for unit in group for span in unit])
        children.append(
            Child(
                child_id=f"{parent.doc_id}:S{parent.section}-C{first + len(children)}",
                parent_id=parent.parent_id,
                doc_id=parent.doc_id,
                spans=spans,
                text="\n".join(by_id[s.block_id].text[s.start : s.end] for s in spans),
                pages=page_span(pages_of(by_id[s.block_id], s.start, s.end) for s in spans),
            )
        )
    return children


Unit = tuple[Span, ...]
"""What is never parted: a block, a piece of a long one, or table rows behind their header."""


def _units(block: Block, chunking: Chunking, korean: Korean) -> list[Unit]:
    if len(block.text) <= chunking.child_max_chars:
        return [(_whole(block),)]
    repeated = 0 < block.header_chars <= chunking.child_max_chars // 2
    header = Span(block.block_id, 0, block.header_chars) if repeated else None
    start = taken = block.header_chars + 1 if repeated else 0
    room = chunking.child_target_chars - taken
    pieces = _pieces(block, start, chunking.child_max_chars - taken, korean)
    spans = [
        Span(block.block_id, group[0][0], group[-1][1])
        for group in _pack(pieces, max(room, chunking.child_target_chars // 3))
    ]
    return [(header, span) if header else (span,) for span in spans]


def _whole(block: Block) -> Span:
    start = len(block.text) - len(block.text.lstrip())
    return Span(block.block_id, start, len(block.text.rstrip()))


def _pieces(block: Block, start: int, limit: int, korean: Korean) -> list[tuple[int, int]]:
    """Lines or sentences of a block from ``start`` on, none longer than ``limit``."""
    text = block.text
    pieces: list[tuple[int, int]] = []
    for match in re.compile(r"[^\n]*\S[^\n]*").finditer(text, start):
        left = match.start() + len(match[0]) - len(match[0].lstrip())
        right = match.start() + len(match[0].rstrip())
        if block.kind in _BY_LINE and right - left <= limit:
            pieces.append((left, right))
            continue
        for begin, stop in _cut(text, left, right, _WINDOW_CHARS):
            for first, last in korean.sentences(text[begin:stop]):
                pieces += _cut(text, begin + first, begin + last, limit)
    return pieces


def _cut(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Cut a sentence that is too long, at white space in its last third where there is some."""
    while end - start > limit:
        space = text.rfind(" ", start + limit * 2 // 3, start + limit + 1)
        stop = space if space > 0 else start + limit
        yield start, stop
        start = stop + 1 if space > 0 else stop
    if end > start:
        yield start, end


def _pack(pieces: list[tuple[int, int]], target: int) -> Iterator[list[tuple[int, int]]]:
    group: list[tuple[int, int]] = []
    for piece in pieces:
        if group and piece[1] - group[0][0] > target:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _merge(units: list[Unit], blocks: dict[str, Block], chunking: Chunking) -> Iterator[list[Unit]]:
    target = chunking.child_target_chars
    group: list[Unit] = []
    fresh = 0
    for unit in units:
        headings = _trailing_headings(group, blocks)
        limit = target if headings < len(group) else chunking.child_max_chars
        if fresh and _size([*group, unit]) > limit:
            carried = group[len(group) - headings :] if headings < len(group) else []
            body = group[: len(group) - len(carried)]
            yield body
            group = carried or _overlap(body, unit, blocks, chunking)
            fresh = len(carried)
        group.append(unit)
        fresh += 1
    if group:
        yield group


def _overlap(
    group: list[Unit], unit: Unit, blocks: dict[str, Block], chunking: Chunking
) -> list[Unit]:
    """The last whole blocks of a child, as many as asked for that leave room for the next unit."""
    kept: list[Unit] = []
    for before in reversed(group[1:]):
        if len(kept) == chunking.overlap_blocks or not _is_block(before, blocks):
            break
        if _size([before, *kept, unit]) > chunking.child_target_chars:
            break
        kept.insert(0, before)
    return kept


def _trailing_headings(group: list[Unit], blocks: dict[str, Block]) -> int:
    count = 0
    while count < len(group) and blocks[group[-1 - count][0].block_id].kind == "heading":
        count += 1
    return count


def _is_block(unit: Unit, blocks: dict[str, Block]) -> bool:
    return len(unit) == 1 and unit[0] == _whole(blocks[unit[0].block_id])


def _size(units: Sequence[Unit]) -> int:
    return sum(span.end - span.start + 1 for unit in units for span in unit)


def _join_spans(spans: list[Span]) -> tuple[Span, ...]:
    """Drop a table header already there; join spans of one block that follow each other."""
    joined: list[Span] = []
    for span in spans:
        if span in joined:
            continue
        last = joined[-1] if joined else None
        if last and last.block_id == span.block_id and 0 < span.start - last.end <= 2:
            joined[-1] = Span(span.block_id, last.start, span.end)
        else:
            joined.append(span)
    return tuple(joined)
