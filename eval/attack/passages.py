"""Real passages to quote and to alter: a corpus, or a file of SQuAD, BEIR, or statutes."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.config import make_config
from engine.errors import SourceError
from engine.ingest.documents import find_sources, read, reader_for
from engine.text.kiwi import Korean
from engine.types import Element, Reading

_ARTICLE = re.compile(r"^#{3,6} (제\d+조.*)$", re.MULTILINE)
_LONGEST, _GATHERED = 1200, 500


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage with the title it was found under."""

    title: str
    section: str
    text: str


def read_passages(path: Path, limit: int, seed: int, korean: Korean) -> list[PassageText]:
    """A seeded sample of the passages in a file or folder.

    Raises:
        SourceError: the path is not there, or its form is not one of those known.
    """
    if path.is_dir():
        found = list(_corpus(path, korean))
    elif path.is_file():
        found = list(_file(path))
    else:
        raise SourceError(f"{path}: no such file or folder; name one with --passages")
    if not found:
        raise SourceError(
            f"{path}: found no passages; expected SQuAD .json, BEIR corpus.jsonl, "
            "statutes .jsonl.gz, or a folder of documents"
        )
    found = [p for p in found if len(p.text) >= 60]
    random.Random(seed).shuffle(found)
    return found[:limit]


def _corpus(path: Path, korean: Korean) -> Iterator[PassageText]:
    """Paragraphs of each document the engine reads, gathered to a few sentences."""
    config = make_config({"corpus": {"paths": [str(path.absolute())]}}, root=Path())
    for source in find_sources(config).sources:
        reader = reader_for(source)
        for reading in read(source, reader, korean) if reader else ():
            yield from _gathered(reading)


def _gathered(reading: Reading) -> Iterator[PassageText]:
    section, text = "", ""
    for element in (*reading.elements, Element("heading", "")):
        if text and (element.kind == "heading" or len(text) + len(element.text) > _GATHERED):
            yield PassageText(reading.title, section, text)
            text = ""
        if element.kind == "heading":
            section = element.text
        elif element.kind in {"paragraph", "list"}:
            text = f"{text}\n{element.text}".strip()


def _file(path: Path) -> Iterator[PassageText]:
    if path.name.endswith(".jsonl.gz"):
        yield from _statutes(path)
    elif path.suffix == ".jsonl":
        yield from _beir(path)
    elif path.suffix == ".json":
        yield from _squad(path)


def _squad(path: Path) -> Iterator[PassageText]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or "data" not in content:
        return
    for article in content["data"]:
        for paragraph in article.get("paragraphs", ()):
            yield PassageText(article["title"], "", paragraph["context"][:_LONGEST])


def _beir(path: Path) -> Iterator[PassageText]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if "text" in entry:
                yield PassageText(entry.get("title", ""), "", entry["text"][:_LONGEST])


def _statutes(path: Path, every: int = 100) -> Iterator[PassageText]:
    """Articles of every 100th statute: the whole file holds 200,000."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % every:
                continue
            text = json.loads(line)["text"].split("\n---\n", 1)[-1].replace("\\.", ".")
            title = next(iter(re.findall(r"^# (.+)$", text, re.MULTILINE)), "")
            parts = _ARTICLE.split(text)
            for heading, body in zip(parts[1::2], parts[2::2], strict=True):
                plain = re.sub(r"\*\*|^#+ .*$", "", body, flags=re.MULTILINE).strip()
                yield PassageText(title, heading.strip(), plain[:_LONGEST])
