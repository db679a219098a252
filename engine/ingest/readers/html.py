"""HTML: headings, paragraphs, lists, tables and code; what frames every page of a site is left out.

Nothing a page refers to is fetched. ``<main>`` is read alone where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.ingest.markup import parse_page
from engine.ingest.source import Source
from engine.ingest.tables import html_table, table_text
from engine.text.kiwi import Korean
from engine.types import Element, Kind, Reading

NAME = "html"
_OPENING = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_LEFT_OUT = frozenset({
    "script", "style", "noscript", "template", "nav", "aside", "footer", "button", "select",
    "option", "textarea", "input", "iframe", "object", "embed", "svg", "canvas", "audio", "video",
    "head", "link", "meta", "map", "dialog",
})  # fmt: skip
_FRAME_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "br", "img",
})  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def accepts(source: Source) -> bool:
    """Text that starts as HTML does, or is named so and holds a tag."""
    if _OPENING.match(source.head):
        return True
    return source.suffix in {".html", ".htm", ".xhtml"} and b"<" in source.head


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one page.

    Raises:
        SourceError: nothing in it can be parsed.
    """
    text, encoding = source.read_text()
    root = parse_page(text)
    elements = list(page_elements(root))
    title = " ".join(str(root.findtext(".//title") or "").split())
    title = title or next((e.text for e in elements if e.kind == "heading"), source.stem)
    if elements:
        yield Reading(title, elements, encoding=encoding)


def page_elements(root: Any) -> Iterator[Element]:
    """Elements of a page in reading order."""
    mains = [node for node in root.iter("main") if not _is_left_out(node)]
    bodies = mains[:1] or list(root.iter("body")) or [root]
    for body in bodies:
        yield from _flow(body)


def _is_left_out(node: Any) -> bool:
    if not isinstance(node.tag, str) or node.tag in _LEFT_OUT:
        return True
    if node.get("role") in _FRAME_ROLES or node.get("hidden") is not None:
        return True
    return node.tag == "header" and node.getparent() is not None and node.getparent().tag == "body"


def _flow(node: Any) -> Iterator[Element]:
    """Elements of a container; text that stands free in it makes paragraphs."""
    free: list[str] = [node.text or ""]
    for child in node:
        if _is_left_out(child):
            free.append(child.tail or "")
            continue
        if child.tag in _INLINE and not _holds_blocks(child):
            free += [_shown(child), child.tail or ""]
            continue
        yield from _paragraph("".join(free))
        free = [child.tail or ""]
        yield from _block(child)
    yield from _paragraph("".join(free))


def _holds_blocks(node: Any) -> bool:
    return any(isinstance(n.tag, str) and n.tag not in _INLINE for n in node.iterdescendants())


def _block(node: Any) -> Iterator[Element]:
    tag = node.tag
    if tag in _HEADINGS:
        yield from _one("heading", " ".join(_inline(node).split()), node, _HEADINGS[tag])
    elif tag == "table":
        yield from _table(node)
    elif tag in ("ul", "ol", "menu", "dl"):
        yield from _list(node)
    elif tag == "pre":
        yield from _one("code", "".join(node.itertext()).strip("\n"), node)
    elif tag in ("figcaption", "caption"):
        yield from _one("caption", _lines(_inline(node)), node)
    elif tag == "p" and not _holds_blocks(node):
        yield from _one("paragraph", _lines(_inline(node)), node)
    else:
        yield from _flow(node)


def _table(node: Any) -> Iterator[Element]:
    caption = node.find("caption")
    if caption is not None:
        yield from _one("caption", _lines(_inline(caption)), caption)
    if any(True for n in node.iterdescendants("table", *_HEADINGS)):
        for cell in node.iterchildren("tr", "tbody", "thead", "tfoot", "td", "th"):
            yield from _cells(cell)
        return
    text, header_chars = table_text(*html_table(node))
    if text:
        yield Element("table", text, header_chars=header_chars, element_id=_place(node))


def _cells(node: Any) -> Iterator[Element]:
    """The cells of a table that lays out a page, one after the other."""
    if node.tag in ("td", "th"):
        yield from _flow(node)
        return
    for child in node.iterchildren("tr", "td", "th"):
        yield from _cells(child)


def _list(node: Any) -> Iterator[Element]:
    """One block of plain items; a list that holds tables or headings is read as their container."""
    if any(True for n in node.iterdescendants("table", "pre", *_HEADINGS)):
        yield from _flow(node)
        return
    yield from _one("list", "\n".join(_items(node, 0)), node)


def _items(node: Any, depth: int) -> Iterator[str]:
    start = str(node.get("start", "1"))
    number = int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1
    for item in node:
        if _is_left_out(item):
            continue
        mark = f"{number}. " if node.tag == "ol" else "" if item.tag in ("dt", "dd") else "- "
        number += item.tag == "li"
        nested = [child for child in item.iter("ul", "ol", "menu") if child is not item]
        direct = [child for child in nested if not _between(child, item)]
        own = _lines(_inline(item, skip=frozenset(direct))).replace("\n", " ")
        if own:
            yield "  " * depth + mark + own
        for child in direct:
            yield from _items(child, depth + 1)


def _between(node: Any, item: Any) -> bool:
    """Whether another list stands between a nested list and the item."""
    for above in node.iterancestors():
        if above is item:
            return False
        if above.tag in ("ul", "ol", "menu"):
            return True
    return False


def _inline(node: Any, skip: frozenset[Any] = frozenset()) -> str:
    """Text of a node; ``<br>`` breaks the line, a superscript is told by ``^``."""
    parts = [_space(node.text)]
    for child in node:
        if child.tag in ("br", "img"):
            parts.append(_shown(child))
        elif child not in skip and not _is_left_out(child):
            inner = _inline(child, skip)
            outer = "" if child.tag in _INLINE else " "
            parts.append(f"^{inner}" if child.tag == "sup" and inner.strip() else
                         outer + inner + outer)  # fmt: skip
        parts.append(_space(child.tail))
    return "".join(parts)


def _shown(node: Any) -> str:
    """Text of an inline element; a line break and an image have none inside."""
    if node.tag == "br":
        return "\n"
    return _space(node.get("alt", "")) if node.tag == "img" else _inline(node)


def _space(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _paragraph(text: str) -> Iterator[Element]:
    text = _lines(text)
    if text:
        yield Element("paragraph", text)


def _one(kind: Kind, text: str, node: Any, level: int = 0) -> Iterator[Element]:
    if text.strip():
        yield Element(kind, text, level=level, element_id=_place(node))


def _place(node: Any) -> str | None:
    """The id of an element, or the line it stands on."""
    return node.get("id") or (f"L{node.sourceline}" if node.sourceline else None)
