"""How the library opens a PDF: one file at a time, with errors a person can act on.

PDFium keeps process-wide state and is not safe to call from two threads, so whoever holds a
document also holds the lock.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import SourceError

_LOCK = threading.RLock()
_COUNT_ZERO, _PAGE = re.compile(rb"/Count\s+0\b"), re.compile(rb"/Type\s*/Page\b")
_LOOK_AT = 1 << 20
_NO_PAGE = "a PDF without pages; expected at least one"
_UNREADABLE = "damaged, or not a PDF; open it in a PDF reader and save it anew"
_REASONS = {
    4: "encrypted with a password; save it without one and try again",
    5: "encrypted in a way that cannot be read; save it without protection and try again",
}


@contextmanager
def open_pdf(path: Path, name: str) -> Iterator[Any]:
    """A ``pypdfium2.PdfDocument`` with at least one page, read from disk as it is needed.

    Raises:
        SourceError: encrypted, damaged, missing, or without pages; it names ``name``.
    """
    import pypdfium2

    with _LOCK:
        try:
            document = pypdfium2.PdfDocument(path)
        except OSError as error:
            reason = error.strerror or "no such file"
            raise SourceError(f"{name}: cannot be read: {reason}") from None
        except pypdfium2.PdfiumError as error:
            raise SourceError(f"{name}: {_reason(path, error.err_code)}") from None
        try:
            if len(document) == 0:
                raise SourceError(f"{name}: {_NO_PAGE}")
            yield document
        finally:
            document.close()


def _reason(path: Path, code: int | None) -> str:
    """Why PDFium refused a file; it does not tell one without pages from a damaged one."""
    if code in _REASONS:
        return _REASONS[code]
    with path.open("rb") as file:
        start = file.read(_LOOK_AT)
    without = _COUNT_ZERO.search(start) and not _PAGE.search(start)
    return _NO_PAGE if without else _UNREADABLE
