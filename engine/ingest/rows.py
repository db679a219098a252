"""Long rows of records as table blocks, small enough to cite, each under the same header."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.ingest.tables import table_text
from engine.types import Element

ROWS_A_BLOCK = 30


def table_elements(
    rows: Sequence[tuple[int, Sequence[str]]], place: Callable[[int, int], str]
) -> Iterator[Element]:
    """Blocks of up to `ROWS_A_BLOCK` rows; the first row is the header of all.

    ``rows`` carry their own numbers in the source; ``place`` names a block by its first and last.
    """
    filled = [(number, _tidy(cells)) for number, cells in rows if any(map(str.strip, cells))]
    if not filled:
        return
    head, *records = filled
    for start in range(0, max(len(records), 1), ROWS_A_BLOCK):
        part = records[start : start + ROWS_A_BLOCK]
        text, header_chars = table_text([head[1], *(cells for _, cells in part)], 1)
        first, last = (part[0][0], part[-1][0]) if part else (head[0], head[0])
        yield Element(
            "table", text, header_chars=header_chars if part else 0, element_id=place(first, last)
        )


def _tidy(cells: Sequence[str]) -> list[str]:
    tidy = [" ".join(cell.split()) for cell in cells]
    while tidy and not tidy[-1]:
        tidy.pop()
    return tidy
