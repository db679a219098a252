"""Pictures of cited places: a page of a PDF with boxes drawn on it, or what the boxes enclose."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.pdf.document import open_pdf
from engine.types import Box

if TYPE_CHECKING:
    from PIL.Image import Image

_POINTS = 72
_MAX_PIXELS = 40_000_000
_FILL, _LINE = (255, 214, 0, 56), (214, 64, 0, 255)
_PAD = 2


def render_page(pdf: Path, page: int, boxes: Sequence[Box], *, dpi: int = 144) -> bytes:
    """PNG of a page (from 1) with those boxes drawn that stand on it.

    Raises:
        EngineError: not a readable PDF, no such page, or a box in pixels of an unknown page size.
    """
    here = _on_page(pdf, page, boxes)
    return _png(_drawn(_picture(pdf, page, dpi), here))


def crop(
    pdf: Path, page: int, boxes: Sequence[Box], *, margin: float = 0.02, dpi: int = 144
) -> bytes:
    """PNG of what the boxes on a page enclose together, with a margin in shares of the page.

    Raises:
        EngineError: as `render_page`, and where no box stands on the page.
    """
    here = _on_page(pdf, page, boxes)
    if not here:
        raise EngineError(f"{pdf.name}: no box on page {page}; render the whole page instead")
    image = _drawn(_picture(pdf, page, dpi), here)
    x0, y0 = min(b.x0 for b in here) - margin, min(b.y0 for b in here) - margin
    x1, y1 = max(b.x1 for b in here) + margin, max(b.y1 for b in here) + margin
    return _png(image.crop(_pixels(image, x0, y0, x1, y1)))


def _on_page(pdf: Path, page: int, boxes: Sequence[Box]) -> list[Box]:
    here = [box for box in boxes if box.page == page]
    if any(box.unit == "pixel" for box in here):
        raise EngineError(
            f"{pdf.name}: the box on page {page} is in pixels of a page of unknown size and cannot "
            "be drawn; parse the document again with relative coordinates"
        )
    return here


def _picture(pdf: Path, page: int, dpi: int) -> Image:
    import pypdfium2

    with open_pdf(pdf, pdf.name) as document:
        if not 1 <= page <= len(document):
            raise EngineError(f"{pdf.name}: no page {page}; it has {len(document)}")
        try:
            sheet = document[page - 1]
            width, height = sheet.get_size()
            scale = min(dpi / _POINTS, (_MAX_PIXELS / max(width * height, 1)) ** 0.5)
            image: Image = sheet.render(scale=scale).to_pil().convert("RGB")
        except pypdfium2.PdfiumError:
            raise EngineError(f"{pdf.name}: page {page} is damaged and cannot be drawn") from None
    return image


def _drawn(image: Image, boxes: Sequence[Box]) -> Image:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image, "RGBA")
    for box in boxes:
        x0, y0, x1, y1 = _pixels(image, box.x0, box.y0, box.x1, box.y1)
        frame = (x0 - _PAD, y0 - _PAD, x1 + _PAD, y1 + _PAD)
        draw.rectangle(frame, fill=_FILL, outline=_LINE, width=max(2, image.width // 600))
    return image


def _pixels(image: Image, x0: float, y0: float, x1: float, y1: float) -> tuple[int, int, int, int]:
    """Shares of a page as pixels of its picture, inside it and at least one pixel each way."""
    left, top = round(max(x0, 0) * image.width), round(max(y0, 0) * image.height)
    right, bottom = round(min(x1, 1) * image.width), round(min(y1, 1) * image.height)
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _png(image: Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
