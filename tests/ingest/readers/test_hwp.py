import struct
from pathlib import Path

import pytest

from engine.errors import SourceError
from engine.ingest.documents import read, reader_for
from engine.ingest.readers import hwp, hwpx
from engine.text.kiwi import Korean
from engine.types import Element
from tests.conftest import source_of
from tests.ingest import samples
from tests.ingest.samples import anchored, control, hwp_para, record


def elements(data: bytes, folder: Path, korean: Korean) -> list[Element]:
    path = folder / "문서.hwp"
    path.write_bytes(data)
    (reading,) = read(source_of(path), hwp, korean)
    assert reading.page_count is None
    return list(reading.elements)


def cell(column: int, row: int, text: str, level: int) -> bytes:
    place = bytes(8) + struct.pack("<HHHH", column, row, 1, 1)
    return record(72, level, place) + hwp_para(text, level)


def table(level: int, cells: bytes, caption: bytes = b"") -> bytes:
    return control("tbl ", level) + caption + record(77, level + 1, bytes(8)) + cells


def para_with(text: str, *controls: bytes) -> bytes:
    return hwp_para(text) + b"".join(controls)


def test_paragraphs_are_named_by_section_and_place(tmp_path, korean) -> None:
    found = elements(samples.hwp(hwp_para("첫째 글.") + hwp_para("둘째 글.")), tmp_path, korean)
    assert [(e.text, e.element_id) for e in found] == [("첫째 글.", "s0p1"), ("둘째 글.", "s0p2")]


def test_tables_with_captions_numbers_and_cells(tmp_path, korean) -> None:
    number = control("atno", 3, struct.pack("<IH", 4, 7))
    caption = record(72, 2, bytes(8)) + hwp_para(f"표 {anchored(18, 'atno')} 성곽", 2) + number
    cells = (
        cell(0, 0, "이름", 2)
        + cell(1, 0, "연도", 2)
        + cell(0, 1, "화성", 2)
        + cell(1, 1, "1796", 2)
    )
    section = para_with(anchored(11, "tbl "), table(1, cells, caption))
    found = elements(samples.hwp(section), tmp_path, korean)
    assert [(e.kind, e.text) for e in found] == [
        ("caption", "표 7 성곽"),
        ("table", "이름 | 연도\n화성 | 1796"),
    ]


def test_notes_stand_at_their_place_and_behind_their_paragraph(tmp_path, korean) -> None:
    note = control("fn  ", 1) + record(72, 2, bytes(8)) + hwp_para("1) 화성성역의궤.", 2)
    end = control("en  ", 1) + record(72, 2, bytes(8)) + hwp_para("끝 주석.", 2)
    text = f"정조{anchored(17, 'fn  ')}가 쌓았다.{anchored(17, 'en  ')}"
    found = elements(samples.hwp(para_with(text, note, end)), tmp_path, korean)
    assert [(e.kind, e.text) for e in found] == [
        ("paragraph", "정조^1)가 쌓았다.^미주1)"),
        ("footnote", "1) 화성성역의궤."),
        ("footnote", "미주1) 끝 주석."),
    ]


