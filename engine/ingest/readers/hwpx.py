"""HWPX (OWPML, KS X 6101): a zip of XML sections. It has no pages until it is laid out.

Elements are matched by their local names: the namespaces carry the year of the standard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine.errors import SourceError
from engine.ingest.archive import Archive, member_names
from engine.ingest.flow import Aside, Cell, Grid, Item, Para, check_depth, title_of, to_elements
from engine.ingest.numbering import Counters, NumberLevel
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import Reading

NAME = "hwpx"
_SECTION = re.compile(r"Contents/section(\d+)\.xml")
_HEADER = "Contents/header.xml"
_MANIFEST = "META-INF/manifest.xml"
_HEADING_STYLE = re.compile(r"^(?:개요|제목|Outline|Heading)\s*(\d{1,2})$", re.IGNORECASE)
_INLINE = {"lineBreak": "\n", "tab": "\t", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
_NOTES = {"footNote": "", "endNote": "미주"}
_REMOVED = ("deleteBegin", "deleteEnd")


def accepts(source: Source) -> bool:
    """A zip with ``Contents/section0.xml``."""
    return "Contents/section0.xml" in member_names(source)


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one document.

    Raises:
        SourceError: encrypted, damaged, or no HWPX.
    """
    archive = Archive(source)
    if _MANIFEST in archive.infos and b"encryption-data" in archive.read(_MANIFEST):
        raise SourceError(f"{source.name}: protected by a password; save it without one")
    sections = sorted((int(m[1]), m[0]) for m in map(_SECTION.fullmatch, archive.infos) if m)
    if not sections:
        raise SourceError(f"{source.name}: no Contents/section0.xml; expected an HWPX document")
    header = archive.xml(_HEADER) if _HEADER in archive.infos else None
    body = _Body(source.name, _Shapes(header))
    for number, member in sections:
        body.section(number, archive.xml(member))
    elements = to_elements(body.items)
    yield Reading(title_of(elements, source.stem), elements, warnings=body.warnings())


def _tag(node: Any) -> str:
    return node.tag.rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""


def _children(node: Any, *tags: str) -> Iterator[Any]:
    return (child for child in node if _tag(child) in tags)


def _every(node: Any, tag: str) -> Iterator[Any]:
    return node.iter("{*}" + tag) if node is not None else iter(())


def _int(node: Any, name: str, otherwise: int = 0) -> int:
    value = str(node.get(name, "")).strip() if node is not None else ""
    digits = value.removeprefix("-")
    return int(value) if digits.isascii() and digits.isdigit() and len(digits) < 10 else otherwise


class _Shape(NamedTuple):
    kind: str
    level: int
    list_id: str


class _Shapes:
    """What paragraphs refer to by id: paragraph shapes, styles, numberings and bullets."""

    def __init__(self, header: Any) -> None:
        self.paras = {p.get("id"): _shape(p) for p in _every(header, "paraPr")}
        self.styles = {s.get("id"): s.get("name", "") for s in _every(header, "style")}
        self.numberings = {n.get("id"): _numbering(n) for n in _every(header, "numbering")}
        self.bullets = {b.get("id"): b.get("char", "").strip() for b in _every(header, "bullet")}

    def outline(self, shape: _Shape | None, style: str | None) -> int:
        """Level of a heading, from 1; 0 for text."""
        if shape and shape.kind == "OUTLINE":
            return shape.level + 1
        named = _HEADING_STYLE.match(self.styles.get(style, ""))
        return int(named[1]) if named else 0


def _shape(para: Any) -> _Shape:
    heading = next(_every(para, "heading"), None)
    if heading is None:
        return _Shape("NONE", 0, "")
    return _Shape(heading.get("type", "NONE"), _int(heading, "level"), heading.get("idRef", ""))


def _numbering(node: Any) -> tuple[NumberLevel, ...]:
    heads = sorted(_children(node, "paraHead"), key=lambda head: _int(head, "level"))
    return tuple(
        NumberLevel(head.text or "", head.get("numFormat", "DIGIT"), _int(head, "start", 1))
        for head in heads
    )


