"""EPUB: a zip of pages in the order of its spine; each is read as HTML. It has no paper pages."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from engine.errors import SourceError
from engine.ingest.archive import Archive, member_names
from engine.ingest.markup import parse_page
from engine.ingest.readers.html import page_elements
from engine.ingest.source import Source, clean, decode
from engine.text.kiwi import Korean
from engine.types import Element, Reading

NAME = "epub"
_CONTAINER = "META-INF/container.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/xml"})


def accepts(source: Source) -> bool:
    """A zip with the container file of EPUB that names its package."""
    names = member_names(source)
    return _CONTAINER in names and any(name.endswith(".opf") for name in names)


def read(source: Source, korean: Korean) -> Iterator[Reading]:
    """Read one book.

    Raises:
        SourceError: encrypted, damaged, or no EPUB.
    """
    archive = Archive(source)
    package_at = _package_at(archive)
    package = archive.xml(package_at)
    encrypted = _encrypted(archive)
    elements: list[Element] = []
    for member in _spine(package, posixpath.dirname(package_at)):
        if member in encrypted:
            raise SourceError(f"{source.name}: {member} is encrypted; only open books are read")
        text, _ = decode(archive.read(member), f"{source.name}: {member}")
        if text.strip():
            elements += _page(clean(text), member)
    title = next((" ".join((n.text or "").split()) for n in package.iter("{*}title")), "")
    if elements:
        yield Reading(title or source.stem, elements)


def _package_at(archive: Archive) -> str:
    for node in archive.xml(_CONTAINER).iter("{*}rootfile"):
        path = str(node.get("full-path", ""))
        if path:
            return path
    raise SourceError(f"{archive.name}: {_CONTAINER} names no package; not an EPUB")


def _spine(package: Any, folder: str) -> Iterator[str]:
    """Members in reading order; an address outside of the book leads nowhere."""
    items = {node.get("id"): node for node in package.iter("{*}item")}
    for reference in package.iter("{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is not None and item.get("media-type") in _PAGES:
            path = unquote(str(item.get("href", "")).split("#")[0])
            yield posixpath.normpath(posixpath.join(folder, path))


def _encrypted(archive: Archive) -> frozenset[str]:
    if "META-INF/encryption.xml" not in archive.infos:
        return frozenset()
    root = archive.xml("META-INF/encryption.xml")
    return frozenset(unquote(str(n.get("URI", ""))) for n in root.iter("{*}CipherReference"))


def _page(text: str, member: str) -> Iterator[Element]:
    for element in page_elements(parse_page(text)):
        yield replace(element, element_id=f"{member}#{element.element_id or ''}".rstrip("#"))
