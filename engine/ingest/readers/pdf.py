"""PDF with a text layer: lines, columns, headings, tables, page by page through PDFium.

Pages whose text cannot be read are left out and named in the warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

from engine.errors import SourceError
from engine.ingest.pdf import garbage
from engine.ingest.pdf.elements import make_elements
from engine.ingest.pdf.furniture import find_furniture
from engine.ingest.pdf.headings import find_body
from engine.ingest.pdf.lines import Line
from engine.ingest.pdf.page import Page, read_page, readable
from engine.ingest.source import Source
from engine.pdf.document import open_pdf
from engine.text.kiwi import Korean
from engine.types import Element, Reading

NAME = "pdf"
_MAGIC, _MAGIC_WITHIN = b"%PDF-", 1024
_FILE_TITLE = re.compile(r"^Microsoft \w+ - |\.(?:hwpx?|docx?|pptx?|xlsx?|pdf|indd|ai)$", re.I)
_NOTHING = re.compile(r"|untitled|\(?(?:un)?specified\)?|\(?anonymous\)?", re.I)


def accepts(source: Source) -> bool:
    """A file with the mark of a PDF in its first KiB, whatever its name."""
    return _MAGIC in source.head[:_MAGIC_WITHIN]


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one PDF; page labels are the file's own, or the numbers its pages print.

    Raises:
        SourceError: encrypted, damaged, without pages, or without one page of usable text.
    """
    with open_pdf(source.paths[0], source.name) as document:
        pages, lost = _read_pages(document, korean)
        metadata = _metadata(document)
        page_count = len(document)
    qualities = [page.quality for page in pages]
    if not any(quality.state == "text" for quality in qualities):
        raise SourceError(f"{source.name}: {garbage.refusal(qualities, page_count)}")
    elements, labels = _elements(pages, korean)
    yield Reading(
        _title(elements, metadata, source.stem), elements, page_count=page_count,
        metadata=metadata, warnings=(*lost, *garbage.warnings(qualities), *_slanted(pages)),
    )  # fmt: skip


def _read_pages(document: Any, korean: Korean) -> tuple[list[Page], list[str]]:
    import pypdfium2

    pages: list[Page] = []
    lost: list[str] = []
    columns = count(1)
    for number in range(1, len(document) + 1):
        try:
            pages.append(read_page(document, number, korean, columns))
        except pypdfium2.PdfiumError:
            lost.append(f"page {number}: damaged; left out")
    return pages, lost


def _elements(pages: Sequence[Page], korean: Korean) -> tuple[list[Element], dict[int, str]]:
    furniture = find_furniture(pages)
    body = find_body(item for page in pages for item in page.flow if isinstance(item, Line))
    labels = _labels(pages, furniture.labels)
    return make_elements(pages, furniture, body, labels, korean), labels


def _labels(pages: Sequence[Page], printed: dict[int, str]) -> dict[int, str]:
    """The file's labels where they say more than the count of pages, or else what is printed."""
    given = {page.number: page.label for page in pages if page.label}
    telling = any(label != str(number) for number, label in given.items())
    return {**printed, **given} if telling else {**given, **printed}


def _metadata(document: Any) -> dict[str, str]:
    found = {
        key.lower(): readable(partial(document.get_metadata_value, key))
        for key in ("Title", "Author", "CreationDate")
    }
    return {key: value for key, value in found.items() if not _NOTHING.fullmatch(value)}


def _title(elements: Sequence[Element], metadata: dict[str, str], stem: str) -> str:
    """The heading that holds all others, the file's own title, its largest early heading, its name.

    A title with an underscore is taken for a file's name.
    """
    headings = [e for e in elements if e.kind == "heading"]
    lone = [e for e in headings if e.level == 1]
    if len(lone) == 1 and lone[0] is headings[0] and len(headings) > 1:
        return lone[0].text
    own = _FILE_TITLE.sub("", metadata.get("title", "")).strip()
    if re.search(r"[가-힣]", own) and "_" not in own:
        return own
    first = [e for e in headings if e.pages == headings[0].pages and e.boxes]
    return max(first, key=_height).text if first else own or stem


def _height(element: Element) -> float:
    return round(element.boxes[0].y1 - element.boxes[0].y0, 3)


def _slanted(pages: Sequence[Page]) -> Iterator[str]:
    marked = [page.number for page in pages if page.slanted]
    if marked:
        total = sum(page.slanted for page in pages)
        yield f"slanted text (a watermark?) left out: {total} characters on {len(marked)} pages"
