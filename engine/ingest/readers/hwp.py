"""HWP 5: an OLE file whose section streams hold records. It has no pages until it is laid out.

Format: Hancom, "한글 문서 파일 형식 5.0" (revision 1.3). What a paragraph anchors (tables, notes,
boxes) follows its text as children, in the order of the control characters that stand for them.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import olefile

from engine.errors import SourceError
from engine.ingest.archive import MAX_BYTES, OLE_MAGIC, inflate
from engine.ingest.flow import Aside, Cell, Grid, Item, Para, check_depth, title_of, to_elements
from engine.ingest.numbering import FORMATS, Counters, NumberLevel
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import Reading

NAME = "hwp"
_SIGNATURE = b"HWP Document File"
_OLD = b"HWP Document File V3"
_COMPRESSED, _PASSWORD, _DISTRIBUTION, _DRM = 1, 2, 4, 0x10 | 0x400
_NUMBERING, _BULLET, _PARA_SHAPE, _STYLE = 23, 24, 25, 26
_PARA_HEADER, _PARA_TEXT, _CTRL, _LIST, _TABLE = 66, 67, 71, 72, 77
_SHAPE, _PICTURE, _EQUATION, _MEMO = 76, 85, 88, 93
_OUTLINE, _NUMBERED, _BULLETED = 1, 2, 3
_LEVELS = 7
_FORMATS = tuple(FORMATS)
_HEADING_STYLE = re.compile(r"^(?:개요|제목|Outline|Heading)\s*(\d{1,2})$", re.IGNORECASE)
_WIDE = frozenset(range(1, 24)) - {10, 13}
_EXTENDED = frozenset({1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23})
_PRINTED = {9: "\t", 10: "\n", 24: "-", 30: " ", 31: " "}
_NOTES = {"fn  ": "", "en  ": "미주"}
_FURNITURE = {"head": "header", "foot": "footer"}


def accepts(source: Source) -> bool:
    """An OLE file with the signature of HWP 5, or an old file that says so itself."""
    if source.head.startswith(_SIGNATURE) or b"<HWPML" in source.head[:1024]:
        return True
    if not source.head.startswith(OLE_MAGIC):
        return False
    try:
        with olefile.OleFileIO(io.BytesIO(source.read_parts()[0])) as ole:
            return bool(ole.openstream("FileHeader").read(32).startswith(_SIGNATURE))
    except (OSError, ValueError, IndexError, struct.error):
        return source.suffix == ".hwp"


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one document.

    Raises:
        SourceError: an older format, protected, or damaged.
    """
    _refuse_older(source)
    with _open(source) as ole:
        compressed = _check_header(_stream(ole, "FileHeader", source.name), source.name)
        shapes = _Shapes()
        for node in _records(_part(ole, "DocInfo", compressed, source.name), source.name):
            shapes.add(node)
        body = _Body(source.name, shapes)
        for number in range(_count_sections(ole)):
            data = _part(ole, f"BodyText/Section{number}", compressed, source.name)
            body.section(number, _tree(_records(data, source.name)))
    elements = to_elements(body.items)
    yield Reading(title_of(elements, source.stem), elements, warnings=body.warnings())


def _refuse_older(source: Source) -> None:
    if source.head.startswith(_OLD):
        raise SourceError(f"{source.name}: an HWP 3 file; open it in Hangul and save it as HWPX")
    if b"<HWPML" in source.head[:1024]:
        raise SourceError(f"{source.name}: an HWPML file; open it in Hangul and save it as HWPX")


def _open(source: Source) -> Any:
    data = source.read_parts()[0]
    if not data.startswith(OLE_MAGIC):
        raise SourceError(f"{source.name}: not an HWP 5 file; expected an OLE container")
    try:
        return olefile.OleFileIO(io.BytesIO(data))
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise SourceError(f"{source.name}: a damaged OLE container: {error}") from None


def _stream(ole: Any, path: str, name: str) -> bytes:
    try:
        data = bytes(ole.openstream(path).read())
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise SourceError(f"{name}: stream {path} is missing or damaged: {error}") from None
    if len(data) > MAX_BYTES:
        raise SourceError(f"{name}: stream {path} holds over {MAX_BYTES:,} bytes; refused")
    return data


