"""Page spans, as every stage reckons with them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.types import Block, Pages, Passage


def page_span(spans: Iterable[Pages | None]) -> Pages | None:
    """The pages that several spans cover together; None where none has pages."""
    known = [span for span in spans if span is not None]
    if not known:
        return None
    return min(first for first, _ in known), max(last for _, last in known)


def pages_of(piece: Block | Passage, start: int, end: int) -> Pages | None:
    """The pages of a slice of a block or passage; of an empty slice, that of ``start``.

    Offsets are those of the piece's ``page_breaks``.
    """
    if piece.pages is None or not piece.page_breaks:
        return piece.pages
    return _page_at(piece, start), _page_at(piece, max(start, end - 1))


def _page_at(piece: Block | Passage, offset: int) -> int:
    first = piece.pages[0] if piece.pages else 0
    return max([first, *(page for at, page in piece.page_breaks if at <= offset)])
