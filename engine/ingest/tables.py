"""Tables as text: one line a row, cells parted by ``|``, merged cells repeated where they reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import SourceError

Grid = list[list[str]]
MAX_SLOTS = 1_000_000
MAX_CHARS = 50_000_000


def table_text(rows: Sequence[Sequence[str]], header_rows: int) -> tuple[str, int]:
    """Text of a table and the length of its header at the start of it."""
    lines = [" | ".join(cells) for cells in rows if any(cells)]
    header_rows = min(header_rows, len(lines) - 1) if lines else 0
    return "\n".join(lines), len("\n".join(lines[:header_rows]))


def check_size(slots: int, chars: int) -> None:
    """Refuse tables that merged cells would multiply beyond any use.

    Raises:
        SourceError: more than `MAX_SLOTS` slots or `MAX_CHARS` characters once cells are repeated.
    """
    if slots > MAX_SLOTS or chars > MAX_CHARS:
        raise SourceError(
            f"a table of over {MAX_SLOTS:,} cells or {MAX_CHARS:,} characters once merged cells "
            "are repeated; refused"
        )


def html_table(table: Any) -> tuple[Grid, int]:
    """Rows of an lxml ``<table>`` with spans filled in, and how many of them are header.

    The header is ``<thead>``, or the leading rows of only ``<th>``, or else the first row.
    """
    rows: Grid = []
    carried: dict[int, tuple[int, str]] = {}
    header = slots = chars = 0
    counting = True
    for tr in table.iter("tr"):
        if next((a for a in tr.iterancestors("table")), table) is not table:
            continue
        cells: list[str] = []
        own = [cell for cell in tr if cell.tag in ("td", "th")]
        for cell in own:
            _fill(cells, carried)
            text = " ".join(" ".join(cell.itertext()).split())
            rows_down, columns = _span(cell, "rowspan"), _span(cell, "colspan")
            chars += len(text) * columns
            check_size(slots + len(cells) + columns, chars)
            for _ in range(columns):
                if rows_down > 1:
                    carried[len(cells)] = (rows_down - 1, text)
                cells.append(text)
        _fill(cells, carried)
        slots += len(cells)
        chars += sum(map(len, cells))
        check_size(slots, chars)
        is_header = tr.getparent().tag == "thead" or (own and all(c.tag == "th" for c in own))
        counting = counting and bool(is_header)
        header += counting
        rows.append(cells)
    width = max(map(len, rows), default=0)
    check_size(width * len(rows), chars)
    rows = [cells + [""] * (width - len(cells)) for cells in rows]
    return rows, header or 1


def _fill(cells: list[str], carried: dict[int, tuple[int, str]]) -> None:
    """Put in the cells that reach down from earlier rows at this point."""
    while len(cells) in carried:
        column = len(cells)
        left, text = carried.pop(column)
        if left > 1:
            carried[column] = (left - 1, text)
        cells.append(text)


def _span(cell: Any, name: str) -> int:
    value = str(cell.get(name, "1")).strip()
    return min(int(value), 1000) if value.isascii() and value.isdigit() and int(value) else 1


def pipe_table(text: str) -> tuple[Grid, int] | None:
    """Rows of a Markdown table, or None if the text is not one."""
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()]
    if len(lines) < 2 or not all(line.startswith("|") for line in lines):
        return None
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rule = [all(set(cell) <= set("-: ") and "-" in cell for cell in row) for row in rows]
    return [row for row, ruled in zip(rows, rule, strict=True) if not ruled], 1