def _part(ole: Any, path: str, compressed: bool, name: str) -> bytes:
    data = _stream(ole, path, name)
    return inflate(data, f"{name}: stream {path}") if compressed else data


def _check_header(header: bytes, name: str) -> bool:
    """Whether streams are compressed.

    Raises:
        SourceError: the document is protected, or is no HWP 5.
    """
    if not header.startswith(_SIGNATURE) or len(header) < 40:
        raise SourceError(f"{name}: an OLE file, but not of HWP 5")
    (flags,) = struct.unpack_from("<I", header, 36)
    if flags & _PASSWORD:
        raise SourceError(f"{name}: protected by a password; save it without one")
    if flags & _DISTRIBUTION:
        raise SourceError(
            f"{name}: a document for distribution only; ask its author for one that can be edited"
        )
    if flags & _DRM:
        raise SourceError(f"{name}: under digital rights management; save it without")
    return bool(flags & _COMPRESSED)


def _count_sections(ole: Any) -> int:
    names = {entry[1] for entry in ole.listdir() if len(entry) == 2 and entry[0] == "BodyText"}
    count = 0
    while f"Section{count}" in names:
        count += 1
    return max(count, 1)


@dataclass(slots=True)
class _Node:
    """A record with the records below it."""

    tag: int
    level: int
    data: bytes
    children: list[_Node] = field(default_factory=list)

    def of(self, tag: int) -> Iterator[_Node]:
        return (child for child in self.children if child.tag == tag)


def _records(data: bytes, name: str) -> Iterator[_Node]:
    at = 0
    while at + 4 <= len(data):
        (head,) = struct.unpack_from("<I", data, at)
        at += 4
        size = head >> 20
        if size == 0xFFF and at + 4 <= len(data):
            (size,) = struct.unpack_from("<I", data, at)
            at += 4
        if at + size > len(data):
            raise SourceError(f"{name}: damaged: a record passes the end of its stream")
        yield _Node(head & 0x3FF, head >> 10 & 0x3FF, data[at : at + size])
        at += size


def _tree(records: Iterator[_Node]) -> list[_Node]:
    roots: list[_Node] = []
    above: list[_Node] = []
    for node in records:
        while above and above[-1].level >= node.level:
            above.pop()
        (above[-1].children if above else roots).append(node)
        above.append(node)
    return roots


def _u(form: str, data: bytes, at: int) -> int:
    """An unsigned number, 0 past the end: older versions write shorter records."""
    end = at + struct.calcsize(form)
    return int(struct.unpack_from("<" + form, data, at)[0]) if end <= len(data) else 0


def _string(data: bytes, at: int) -> tuple[str, int]:
    end = at + 2 + 2 * _u("H", data, at)
    return data[at + 2 : end].decode("utf-16-le", "replace").rstrip("\0"), end


class _Shape(NamedTuple):
    kind: int
    level: int
    list_id: int


class _Shapes:
    """What paragraphs refer to: paragraph shapes, styles, numberings and bullets, by position."""

    def __init__(self) -> None:
        self.paras: list[_Shape] = []
        self.styles: list[str] = []
        self.numberings: list[tuple[NumberLevel, ...]] = []
        self.bullets: list[str] = []

    def add(self, node: _Node) -> None:
        data = node.data
        if node.tag == _PARA_SHAPE:
            flags = _u("I", data, 0)
            self.paras.append(_Shape(flags >> 23 & 3, flags >> 25 & 7, _u("H", data, 30)))
        elif node.tag == _STYLE:
            self.styles.append(_string(data, 0)[0])
        elif node.tag == _NUMBERING:
            self.numberings.append(_numbering(data))
        elif node.tag == _BULLET:
            bullet = data[12:14].decode("utf-16-le", "replace").strip("\0\uffff")
            self.bullets.append(bullet if bullet.isprintable() and bullet.strip() else "•")

    def outline(self, shape: _Shape | None, style: int) -> int:
        """Level of a heading, from 1; 0 for text."""
        if shape and shape.kind == _OUTLINE:
            return shape.level + 1
        named = _HEADING_STYLE.match(self.styles[style]) if style < len(self.styles) else None
        return int(named[1]) if named else 0


