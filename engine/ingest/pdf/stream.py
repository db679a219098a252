"""The pages of a document as one stream of paragraphs and tables, joined over columns and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.ingest.pdf.footnotes import opens_footnote, split_footnotes
from engine.ingest.pdf.furniture import Furniture, Zone
from engine.ingest.pdf.headings import Body
from engine.ingest.pdf.lines import Line
from engine.ingest.pdf.page import Flow, Page
from engine.ingest.pdf.paragraphs import Paragraph, by_column, continues, is_leader, paragraphs
from engine.ingest.pdf.tables import Table, carry_header
from engine.types import Kind

_CAPTION = re.compile(
    r"\s*(?:[<〈《\[【(]\s*)?(?:그림|표|사진|도표|별표|Figure|Fig\.|Table)\s*[\dⅠ-Ⅻ]+(?:[-.]\d+)*"
    r"(?:\s*[>〉》\]】).:]|\s+(?=[^\s은는이가을를의에와과])|$)"
)
_CONTENTS = re.compile(r"\s*(?:목\s*차|차\s*례|contents)\s*", re.IGNORECASE)
_CONTENTS_LINE = re.compile(r".*\D\s+\d{1,4}$")


@dataclass(slots=True)
class Item:
    """One paragraph or table and what is already known of it."""

    content: Paragraph | Table
    kind: Kind | None = None
    opens_column: bool = False
    body: Body | None = None


def make_stream(pages: Sequence[Page], furniture: Furniture, body: Body) -> list[Item]:
    """All pages in reading order: headers, body, footnotes and footers of each."""
    return _join(_page_items(page, furniture, body) for page in pages)


def is_caption(text: str) -> bool:
    """Whether a text names a table or a figure by number, and does not talk about it."""
    return bool(_CAPTION.match(text))


def _page_items(page: Page, furniture: Furniture, body: Body) -> list[Item]:
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


def _furniture(lines: list[Line], kind: Kind) -> list[Item]:
    return [Item(Paragraph([tuple(lines)]), kind)] if lines else []


def _body_items(kept: list[Flow], body: Body, page: Page) -> tuple[list[Item], list[Item]]:
    items: list[Item] = []
    notes: list[Item] = []
    contents = any(isinstance(i, Line) and _CONTENTS.fullmatch(i.text) for i in kept)
    for is_table, run in groupby(kept, key=lambda item: isinstance(item, Table)):
        if is_table:
            items += [Item(table) for table in run if isinstance(table, Table)]
            continue
        for column in by_column(line for line in run if isinstance(line, Line)):
            main, small = split_footnotes(column, body, page.frames[column[0].group].height)
            items += _column_items(main, body, contents)
            notes += [Item(Paragraph([tuple(lines)]), "footnote") for lines in _notes(small)]
    return items, notes


def _column_items(lines: list[Line], body: Body, contents: bool) -> Iterator[Item]:
    for at, paragraph in enumerate(paragraphs(lines, body)):
        index = is_leader(paragraph.first.text) or (
            contents and bool(_CONTENTS_LINE.match(paragraph.last.text))
        )
        yield Item(paragraph, "index" if index else None, at == 0, body)


def _notes(lines: list[Line]) -> Iterator[list[Line]]:
    note: list[Line] = []
    for line in lines:
        if note and opens_footnote(line):
            yield note
            note = []
        note.append(line)
    if note:
        yield note


def _join(pages: Iterable[list[Item]]) -> list[Item]:
    """One stream; a paragraph takes up what goes on in the next column or on the next page."""
    stream: list[Item] = []
    last: Paragraph | None = None
    table: Table | None = None
    for item in (item for items in pages for item in items):
        content = item.content
        if isinstance(content, Table):
            table = carry_header(content, table)
            stream.append(replace(item, content=table))
        elif item.kind is not None:
            stream.append(item)
        else:
            table = table if is_caption(content.first.text) else None
            if last and item.body and item.opens_column and continues(last, content, item.body):
                last.parts += content.parts
            else:
                stream.append(item)
                last = content
    return stream
