"""The pages of a document become its elements: one stream, joined over columns and pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from engine.ingest.pdf.footnotes import opens_footnote, split_footnotes
from engine.ingest.pdf.frame import Frame
from engine.ingest.pdf.furniture import Furniture, Zone
from engine.ingest.pdf.headings import Body, is_heading, levels, numbering
from engine.ingest.pdf.joining import Joiner, make_joiner, plain
from engine.ingest.pdf.lines import Line
from engine.ingest.pdf.page import Flow, Page
from engine.ingest.pdf.paragraphs import (
    Paragraph,
    by_column,
    continues,
    is_leader,
    paragraphs,
)
from engine.ingest.pdf.tables import Table, carry_header
from engine.ingest.tables import table_text
from engine.korean import Korean
from engine.types import Box, Element, Kind

_MAX_LIST, _LONG_ITEM = 800, 200
_WEAK = 60
_CIRCLED = re.compile(r"\s*[①-⑳]")
_ARTICLE = re.compile(r"제\s*\d+\s*조")
_CAPTION = re.compile(
    r"\s*(?:[<〈《\[【(]\s*)?(?:그림|표|사진|도표|별표|Figure|Fig\.|Table)\s*[\dⅠ-Ⅻ]+(?:[-.]\d+)*"
    r"(?:\s*[>〉》\]】).:]|\s+(?=[^\s은는이가을를의에와과])|$)"
)
_CONTENTS = re.compile(r"\s*(?:목\s*차|차\s*례|contents)\s*", re.IGNORECASE)
_CONTENTS_LINE = re.compile(r".*\D\s+\d{1,4}$")

Breaks = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Piece:
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


def make_elements(
    pages: Sequence[Page], furniture: Furniture, body: Body, labels: Mapping[int, str],
    korean: Korean,
) -> list[Element]:  # fmt: skip
    """The elements of all pages in reading order."""
    stream = _join(_page_items(page, furniture, body) for page in pages)
    joiner = make_joiner(_paragraphs(stream), korean)
    pieces = _leveled([piece for item in stream for piece in _pieces(item, body, joiner)], body)
    frames = {page.number: page.frames for page in pages}
    counts: Counter[int] = Counter()
    return [_element(piece, frames, labels, counts) for piece in _grouped(pieces)]


@dataclass(slots=True)
class _Item:
    """One paragraph or table and what is already known of it."""

    content: Paragraph | Table
    kind: Kind | None = None
    opens_column: bool = False
    body: Body | None = None


def _paragraphs(stream: Iterable[_Item]) -> Iterator[list[Line]]:
    for item in stream:
        if isinstance(item.content, Paragraph) and item.kind is None:
            yield item.content.lines


def _page_items(page: Page, furniture: Furniture, body: Body) -> list[_Item]:
    zones: dict[Zone, list[Line]] = {"header": [], "footer": []}
    kept: list[Flow] = []
    for item in page.flow:
        zone = furniture.zones.get(item) if isinstance(item, Line) else None
        if zone and isinstance(item, Line):
            zones[zone].append(item)
        else:
            kept.append(item)
    items, notes = _body_items(kept, body, page)
    return [
        *_furniture(zones["header"], "header"), *items, *notes,
        *_furniture(zones["footer"], "footer"),
    ]  # fmt: skip


def _furniture(lines: list[Line], kind: Kind) -> list[_Item]:
    return [_Item(Paragraph([tuple(lines)]), kind)] if lines else []


def _body_items(kept: list[Flow], body: Body, page: Page) -> tuple[list[_Item], list[_Item]]:
    items: list[_Item] = []
    notes: list[_Item] = []
    contents = any(isinstance(i, Line) and _CONTENTS.fullmatch(i.text) for i in kept)
    for is_table, run in groupby(kept, key=lambda item: isinstance(item, Table)):
        if is_table:
            items += [_Item(table) for table in run if isinstance(table, Table)]
            continue
        for column in by_column(line for line in run if isinstance(line, Line)):
            main, small = split_footnotes(column, body, page.frames[column[0].group].height)
            items += _column_items(main, body, contents)
            notes += [_Item(Paragraph([tuple(lines)]), "footnote") for lines in _notes(small)]
    return items, notes


def _column_items(lines: list[Line], body: Body, contents: bool) -> Iterator[_Item]:
    for at, paragraph in enumerate(paragraphs(lines, body)):
        index = is_leader(paragraph.first.text) or (
            contents and bool(_CONTENTS_LINE.match(paragraph.last.text))
        )
        yield _Item(paragraph, "index" if index else None, at == 0, body)


def _notes(lines: list[Line]) -> Iterator[list[Line]]:
    note: list[Line] = []
    for line in lines:
        if note and opens_footnote(line):
            yield note
            note = []
        note.append(line)
    if note:
        yield note


def _join(pages: Iterable[list[_Item]]) -> list[_Item]:
    """One stream; a paragraph takes up what goes on in the next column or on the next page."""
    stream: list[_Item] = []
    last: Paragraph | None = None
    table: Table | None = None
    for items in pages:
        for item in items:
            content = item.content
            if isinstance(content, Table):
                table = carry_header(content, table)
                stream.append(replace(item, content=table))
                continue
            if item.kind is not None:
                stream.append(item)
                continue
            table = table if _CAPTION.match(content.first.text) else None
            if last and item.body and item.opens_column and continues(last, content, item.body):
                last.parts += content.parts
                continue
            stream.append(item)
            last = content
    return stream


def _pieces(item: _Item, body: Body, joiner: Joiner) -> Iterator[Piece]:
    if isinstance(item.content, Table):
        table = item.content
        text, header = table_text(table.rows, table.header_rows)
        yield Piece("table", text, table=table, header_chars=header)
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
        yield Piece(kind, text, paragraph.lines, breaks=breaks)


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
    if _CAPTION.match(text) and len(text) <= 100:
        return "caption"
    if len(paragraph.parts) == 1 and is_heading(paragraph.parts[0], text, body):
        return "heading"
    return "list" if paragraph.item else "paragraph"


def _leveled(pieces: list[Piece], body: Body) -> list[Piece]:
    _demote(pieces, body)
    headings = [piece for piece in pieces if piece.kind == "heading"]
    found = levels([(p.text, p.lines[0], body.is_larger(p.lines[0])) for p in headings])
    for piece, level in zip(headings, found, strict=True):
        piece.level = level
    return pieces


def _demote(pieces: list[Piece], body: Body) -> None:
    """Numbered headings of body size that follow each other without text are a list."""
    for piece, after in zip(pieces, pieces[1:], strict=False):
        rank = numbering(piece.text)
        weak = piece.kind == "heading" and rank is not None and rank >= _WEAK
        if weak and rank == numbering(after.text) and not body.is_larger(piece.lines[0]):
            piece.kind = "list"
            after.kind = "list" if after.kind == "heading" else after.kind


def _grouped(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Neighbouring list items as one list, neighbouring lines of contents as one index."""
    group: list[Piece] = []
    article = False
    for piece in pieces:
        if piece.kind == "heading":
            article = bool(_ARTICLE.match(piece.text))
        if piece.kind == "list" and (
            len(piece.text) > _LONG_ITEM or article and _CIRCLED.match(piece.text)
        ):
            piece.kind = "paragraph"
        if group and not _belongs(group, piece):
            yield _merged(group)
            group = []
        group.append(piece)
        if piece.kind not in ("list", "index"):
            yield _merged(group)
            group = []
    if group:
        yield _merged(group)


