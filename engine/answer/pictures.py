"""The cited place as a picture inside a page, where the source is a PDF that is still there."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from engine.errors import EngineError
from engine.pdf.images import crop
from engine.types import Citation


def picture(citation: Citation) -> str:
    """A ``data:`` address of the cited boxes on their first page, or nothing."""
    path = local_file(citation.uri)
    if path is None or not citation.boxes or not citation.pages:
        return ""
    page = citation.pages[0]
    try:
        image = crop(path, page, [box for box in citation.boxes if box.page == page])
    except (EngineError, OSError):
        return ""
    return f"data:image/png;base64,{b64encode(image).decode()}"


def local_file(uri: str) -> Path | None:
    """The PDF that an address names, if it is on this machine."""
    parts = urlsplit(uri)
    path = Path(url2pathname(parts.path)) if parts.scheme == "file" else None
    return path if path and path.suffix.lower() == ".pdf" and path.is_file() else None
