import pytest

from engine.errors import SourceError
from engine.ingest.flow import Aside, Cell, Grid, Para, title_of, to_elements
from engine.types import Element


def shape(elements: list[Element]) -> list[tuple[str, int, str]]:
    return [(e.kind, e.level, e.text) for e in elements]


def paras(*texts: str) -> list[Para]:
    return [Para(text) for text in texts]


def cell(row: int, column: int, text: str, rows: int = 1, columns: int = 1) -> Cell:
    return Cell(row, column, (Para(text),), rows, columns)


def test_numbered_lines_with_text_below_are_headings() -> None:
    found = to_elements(
        paras("1. 적용 범위", "이 기준은 유아용품에 적용한다.", "1.1 종류", "셋이다.")
    )
    assert shape(found)[0] == ("heading", 1, "1. 적용 범위")
    assert shape(found)[2] == ("heading", 2, "1.1 종류")


def test_numbered_lines_one_after_the_other_are_a_list() -> None:
    found = to_elements(
        paras("7. 표시", "다음을 적는다.", "7.1 품명", "7.2 종류", "끝으로 적는다.")
    )
    assert shape(found)[2] == ("list", 0, "7.1 품명\n7.2 종류")


def test_a_numbered_sentence_is_no_heading() -> None:
    found = to_elements(paras("1. 이 기준은 유아용품에 적용한다.", "다음 문단이다."))
    assert [e.kind for e in found] == ["list", "paragraph"]


def test_a_heading_that_runs_on_is_parted_from_its_text() -> None:
    found = to_elements(paras("2. 관련 규격  다음 규격은 이 기준에 인용된다."))
    assert shape(found) == [
        ("heading", 1, "2. 관련 규격"),
        ("paragraph", 0, "다음 규격은 이 기준에 인용된다."),
    ]


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        pytest.param(("제1장 총칙", "제1절 목적", "이 절은 짧다."), [1, 2], id="장, 절"),
        pytest.param(
            ("Ⅰ. 서론", "글이다.", "1. 배경", "글이다.", "가. 역사", "글."),
            [1, 2, 3],
            id="Ⅰ, 1, 가",
        ),
    ],
)
def test_levels_follow_the_kinds_of_number(lines: tuple[str, ...], levels: list[int]) -> None:
    assert [e.level for e in to_elements(paras(*lines)) if e.kind == "heading"] == levels


def test_outline_levels_head_sections_and_keep_their_numbers() -> None:
    found = to_elements([Para("총칙", mark="1.", outline=1), Para("글이다.")])
    assert shape(found)[0] == ("heading", 1, "1. 총칙")


def test_a_sentence_in_an_outline_style_stays_text() -> None:
    (found,) = to_elements([Para("이 사업은 올해 시작한다.", mark="1.", outline=1)])
    assert (found.kind, found.text) == ("list", "1. 이 사업은 올해 시작한다.")


def test_merged_cells_repeat_and_the_tallest_first_cell_sets_the_header() -> None:
    grid = Grid((cell(0, 0, "항목", 2), cell(0, 1, "기준", 1, 2), cell(1, 1, "유아"),
                 cell(1, 2, "성인"), cell(2, 0, "pH"), cell(2, 1, "3"), cell(2, 2, "4")))  # fmt: skip
    (table,) = to_elements([grid])
    assert table.text == "항목 | 기준 | 기준\n항목 | 유아 | 성인\npH | 3 | 4"
    assert table.text[: table.header_chars] == "항목 | 기준 | 기준\n항목 | 유아 | 성인"


def test_a_table_of_one_column_is_a_frame_around_its_text() -> None:
    inner = Grid((cell(0, 0, "이름"), cell(0, 1, "연도"), cell(1, 0, "화성"), cell(1, 1, "1796")))
    frame = Grid((Cell(0, 0, (Para("1. 개요"), Para("글이다."), inner)),))
    found = to_elements([frame])
    assert [e.kind for e in found] == ["list", "paragraph", "table"]


def test_a_table_inside_a_cell_follows_its_table() -> None:
    inner = Grid((cell(0, 0, "가"), cell(0, 1, "나")))
    outer = Grid((cell(0, 0, "이름"), Cell(0, 1, (Para("값"), inner))))
    assert [e.text for e in to_elements([outer])] == ["이름 | 값", "가 | 나"]


def test_a_form_on_many_columns_lists_each_cell_once() -> None:
    grid = Grid(
        (cell(0, 0, "주무관", 1, 10), cell(0, 10, "홍길동", 1, 10), cell(1, 0, "시행", 1, 20))
    )
    (form,) = to_elements([grid])
    assert form.text == "주무관 | 홍길동\n시행"


def test_a_numbered_line_above_a_table_is_its_caption() -> None:
    grid = Grid((cell(0, 0, "가"), cell(0, 1, "나")))
    assert to_elements([Para("표 1 시료의 크기"), grid])[0].kind == "caption"


def test_bullets_are_gathered_and_private_symbols_become_bullets() -> None:
    (found,) = to_elements([Para("\uf06d 첫째"), Para("둘째", mark="•")])
    assert (found.kind, found.text) == ("list", "• 첫째\n• 둘째")


def test_the_same_page_header_is_kept_once() -> None:
    header = Aside("header", (Para("문화재 안내"),))
    assert [e.text for e in to_elements([header, Para("글"), header])] == ["문화재 안내", "글"]


def test_only_an_unnumbered_heading_at_the_start_is_the_title() -> None:
    assert title_of([Element("heading", "성곽 이야기", level=1)], "파일") == "성곽 이야기"
    assert title_of([Element("heading", "1. 적용 범위", level=1)], "파일") == "파일"


def test_a_table_that_merged_cells_multiply_is_refused() -> None:
    with pytest.raises(SourceError, match="a table of over 1,000,000 cells"):
        to_elements([Grid((cell(0, 0, "가", 60_000, 60_000), cell(0, 60_000, "나")))])
