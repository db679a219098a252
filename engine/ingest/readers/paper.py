"""Paper JSON: a title, sections of paragraphs, and a bibliography. It has no pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import SourceError, first_problem
from engine.ingest.source import Source, clean, parse_json
from engine.text.kiwi import Korean
from engine.types import Element, Reading

NAME = "paper"
MARKER = re.compile(r"\[(R\d+)\]")
_KEY = re.compile(rb'"sections"\s*:')


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Section(_Model):
    id: str
    title: str
    paragraphs: list[str]


class _Reference(_Model):
    id: str
    entry: str


class _Paper(_Model):
    title: str
    sections: list[_Section]
    references: list[_Reference] = []


def accepts(source: Source) -> bool:
    """A JSON object with ``sections``."""
    return source.suffix == ".json" and bool(_KEY.search(source.read_parts()[0]))


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one paper.

    Raises:
        SourceError: wrong shape, a bad or repeated id, an empty section or paragraph, or a marker
            without a bibliography entry; the message names the place.
    """
    text, encoding = source.read_text()
    paper = _parse(text, source.name)
    references = {reference.id: reference.entry for reference in paper.references}
    _check(paper, source.name)
    elements: list[Element] = []
    for section in paper.sections:
        number = int(section.id[1:])
        elements.append(Element("heading", _line(section.title), level=1, section_id=number))
        elements += [
            Element(
                "paragraph", korean.unwrap(clean(paragraph)), element_id=f"{section.id}-P{place}"
            )
            for place, paragraph in enumerate(section.paragraphs, 1)
        ]
    yield Reading(_line(paper.title), elements, references=references, encoding=encoding)


def _parse(text: str, name: str) -> _Paper:
    try:
        return _Paper.model_validate(parse_json(text, name))
    except ValidationError as error:
        raise SourceError(f"{name}: not a paper: {first_problem(error, 'file')}") from None


def _check(paper: _Paper, name: str) -> None:
    if not paper.title.strip():
        raise SourceError(f"{name}: the title is empty")
    if not paper.sections:
        raise SourceError(f"{name}: no sections; expected at least one")
    _check_ids([section.id for section in paper.sections], "S", name)
    _check_ids([reference.id for reference in paper.references], "R", name)
    known = {reference.id for reference in paper.references}
    for section in paper.sections:
        if not section.title.strip():
            raise SourceError(f"{name}: section {section.id} has no title")
        if not section.paragraphs:
            raise SourceError(f"{name}: section {section.id} is empty; expected a paragraph")
        for place, paragraph in enumerate(section.paragraphs, 1):
            if not clean(paragraph).strip():
                raise SourceError(f"{name}: paragraph {section.id}-P{place} is empty")
            for marker in MARKER.findall(paragraph):
                if marker not in known:
                    raise SourceError(
                        f"{name}: paragraph {section.id}-P{place} cites [{marker}], "
                        "which the references do not list"
                    )


def _check_ids(ids: list[str], letter: str, name: str) -> None:
    seen: dict[int, str] = {}
    for given in ids:
        if not re.fullmatch(rf"{letter}\d+", given, re.ASCII):
            raise SourceError(f"{name}: id {given!r}: expected {letter} and digits, as {letter}1")
        number = int(given[1:])
        if number in seen:
            raise SourceError(f"{name}: ids {seen[number]!r} and {given!r} are the same number")
        seen[number] = given


def _line(text: str) -> str:
    return " ".join(clean(text).split())
