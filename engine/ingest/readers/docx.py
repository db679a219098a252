"""DOCX (Office Open XML, ECMA-376): opened by python-docx, walked here in document order.

python-docx leaves out notes, text boxes, numbers and content controls, so the XML below its parts
is read. What tracked changes removed is left out. It has no pages until it is laid out.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple
from zipfile import BadZipFile

import docx
from docx.opc.exceptions import OpcError

from engine.errors import SourceError
from engine.ingest.archive import OLE_MAGIC, Archive, member_names, parse_xml
from engine.ingest.flow import Aside, Cell, Grid, Item, Para, check_depth, title_of, to_elements
from engine.ingest.numbering import Counters, NumberLevel
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import Reading

NAME = "docx"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING_STYLE = re.compile(r"^(?:heading|제목|개요)\s*(\d)$", re.IGNORECASE)
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_NOTES = {"footnoteReference": ("footnotes", ""), "endnoteReference": ("endnotes", "미주")}
_SKIPPED = frozenset({"del", "moveFrom", "instrText", "Fallback", "pPr", "rPr", "delText"})
_FORMATS = {
    "upperRoman": "ROMAN_CAPITAL", "lowerRoman": "ROMAN_SMALL", "upperLetter": "LATIN_CAPITAL",
    "lowerLetter": "LATIN_SMALL", "ganada": "HANGUL_SYLLABLE", "chosung": "HANGUL_JAMO",
    "decimalEnclosedCircle": "CIRCLED_DIGIT", "koreanDigital": "HANGUL_PHONETIC",
    "koreanCounting": "HANGUL_PHONETIC", "ideographTraditional": "DECAGON_CIRCLE_HANJA",
    "chineseCounting": "IDEOGRAPH", "taiwaneseCounting": "IDEOGRAPH",
}  # fmt: skip


def accepts(source: Source) -> bool:
    """A zip with ``word/document.xml``, or a protected file that is named as one."""
    if source.head.startswith(OLE_MAGIC):
        return source.suffix == ".docx"
    return "word/document.xml" in member_names(source)


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one document.

    Raises:
        SourceError: protected, damaged, or no DOCX.
    """
    if source.head.startswith(OLE_MAGIC):
        raise SourceError(
            f"{source.name}: protected by a password, or an old .doc; save it as DOCX"
        )
    archive = Archive(source)
    archive.refuse_doctypes()
    try:
        document = docx.Document(io.BytesIO(archive.data))
    except (OpcError, BadZipFile, KeyError, ValueError) as error:
        raise SourceError(f"{source.name}: not readable as DOCX: {error}") from None
    body = _Body(source.name, document)
    body.all()
    elements = to_elements(body.items)
    title = body.title or title_of(elements, source.stem)
    yield Reading(title, elements, warnings=body.warnings())


def _tag(node: Any) -> str:
    return node.tag.rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""


def _value(node: Any, path: str) -> str | None:
    """The ``w:val`` of a descendant, ``""`` where it has none; None without the descendant."""
    found = node.find("/".join(_W + part for part in path.split("/"))) if node is not None else None
    return None if found is None else str(found.get(_W + "val", ""))


def _int(value: str | None, otherwise: int = 0) -> int:
    return (
        int(value)
        if value and value.isascii() and value.isdigit() and len(value) < 9
        else (otherwise)
    )


class _Style(NamedTuple):
    name: str
    outline: int
    number: tuple[str, int] | None


class _Styles:
    """Paragraph styles and lists by id; a style takes what it lacks from the one it is based on."""

    def __init__(self, document: Any) -> None:
        root = document.styles.element
        self._nodes = {s.get(_W + "styleId"): s for s in root.iter(_W + "style")}
        self.lists = _lists(document)

    def of(self, style_id: str | None) -> _Style:
        name, outline, number = "", 0, None
        for _ in range(20):
            node = self._nodes.get(style_id)
            if node is None:
                break
            own = _value(node, "name") or ""
            name = name or own
            named = _HEADING_STYLE.match(own)
            level = _value(node, "pPr/outlineLvl")
            outline = outline or (int(named[1]) if named else _outline(level))
            number = number or _number(node)
            style_id = _value(node, "basedOn")
        return _Style(name, outline, number)


def _outline(level: str | None) -> int:
    """Level from 1; 0 for body text, which Word writes as 9."""
    return _int(level) + 1 if level and _int(level, 9) < 9 else 0


def _number(node: Any) -> tuple[str, int] | None:
    list_id = _value(node, "pPr/numPr/numId")
    return (list_id, _int(_value(node, "pPr/numPr/ilvl"))) if list_id else None


def _lists(document: Any) -> dict[str, tuple[NumberLevel, ...]]:
    part = next(
        (p for p in document.part.package.iter_parts() if p.partname == "/word/numbering.xml"), None
    )
    if part is None:
        return {}
    root = parse_xml(part.blob, "word/numbering.xml")
    shapes = {n.get(_W + "abstractNumId"): _levels(n) for n in root.iter(_W + "abstractNum")}
    return {
        n.get(_W + "numId"): shapes.get(_value(n, "abstractNumId") or "", ())
        for n in root.iter(_W + "num")
    }


def _levels(node: Any) -> tuple[NumberLevel, ...]:
    found = []
    for level in node.iter(_W + "lvl"):
        form = _value(level, "numFmt") or ""
        template = re.sub(r"%(\d)", r"^\1", _value(level, "lvlText") or "")
        if form == "bullet":
            template = template if template.isprintable() and template.strip() else "•"
        found.append(
            NumberLevel(template, _FORMATS.get(form, "DIGIT"), _int(_value(level, "start"), 1))
        )
    return tuple(found)


