"""Korean statutes, rules and terms in Markdown or text: 편, 장, 절, 관 and 조 head sections.

Every 항 is a block, every 호 too (its 목 are lines of it), and each carries its label:
``제12조제3항제1호``. Supplementary provisions count their articles anew, so their labels start with
the number of the act that added them: ``부칙제8995호제1조``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.errors import SourceError
from engine.ingest.readers.markdown import front_matter
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from engine.types import Element, Kind, Reading

NAME = "statute"
_LEVELS = {"편": 2, "장": 3, "절": 4, "관": 5, "조": 6}
_SUPPLEMENT_LEVEL = 2
_OPENING = re.compile(
    rb"^(?:#{1,6} )?(?:\xec\xa0\x9c|\xc1\xa6) ?(\d+) ?(?:\xec\xa1\xb0|\xc1\xb6)"
    rb"(?= ?\(| *\r?$)",
    re.MULTILINE,
)
_DECLARED = re.compile("^(?:법령구분|법령ID):".encode(), re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} .*", re.MULTILINE)
_CHAPTER = re.compile(r"제\s?(\d+)\s?([편장절관])(의\s?\d+)?(?=\s|$|<)\s*(.*)")
_ARTICLE = re.compile(r"제\s?(\d+)\s?조(?:의\s?(\d+))?(?=\s*\(|\s*$|\s+(?:삭제|생략|[①-⑳]))\s*(.*)")
_PARAGRAPH = re.compile(r"([①-⑳㉑-㉟㊱-㊿])\s*(.*)")
_ITEM = re.compile(r"(\d{1,3})(?:의(\d+))?\.\s+(.*)")
_OMITTED = re.compile(
    r"제\s?\d+\s?조(?:의\s?\d+)?\s*(?:부터|및|내지|[ㆍ,∼~]).*제\s?(\d+)\s?조.*생략"
)
_SUBITEM = re.compile(r"(?:[가-하]|[가-하]의\d)\.\s|\(?(?:\d{1,2}|[가-하])\)\s")
_SUPPLEMENT = re.compile(
    r"부\s?칙\s*(?:\(.*?\))?\s*(?:[<〈\[].*?(\d+)\s*호.*?[>〉\]])?\s*(?:\(.*\))?"
)
_ESCAPE = re.compile(r"\\([.()*_#\-\[\]<>~`|])")
_CIRCLED = (("①", "⑳", 1), ("㉑", "㉟", 21), ("㊱", "㊿", 36))


def accepts(source: Source) -> bool:
    """Markdown or text where 제1조 and 제2조 open lines, and headings are those of a statute.

    제1조 alone is enough where the front matter names the kind of law.
    """
    if source.suffix not in {".md", ".markdown", ".txt", ".text"}:
        return False
    data = source.read_parts()[0]
    numbers = [int(match[1]) for match in _OPENING.finditer(data)]
    if 1 not in numbers or not (2 in numbers or _DECLARED.search(source.head)):
        return False
    return source.suffix in {".txt", ".text"} or _only_legal_headings(source)


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one statute; lines of plain text that were wrapped are joined."""
    text, encoding = source.read_text()
    metadata, warnings, offset = front_matter(text)
    state = _State(marked=bool(re.search(r"^#{1,6} 제\d+조", text, re.MULTILINE)))
    first_line = text.count("\n", 0, offset) + 1
    for number, line in enumerate(text[offset:].split("\n"), first_line):
        state.line(line, number)
    title = str(metadata.get("제목") or metadata.get("title") or state.title or source.stem)
    elements = [piece.element(korean) for piece in state.pieces if piece.lines]
    if elements:
        yield Reading(title, elements, metadata=metadata, warnings=warnings, encoding=encoding)


def _only_legal_headings(source: Source) -> bool:
    try:
        text, _ = source.read_text()
    except SourceError:
        return False
    headings = [heading.lstrip("# ") for heading in _HEADING.findall(text)]
    legal = sum(
        bool(_CHAPTER.match(h) or _ARTICLE.match(h) or h.startswith("부칙")) for h in headings
    )
    return legal >= len(headings) - 1


@dataclass(slots=True)
class _Piece:
    """An element in the making."""

    kind: Kind
    lines: list[str]
    label: str | None
    number: int
    level: int = 0

    def element(self, korean: Korean) -> Element:
        text = "\n".join(self.lines)
        if self.kind == "paragraph":
            text = korean.unwrap(text)
        return Element(
            self.kind, text, level=self.level, element_id=f"L{self.number}", label=self.label
        )


