"""What word processors hold, before it becomes elements: paragraphs, grids and asides in order.

The readers of HWP, HWPX and DOCX yield these; here headings are told from numbered sentences,
lists are gathered, and tables that only frame text are opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.errors import SourceError
from engine.ingest.headings import heads, may_head, number_rank, part_run_in
from engine.ingest.source import clean
from engine.ingest.tables import check_size, table_text
from engine.text.kiwi import opens_item
from engine.types import FURNITURE, Element, Kind

MAX_DEPTH = 32
_LIST_LINE_CHARS = 120
_LIST_CHARS = 400
_LONG_CELL_CHARS = 600
_WIDE_COLUMNS = 12
_OUTLINE_RANK = 20
_CAPTION = re.compile(r"[<\[(〈【]?\s?(?:표|그림|Table|Figure)\s?\d")
_SYMBOL = re.compile(r"^[\uf000-\uf0ff]\s*")
_BOXED = {0xF02B1 + n: chr(ord("①") + n) for n in range(10)}


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph; ``mark`` is its automatic number or bullet, ``outline`` its level or 0."""

    text: str
    mark: str = ""
    outline: int = 0
    at: str | None = None
    kind: Kind = "paragraph"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell by its place in the grid, both from 0, and the rows and columns it covers."""

    row: int
    column: int
    items: tuple[Item, ...]
    rows: int = 1
    columns: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with the caption that belongs to it."""

    cells: tuple[Cell, ...]
    caption: tuple[Item, ...] = ()
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Aside:
    """What stands outside the running text: notes, memos (as notes), page headers and footers."""

    kind: Literal["footnote", "header", "footer"]
    items: tuple[Item, ...]
    mark: str = ""
    at: str | None = None


Item: TypeAlias = Para | Grid | Aside


def check_depth(depth: int, name: str) -> None:
    """Refuse nesting that no document needs.

    Raises:
        SourceError: deeper than `MAX_DEPTH`.
    """
    if depth > MAX_DEPTH:
        raise SourceError(f"{name}: tables or boxes nested deeper than {MAX_DEPTH}; refused")


def to_elements(items: Sequence[Item]) -> list[Element]:
    """Elements in reading order; a page header or footer that repeats is kept once.

    Raises:
        SourceError: a table too large to be one.
    """
    return list(_once(_gather(_level(_parted(_open(items))))))


def title_of(elements: Sequence[Element], otherwise: str) -> str:
    """The document's title: an unnumbered heading that everything else follows, if there is one."""
    first = next((e for e in elements if e.kind not in FURNITURE), None)
    if first and first.kind == "heading" and number_rank(first.text) is None:
        return " ".join(first.text.split())
    return otherwise


def _open(items: Sequence[Item]) -> Iterator[Element | Para]:
    """Paragraphs as they are, everything else as elements; frames give what they hold."""
    for item in items:
        if isinstance(item, Para):
            tidy = _tidy(item)
            if tidy.text:
                yield tidy
        elif isinstance(item, Aside):
            text = plain(item.items)
            if text:
                joined = f"{item.mark} {text}" if item.mark else text
                yield Element(item.kind, joined, element_id=item.at)
        else:
            yield from _grid(item)


def _grid(grid: Grid) -> Iterator[Element | Para]:
    caption = plain(grid.caption)
    if caption:
        yield Element("caption", caption, element_id=grid.at)
    if _is_frame(grid):
        for cell in sorted(grid.cells, key=lambda cell: (cell.row, cell.column)):
            yield from (_unheaded(piece) for piece in _open(cell.items))
        return
    text, header_chars = table_text(*_rows(grid))
    if text:
        yield Element("table", text, header_chars=header_chars, element_id=grid.at)
    for cell in grid.cells:
        nested = [item for item in cell.items if not isinstance(item, Para)]
        yield from _open(nested)


def _is_frame(grid: Grid) -> bool:
    """Whether a table only draws a box around text or lays out other tables."""
    if len({cell.column for cell in grid.cells}) == 1:
        return True
    return any(
        len(plain(cell.items)) > _LONG_CELL_CHARS and len(cell.items) > 2 for cell in grid.cells
    )


def _unheaded(piece: Element | Para) -> Element | Para:
    """Text inside a frame heads nothing outside of it."""
    return replace(piece, outline=-1) if isinstance(piece, Para) else piece


def _rows(grid: Grid) -> tuple[list[list[str]], int]:
    height = max((cell.row + cell.rows for cell in grid.cells), default=0)
    width = max((cell.column + cell.columns for cell in grid.cells), default=0)
    check_size(height * width, 0)
    rows = [[""] * width for _ in range(height)]
    repeat = not _is_form(grid, width)
    chars = 0
    for cell in grid.cells:
        text = " ".join(plain(cell.items, nested=False).split())
        chars += len(text) * cell.rows * cell.columns
        check_size(0, chars)
        for row in range(cell.row, cell.row + (cell.rows if repeat else 1)):
            for column in range(cell.column, cell.column + (cell.columns if repeat else 1)):
                rows[row][column] = text
    if not repeat:
        return [[text for text in row if text] for row in rows], 0
    rows = _without_empty_columns(rows)
    for cell in grid.cells:
        if cell.columns == width:
            rows[cell.row] = rows[cell.row][:1]
    return rows, _header_rows(grid)