def _numbering(data: bytes) -> tuple[NumberLevel, ...]:
    shapes: list[tuple[str, str]] = []
    at = 0
    for _ in range(_LEVELS):
        code = _u("I", data, at) >> 5 & 0x1F
        template, at = _string(data, at + 12)
        shapes.append((template, _FORMATS[code] if code < len(_FORMATS) else "DIGIT"))
    at += 2
    starts = [_u("I", data, at + 4 * level) for level in range(_LEVELS)]
    return tuple(
        NumberLevel(template, form, start or 1)
        for (template, form), start in zip(shapes, starts, strict=True)
    )


class _Body:
    """Gathers the items of all sections; numbers and notes count through them."""

    def __init__(self, name: str, shapes: _Shapes) -> None:
        self.name = name
        self.shapes = shapes
        self.items: list[Item] = []
        self.pictures = 0
        self._counters = Counters()
        self._notes = {"fn  ": 0, "en  ": 0}
        self._outline_list = 0
        self._section = 0

    def warnings(self) -> tuple[str, ...]:
        if not self.pictures:
            return ()
        return (f"{self.pictures} pictures: what they show is not read",)

    def section(self, number: int, nodes: Sequence[_Node]) -> None:
        self._section = number
        self.items += self._paras(nodes, 0, top=True)

    def _paras(self, nodes: Sequence[_Node], depth: int, top: bool = False) -> list[Item]:
        check_depth(depth, self.name)
        items: list[Item] = []
        memo = False
        for place, node in enumerate(nodes, 1):
            memo = memo or node.tag == _MEMO
            if node.tag == _PARA_HEADER:
                at = f"s{self._section}p{place}" if top else None
                found = self._para(node, depth, at)
                items += [Aside("footnote", tuple(found), mark="[메모]")] if memo else found
        return items

    def _para(self, node: _Node, depth: int, at: str | None) -> list[Item]:
        controls = [child for child in node.children if child.tag == _CTRL]
        self._outline_list = next(
            (_u("H", c.data, 18) for c in controls if _ctrl_id(c) == "secd"), self._outline_list
        )
        attached: list[Item] = []
        drawn: list[str] = []
        for control in controls:
            text, items = self._control(control, depth, at)
            drawn.append(text)
            attached += items
        raw = next(node.of(_PARA_TEXT), None)
        text = _text(raw.data if raw else b"", drawn)
        para = self._shaped(node.data, text, at)
        equation = len(drawn) == 1 and text.strip() == drawn[0].strip() != ""
        if equation and _ctrl_id(controls[0]) == "eqed":
            para = Para(text, at=at, kind="equation")
        attached += self._memos(node, depth)
        return [para, *attached] if text.strip() else attached

    def _shaped(self, header: bytes, text: str, at: str | None) -> Para:
        number = _u("H", header, 8)
        shape = self.shapes.paras[number] if number < len(self.shapes.paras) else None
        style = header[10] if len(header) > 10 else 0
        mark = self._mark(shape) if shape and text.strip() else ""
        return Para(text, mark, self.shapes.outline(shape, style), at)

    def _mark(self, shape: _Shape) -> str:
        if shape.kind == _BULLETED:
            bullets = self.shapes.bullets
            return bullets[shape.list_id - 1] if 0 < shape.list_id <= len(bullets) else "•"
        list_id = self._outline_list if shape.kind == _OUTLINE else shape.list_id
        if shape.kind not in (_OUTLINE, _NUMBERED) or not 0 < list_id <= len(
            self.shapes.numberings
        ):
            return ""
        return self._counters.next(
            f"{shape.kind}:{list_id}", shape.level, self.shapes.numberings[list_id - 1]
        )

    def _memos(self, node: _Node, depth: int) -> list[Item]:
        """Memos stand behind the last paragraph of their section."""
        items: list[Item] = []
        inside = False
        for child in node.children:
            if child.tag == _MEMO:
                inside = True
                items += self._memo(child.children, depth)
            elif inside and child.tag == _PARA_HEADER:
                items += self._memo([child], depth)
        return items

    def _memo(self, nodes: Sequence[_Node], depth: int) -> list[Item]:
        held = self._paras(nodes, depth + 1)
        return [Aside("footnote", tuple(held), mark="[메모]")] if held else []

    def _control(self, node: _Node, depth: int, at: str | None) -> tuple[str, list[Item]]:
        """What a control shows inside the line, and what it holds beside it."""
        kind = _ctrl_id(node)
        if kind == "tbl ":
            return "", [self._table(node, depth, at)]
        if kind == "gso ":
            return "", self._drawing(node, depth)
        if kind == "eqed":
            return next((_script(e.data) for e in node.of(_EQUATION)), ""), []
        if kind == "atno":
            return str(_u("H", node.data, 8) or ""), []
        if kind in _NOTES:
            return self._note(node, kind, depth, at)
        if kind in _FURNITURE:
            held = tuple(self._paras(node.children, depth + 1))
            return "", [Aside("header" if kind == "head" else "footer", held, at=at)]
        if kind == "tcmt":
            held = tuple(self._paras(node.children, depth + 1))
            return "", [Aside("footnote", held, mark="[숨은 설명]", at=at)]
        return "", []

    def _note(self, node: _Node, kind: str, depth: int, at: str | None) -> tuple[str, list[Item]]:
        self._notes[kind] += 1
        mark = f"{_NOTES[kind]}{self._notes[kind]})"
        held = self._paras(node.children, depth + 1)
        return f"^{mark}", [Aside("footnote", tuple(_unnumbered(held)), mark=mark, at=at)]

    def _table(self, node: _Node, depth: int, at: str | None) -> Item:
        cells: list[Cell] = []
        caption: list[Item] = []
        held: list[_Node] = []
        place: bytes | None = None
        begun = False
        for child in [*node.children, _Node(_LIST, 0, b"")]:
            if child.tag == _TABLE:
                caption, held, begun = self._paras(held, depth + 1), [], True
            elif child.tag == _LIST:
                if begun and place is not None:
                    cells.append(_cell(place, self._paras(held, depth + 1)))
                place, held = (child.data, []) if begun else (None, held)
            else:
                held.append(child)
        return Grid(tuple(cells), tuple(caption), at)

    def _drawing(self, node: _Node, depth: int) -> list[Item]:
        """Caption and text boxes of a drawing, of a group's members too."""
        check_depth(depth, self.name)
        items = self._paras(node.children, depth + 1)
        for child in node.children:
            if child.tag == _SHAPE or child.children:
                items += self._drawing(child, depth + 1) if child.tag != _PARA_HEADER else []
            self.pictures += child.tag == _PICTURE
        return items


