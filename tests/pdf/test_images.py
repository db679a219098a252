import io
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from engine.errors import EngineError, SourceError
from engine.pdf.images import crop, render_page
from engine.types import Box

BOX = Box(1, 0.25, 0.5, 0.75, 0.6)


@pytest.fixture
def pdf(tmp_path):
    path = tmp_path / "한 장.pdf"
    canvas = Canvas(str(path), pagesize=(400, 200))
    canvas.drawString(10, 10, "page")
    canvas.showPage()
    canvas.save()
    return path


def picture(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_a_page_is_drawn_to_scale_with_its_box_coloured(pdf):
    image = picture(render_page(pdf, 1, [BOX], dpi=144))
    assert image.size == (400 * 144 / 72, 200 * 144 / 72)
    assert image.getpixel((400, 220)) != (255, 255, 255)
    assert image.getpixel((400, 100)) == (255, 255, 255)


def test_boxes_of_other_pages_are_not_drawn(pdf):
    assert render_page(pdf, 1, [Box(2, 0.1, 0.1, 0.9, 0.9)]) == render_page(pdf, 1, [])


def test_a_crop_holds_the_boxes_and_a_margin_inside_the_page(pdf):
    image = picture(crop(pdf, 1, [BOX], margin=0.1, dpi=72))
    assert image.size == (round((0.85 - 0.15) * 400), round((0.7 - 0.4) * 200))
    corner = picture(crop(pdf, 1, [Box(1, 0, 0, 0.1, 0.1)], margin=0.1, dpi=72))
    assert corner.size == (round(0.2 * 400), round(0.2 * 200))


def test_a_crop_without_a_box_on_the_page_says_what_to_do(pdf):
    with pytest.raises(EngineError, match=r"^한 장\.pdf: no box on page 1; render the whole page"):
        crop(pdf, 1, [])


@pytest.mark.parametrize("draw", [render_page, crop])
def test_a_box_in_pixels_of_an_unknown_page_cannot_be_drawn(pdf, draw):
    with pytest.raises(
        EngineError, match=r"in pixels of a page of unknown size and cannot be drawn"
    ):
        draw(pdf, 1, [Box(1, 100, 100, 200, 120, unit="pixel")])


@pytest.mark.parametrize("page", [0, 2])
def test_a_page_that_is_not_there_is_named(pdf, page):
    with pytest.raises(EngineError, match=rf"^한 장\.pdf: no page {page}; it has 1$"):
        render_page(pdf, page, [])


def test_what_is_no_pdf_is_refused(tmp_path):
    path = tmp_path / "글.txt"
    path.write_text("글", encoding="utf-8")
    with pytest.raises(SourceError, match=r"^글\.txt: damaged, or not a PDF"):
        render_page(path, 1, [])
    with pytest.raises(SourceError, match=r"^없음\.pdf: cannot be read: no such file$"):
        render_page(Path(tmp_path, "없음.pdf"), 1, [])
