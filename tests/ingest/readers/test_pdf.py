import pytest

from engine.ingest.blocks import make_blocks
from engine.ingest.documents import reader_for
from engine.ingest.pdf.joining import Joiner
from engine.ingest.readers import pdf
from engine.types import pages_of
from tests.ingest.readers.made_pdf import HEIGHT, WIDTH, Sheets, of_kind, read, source

BODY = [
    "정조는 수원에 화성을 쌓게 하였으며 공사는 이 년 반 만에 끝났다. 공사의",
    "기록은 의궤에 남아 있고 오늘날의 복원은 그 기록을 따랐다. 네 문을 세우고",
    "봉돈과 수문을 두었다.",
]
BODY_TEXT = (
    "정조는 수원에 화성을 쌓게 하였으며 공사는 이 년 반 만에 끝났다. 공사의 기록은 의궤에 남아 "
    "있고 오늘날의 복원은 그 기록을 따랐다. 네 문을 세우고 봉돈과 수문을 두었다."
)


@pytest.fixture
def sheets(tmp_path):
    return Sheets(tmp_path / "화성 (제1권) #1.pdf")


def test_a_pdf_is_known_by_its_first_kibibyte_and_not_by_its_name(tmp_path):
    near, far = tmp_path / "보고서.txt", tmp_path / "보고서.pdf"
    near.write_bytes(b"\n" * 1019 + b"%PDF-1.7\n")
    far.write_bytes(b"\n" * 1020 + b"%PDF-1.7\n")
    assert pdf.accepts(source(near)) and reader_for(source(near)) is pdf
    assert not pdf.accepts(source(far))


def test_the_lines_of_a_paragraph_are_joined_with_its_page_and_box(sheets, korean):
    path = sheets.lines(BODY, 72, 100).text("따로 선 문단이다.", 72, 200).page().save()
    reading = read(path, korean)
    first, second = reading.elements
    assert (first.text, second.text) == (BODY_TEXT, "따로 선 문단이다.")
    assert first.pages == (1, 1) and reading.page_count == 1
    (box,) = first.boxes
    assert box.x0 == pytest.approx(72 / WIDTH, abs=0.002)
    assert box.y0 == pytest.approx((100 - 0.86 * 10) / HEIGHT, abs=0.002)
    assert box.y1 == pytest.approx((100 + 2 * 16 + 0.16 * 10) / HEIGHT, abs=0.002)


def test_a_paragraph_over_a_page_break_knows_which_characters_stand_on_which_page(sheets, korean):
    sheets.lines(BODY[:1], 72, 760).page()
    path = sheets.lines(BODY[1:], 72, 80).page().save()
    (block,) = make_blocks("d", read(path, korean))
    at = block.text.index("기록은")
    assert block.text == BODY_TEXT and block.pages == (1, 2)
    assert block.page_breaks == ((at, 2),)
    assert [box.page for box in block.boxes] == [1, 2]
    assert pages_of(block, 0, at) == (1, 1)
    assert pages_of(block, at, len(block.text)) == (2, 2)
    assert pages_of(block, at - 5, at + 1) == (1, 2)


def test_a_sentence_that_ends_at_the_foot_of_a_page_ends_its_paragraph(sheets, korean):
    full = "정조는 수원에 화성을 쌓게 하였으며 공사는 이 년 반 만에 모두 다 끝났다."
    sheets.text(full, 72, 760).page()
    path = sheets.lines(BODY, 72, 80).page().save()
    assert [element.pages for element in read(path, korean).elements] == [(1, 1), (2, 2)]


def test_columns_are_read_one_after_the_other_below_what_runs_across(sheets, korean):
    left = [f"왼쪽 단의 {n}번째 줄은 이렇게 이어진다" for n in "가나다라마바"]
    right = [f"오른쪽 단의 {n}번째 줄은 또 이어진다" for n in "사아자차카타"]
    sheets.text("두 단에 걸친 제목은 여기에 이만큼 길게 놓인다", 120, 80, size=16)
    path = sheets.lines(left, 60, 120).lines(right, 320, 120).page().save()
    text = "\n".join(element.text for element in read(path, korean).elements)
    places = [text.index(n + "번째") for n in "가나다라마바사아자차카타"]
    assert text.startswith("두 단에 걸친") and places == sorted(places)


def test_headings_are_nested_by_size_and_numbering(sheets, korean):
    sheets.text("제1장 총칙", 72, 80, size=16).lines(BODY, 72, 120)
    sheets.text("1.1 목적", 72, 200, size=13).lines(BODY, 72, 230)
    sheets.text("가. 용어의 뜻", 72, 310, bold=True).lines(BODY, 72, 340)
    path = sheets.text("제2장 보칙", 72, 420, size=16).lines(BODY, 72, 460).page().save()
    headings = of_kind(read(path, korean), "heading")
    assert [(h.text, h.level) for h in headings] == [
        ("제1장 총칙", 1), ("1.1 목적", 2), ("가. 용어의 뜻", 3), ("제2장 보칙", 1),
    ]  # fmt: skip


