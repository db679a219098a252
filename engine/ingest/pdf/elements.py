"""The pages of a document become its elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from engine.ingest.pdf.entries import Entry, make_entries
from engine.ingest.pdf.frame import Frame
from engine.ingest.pdf.furniture import Furniture
from engine.ingest.pdf.grouping import grouped
from engine.ingest.pdf.headings import Body
from engine.ingest.pdf.page import Page
from engine.ingest.pdf.stream import make_stream
from engine.text.kiwi import Korean
from engine.types import Box, Element


def make_elements(
    pages: Sequence[Page], furniture: Furniture, body: Body, labels: Mapping[int, str],
    korean: Korean,
) -> list[Element]:  # fmt: skip
    """The elements of all pages in reading order."""
    entries = make_entries(make_stream(pages, furniture, body), body, korean)
    frames = {page.number: page.frames for page in pages}
    counts: Counter[int] = Counter()
    return [_element(entry, frames, labels, counts) for entry in grouped(entries)]


def _element(
    entry: Entry, frames: Mapping[int, tuple[Frame, ...]], labels: Mapping[int, str],
    counts: Counter[int],
) -> Element:  # fmt: skip
    first = entry.page
    last = entry.lines[-1].page if entry.lines else first
    counts[first] += 1
    return Element(
        entry.kind, entry.text, level=entry.level, pages=(first, last),
        boxes=tuple(_boxes(entry, frames)), element_id=f"p{first}-{counts[first]}",
        header_chars=entry.header_chars, page_label=labels.get(first), page_breaks=entry.breaks,
    )  # fmt: skip


def _boxes(entry: Entry, frames: Mapping[int, tuple[Frame, ...]]) -> Iterator[Box]:
    """One box for each column or page the entry stands in."""
    if entry.table:
        yield frames[entry.table.page][entry.table.group].box(*entry.table.bounds)
    for (page, group, _), run in groupby(entry.lines, key=lambda x: (x.page, x.group, x.column)):
        lines = list(run)
        yield frames[page][group].box(
            min(x.x0 for x in lines), min(x.y0 for x in lines),
            max(x.x1 for x in lines), max(x.y1 for x in lines),
        )  # fmt: skip