def _belongs(group: list[Piece], piece: Piece) -> bool:
    last = group[-1]
    if piece.kind == "paragraph" and last.kind == "list" and _indented(last, piece):
        piece.kind = "list"
    return piece.kind == last.kind and (piece.kind == "index" or not _is_full(group, piece))


def _is_full(group: list[Piece], piece: Piece) -> bool:
    """Whether a list ends here: long enough, and the next item is none of its inner ones."""
    size = sum(len(p.text) for p in group)
    first, line = group[0].lines[0], piece.lines[0]
    inner = line.x0 - line.left > first.x0 - first.left + 0.4 * line.size
    return size > _MAX_LIST * (3 if inner else 1)


def _indented(item: Piece, piece: Piece) -> bool:
    """Whether a short line stands inside the list item above it."""
    a, b = item.lines, piece.lines
    near = a[-1].page == b[0].page and a[-1].column == b[0].column
    inside = 0.5 < (b[0].x0 - a[0].x0) / b[0].size < 6 and b[0].base - a[-1].base < 2 * b[0].size
    return near and inside and len(piece.text) <= _LONG_ITEM


def _merged(group: list[Piece]) -> Piece:
    """One piece of several; list items keep their depth as two blanks a step."""
    if len(group) == 1:
        return group[0]
    depths = _depths(group) if group[0].kind == "list" else [0] * len(group)
    text = ""
    breaks: list[tuple[int, int]] = []
    page = group[0].page
    for piece, depth in zip(group, depths, strict=True):
        text += "\n" * bool(text) + "  " * depth
        if piece.page != page:
            breaks.append((len(text), piece.page))
        breaks += [(len(text) + at, to) for at, to in piece.breaks]
        text += piece.text
        page = piece.lines[-1].page
    lines = [line for piece in group for line in piece.lines]
    return Piece(group[0].kind, text, lines, breaks=tuple(breaks))


def _depths(group: list[Piece]) -> list[int]:
    """Steps of indentation, counted within each column."""
    depths: list[int] = []
    steps: list[float] = []
    column = -1
    for piece in group:
        line = piece.lines[0]
        if line.column != column:
            steps, column = [], line.column
        while steps and line.x0 < steps[-1] - 0.4 * line.size:
            steps.pop()
        if not steps or line.x0 > steps[-1] + 0.4 * line.size:
            steps.append(line.x0)
        depths.append(min(len(steps) - 1, 5))
    return depths


def _element(
    piece: Piece, frames: Mapping[int, tuple[Frame, ...]], labels: Mapping[int, str],
    counts: Counter[int],
) -> Element:  # fmt: skip
    first = piece.page
    last = piece.lines[-1].page if piece.lines else first
    counts[first] += 1
    return Element(
        piece.kind, piece.text, level=piece.level, pages=(first, last),
        boxes=tuple(_boxes(piece, frames)), element_id=f"p{first}-{counts[first]}",
        header_chars=piece.header_chars, page_label=labels.get(first), page_breaks=piece.breaks,
    )  # fmt: skip


def _boxes(piece: Piece, frames: Mapping[int, tuple[Frame, ...]]) -> Iterator[Box]:
    """One box for each column or page the piece stands in."""
    if piece.table:
        yield frames[piece.table.page][piece.table.group].box(*piece.table.bounds)
    for (page, group, _), run in groupby(piece.lines, key=lambda x: (x.page, x.group, x.column)):
        lines = list(run)
        yield frames[page][group].box(
            min(x.x0 for x in lines), min(x.y0 for x in lines),
            max(x.x1 for x in lines), max(x.y1 for x in lines),
        )  # fmt: skip