def test_an_articles_title_is_parted_from_the_text_on_its_line(sheets, korean):
    sheets.text("제5조(목적)", 72, 100, bold=True).text("이 규칙은 화성을 지킨다.", 140, 100)
    path = sheets.text("의료법 제3조(의료기관)에 따른 병원을 말한다.", 72, 140).page().save()
    reading = read(path, korean)
    assert [(e.kind, e.text) for e in reading.elements] == [
        ("heading", "제5조(목적)"),
        ("paragraph", "이 규칙은 화성을 지킨다."),
        ("paragraph", "의료법 제3조(의료기관)에 따른 병원을 말한다."),
    ]


def test_what_repeats_at_the_edge_of_pages_is_furniture_and_gives_the_label(sheets, korean):
    for number in (7, 8, 9):
        sheets.text("화성 연구 보고서", 72, 40, size=9).lines(BODY, 72, 100 + number * 9)
        sheets.text(f"- {number} -", 290, 810, size=9).page()
    reading = read(sheets.save(), korean)
    assert [e.text for e in of_kind(reading, "header")] == ["화성 연구 보고서"] * 3
    assert [e.text for e in of_kind(reading, "footer")] == ["- 7 -", "- 8 -", "- 9 -"]
    body = of_kind(reading, "paragraph")
    assert [(e.pages, e.page_label) for e in body] == [
        ((1, 1), "7"), ((2, 2), "8"), ((3, 3), "9"),
    ]  # fmt: skip


def test_what_stands_beside_a_page_number_belongs_to_the_running_header(sheets, korean):
    for number in (31, 32, 33):
        sheets.text(str(number), 60, 40, size=9).text(f"제{number}절 문과 누각", 400, 40, size=9)
        sheets.lines(BODY, 72, 100 + number).page()
    assert [e.text for e in of_kind(read(sheets.save(), korean), "header")] == [
        f"{number} 제{number}절 문과 누각" for number in (31, 32, 33)
    ]


def test_numbers_in_the_last_lines_of_pages_are_no_footer_unless_they_count_pages(sheets, korean):
    for amount in ("예산은 모두 410만 원 12", "지출은 모두 977만 원 88", "잔액은 모두 205만 원 31"):
        sheets.lines(BODY, 72, 100).text(amount, 72, 780).page()
    assert of_kind(read(sheets.save(), korean), "footer") == []


def test_page_labels_of_the_file_are_kept_apart_from_physical_pages(sheets, korean):
    sheets.canvas.addPageLabel(0, style="ROMAN_LOWER")
    sheets.canvas.addPageLabel(1, style="ARABIC", start=1)
    sheets.lines(BODY, 72, 100).page().lines(BODY, 72, 100).page()
    labels = [(e.pages, e.page_label) for e in read(sheets.save(), korean).elements]
    assert labels == [((1, 1), "i"), ((2, 2), "1")]


def test_list_items_keep_their_lines_and_their_depth(sheets, korean):
    sheets.text(
        "• 화성의 네 문은 장안문과 팔달문과 창룡문과 화서문이며 모두 복원되어 지금도", 72, 100
    )
    sheets.text("볼 수 있다.", 84, 116).text("- 장안문은 북쪽에 있다.", 92, 132)
    path = sheets.text("• 수문은 둘이다.", 72, 148).page().save()
    (element,) = of_kind(read(path, korean), "list")
    assert element.text.split("\n") == [
        "• 화성의 네 문은 장안문과 팔달문과 창룡문과 화서문이며 모두 복원되어 지금도 볼 수 있다.",
        "  - 장안문은 북쪽에 있다.",
        "• 수문은 둘이다.",
    ]


def test_a_line_that_starts_with_the_end_of_a_word_opens_no_item(sheets, korean):
    lines = [
        "화성은 수원에 있는 성곽으로 정조가 쌓게 하였으며 지금까지도 잘 남아 있",
        "다. 문은 넷이다.",
    ]
    path = sheets.lines(lines, 72, 100).page().save()
    (element,) = read(path, korean).elements
    assert element.kind == "paragraph"
    assert element.text.endswith("잘 남아 있다. 문은 넷이다.")


def test_a_document_that_breaks_lines_between_words_has_a_space_at_every_break(sheets, korean):
    words = ["성곽을 쌓고", "네 문을 세우고", "봉돈을 두어", "멀리 알리고", "기록을 남겨"] * 2
    lines = [f"정조는 수원에 화성을 쌓게 하였으며 공사는 이 년 반 {word}" for word in words]
    sheets.lines(
        [*lines, "정조는 수원에 화성을 쌓게 하였으며 공사는 이 년 반 문과 포루와"], 72, 100
    )
    path = sheets.text("봉돈과 수문을 두었다.", 72, 100 + 11 * 16).page().save()
    (element,) = read(path, korean).elements
    assert element.text.endswith("문과 포루와 봉돈과 수문을 두었다.")


