"""The text of tables: merged cells repeated where they reach, headers carried over pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.ingest.pdf.drawing import Rect
from engine.ingest.pdf.frame import Frame
from engine.ingest.pdf.grid import Grid, find_grids
from engine.ingest.pdf.lines import make_lines, make_pieces
from engine.ingest.pdf.open_tables import find_open_tables
from engine.ingest.pdf.words import Word
from engine.ingest.source import clean
from engine.text.kiwi import Korean

_MAX_HEADER = 3
_MAX_CELL = 1000


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a table on one page; ``edges`` are those of its columns, as shares of the width."""

    page: int
    group: int
    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    bounds: Rect
    edges: tuple[float, ...]


def take_tables(
    words: Sequence[Word], edges: Sequence[Rect], frame: Frame, korean: Korean
) -> tuple[list[Table], list[Word]]:
    """The tables of a page and the words that stand outside of them."""
    tables: list[Table] = []
    left = list(words)
    for grid in find_grids(edges):
        inside, outside = _part(grid, left)
        rows = _rows(grid, inside, korean)
        if not _is_table(rows):
            continue
        left = outside
        tables.append(_table(frame, rows, _header_rows(grid), grid.bounds, grid.xs))
    for found in find_open_tables(edges, left, frame.height):
        rows = tuple(tuple(cell_text(cell, korean) for cell in row) for row in found.rows)
        taken = {id(word) for row in found.rows for cell in row for word in cell}
        left = [word for word in left if id(word) not in taken]
        tables.append(_table(frame, rows, found.header_rows, found.bounds, found.xs))
    return tables, left


def _table(
    frame: Frame, rows: tuple[tuple[str, ...], ...], header: int, bounds: Rect,
    xs: tuple[float, ...],
) -> Table:  # fmt: skip
    shares = tuple(round(x / frame.width, 3) for x in xs)
    return Table(frame.page, 0, rows, header, bounds, shares)


def _is_table(rows: tuple[tuple[str, ...], ...]) -> bool:
    """Whether rows and columns hold text, and no cell so much that the grid lays out a page."""
    filled_rows = sum(any(row) for row in rows)
    filled_columns = sum(any(column) for column in zip(*rows, strict=True))
    longest = max(len(cell) for row in rows for cell in row)
    return filled_rows >= 2 and filled_columns >= 2 and longest <= _MAX_CELL


def _part(grid: Grid, words: list[Word]) -> tuple[dict[int, list[Word]], list[Word]]:
    inside: defaultdict[int, list[Word]] = defaultdict(list)
    outside: list[Word] = []
    for word in words:
        middle = (word.top + word.bottom) / 2
        cell = grid.cell_at((word.x0 + word.x1) / 2, middle)
        if cell is None:
            outside.append(word)
        else:
            inside[cell].append(word)
    return inside, outside


def _rows(grid: Grid, inside: dict[int, list[Word]], korean: Korean) -> tuple[tuple[str, ...], ...]:
    texts = {cell: cell_text(words, korean) for cell, words in inside.items()}
    return tuple(
        tuple(texts.get(grid.cells.get((r, c), -1), "") for c in range(len(grid.xs) - 1))
        for r in range(len(grid.ys) - 1)
    )


def cell_text(words: Sequence[Word], korean: Korean) -> str:
    """The words of a cell as one line without the mark that parts cells."""
    lines = [line.text for line in make_lines(make_pieces(words), 0, 0, 0) if hasattr(line, "text")]
    lines = [line for line in (" ".join(clean(line).split()) for line in lines) if line]
    return korean.join(lines).replace("|", "¦") if lines else ""


def _header_rows(grid: Grid) -> int:
    """One, or as many as the first row's tallest cell where that row also joins columns."""
    first = [grid.cells.get((0, c)) for c in range(len(grid.xs) - 1)]
    joined = any(a is not None and a == b for a, b in zip(first, first[1:], strict=False))
    if not joined:
        return 1
    rows = range(min(len(grid.ys) - 1, _MAX_HEADER))
    deep = [sum(grid.cells.get((r, c)) == cell for r in rows) for c, cell in enumerate(first)]
    return min(max(deep), len(grid.ys) - 2) or 1


def carry_header(table: Table, before: Table | None) -> Table:
    """The table with the header of the one it continues, unless it prints that header itself."""
    if before is None or not continues(table, before):
        return table
    header = before.rows[: before.header_rows]
    if table.rows[: len(header)] == header:
        return replace(table, header_rows=len(header))
    return replace(table, rows=header + table.rows, header_rows=len(header))


def continues(table: Table, before: Table) -> bool:
    """Whether a table on the next page has the same columns."""
    same = len(table.edges) == len(before.edges)
    return (
        same
        and table.page == before.page + 1
        and all(abs(a - b) <= 0.012 for a, b in zip(table.edges, before.edges, strict=True))
    )
