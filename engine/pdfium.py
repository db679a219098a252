"""How the library opens a PDF: one file at a time, with errors a person can act on.

PDFium keeps process-wide state and is not safe to call from two threads, so whoever holds a
document also holds the lock.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import SourceError

_LOCK = threading.RLock()
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
            raise SourceError(f"{name}: {_REASONS.get(error.err_code, _UNREADABLE)}") from None
        try:
            if len(document) == 0:
                raise SourceError(f"{name}: a PDF without pages; expected at least one")
            yield document
        finally:
            document.close()
