"""XLSX: every sheet is a section, its rows are table blocks. Formulas give their stored results."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl

from engine.errors import SourceError
from engine.ingest.archive import OLE_MAGIC, Archive, member_names
from engine.ingest.rows import table_elements
from engine.ingest.source import Source, clean
from engine.text.kiwi import Korean
from engine.types import Element, Reading

NAME = "xlsx"
MAX_CELLS = 5_000_000
_QUOTED = re.compile(r'"[^"]*"|\\.')


def accepts(source: Source) -> bool:
    """A zip with ``xl/workbook.xml``, or a protected file that is named as one."""
    if source.head.startswith(OLE_MAGIC):
        return source.suffix in {".xlsx", ".xlsm"}
    return "xl/workbook.xml" in member_names(source)


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one workbook; hidden sheets are read too.

    Raises:
        SourceError: protected, damaged, or more than `MAX_CELLS` cells.
    """
    if source.head.startswith(OLE_MAGIC):
        raise SourceError(
            f"{source.name}: protected by a password, or an old .xls; save it as XLSX"
        )
    archive = Archive(source)
    archive.refuse_doctypes()
    book = openpyxl.load_workbook(io.BytesIO(archive.data), read_only=True, data_only=True)
    elements: list[Element] = []
    room = MAX_CELLS
    for sheet in book.worksheets:
        rows, room = _rows(sheet, room, source.name)
        found = list(table_elements(rows, _places(sheet.title)))
        if found:
            elements += [Element("heading", clean(sheet.title), level=1), *found]
    book.close()
    if elements:
        yield Reading(source.stem, elements)


def _places(sheet: str) -> Any:
    return lambda first, last: f"{sheet}!{first}:{last}"


def _rows(sheet: Any, room: int, name: str) -> tuple[list[tuple[int, list[str]]], int]:
    """Filled rows with their numbers from 1, and how many more cells may be read."""
    sheet.reset_dimensions()
    rows: list[tuple[int, list[str]]] = []
    for number, cells in enumerate(sheet.iter_rows(), 1):
        room -= len(cells) + 1
        if room < 0:
            raise SourceError(f"{name}: more than {MAX_CELLS:,} cells; part it into smaller files")
        texts = [_text(cell) for cell in cells]
        if any(texts):
            rows.append((number, texts))
    return rows, room


def _text(cell: Any) -> str:
    """A value as the sheet shows it: dates without a midnight, percentages with their sign."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float) and "%" in (form := str(cell.number_format)):
        # A quoted sign is put behind the value as it is; a bare one multiplies it.
        return f"{value * (100 if '%' in _QUOTED.sub('', form) else 1):.10g}%"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, date | time | timedelta):
        return str(value)
    return clean(str(value))
