"""Responses of Upstage Document Parse (api 2.0) and of the older Layout Analysis.

Formats that were not asked for come back as ``""``; the first filled of html, markdown and text
is read. The parts of a document of over 100 pages restart their ids and pages; they are counted on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import SourceError, first_problem
from engine.ingest.markup import parse_fragment
from engine.ingest.source import Source, clean, decode, parse_json
from engine.ingest.tables import html_table, pipe_table, table_text
from engine.text.kiwi import Korean
from engine.types import Box, Element, Kind, Reading

NAME = "upstage"
_KEY = re.compile(rb'"elements"\s*:')
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)\s*")
_KINDS: Mapping[str, Kind] = {
    "paragraph": "paragraph", "list": "list", "table": "table", "figure": "figure",
    "chart": "figure", "caption": "caption", "equation": "equation", "footnote": "footnote",
    "header": "header", "footer": "footer", "index": "index", "code": "code",
}  # fmt: skip


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Point(_Model):
    x: float
    y: float


class _Content(_Model):
    html: str = ""
    markdown: str = ""
    text: str = ""


class _Element(_Model):
    id: int | str
    page: int = Field(ge=1)
    category: str
    content: _Content | None = None
    html: str = ""
    text: str = ""
    coordinates: list[_Point] | None = None
    bounding_box: list[_Point] | None = None

    def filled(self) -> _Content:
        return self.content or _Content(html=self.html, text=self.text)


class _PageSize(_Model):
    page: int
    width: float = Field(gt=0)
    height: float = Field(gt=0)


class _Metadata(_Model):
    pages: list[_PageSize] = []


class _Usage(_Model):
    pages: int = 0


class _Response(_Model):
    api: str = ""
    model: str = ""
    elements: list[_Element]
    usage: _Usage | None = None
    billed_pages: int = 0
    metadata: _Metadata | None = None

    def page_count(self) -> int:
        declared = self.usage.pages if self.usage else self.billed_pages
        return max([declared, *(element.page for element in self.elements)])


def accepts(source: Source) -> bool:
    """A JSON object with ``elements``."""
    return source.suffix == ".json" and bool(_KEY.search(source.read_parts()[0]))


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one response, or the parts of one document in order.

    Raises:
        SourceError: not JSON, or an element of another shape, by its field.
    """
    elements: list[Element] = []
    warnings: list[str] = []
    pages = 0
    responses = [_parse(data, source.name) for data in source.read_parts()]
    for part, response in enumerate(responses, 1):
        first = min((element.page for element in response.elements), default=1)
        offset = 0 if first > pages else pages
        prefix = f"{part}:" if len(responses) > 1 else ""
        sizes = {s.page: s for s in response.metadata.pages} if response.metadata else {}
        for raw in response.elements:
            element = _element(raw, korean, offset, prefix, sizes.get(raw.page))
            if element is not None:
                elements.append(element)
            if raw.category not in _KINDS and not raw.category.startswith("heading"):
                warnings.append(f"element {prefix}{raw.id}: unknown category {raw.category!r}")
        pages = max(pages, offset + response.page_count())
    title = next((e.text for e in elements if e.kind == "heading"), source.stem)
    yield Reading(
        title.replace("\n", " "), elements, page_count=pages or None,
        metadata={"parser": responses[0].model}, warnings=tuple(warnings),
    )  # fmt: skip


def _parse(data: bytes, name: str) -> _Response:
    content = parse_json(decode(data, name)[0], name)
    try:
        return _Response.model_validate(content)
    except ValidationError as error:
        raise SourceError(
            f"{name}: not an Upstage response: {first_problem(error, 'file')}"
        ) from None


def _element(
    raw: _Element, korean: Korean, offset: int, prefix: str, size: _PageSize | None
) -> Element | None:
    level = int(raw.category[7:] or 1) if re.fullmatch(r"heading\d?", raw.category) else 0
    kind: Kind = "heading" if level else _KINDS.get(raw.category, "paragraph")
    text, header_chars = _text(raw.filled(), kind, korean)
    if not text:
        return None
    page = raw.page + offset
    return Element(
        kind, text, level=level, pages=(page, page), boxes=_boxes(raw, page, size),
        element_id=f"{prefix}{raw.id}", header_chars=header_chars,
    )  # fmt: skip


def _text(content: _Content, kind: Kind, korean: Korean) -> tuple[str, int]:
    """Cleaned text of an element and the length of its table header."""
    tree = _tree(content.html)
    if kind == "table":
        table = next(tree.iter("table"), None) if tree is not None else None
        found = html_table(table) if table is not None else pipe_table(content.markdown)
        found = found or pipe_table(content.text)
        if found:
            return table_text(*found)
    lines = _lines(tree) if tree is not None else ""
    lines = lines or clean(content.markdown) or clean(content.text)
    if kind == "figure":
        lines = _IMAGE.sub("", lines)
    elif kind == "heading":
        stripped = [line.strip().lstrip("#").strip() for line in lines.split("\n")]
        return korean.join([line for line in stripped if line] or [""]), 0
    elif kind not in ("code", "equation", "header", "footer"):
        return korean.unwrap(lines), 0
    return "\n".join(line.strip() for line in lines.split("\n") if line.strip()), 0


def _tree(html: str) -> Any | None:
    if not html.strip():
        return None
    return parse_fragment(clean(html))


def _lines(tree: Any) -> str:
    """Text with line breaks where ``<br>``, list items and rows end; images give their ``alt``."""
    parts: list[str] = []
    for event, node in _walk(tree):
        if event == "start":
            if node.tag == "img":
                parts.append(clean(node.get("alt", "")))
            parts.append(
                re.sub(r"\s+", " ", node.text or "") if node.tag != "pre" else node.text or ""
            )
        else:
            if node.tag in ("br", "li", "tr", "p", "h1", "figure", "figcaption"):
                parts.append("\n")
            elif node.tag in ("td", "th"):
                parts.append(" ")
            parts.append(re.sub(r"\s+", " ", node.tail or ""))
    return "\n".join(line.strip() for line in "".join(parts).split("\n")).strip()


def _walk(tree: Any) -> Iterator[tuple[str, Any]]:
    from lxml.etree import iterwalk

    for event, node in iterwalk(tree, events=("start", "end")):
        if isinstance(node.tag, str):
            yield event, node


def _boxes(raw: _Element, page: int, size: _PageSize | None) -> tuple[Box, ...]:
    points = raw.coordinates or raw.bounding_box
    if not points:
        return ()
    xs, ys = [p.x for p in points], [p.y for p in points]
    x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
    if raw.coordinates or max(x1, y1) <= 1:
        return (Box(page, max(x0, 0), max(y0, 0), min(x1, 1), min(y1, 1)),)
    if size:
        return (Box(page, x0 / size.width, y0 / size.height, x1 / size.width, y1 / size.height),)
    return (Box(page, x0, y0, x1, y1, unit="pixel"),)
