"""The published files of ../shared/data/docs-pdf, read as a person would check them."""

import re
from pathlib import Path

import pytest

from engine.errors import SourceError
from engine.ingest.blocks import make_blocks
from engine.types import FURNITURE
from tests.ingest.readers.made_pdf import of_kind, read

FOLDER = Path(__file__).resolve().parents[3] / "../shared/data/docs-pdf"
FILES = [
    "StockPilot_사용설명서.pdf", "autorag_kbo_table_text.pdf",
    "autorag_korean_texts_two_page.pdf", "card_신한카드_처음.pdf",
]  # fmt: skip


@pytest.fixture
def folder():
    if not FOLDER.is_dir():
        pytest.skip(f"real files are not at {FOLDER}")
    return FOLDER


@pytest.mark.parametrize("name", FILES)
def test_every_block_stands_on_a_page_of_the_file_in_a_box_inside_it(folder, korean, name):
    reading = read(folder / name, korean)
    for element in reading.elements:
        first, last = element.pages
        assert 1 <= first <= last <= reading.page_count
        assert {first, last} <= {box.page for box in element.boxes}
        assert all(0 <= b.x0 < b.x1 <= 1 and 0 <= b.y0 < b.y1 <= 1 for b in element.boxes)
    assert reading.warnings == ()


def test_the_guide_has_its_numbered_sections_and_its_table(folder, korean):
    reading = read(folder / FILES[0], korean)
    blocks = make_blocks("guide", reading)
    top = [b.text for b in blocks if b.kind == "heading" and re.match(r"\d\. ", b.text)]
    assert [text[0] for text in top] == list("12345678")
    (table,) = of_kind(reading, "table")
    assert table.text.startswith("메서드 | 엔드포인트 | 설명\nPOST | /auth/register | 회원가입")
    fallback = next(b for b in blocks if b.text.startswith("4.7"))
    assert fallback.section_path[-2:] == ("4. 기능별 사용법", "4.7 LLM 모델 선택 & 자동 폴백")


def test_the_rules_keep_merged_cells_and_the_printed_page_number(folder, korean):
    reading = read(folder / FILES[1], korean)
    (table,) = of_kind(reading, "table")
    assert "6월 | 17:00 | 17:00 | 18:30" in table.text.split("\n")
    assert {element.page_label for element in reading.elements} == {"12"}
    assert [element.text for element in of_kind(reading, "footer")] == ["12"]


def test_the_terms_give_an_articles_path_to_each_of_its_paragraphs(folder, korean):
    blocks = make_blocks("terms", read(folder / FILES[2], korean))
    block = next(b for b in blocks if b.text.startswith("⑤ 보험수익자와"))
    assert block.section_path == ("제2관 보험금의 지급", "제4조(보험금 지급에 관한 세부규정)")
    assert "제3자는 의료법 제3조(의료기관)에 규정한" in block.text and block.pages == (2, 2)


def test_the_leaflet_is_read_panel_by_panel(folder, korean):
    reading = read(folder / FILES[3], korean)
    text = "\n".join(
        e.text for e in reading.elements if e.kind not in FURNITURE and e.pages == (3, 3)
    )
    assert text.index("[오늘도 5% 적립 서비스 월 통합 적립 한도]\n") < text.index(
        "생활 · 여행 · 패션 5%"
    )
    assert len(of_kind(reading, "table")) == 7


def test_the_screenshot_is_refused_with_advice(folder, korean):
    with pytest.raises(SourceError, match=r"1 with pictures only\); run OCR over the file first"):
        read(folder / "timetable_course-history-guide.pdf", korean)