def test_headers_memos_boxes_and_equations_are_kept_apart(tmp_path, korean) -> None:
    head = control("head", 1) + record(72, 2, bytes(8)) + hwp_para("머리말", 2)
    box = control("gso ", 1) + record(76, 2) + record(72, 3, bytes(8)) + hwp_para("글상자 글.", 3)
    script = "a`over`b".encode("utf-16-le")
    equation = control("eqed", 1) + record(88, 2, struct.pack("<IH", 0, len(script) // 2) + script)
    memo = record(93, 1, bytes(4)) + record(72, 1, bytes(8)) + hwp_para("확인 바람", 1)
    text = anchored(16, "head") + "본문" + anchored(11, "gso ") + "은 " + anchored(11, "eqed")
    found = elements(samples.hwp(para_with(text, head, box, equation, memo)), tmp_path, korean)
    assert [(e.kind, e.text) for e in found] == [
        ("paragraph", "본문은 a over b"),
        ("header", "머리말"),
        ("paragraph", "글상자 글."),
        ("footnote", "[메모] 확인 바람"),
    ]


def shape(kind: int, level: int, list_id: int) -> bytes:
    return record(
        25, 0, struct.pack("<I", kind << 23 | level << 25) + bytes(26) + struct.pack("<H", list_id)
    )


def numbering(*templates: str) -> bytes:
    data = b""
    for template in (*templates, *[""] * (7 - len(templates))):
        text = template.encode("utf-16-le")
        data += bytes(12) + struct.pack("<H", len(text) // 2) + text
    return record(23, 0, data + bytes(2) + struct.pack("<7I", *[1] * 7))


def test_outline_levels_and_automatic_numbers_are_written_out(tmp_path, korean) -> None:
    info = numbering("^1.", "^1.^2") + shape(0, 0, 0) + shape(2, 0, 1) + shape(2, 1, 1)
    section = hwp_para("총칙", shape=1) + hwp_para("목적", shape=2) + hwp_para("이 규정은 짧다.")
    found = elements(samples.hwp(section, info), tmp_path, korean)
    assert [(e.kind, e.level, e.text) for e in found] == [
        ("heading", 1, "1. 총칙"),
        ("heading", 2, "1.1 목적"),
        ("paragraph", 0, "이 규정은 짧다."),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(samples.hwp(flags=3), "protected by a password; save it without", id="password"),
        pytest.param(samples.hwp(flags=5), "for distribution only; ask its author", id="distribution"),
        pytest.param(samples.hwp(flags=0x11), "digital rights management", id="drm"),
        pytest.param(b"HWP Document File V3.00 \x1a", "an HWP 3 file; open it in Hangul", id="hwp 3"),
        pytest.param(b'<?xml version="1.0"?><HWPML>', "an HWPML file; open it in Hangul", id="hwpml"),
        pytest.param(samples.hwp()[:700], r"OLE container|missing or damaged", id="cut off"),
        pytest.param(samples.hwp(record(66, 0, bytes(22))[:-4] + b"\xff" * 8), "passes the end", id="record"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_the_reason(data, message, tmp_path, korean) -> None:
    path = tmp_path / "문서.hwp"
    path.write_bytes(data)
    source = source_of(path)
    assert reader_for(source) is hwp
    with pytest.raises(SourceError, match=rf"^문서\.hwp: .*(?:{message})"):
        read(source, hwp, korean)


def test_another_ole_file_is_not_taken(tmp_path) -> None:
    path = tmp_path / "옛 문서.doc"
    path.write_bytes(samples.compound({"WordDocument": b"x"}))
    assert reader_for(source_of(path)) is None


def test_a_hwpx_named_hwp_is_read_as_what_it_is(tmp_path, korean) -> None:
    path = tmp_path / "문서.hwp"
    path.write_bytes(samples.hwpx())
    assert reader_for(source_of(path)) is hwpx


@pytest.mark.parametrize(
    ("name", "kinds", "quote"),
    [
        ("hwplib_표.hwp", {"caption": 1, "table": 1}, "ABC 123 | DEF | GHI"),
        ("hwplib_각주미주.hwp", {"footnote": 1}, "미주1) sssd"),
        ("pyhwp_lists-bullet.hwp", {"list": 25}, "▶ 1\n▶ 2\n▶ 3"),
        ("pyhwp_table-caption.hwp", {"caption": 8}, "표 3 왼쪽"),
        ("KC_자율안전확인기준-부속서 41-일회용 기저귀.hwp", {"table": 3}, "3.1 유아용 기저귀"),
    ],
)  # fmt: skip
def test_real_files_hold_what_they_show(shared_data, korean, name, kinds, quote) -> None:
    (reading,) = read(source_of(shared_data / "docs-hwp" / name), hwp, korean)
    for kind, count in kinds.items():
        assert sum(e.kind == kind for e in reading.elements) == count
    assert any(quote in e.text for e in reading.elements)
