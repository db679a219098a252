"""Compressed sources opened with bounds: nothing expands without limit or is unpacked to disk.

Sizes are checked before a byte is inflated: `zipfile` never reads past the size that the archive's
own directory declares, so a directory that lies makes a checksum error and not a full memory.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any, cast

from lxml import etree

from engine.errors import SourceError
from engine.ingest.source import Source

MAX_BYTES = 256 * 2**20
MAX_MEMBERS = 10_000
MAX_RATIO = 200
RATIO_FROM_BYTES = 8 * 2**20
ZIP_MAGIC = b"PK\x03\x04"
OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DOCTYPES = tuple("<!DOCTYPE".encode(e) for e in ("ascii", "utf-16-le", "utf-16-be"))


class Archive:
    """The members of a zip source; reading one never expands past `MAX_BYTES` in all."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        self.data = source.read_parts()[0]
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(self.data))
            self.infos = {info.filename: info for info in self._zip.infolist()}
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise SourceError(f"{self.name}: a damaged archive: {error}; save it again") from None
        _check_sizes(list(self.infos.values()), self.name)

    def read(self, member: str) -> bytes:
        """The bytes of a member.

        Raises:
            SourceError: it is missing, encrypted or damaged.
        """
        if member not in self.infos:
            raise SourceError(f"{self.name}: {member} is missing from the archive; save it again")
        try:
            return self._zip.read(member)
        except RuntimeError:
            raise SourceError(
                f"{self.name}: {member} is encrypted; save it without a password"
            ) from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise SourceError(f"{self.name}: {member} is damaged: {error}; save it again") from None

    def xml(self, member: str) -> Any:
        """Root element of a member."""
        return parse_xml(self.read(member), f"{self.name}: {member}")

    def refuse_doctypes(self) -> None:
        """Refuse declarations that could define entities; packages of this kind hold none.

        Raises:
            SourceError: a member declares a document type.
        """
        for member in self.infos:
            if member.lower().endswith((".xml", ".rels")):
                data = self.read(member)
                if any(doctype in data for doctype in _DOCTYPES):
                    raise SourceError(
                        f"{self.name}: {member} declares a document type, which may define "
                        "entities; refused"
                    )


def member_names(source: Source) -> frozenset[str]:
    """Names in a zip source; none if it is no zip or its directory cannot be read."""
    if not source.head.startswith(ZIP_MAGIC):
        return frozenset()
    try:
        with zipfile.ZipFile(source.paths[0]) as archive:
            return frozenset(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return frozenset()


def inflate(data: bytes, name: str, limit: int = MAX_BYTES) -> bytes:
    """A raw deflate stream, expanded.

    Raises:
        SourceError: it is damaged or larger than ``limit``.
    """
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        expanded = stream.decompress(data, limit + 1)
    except zlib.error as error:
        raise SourceError(f"{name} is damaged: {error}; save it again") from None
    _check_expansion(len(expanded), len(data), name, limit)
    if not stream.eof:
        raise SourceError(f"{name} is damaged: its compressed data ends early; save it again")
    return expanded


def parse_xml(data: bytes, name: str) -> Any:
    """Root element: no entity is expanded, nothing outside is loaded, depth is bounded.

    Raises:
        SourceError: not well-formed, nested over 256 deep, or it declares a document type.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = cast(Any, etree.fromstring(data, parser))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(f"{name}: not readable as XML: {error}") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise SourceError(f"{name}: declares a document type, which may define entities; refused")
    return root


def _check_sizes(infos: list[zipfile.ZipInfo], name: str) -> None:
    if len(infos) > MAX_MEMBERS:
        raise SourceError(f"{name}: {len(infos)} members in the archive; at most {MAX_MEMBERS}")
    total = sum(info.file_size for info in infos)
    packed = sum(info.compress_size for info in infos)
    _check_expansion(total, packed, name, MAX_BYTES)


def _check_expansion(size: int, packed: int, name: str, limit: int) -> None:
    if size > limit:
        raise SourceError(f"{name}: expands to over {limit:,} bytes; refused")
    if size > RATIO_FROM_BYTES and size > packed * MAX_RATIO:
        raise SourceError(
            f"{name}: expands to over {MAX_RATIO} times its size ({packed:,} to {size:,} bytes); "
            "refused as a decompression bomb"
        )
