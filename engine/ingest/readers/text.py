"""Plain text: blank lines part paragraphs. It has no pages and no headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import Element, Reading

NAME = "text"


def accepts(source: Source) -> bool:
    """A file named as text."""
    return source.suffix in {".txt", ".text"}


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one text file; hard-wrapped lines are joined."""
    text, encoding = source.read_text()
    paragraphs = [korean.unwrap(p) for p in re.split(r"\n\s*\n", text) if p.strip()]
    if paragraphs:
        elements = [Element("paragraph", paragraph) for paragraph in paragraphs]
        yield Reading(source.stem, elements, encoding=encoding)