def _ctrl_id(node: _Node) -> str:
    return node.data[:4][::-1].decode("latin-1")


def _cell(data: bytes, items: list[Item]) -> Cell:
    return Cell(
        row=_u("H", data, 10), column=_u("H", data, 8), items=tuple(items),
        rows=max(_u("H", data, 14), 1), columns=max(_u("H", data, 12), 1),
        header=bool(_u("I", data, 4) >> 18 & 1),
    )  # fmt: skip


def _unnumbered(items: list[Item]) -> Iterator[Item]:
    """A note without the automatic number that stands before its text."""
    for item in items:
        if isinstance(item, Para):
            yield Para(re.sub(r"^\s*\d+\)?\s*", "", item.text), item.mark)
        else:
            yield item


def _script(data: bytes) -> str:
    """An equation as its author typed it; back quotes and tildes only make space."""
    return " ".join(re.sub("[`~]+", " ", _string(data, 4)[0]).split())


def _text(data: bytes, drawn: Sequence[str]) -> str:
    """The characters of a paragraph; each control character gives what its control shows."""
    parts: list[str] = []
    shown = iter(drawn)
    units = struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])
    at = run = 0
    while at < len(units):
        unit = units[at]
        if unit >= 32:
            at += 1
            continue
        parts.append(data[2 * run : 2 * at].decode("utf-16-le", "replace"))
        if unit in _EXTENDED:
            parts.append(next(shown, ""))
        else:
            parts.append(_PRINTED.get(unit, ""))
        at += 8 if unit in _WIDE else 1
        run = at
    parts.append(data[2 * run : 2 * len(units)].decode("utf-16-le", "replace"))
    return "".join(parts)
