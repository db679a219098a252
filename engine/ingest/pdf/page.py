"""One page as its lines and tables in reading order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from engine.ingest.pdf.columns import reading_order
from engine.ingest.pdf.drawing import Drawing, Rect, read_drawing
from engine.ingest.pdf.frame import Frame
from engine.ingest.pdf.garbage import Quality, judge
from engine.ingest.pdf.lines import Line, Piece, make_lines, make_pieces
from engine.ingest.pdf.tables import Table, take_tables
from engine.ingest.pdf.words import PageWords, Word, read_words, visible
from engine.ingest.source import clean
from engine.text.kiwi import Korean

Flow = Line | Table


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was read; ``frames`` has one entry a direction of text, the main one first."""

    number: int
    label: str | None
    frames: tuple[Frame, ...]
    flow: tuple[Flow, ...]
    quality: Quality
    slanted: int = 0


def read_page(document: Any, number: int, korean: Korean, columns: count[int]) -> Page:
    """Read page ``number`` (from 1) of a ``pypdfium2.PdfDocument``.

    Raises:
        pypdfium2.PdfiumError: the page is damaged.
    """
    page = document[number - 1]
    try:
        label = readable(lambda: document.get_page_label(number - 1)) or None
        shown = page.get_rotation() // 90
        found = read_words(page, number, page.get_bbox(), shown)
        frame = found.groups[0][0] if found.groups else Frame(number, page.get_bbox(), shown, 0)
        drawing = read_drawing(page, frame)
    finally:
        page.close()
    quality = _quality(found, drawing, frame)
    frames = tuple(frame for frame, _ in found.groups) or (frame,)
    if quality.state != "text":
        return Page(number, label, frames, (), quality)
    flow = _flow(found, drawing, korean, columns)
    return Page(number, label, frames, tuple(flow), quality, found.slanted)


def readable(get: Callable[[], str]) -> str:
    """A string that the file stores beside its pages, empty where it cannot be decoded."""
    try:
        return " ".join(clean(get()).split())
    except UnicodeDecodeError:
        return ""


def _quality(found: PageWords, drawing: Drawing, frame: Frame) -> Quality:
    area = frame.width * frame.height or 1
    pictures = min(sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in drawing.images) / area, 1)
    text = "".join(visible(found.groups))
    return judge(frame.page, text, found.unmapped, pictures, drawing.paths)


def _flow(found: PageWords, drawing: Drawing, korean: Korean, columns: count[int]) -> list[Flow]:
    flow: list[Flow] = []
    for group, (frame, words) in enumerate(found.groups):
        edges = drawing.edges if group == 0 else ()
        flow += _ordered(words, edges, frame, group, korean, columns)
    return flow


def _ordered(
    words: list[Word], edges: tuple[Rect, ...], frame: Frame, group: int, korean: Korean,
    columns: count[int],
) -> list[Flow]:  # fmt: skip
    tables, left = take_tables(words, edges, frame, korean)
    pieces = make_pieces(left)
    for at, table in enumerate(tables):
        x0, y0, x1, y1 = table.bounds
        pieces.append(Piece(x0, y0, x1, y1, (), at, max(3, len(table.rows))))
    flow: list[Flow] = []
    for column in reading_order(pieces):
        for item in make_lines(column, frame.page, group, next(columns)):
            if isinstance(item, Line):
                flow.append(item)
            elif item.table is not None:
                flow.append(replace(tables[item.table], group=group))
    return flow
