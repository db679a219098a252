"""Paragraphs and tables with their text, their kind and their level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.ingest.pdf.headings import Body, is_heading, levels, numbering
from engine.ingest.pdf.joining import Joiner, make_joiner, plain
from engine.ingest.pdf.lines import Line
from engine.ingest.pdf.paragraphs import Paragraph
from engine.ingest.pdf.stream import Item, is_caption
from engine.ingest.pdf.tables import Table
from engine.ingest.tables import table_text
from engine.text.kiwi import Korean
from engine.types import Kind

_WEAK = 60
_MAX_CAPTION = 100

Breaks = tuple[tuple[int, int], ...]
"""Offsets in a text and the pages that start there."""


@dataclass(slots=True)
class Entry:
    """An element in the making: its lines or table, its text and the pages inside the text."""

    kind: Kind
    text: str
    lines: list[Line] = field(default_factory=list)
    table: Table | None = None
    breaks: Breaks = ()
    level: int = 0
    header_chars: int = 0

    @property
    def page(self) -> int:
        """The page it starts on."""
        return self.table.page if self.table else self.lines[0].page


def make_entries(stream: Sequence[Item], body: Body, korean: Korean) -> list[Entry]:
    """An entry for each item that has text, headings with their level."""
    joiner = make_joiner(_paragraphs(stream), korean)
    return _leveled([entry for item in stream for entry in _entries(item, body, joiner)], body)


def _paragraphs(stream: Iterable[Item]) -> Iterator[list[Line]]:
    for item in stream:
        if isinstance(item.content, Paragraph) and item.kind is None:
            yield item.content.lines


def _entries(item: Item, body: Body, joiner: Joiner) -> Iterator[Entry]:
    if isinstance(item.content, Table):
        table = item.content
        text, header = table_text(table.rows, table.header_rows)
        yield Entry("table", text, table=table, header_chars=header)
        return
    paragraph = item.content
    breaks: Breaks = ()
    if item.kind in ("header", "footer", "index"):
        lines = [plain(line) for line in paragraph.lines]
        text = "\n".join(line for line in lines if line)
    else:
        text, breaks = _text(paragraph, joiner)
    if text:
        kind = item.kind or _kind(paragraph, text, body)
        yield Entry(kind, text, paragraph.lines, breaks=breaks)


def _text(paragraph: Paragraph, joiner: Joiner) -> tuple[str, Breaks]:
    """The text of all parts and where in it the pages begin."""
    joined = ""
    breaks: list[tuple[int, int]] = []
    before: tuple[Line, ...] = ()
    for part in paragraph.parts:
        text = joiner.join(part)
        if not text:
            continue
        if not before:
            joined = text
        else:
            joined = joiner.append(joined, text, before[-1].trail)
            if part[0].page != before[-1].page:
                breaks.append((len(joined) - len(text), part[0].page))
        before = part
    return joined, tuple(breaks)


def _kind(paragraph: Paragraph, text: str, body: Body) -> Kind:
    if is_caption(text) and len(text) <= _MAX_CAPTION:
        return "caption"
    if len(paragraph.parts) == 1 and is_heading(paragraph.parts[0], text, body):
        return "heading"
    return "list" if paragraph.item else "paragraph"


def _leveled(entries: list[Entry], body: Body) -> list[Entry]:
    _demote(entries, body)
    headings = [entry for entry in entries if entry.kind == "heading"]
    found = levels([(p.text, p.lines[0], body.is_larger(p.lines[0])) for p in headings])
    for entry, level in zip(headings, found, strict=True):
        entry.level = level
    return entries


def _demote(entries: list[Entry], body: Body) -> None:
    """Numbered headings of body size that follow each other without text are a list."""
    for entry, after in zip(entries, entries[1:], strict=False):
        rank = numbering(entry.text)
        weak = entry.kind == "heading" and rank is not None and rank >= _WEAK
        if weak and rank == numbering(after.text) and not body.is_larger(entry.lines[0]):
            entry.kind = "list"
            after.kind = "list" if after.kind == "heading" else after.kind