class _Body:
    """Gathers the items of all sections; numbers and notes count through them."""

    def __init__(self, name: str, shapes: _Shapes) -> None:
        self.name = name
        self.shapes = shapes
        self.items: list[Item] = []
        self.pictures = 0
        self._counters = Counters()
        self._notes = dict.fromkeys(_NOTES, 0)
        self._outline_list = ""
        self._section = 0

    def warnings(self) -> tuple[str, ...]:
        if not self.pictures:
            return ()
        return (f"{self.pictures} pictures: what they show is not read",)

    def section(self, number: int, root: Any) -> None:
        self._section = number
        self.items += self._paras(root, 0, top=True)

    def _paras(self, node: Any, depth: int, top: bool = False) -> list[Item]:
        check_depth(depth, self.name)
        items: list[Item] = []
        for place, para in enumerate(_children(node, "p"), 1):
            items += self._para(para, depth, f"s{self._section}p{place}" if top else None)
        return items

    def _lists(self, node: Any, depth: int) -> list[Item]:
        """The paragraphs of the lists right below a node."""
        return [item for held in _children(node, "subList") for item in self._paras(held, depth)]

    def _para(self, para: Any, depth: int, at: str | None) -> list[Item]:
        parts: list[str] = []
        attached: list[Item] = []
        equations = 0
        for run in _children(para, "run"):
            for node in run:
                text, items = self._piece(node, depth, at)
                equations += _tag(node) == "equation"
                parts.append(text)
                attached += items
        text = "".join(parts)
        if not text.strip():
            return attached
        if equations == 1 and sum(bool(part.strip()) for part in parts) == 1:
            return [Para(text, at=at, kind="equation"), *attached]
        shape = self.shapes.paras.get(para.get("paraPrIDRef"))
        outline = self.shapes.outline(shape, para.get("styleIDRef"))
        return [Para(text, self._mark(shape), outline, at), *attached]

    def _mark(self, shape: _Shape | None) -> str:
        if shape is None or shape.kind not in ("OUTLINE", "NUMBER", "BULLET"):
            return ""
        if shape.kind == "BULLET":
            bullet = self.shapes.bullets.get(shape.list_id, "")
            return bullet if bullet.isprintable() and bullet else "•"
        list_id = self._outline_list if shape.kind == "OUTLINE" else shape.list_id
        levels = self.shapes.numberings.get(list_id, ())
        return self._counters.next(f"{shape.kind}:{list_id}", shape.level, levels)

    def _piece(self, node: Any, depth: int, at: str | None) -> tuple[str, list[Item]]:
        """What a part of a run shows inside the line, and what it holds beside it."""
        tag = _tag(node)
        if tag == "t":
            return _text(node), []
        if tag == "ctrl":
            return self._controls(node, depth, at)
        if tag == "tbl":
            return "", [self._table(node, depth, at)]
        if tag == "secPr":
            self._outline_list = node.get("outlineShapeIDRef", "")
            return "", []
        if tag == "equation":
            return _script(node), []
        return "", self._drawing(node, depth)

    def _controls(self, node: Any, depth: int, at: str | None) -> tuple[str, list[Item]]:
        shown = ""
        items: list[Item] = []
        for control in node:
            tag = _tag(control)
            held = tuple(self._lists(control, depth + 1))
            if tag in _NOTES:
                self._notes[tag] += 1
                mark = f"{_NOTES[tag]}{self._notes[tag]})"
                shown += f"^{mark}"
                items.append(Aside("footnote", _unnumbered(held), mark=mark, at=at))
            elif tag in ("header", "footer"):
                items.append(Aside("header" if tag == "header" else "footer", held, at=at))
            elif tag == "fieldBegin" and control.get("type") == "MEMO":
                items.append(Aside("footnote", held, mark="[메모]", at=at))
            elif tag == "hiddenComment":
                items.append(Aside("footnote", held, mark="[숨은 설명]", at=at))
            elif tag == "autoNum":
                shown += control.get("num", "")
        return shown, items

    def _table(self, table: Any, depth: int, at: str | None) -> Item:
        caption = [i for c in _children(table, "caption") for i in self._lists(c, depth + 1)]
        cells = [
            self._cell(cell, row, column, depth)
            for row, line in enumerate(_children(table, "tr"))
            for column, cell in enumerate(_children(line, "tc"))
        ]
        return Grid(tuple(cells), tuple(caption), at)

    def _cell(self, cell: Any, row: int, column: int, depth: int) -> Cell:
        place = next(_children(cell, "cellAddr"), None)
        span = next(_children(cell, "cellSpan"), None)
        return Cell(
            row=max(_int(place, "rowAddr", row), 0), column=max(_int(place, "colAddr", column), 0),
            items=tuple(self._lists(cell, depth + 1)), rows=max(_int(span, "rowSpan", 1), 1),
            columns=max(_int(span, "colSpan", 1), 1), header=cell.get("header") == "1",
        )  # fmt: skip

    def _drawing(self, node: Any, depth: int) -> list[Item]:
        """Captions and text boxes of a drawing, of a group's members too."""
        check_depth(depth, self.name)
        self.pictures += _tag(node) == "pic"
        items: list[Item] = []
        for child in node:
            if _tag(child) in ("drawText", "caption"):
                items += self._lists(child, depth + 1)
            elif _tag(child) == "tbl":
                items.append(self._table(child, depth + 1, None))
            elif len(child):
                items += self._drawing(child, depth + 1)
        return items


def _unnumbered(items: Sequence[Item]) -> tuple[Item, ...]:
    """A note without the automatic number that stands before its text."""
    return tuple(
        Para(re.sub(r"^\s*\d+\)?\s*", "", item.text), item.mark) if isinstance(item, Para) else item
        for item in items
    )


def _text(node: Any) -> str:
    """Characters of a ``<t>``; what tracked changes removed is left out."""
    parts = [node.text or ""]
    removed = False
    for child in node:
        tag = _tag(child)
        if tag in _REMOVED:
            removed = tag == "deleteBegin"
        elif not removed:
            parts.append(_INLINE.get(tag, ""))
            parts += [] if tag in _INLINE else ["".join(child.itertext())]
        parts.append("" if removed else child.tail or "")
    return "".join(parts)


def _script(node: Any) -> str:
    script = next(_children(node, "script"), None)
    return " ".join(re.sub("[`~]+", " ", script.text or "").split()) if script is not None else ""
