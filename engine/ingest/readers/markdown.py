"""Markdown (CommonMark with tables): headings, paragraphs, lists, tables, code, front matter.

Indented code is read as text: Korean documents, statutes above all, indent for other reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from engine.ingest.source import Source
from engine.ingest.tables import table_text
from engine.text.kiwi import Korean, opens_item
from engine.types import Element, Reading

NAME = "markdown"
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_HARD = "\0"
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


class _Loader(yaml.SafeLoader):
    """Without aliases, which multiply a few lines into gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def accepts(source: Source) -> bool:
    """A file named as Markdown."""
    return source.suffix in {".md", ".markdown"}


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one Markdown file; each element is named by its line (``L12``)."""
    text, encoding = source.read_text()
    metadata, warnings, offset = front_matter(text)
    body = text[offset:]
    first_line = text.count("\n", 0, offset) + 1
    parser = MarkdownIt("commonmark").enable("table").disable("code")
    elements = list(_elements(SyntaxTreeNode(parser.parse(body)), first_line))
    title = next((str(metadata[k]) for k in ("title", "제목") if metadata.get(k)), "")
    title = title or next((e.text for e in elements if e.kind == "heading"), source.stem)
    if elements:
        yield Reading(title, elements, metadata=metadata, warnings=warnings, encoding=encoding)


def front_matter(text: str) -> tuple[dict[str, Any], tuple[str, ...], int]:
    """Metadata at the head of a text, warnings, and where the text goes on behind it."""
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, (), 0
    try:
        content = yaml.load(match[1], _Loader)
    except yaml.YAMLError:
        return {}, ("front matter is not YAML; left out",), match.end()
    if not isinstance(content, dict):
        return {}, (), 0
    return {str(key): _plain(value) for key, value in content.items()}, (), match.end()


def _plain(value: Any) -> Any:
    """Values that JSON can hold; dates become text."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _elements(root: SyntaxTreeNode, first_line: int, quoted: bool = False) -> Iterator[Element]:
    for node in root.children:
        line = f"L{first_line + node.map[0]}" if node.map else None
        if node.type == "heading" and not quoted:
            yield from _one("heading", _inline(node), line, level=int(node.tag[1]))
        elif node.type in ("paragraph", "heading"):
            yield from _one("paragraph", _inline(node), line)
        elif node.type in ("bullet_list", "ordered_list"):
            yield from _one("list", "\n".join(_items(node)), line)
        elif node.type == "table":
            rows = [
                [_inline(cell) for cell in row.children]
                for part in node.children
                for row in part.children
            ]
            text, header_chars = table_text(rows, 1)
            yield from _one("table", text, line, header_chars=header_chars)
        elif node.type in ("fence", "code_block"):
            yield from _one("code", node.content.rstrip("\n"), line)
        elif node.type == "blockquote":
            yield from _elements(node, first_line, quoted=True)
        elif node.type == "html_block":
            yield from _one("paragraph", _strip(node.content), line)


def _one(
    kind: Any, text: str, line: str | None, level: int = 0, header_chars: int = 0
) -> Iterator[Element]:
    if text.strip():
        yield Element(kind, text, level=level, element_id=line, header_chars=header_chars)


def _items(node: SyntaxTreeNode, depth: int = 0) -> Iterator[str]:
    ordered = node.type == "ordered_list"
    start = int(node.attrs.get("start", 1)) if ordered else 1
    for number, item in enumerate(node.children, start):
        mark = f"{number}. " if ordered else "- "
        for child in item.children:
            if child.type in ("bullet_list", "ordered_list"):
                yield from _items(child, depth + 1)
            else:
                text = child.content.rstrip("\n") if child.type == "fence" else _inline(child)
                yield "  " * depth + mark + text
                mark = " " * len(mark)


def _inline(node: SyntaxTreeNode) -> str:
    """Text of a node; a soft break is a space unless a list item starts behind it."""
    text = "".join(_text(child) for child in node.children).strip()
    if "\n" not in text:
        return text
    lines = [line.strip() for line in text.split("\n")]
    joined = lines[0]
    for line in lines[1:]:
        joined += ("\n" if opens_item(line) or joined.endswith(_HARD) else " ") + line
    return joined.replace(_HARD, "")


def _text(node: SyntaxTreeNode) -> str:
    if node.type in ("text", "code_inline"):
        return node.content
    if node.type == "softbreak":
        return "\n"
    if node.type == "hardbreak":
        return f"{_HARD}\n"
    if node.type == "html_inline":
        if _BREAK.match(node.content):
            return f"{_HARD}\n"
        return "^" if node.content.startswith("<sup") else ""
    if node.type == "image":
        return node.content
    return "".join(_text(child) for child in _children(node))


def _children(node: SyntaxTreeNode) -> Sequence[SyntaxTreeNode]:
    return node.children


def _strip(html: str) -> str:
    lines = _TAG.sub("", _BREAK.sub("\n", html)).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())