def test_a_list_over_a_page_break_knows_the_page_of_each_item(sheets, korean):
    sheets.lines(BODY, 72, 600).text("• 장안문은 북쪽에 있다.", 72, 760).page()
    path = sheets.text("• 팔달문은 남쪽에 있다.", 72, 80).lines(BODY, 72, 200).page().save()
    blocks = make_blocks("d", read(path, korean))
    (block,) = (block for block in blocks if block.kind == "list")
    at = block.text.index("• 팔달문")
    assert (block.pages, block.page_breaks) == ((1, 2), ((at, 2),))
    assert pages_of(block, 0, at - 1) == (1, 1)
    assert pages_of(block, at, len(block.text)) == (2, 2)


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        pytest.param("화성(華城)", "은 수원에 있다", "화성(華城)은 수원에 있다", id="particle"),
        pytest.param("공사는 1796", "년에 끝났다", "공사는 1796년에 끝났다", id="unit"),
        pytest.param("1796", "시행 세칙", "1796 시행 세칙", id="a word that starts like a unit"),
        pytest.param("복원되", "었다.", "복원되었다.", id="inside a word"),
        pytest.param("the for-", "tress", "the fortress", id="hyphen"),
    ],
)
def test_what_belongs_to_the_word_before_a_line_break_is_joined_to_it(
    korean, before, after, joined
):
    assert Joiner(korean).append(before, after, trail=False) == joined
    assert Joiner(korean).append(before, after, trail=True) == f"{before} {after}"


def test_small_marked_lines_at_the_foot_are_footnotes_and_part_no_paragraph(sheets, korean):
    sheets.lines([*BODY * 2, BODY[0]], 72, 100)
    sheets.text("1) 화성성역의궤, 수원시, 2005년.", 72, 740, size=8)
    sheets.text("2) 위의 책.", 72, 752, size=8).page()
    path = sheets.lines(BODY[1:], 72, 80).page().save()
    reading = read(path, korean)
    assert [(e.text[:2], e.pages) for e in of_kind(reading, "footnote")] == [
        ("1)", (1, 1)), ("2)", (1, 1)),
    ]  # fmt: skip
    assert [e.pages for e in of_kind(reading, "paragraph")][-1] == (1, 2)


def test_captions_are_told_from_sentences_that_name_a_table(sheets, korean):
    sheets.text("<표 1> 화성의 문", 72, 100).text("표 1은 화성의 문을 보여 준다.", 72, 140)
    path = sheets.text("그림 2-1. 화성의 평면", 72, 180).page().save()
    assert [(e.kind, e.text) for e in read(path, korean).elements] == [
        ("caption", "<표 1> 화성의 문"),
        ("paragraph", "표 1은 화성의 문을 보여 준다."),
        ("caption", "그림 2-1. 화성의 평면"),
    ]


def test_a_table_of_contents_gives_an_index_and_no_headings(sheets, korean):
    lines = [f"제{n}장 성곽의 구성 ................ {n * 7}" for n in (1, 2, 3)]
    path = sheets.text("목 차", 72, 80, size=16).lines(lines, 72, 120).page().save()
    reading = read(path, korean)
    assert [e.text for e in of_kind(reading, "heading")] == ["목 차"]
    assert [e.text.count("\n") for e in of_kind(reading, "index")] == [2]


def test_boxes_are_given_on_the_page_as_it_is_seen_when_it_is_turned(sheets, korean):
    sheets.canvas.setPageRotation(90)
    wide, high = HEIGHT, WIDTH
    path = sheets.lines(BODY, 72, HEIGHT - 400).page().save()
    (element,) = read(path, korean).elements
    (box,) = element.boxes
    assert element.text == BODY_TEXT
    assert box.y0 == pytest.approx(72 / wide, abs=0.002)
    assert box.x1 == pytest.approx((400 + 0.86 * 10) / high, abs=0.002)
    assert box.x0 == pytest.approx((400 - 2 * 16 - 0.16 * 10) / high, abs=0.002)


def test_slanted_text_is_left_out_and_said_so(sheets, korean):
    sheets.lines(BODY, 72, 100).canvas.saveState()
    sheets.canvas.translate(200, 300)
    sheets.canvas.rotate(45)
    sheets.canvas.drawString(0, 0, "CONFIDENTIAL")
    sheets.canvas.restoreState()
    reading = read(sheets.page().save(), korean)
    assert [element.text for element in reading.elements] == [BODY_TEXT]
    assert reading.warnings == (
        "slanted text (a watermark?) left out: 12 characters on 1 pages",
    )  # fmt: skip


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_glyphs_drawn_one_by_one_are_read_with_no_font_for_them(sheets, korean, turn):
    sheets.canvas.setPageRotation(turn)
    turned = sheets.canvas
    turned.translate(WIDTH / 2, HEIGHT / 2)
    turned.rotate(turn)
    for at, glyph in enumerate("화성은그해가을에완공되었다."):
        sheets.text(glyph, 12 * at - 150, HEIGHT, size=12)
    (element,) = read(sheets.page().save(), korean).elements
    assert element.text == "화성은그해가을에완공되었다."
