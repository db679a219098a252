import io
from datetime import date, datetime

import openpyxl
import pytest

from engine.errors import SourceError
from engine.ingest.documents import read
from engine.ingest.readers import csv, xlsx
from engine.ingest.rows import ROWS_A_BLOCK, table_elements
from tests.conftest import source_of
from tests.ingest import samples


def reading(name: str, data: bytes, reader, tmp_path, korean):
    path = tmp_path / name
    path.write_bytes(data)
    (found,) = read(source_of(path), reader, korean)
    return found


def test_a_sheet_is_a_section_of_table_blocks(tmp_path, korean) -> None:
    found = reading("표.xlsx", samples.sheet(), xlsx, tmp_path, korean).elements
    assert [(e.kind, e.text, e.element_id) for e in found] == [
        ("heading", "문화재", None),
        ("table", "이름 | 연도\n수원 화성 | 1796\n경복궁 | 1395", "문화재!2:3"),
    ]


def test_values_are_written_as_the_sheet_shows_them(tmp_path, korean) -> None:
    row = [
        True,
        0.1 + 0.2,
        datetime(2026, 1, 2),
        date(2026, 1, 3),
        datetime(2026, 1, 2, 9, 30),
        None,
    ]
    data = samples.sheet([["a", "b", "c", "d", "e", "f"], row])
    table = reading("표.xlsx", data, xlsx, tmp_path, korean).elements[1]
    assert table.text.split("\n")[1] == (
        "TRUE | 0.3 | 2026-01-02 | 2026-01-03 | 2026-01-02 09:30:00"
    )


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("0.0%", "350%"),
        ('0.0"%"', "3.5%"),
        (r"0.0\%", "3.5%"),
        ('0%;"- %"', "350%"),
        ("0.0", "3.5"),
    ],
)
def test_a_percentage_is_what_the_sheet_shows(form, shown, tmp_path, korean) -> None:
    book = openpyxl.Workbook()
    book.active.append(["비율"])
    book.active.append([3.5])
    book.active["A2"].number_format = form
    written = io.BytesIO()
    book.save(written)
    table = reading("표.xlsx", written.getvalue(), xlsx, tmp_path, korean).elements[1]
    assert table.text == f"비율\n{shown}"


def test_a_protected_workbook_is_refused(tmp_path, korean) -> None:
    with pytest.raises(SourceError, match=r"^표\.xlsx: protected by a password"):
        reading("표.xlsx", samples.compound({"EncryptedPackage": b"x"}), xlsx, tmp_path, korean)


def test_long_tables_are_parted_under_the_same_header() -> None:
    rows = [(1, ["번호"]), *((n, [str(n)]) for n in range(2, ROWS_A_BLOCK + 4))]
    first, second = table_elements(rows, lambda a, b: f"L{a}-L{b}")
    assert first.element_id == f"L2-L{ROWS_A_BLOCK + 1}"
    assert second.text == f"번호\n{ROWS_A_BLOCK + 2}\n{ROWS_A_BLOCK + 3}"
    assert second.header_chars == len("번호")


@pytest.mark.parametrize(
    ("text", "table"),
    [
        pytest.param("이름,연도\n화성,1796\n", "이름 | 연도\n화성 | 1796", id="comma"),
        pytest.param("이름\t연도\n화성\t1796\n", "이름 | 연도\n화성 | 1796", id="tab"),
        pytest.param(
            '"가,나,다";연도\n화성;1796\n', "가,나,다 | 연도\n화성 | 1796", id="in quotes"
        ),
        pytest.param('이름;뜻\n화성;"긴\n글"\n', "이름 | 뜻\n화성 | 긴 글", id="quoted break"),
        pytest.param("이름,연도\n\n,\n화성,\n", "이름 | 연도\n화성", id="empty rows and cells"),
    ],
)
def test_delimiters_are_told_by_the_first_line(text, table, tmp_path, korean) -> None:
    found = reading("표.csv", text.encode("cp949"), csv, tmp_path, korean)
    assert (found.elements[0].text, found.encoding) == (table, "cp949")


def test_a_file_named_for_its_tabs_is_parted_by_them(tmp_path, korean) -> None:
    data = "이름, 별명, 호\t연도\n이황\t1501\n".encode()
    (table,) = reading("표.tsv", data, csv, tmp_path, korean).elements
    assert table.text == "이름, 별명, 호 | 연도\n이황 | 1501"


def test_a_row_that_cannot_be_read_is_named_by_its_line(tmp_path, korean) -> None:
    data = ("이름\n" + "가" * 200_000 + "\n").encode()
    with pytest.raises(SourceError, match=r"^표\.csv:2: not readable as CSV: field larger"):
        reading("표.csv", data, csv, tmp_path, korean)