def _is_form(grid: Grid, width: int) -> bool:
    """Whether the columns are only lines to align a form to, as on the foot of official letters."""
    return width > _WIDE_COLUMNS and sum(c.columns for c in grid.cells) > 2 * len(grid.cells)


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    filled = [any(column) for column in zip(*rows, strict=True)]
    return [[text for text, keep in zip(row, filled, strict=True) if keep] for row in rows]


def _header_rows(grid: Grid) -> int:
    """Rows marked as header, or as many as the tallest cell of the first row covers."""
    marked = max((cell.row + cell.rows for cell in grid.cells if cell.header), default=0)
    return marked or max((cell.rows for cell in grid.cells if cell.row == 0), default=1)


def plain(items: Sequence[Item], nested: bool = True) -> str:
    """The text of items, a line each; tables give a line a cell."""
    lines: list[str] = []
    for item in items:
        if isinstance(item, Para):
            tidy = _tidy(item)
            lines.append(f"{tidy.mark} {tidy.text}".strip())
        elif isinstance(item, Grid) and nested:
            lines += [plain(cell.items) for cell in item.cells]
    return "\n".join(line for line in lines if line)


def _tidy(para: Para) -> Para:
    """One space where layout put several, known private symbols as what they show."""
    text = clean(para.text).translate(_BOXED)
    mark = _SYMBOL.sub("•", clean(para.mark))
    if _SYMBOL.match(text):
        text, mark = _SYMBOL.sub("", text), mark or "•"
    parted = part_run_in(text.strip()) if not mark else None
    if parted is None:
        text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    return replace(para, text=text.strip(), mark=mark)


def _parted(pieces: Iterator[Element | Para]) -> Iterator[Element | Para]:
    """Headings that run on into their text are parted from it."""
    for piece in pieces:
        parted = part_run_in(piece.text) if isinstance(piece, Para) and not piece.mark else None
        if parted is None or isinstance(piece, Element) or piece.outline < 0:
            yield piece
            continue
        heading, body = (" ".join(part.split()) for part in parted)
        yield replace(piece, text=heading, kind="heading")
        yield replace(piece, text=body, outline=0)


def _level(pieces: Iterator[Element | Para]) -> Iterator[Element]:
    """Headings get levels from 1 by the ranks that the document uses."""
    known = list(pieces)
    ranks = [_rank(known, at) for at in range(len(known))]
    levels = {rank: level for level, rank in enumerate(sorted({r for r in ranks if r}), 1)}
    for piece, rank, following in zip(known, ranks, [*known[1:], None], strict=True):
        if isinstance(piece, Element):
            yield piece
        elif rank:
            text = " ".join(f"{piece.mark} {piece.text}".split())
            yield Element("heading", text, level=levels[rank], element_id=piece.at)
        else:
            yield Element(_kind(piece, following), _line(piece), element_id=piece.at)


def _kind(piece: Para, following: Element | Para | None) -> Kind:
    if piece.kind != "paragraph":
        return piece.kind
    before_table = isinstance(following, Element) and following.kind == "table"
    if before_table and _CAPTION.match(piece.text) and len(piece.text) <= _LIST_LINE_CHARS:
        return "caption"
    numbered = number_rank(piece.text) is not None and may_head(piece.text)
    return "list" if piece.mark or numbered or opens_item(piece.text) else "paragraph"


def _rank(pieces: Sequence[Element | Para], at: int) -> int | None:
    piece = pieces[at]
    if isinstance(piece, Element) or piece.outline < 0:
        return None
    text = _line(piece)
    if piece.kind != "paragraph":
        return number_rank(text) if piece.kind == "heading" else None
    if piece.outline:
        return piece.outline + _OUTLINE_RANK if may_head(piece.text) else None
    before = _line(pieces[at - 1]) if at else None
    after = _line(pieces[at + 1]) if at + 1 < len(pieces) else ""
    return heads(before, text, after)


def _line(piece: Element | Para) -> str:
    if isinstance(piece, Element):
        return piece.text
    return f"{piece.mark} {piece.text}".strip()


def _gather(elements: Iterator[Element]) -> Iterator[Element]:
    """Short list items that follow each other become one list."""
    group: list[Element] = []
    for element in elements:
        short = element.kind == "list" and len(element.text) <= _LIST_LINE_CHARS
        if short and sum(len(e.text) for e in group) + len(element.text) <= _LIST_CHARS:
            group.append(element)
            continue
        yield from _joined(group)
        group = [element] if short else []
        if not short:
            yield element
    yield from _joined(group)


def _joined(group: list[Element]) -> Iterator[Element]:
    if group:
        yield replace(group[0], text="\n".join(element.text for element in group))


def _once(elements: Iterator[Element]) -> Iterator[Element]:
    seen: set[tuple[str, str]] = set()
    for element in elements:
        key = (element.kind, element.text)
        if element.kind in ("header", "footer") and key in seen:
            continue
        seen.add(key)
        yield element
