import pytest

from engine.ingest.pdf.grid import find_grids
from tests.ingest.readers.made_pdf import HEIGHT, Sheets, of_kind, read

XS = [72, 200, 330, 500]
HEADER = ("구분", "토요일", "일요일")


@pytest.fixture
def sheets(tmp_path):
    return Sheets(tmp_path / "표.pdf")


def rows(first, last):
    return [(f"{n}월", f"{n}시", f"{n + 1}시") for n in range(first, last + 1)]


def test_a_ruled_table_is_read_row_by_row_behind_its_header(sheets, korean):
    path = sheets.grid(XS, [100, 120, 140, 160], [HEADER, *rows(3, 4)]).page().save()
    (table,) = read(path, korean).elements
    assert table.kind == "table"
    assert table.text == "구분 | 토요일 | 일요일\n3월 | 3시 | 4시\n4월 | 4시 | 5시"
    assert table.text[: table.header_chars] == "구분 | 토요일 | 일요일"
    assert table.boxes[0].y1 == pytest.approx(160 / HEIGHT, abs=0.002)


def test_a_merged_cell_is_repeated_where_it_reaches(sheets, korean):
    canvas = sheets.canvas
    for y in (100, 120, 160):
        canvas.line(72, HEIGHT - y, 330, HEIGHT - y)
    canvas.line(72, HEIGHT - 140, 200, HEIGHT - 140)
    for x in (72, 200, 330):
        canvas.line(x, HEIGHT - 100, x, HEIGHT - 160)
    sheets.text("월", 76, 115).text("시각", 204, 115).text("3월", 76, 135).text("4월", 76, 155)
    (table,) = read(sheets.text("17:00", 204, 145).page().save(), korean).elements
    assert table.text == "월 | 시각\n3월 | 17:00\n4월 | 17:00"


def test_a_table_open_at_its_sides_keeps_its_outer_columns():
    across = [(0.0, y, 300.0, y) for y in (10.0, 30.0, 50.0)]
    down = [(x, 10.0, x, 50.0) for x in (100.0, 200.0)]
    (grid,) = find_grids([*across, *down])
    assert grid.xs == (0, 100, 200, 300) and grid.ys == (10, 30, 50)
    assert len(set(grid.cells.values())) == 6


def test_a_table_with_horizontal_rules_only_is_parted_where_white_space_runs_through(
    sheets, korean
):
    for y in (100, 118, 156):
        sheets.canvas.line(72, HEIGHT - y, 330, HEIGHT - y)
    for y, row in ((113, ("방법", "재현율")), (133, ("형태소", ".953")), (151, ("결합", ".978"))):
        sheets.text(row[0], 80, y).text(row[1], 240, y)
    path = sheets.text("아래는 본문이다.", 72, 200).page().save()
    table, after = read(path, korean).elements
    assert (table.kind, table.text) == ("table", "방법 | 재현율\n형태소 | .953\n결합 | .978")
    assert table.text[: table.header_chars] == "방법 | 재현율"
    assert after.text == "아래는 본문이다."


def test_rules_under_headings_make_no_table_of_the_text_between(sheets, korean):
    for y in (104, 204, 304):
        sheets.canvas.line(72, HEIGHT - y, 500, HEIGHT - y)
        sheets.text("화성의 문은 모두 넷이다.", 72, y - 4).text("장안문은 북쪽에 있다.", 72, y + 40)
    assert of_kind(read(sheets.page().save(), korean), "table") == []


def test_one_box_around_text_is_no_table(sheets, korean):
    sheets.canvas.rect(60, HEIGHT - 120, 400, 40)
    path = sheets.text("예시 입력: 화성은 언제 지었나?", 72, 105).page().save()
    assert [e.kind for e in read(path, korean).elements] == ["paragraph"]


@pytest.mark.parametrize(
    "second", [pytest.param([], id="not printed again"), pytest.param([HEADER], id="printed again")]
)
def test_a_continued_table_repeats_its_header_once_and_keeps_its_rows_on_their_page(
    sheets, korean, second
):
    sheets.grid(XS, [700, 720, 740], [HEADER, *rows(1, 1)]).page()
    body = [*second, *rows(2, 3)]
    path = sheets.grid(XS, [60 + 20 * n for n in range(len(body) + 1)], body).page().save()
    first, after = of_kind(read(path, korean), "table")
    assert (first.pages, after.pages) == ((1, 1), (2, 2))
    assert after.text == "구분 | 토요일 | 일요일\n2월 | 2시 | 3시\n3월 | 3시 | 4시"
    assert after.text[: after.header_chars] == "구분 | 토요일 | 일요일"


def test_another_table_on_the_next_page_keeps_its_own_header(sheets, korean):
    sheets.grid(XS, [700, 720, 740], [HEADER, *rows(1, 1)]).page()
    path = (
        sheets.grid([72, 250, 500], [60, 80, 100], [("문", "방향"), ("장안문", "북")]).page().save()
    )
    assert of_kind(read(path, korean), "table")[1].text == "문 | 방향\n장안문 | 북"
