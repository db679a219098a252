"""CSV and TSV: rows as table blocks under the first row. Only the extension tells it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from engine.errors import SourceError
from engine.ingest.rows import table_elements
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import Reading

NAME = "csv"
_DELIMITERS = ",\t;|"
_QUOTED = re.compile(r'"[^"]*"?')


def accepts(source: Source) -> bool:
    """A file named as comma or tab separated."""
    return source.suffix in {".csv", ".tsv"}


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one table; the delimiter is the tab, by name, or what its first line holds most of.

    Raises:
        SourceError: a row cannot be read, by line.
    """
    text, encoding = source.read_text()
    first = _QUOTED.sub("", text.lstrip("\n").split("\n", 1)[0])
    tabs = source.suffix == ".tsv" and "\t" in first
    delimiter = "\t" if tabs else max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        raise SourceError(
            f"{source.name}:{reader.line_num}: not readable as CSV: {error}"
        ) from None
    elements = list(table_elements(rows, lambda first, last: f"L{first}-L{last}"))
    if elements:
        yield Reading(source.stem, elements, encoding=encoding)
