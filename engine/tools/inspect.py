"""What was read from one file, as people look at it: outline, counts, warnings, first lines."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

from engine.errors import SourceError
from engine.ingest import documents
from engine.ingest.blocks import make_blocks
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import FURNITURE, Block, Pages, Reading, page_span

_LINE_CHARS = 80


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, or what stands before the first one (level 0), with its own blocks.

    ``first_line`` is of the first block below the heading, empty where none is.
    """

    source_id: str
    level: int
    heading: str
    pages: Pages | None
    blocks: int
    first_line: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """One document of the file; ``counts`` are blocks by kind, most frequent first."""

    doc_id: str
    title: str
    page_count: int | None
    encoding: str | None
    warnings: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """One file as its reader understood it."""

    source: str
    format: str
    documents: tuple[Inspected, ...]


def inspect(path: str | Path, korean: Korean | None = None) -> Inspection:
    """Read one file as a build would, and tell what came of it.

    Raises:
        SourceError: the file is missing, no reader takes it, or it cannot be read.
    """
    path = Path(path)
    if not path.is_file():
        raise SourceError(f"{path}: no such file; expected one file, not a folder")
    source = Source(unicodedata.normalize("NFC", path.stem), str(path), (path,))
    reader = documents.reader_for(source)
    if reader is None:
        raise SourceError(f"{path}: {documents.why_no_reader(source)}")
    readings = documents.read(source, reader, korean or Korean())
    return Inspection(str(path), reader.NAME, tuple(_inspected(source, r) for r in readings))


def _inspected(source: Source, reading: Reading) -> Inspected:
    doc_id = reading.doc_id or source.doc_id
    blocks = make_blocks(doc_id, reading)
    return Inspected(
        doc_id=doc_id, title=reading.title, page_count=reading.page_count,
        encoding=reading.encoding, warnings=reading.warnings,
        counts=tuple(Counter(block.kind for block in blocks).most_common()),
        sections=tuple(_sections(blocks)), blocks=tuple(blocks),
    )  # fmt: skip


def _sections(blocks: Sequence[Block]) -> Iterator[Section]:
    started = 0

    def heading_number(block: Block) -> int:
        nonlocal started
        started += block.kind == "heading"
        return started

    for _, members in groupby(blocks, key=heading_number):
        group = list(members)
        head = group[0] if group[0].kind == "heading" else None
        body = [b for b in group if b is not head and b.kind not in FURNITURE]
        yield Section(
            source_id=group[0].source_id, level=head.level if head else 0,
            heading=_line(head.text) if head else "", pages=page_span(b.pages for b in group),
            blocks=len(group) - bool(head), first_line=_line(body[0].text) if body else "",
        )  # fmt: skip


def _line(text: str) -> str:
    line = " ".join(text.split("\n", 1)[0].split())
    return line if len(line) <= _LINE_CHARS else line[: _LINE_CHARS - 1] + "…"


def written(inspection: Inspection) -> str:
    """An inspection for people."""
    return "\n\n".join("\n".join(_written(inspection, one)) for one in inspection.documents)


def _written(inspection: Inspection, one: Inspected) -> Iterator[str]:
    pages = "none in this format" if one.page_count is None else str(one.page_count)
    counts = ", ".join(f"{kind} {count}" for kind, count in one.counts)
    yield f"source    {inspection.source}"
    yield f"format    {inspection.format}" + (f" ({one.encoding})" if one.encoding else "")
    yield f"document  {one.doc_id}"
    yield f"title     {one.title}"
    yield f"pages     {pages}"
    yield f"blocks    {len(one.blocks)}: {counts}"
    yield from (f"warning   {warning}" for warning in one.warnings)
    levels = sorted({section.level for section in one.sections if section.level})
    for section in one.sections:
        indent = "  " * (levels.index(section.level) if section.level else 0)
        where = f" · p.{_span(section.pages)}" if section.pages else ""
        name = section.heading or "(before the first heading)"
        yield f"{indent}{section.source_id}  {name}{where} · {section.blocks} blocks"
        if section.first_line:
            yield f"{indent}    {section.first_line}"


def _span(pages: Pages) -> str:
    return str(pages[0]) if pages[0] == pages[1] else f"{pages[0]}-{pages[1]}"


def json_lines(inspection: Inspection) -> Iterator[str]:
    """Every block as one line of JSON, in source order."""
    for one in inspection.documents:
        for block in one.blocks:
            yield json.dumps(asdict(block), ensure_ascii=False)
