"""BEIR ``corpus.jsonl``: one document a line, ``{"_id", "title", "text"}``.

Format: Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation", 2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import SourceError, first_problem
from engine.ingest.source import Source, clean
from engine.text.kiwi import Korean
from engine.types import Element, Reading

NAME = "beir"


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: Annotated[str, Field(alias="_id", min_length=1, strict=True)]
    title: str = ""
    text: Annotated[str, Field(strict=True)]
    metadata: dict[str, Any] = {}


def accepts(source: Source) -> bool:
    """JSON lines whose first object has ``_id``, but not the questions of a set."""
    return source.suffix == ".jsonl" and source.stem != "queries" and b'"_id"' in source.head


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read every line as a document; blank lines part its paragraphs.

    A title that the text repeats as its first line is not doubled.

    Raises:
        SourceError: a line of another shape or a repeated id, by line number.
    """
    text, encoding = source.read_text()
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = _Line.model_validate_json(line)
        except ValidationError as error:
            raise SourceError(f"{source.name}:{number}: {first_problem(error, 'line')}") from None
        if row.id in seen:
            raise SourceError(f"{source.name}:{number}: id {row.id!r} again (line {seen[row.id]})")
        seen[row.id] = number
        yield _reading(row, encoding)


def _reading(row: _Line, encoding: str) -> Reading:
    title, text = " ".join(clean(row.title).split()), clean(row.text)
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text) if p.strip()]
    elements = [Element("paragraph", paragraph) for paragraph in paragraphs]
    if title and not (paragraphs and paragraphs[0].startswith(title)):
        elements.insert(0, Element("heading", title, level=1))
    return Reading(
        title or clean(row.id),
        elements,
        metadata=row.metadata,
        encoding=encoding,
        doc_id=clean(row.id),
    )