@dataclass(slots=True)
class _State:
    """Where the reading of a statute stands, line by line.

    ``marked``: articles of the main part are Markdown headings, so that no other line is one.
    ``amending``: numbered lines are quoted from the act that is amended, and get no label.
    """

    marked: bool
    title: str = ""
    pieces: list[_Piece] = field(default_factory=list)
    base: str = ""
    article: str = ""
    last: tuple[int, int] = (0, 0)
    paragraph: str = ""
    broken: bool = True
    amending: bool = False
    seen: dict[str, int] = field(default_factory=dict)

    def line(self, raw: str, number: int) -> None:
        is_heading = raw.startswith("#")
        line = _ESCAPE.sub(r"\1", raw.lstrip("#").replace("**", "")).strip()
        if not line:
            self.broken = True
            return
        heads = (
            self._chapter(line, number)
            or self._supplement(line, number)
            or self._article(line, number, is_heading)
            or self._title(line, number, is_heading)
        )
        if not heads:
            self._body(line, number)
        self.broken = False

    def _chapter(self, line: str, number: int) -> bool:
        match = _CHAPTER.fullmatch(line)
        if not match or len(line) > 80 or self.base:
            return False
        self._add("heading", line, number, None, _LEVELS[match[2]])
        self.article = self.paragraph = ""
        return True

    def _supplement(self, line: str, number: int) -> bool:
        match = _SUPPLEMENT.fullmatch(line)
        if not match:
            return False
        before = self.pieces[-1] if self.pieces else None
        if before and before.label == "부칙" and before.kind == "heading":
            self.pieces.pop()
            self.seen.pop("부칙", None)
        base = f"부칙제{match[1]}호" if match[1] else "부칙"
        self.base = self._unique(base)
        self.article, self.paragraph, self.last = "", "", (0, 0)
        self._add("heading", line, number, self.base, _SUPPLEMENT_LEVEL)
        return True

    def _article(self, line: str, number: int, is_heading: bool) -> bool:
        match = _ARTICLE.fullmatch(line)
        if not match or (self.marked and not is_heading and not self.base):
            return False
        place = int(match[1]), int(match[2] or 0)
        if not is_heading and not self._follows(place):
            return False
        self.last, self.paragraph = place, ""
        name = f"제{place[0]}조" + (f"의{place[1]}" if place[1] else "")
        self.article = self._unique(self.base + name)
        title, rest = _parenthesis(match[3])
        self.amending = "다른" in title and "개정" in title
        heading = name + (f" {title}" if title else "")
        self._add("heading", heading, number, self.article, _LEVELS["조"])
        if rest:
            self._body(rest, number)
        return True

    def _follows(self, place: tuple[int, int]) -> bool:
        """Whether an article comes next; others are quoted in the text of an amendment."""
        if self.base:
            return place[0] == self.last[0] + 1 or (place[0] == self.last[0] and place > self.last)
        return place > self.last

    def _title(self, line: str, number: int, is_heading: bool) -> bool:
        if self.pieces and not is_heading:
            return False
        if not self.pieces:
            self.title = line
        self._add("heading", line, number, None, 1 if not self.pieces else _SUPPLEMENT_LEVEL)
        return True

    def _body(self, line: str, number: int) -> None:
        omitted = _OMITTED.match(line) if self.base else None
        if omitted:
            self.last, self.article, self.paragraph = (int(omitted[1]), 0), "", ""
            self.broken = True
        place = self.article or self.base
        paragraph, item = _PARAGRAPH.fullmatch(line), _ITEM.fullmatch(line)
        if paragraph and place:
            self.paragraph = f"{place}제{_number(paragraph[1])}항"
            self._add("paragraph", line, number, self.paragraph)
        elif item and place:
            name = f"제{item[1]}호" + (f"의{item[2]}" if item[2] else "")
            above = self.paragraph or place
            self._add("list", line, number, above if self.amending else above + name)
        elif self.pieces and self.pieces[-1].kind == "list" and _SUBITEM.match(line):
            self.pieces[-1].lines.append("  " + line)
        elif self.broken or not self.pieces or self.pieces[-1].kind == "heading":
            self._add("paragraph", line, number, self.paragraph or place or None)
        else:
            self.pieces[-1].lines.append(line)

    def _add(self, kind: Kind, line: str, number: int, label: str | None, level: int = 0) -> None:
        self.pieces.append(_Piece(kind, [line], label, number, level))

    def _unique(self, label: str) -> str:
        """An article that stands twice (one version not yet in force) is told apart."""
        self.seen[label] = self.seen.get(label, 0) + 1
        return label if self.seen[label] == 1 else f"{label}~{self.seen[label]}"


def _parenthesis(text: str) -> tuple[str, str]:
    """The parenthesis a text starts with, and the rest."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return (text[: at + 1], text[at + 1 :].strip()) if at else ("", text.strip())
    return "", text.strip()


def _number(circled: str) -> int:
    return next(
        ord(circled) - ord(first) + count
        for first, last, count in _CIRCLED
        if first <= circled <= last
    )