class _Body:
    """Gathers the items of a document; numbers and notes count through it."""

    def __init__(self, name: str, document: Any) -> None:
        self.name = name
        self.document = document
        self.styles = _Styles(document)
        self.items: list[Item] = []
        self.pictures = 0
        self.title = ""
        self._counters = Counters()
        self._shown: dict[str, int] = {}
        self._notes = {kind: self._part(kind) for kind, _ in _NOTES.values()}
        self._comments = self._part("comments")

    def warnings(self) -> tuple[str, ...]:
        if not self.pictures:
            return ()
        return (f"{self.pictures} pictures: what they show is not read",)

    def all(self) -> None:
        for section in self.document.sections:
            if not section.header.is_linked_to_previous:
                held = tuple(self._blocks(section.header._element, 1))
                self.items.append(Aside("header", held))
            if not section.footer.is_linked_to_previous:
                held = tuple(self._blocks(section.footer._element, 1))
                self.items.append(Aside("footer", held))
        self.items += self._blocks(self.document.element.body, 0, top=True)

    def _part(self, kind: str) -> dict[str, Any]:
        """Notes or comments by id."""
        name = f"/word/{kind}.xml"
        for part in self.document.part.package.iter_parts():
            if part.partname == name:
                root = parse_xml(part.blob, f"{self.name}: {name}")
                return {node.get(_W + "id"): node for node in root}
        return {}

    def _blocks(self, node: Any, depth: int, top: bool = False) -> list[Item]:
        check_depth(depth, self.name)
        items: list[Item] = []
        for place, child in enumerate(node, 1):
            tag, at = _tag(child), f"b{place}" if top else None
            if tag == "p":
                items += self._para(child, depth, at)
            elif tag == "tbl":
                items += self._table(child, depth, at)
            elif tag in ("sdt", "sdtContent", "ins", "moveTo", "customXml"):
                items += self._blocks(child, depth + 1)
        return items

    def _para(self, node: Any, depth: int, at: str | None) -> list[Item]:
        attached: list[Item] = []
        parts: list[str] = []
        self._walk(node, parts, attached, depth, at)
        text = "".join(parts)
        if not text.strip():
            return attached
        style = self.styles.of(_value(node, "pPr/pStyle"))
        if style.name.lower() in ("title", "제목") and not self.title:
            self.title = " ".join(text.split())
            return [Para(text, outline=0, at=at), *attached]
        outline = _outline(_value(node, "pPr/outlineLvl")) or style.outline
        mark = self._mark(_number(node) or style.number)
        return [Para(text, mark, outline, at), *attached]

    def _mark(self, number: tuple[str, int] | None) -> str:
        if number is None:
            return ""
        return self._counters.next(number[0], number[1], self.styles.lists.get(number[0], ()))

    def _walk(
        self, node: Any, parts: list[str], attached: list[Item], depth: int, at: str | None
    ) -> None:
        for child in node:
            tag = _tag(child)
            if tag in _SKIPPED:
                continue
            if tag == "t":
                parts.append(child.text or "")
            elif tag in _BREAKS:
                parts.append(_BREAKS[tag])
            elif tag == "sym":
                parts.append("•")
            elif tag in _NOTES:
                text, items = self._note(child, tag, depth, at)
                parts.append(text)
                attached += items
            elif tag == "commentReference":
                attached += self._comment(child, depth, at)
            elif tag == "txbxContent":
                attached += self._blocks(child, depth + 1)
            else:
                self.pictures += tag == "pic"
                self._walk(child, parts, attached, depth, at)

    def _note(self, node: Any, tag: str, depth: int, at: str | None) -> tuple[str, list[Item]]:
        kind, prefix = _NOTES[tag]
        held = self._notes[kind].get(node.get(_W + "id"))
        if held is None:
            return "", []
        self._shown[kind] = self._shown.get(kind, 0) + 1
        mark = f"{prefix}{self._shown[kind]})"
        return f"^{mark}", [
            Aside("footnote", tuple(self._blocks(held, depth + 1)), mark=mark, at=at)
        ]

    def _comment(self, node: Any, depth: int, at: str | None) -> list[Item]:
        held = self._comments.get(node.get(_W + "id"))
        if held is None:
            return []
        return [Aside("footnote", tuple(self._blocks(held, depth + 1)), mark="[메모]", at=at)]

    def _table(self, node: Any, depth: int, at: str | None) -> list[Item]:
        cells: list[Cell] = []
        open_at: dict[int, int] = {}
        for row, line in enumerate(_through(node, "tr")):
            header = line.find(f"{_W}trPr/{_W}tblHeader") is not None
            column = _int(_value(line, "trPr/gridBefore"))
            for cell in _through(line, "tc"):
                columns = max(_int(_value(cell, "tcPr/gridSpan"), 1), 1)
                merge = _value(cell, "tcPr/vMerge")
                if merge is not None and merge != "restart" and column in open_at:
                    above = cells[open_at[column]]
                    cells[open_at[column]] = replace(above, rows=row - above.row + 1)
                else:
                    open_at[column] = len(cells)
                    held = tuple(self._blocks(cell, depth + 1))
                    cells.append(Cell(row, column, held, 1, columns, header))
                column += columns
        return [Grid(tuple(cells), at=at)] if cells else []


def _through(node: Any, tag: str) -> Iterator[Any]:
    """Children of one kind, those inside content controls too."""
    for child in node:
        if _tag(child) == tag:
            yield child
        elif _tag(child) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _through(child, tag)
