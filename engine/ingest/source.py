"""One source to read: its files, their bytes, and their text at the door (decoded, NFC)."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.errors import SourceError

PART = re.compile(r"\.part(\d+)$", re.IGNORECASE)
"""Ends the stem of a parser's output that came back in several files."""

_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True)
class Source:
    """A file, or the parts of one file in order.

    Attributes:
        doc_id: NFC, derived from the name; a reader of many documents gives its own.
        name: the path as people know it, in its original spelling.
    """

    doc_id: str
    name: str
    paths: tuple[Path, ...]

    def read_parts(self) -> list[bytes]:
        """The bytes of each file.

        Raises:
            SourceError: a file cannot be opened.
        """
        try:
            return [path.read_bytes() for path in self.paths]
        except OSError as error:
            raise SourceError(f"{self.name}: cannot be read: {error.strerror}") from None

    def read_text(self) -> tuple[str, str]:
        r"""The first file as NFC text with ``\n`` line ends, and the encoding it was in."""
        text, encoding = decode(self.read_parts()[0], self.name)
        return clean(text), encoding

    @cached_property
    def head(self) -> bytes:
        """The first 4 KiB of the first file, enough for magic numbers."""
        try:
            with self.paths[0].open("rb") as file:
                return file.read(4096)
        except OSError as error:
            raise SourceError(f"{self.name}: cannot be read: {error.strerror}") from None

    @property
    def suffix(self) -> str:
        """Extension of the first file, in small letters, with its dot."""
        return self.paths[0].suffix.lower()

    @property
    def stem(self) -> str:
        """Name without folder and extension, NFC."""
        return self.doc_id.rsplit("/", 1)[-1]

    @cached_property
    def sha256(self) -> str:
        """Of all parts, in order."""
        digest = hashlib.sha256()
        for part in self.read_parts():
            digest.update(part)
        return digest.hexdigest()


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Text of Korean bytes and the encoding it was in.

    A byte order mark decides; then UTF-8 if it fits; then UTF-16 if much of every
    other byte is zero; then CP949, which holds EUC-KR.

    Raises:
        SourceError: none fits.
    """
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return _strict(data, encoding, name, len(mark)), encoding
    sample = data[:4096]
    zeros = sample[0::2].count(0), sample[1::2].count(0)
    if max(zeros) > len(sample) / 16:
        encoding = "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
        return _strict(data, encoding, name), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        at = error.start
    try:
        return data.decode("cp949"), "cp949"
    except UnicodeDecodeError:
        raise SourceError(
            f"{name}: neither UTF-8 (byte {at} does not fit), UTF-16 nor CP949; save it as UTF-8"
        ) from None


def _strict(data: bytes, encoding: str, name: str, start: int = 0) -> str:
    try:
        return data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        at = start + error.start
        raise SourceError(f"{name}: starts as {encoding}, but byte {at} does not fit") from None


def clean(text: str) -> str:
    r"""NFC, ``\n`` line ends, and no control characters but tab and line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u200b\u00ad\ud800-\udfff]", "", text)
    return unicodedata.normalize("NFC", text)


def parse_json(text: str, name: str) -> Any:
    """JSON, or a `SourceError` with the line and column of the first fault."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(
            f"{name}: not JSON: line {error.lineno} column {error.colno}: {error.msg}"
        ) from None
