import pytest

from engine.errors import SourceError
from engine.ingest.documents import read
from engine.ingest.readers import hwpx
from tests.conftest import source_of
from tests.ingest import samples
from tests.ingest.samples import hwpx_para, hwpx_table


@pytest.fixture
def shapes(tmp_path, korean):
    def shapes(body: str) -> list[tuple[str, str]]:
        path = tmp_path / "문서.hwpx"
        path.write_bytes(samples.hwpx(body))
        (reading,) = read(source_of(path), hwpx, korean)
        assert reading.page_count is None
        return [(e.kind, e.text) for e in reading.elements]

    return shapes


def run(*parts: str) -> str:
    return f"<hp:p><hp:run>{''.join(parts)}</hp:run></hp:p>"


def held(tag: str, text: str, attributes: str = "") -> str:
    inner = f"<hp:subList>{hwpx_para(text)}</hp:subList>"
    return f"<hp:ctrl><hp:{tag} {attributes}>{inner}</hp:{tag}></hp:ctrl>"


def test_outline_and_numbers_are_written_out(shapes) -> None:
    body = hwpx_para("총칙", 1) + hwpx_para("목적", 2) + hwpx_para("이 규정은 짧다.")
    body += hwpx_para("첫째", 3) + hwpx_para("둘째", 3)
    assert shapes(body) == [
        ("heading", "1. 총칙"), ("heading", "가. 목적"), ("paragraph", "이 규정은 짧다."),
        ("list", "1. 첫째\n2. 둘째"),
    ]  # fmt: skip


def test_notes_headers_and_memos_are_kept_apart(shapes) -> None:
    memo = held("fieldBegin", "확인 바람", 'type="MEMO"')
    parts = ("<hp:t>정조</hp:t>", held("footNote", "1) 의궤."), "<hp:t>가 쌓았다.</hp:t>", memo)
    assert shapes(run(held("header", "머리말"), *parts)) == [
        ("paragraph", "정조^1)가 쌓았다."), ("header", "머리말"), ("footnote", "1) 의궤."),
        ("footnote", "[메모] 확인 바람"),
    ]  # fmt: skip


def test_text_boxes_and_nested_tables_are_read(shapes) -> None:
    inner = hwpx_table([[hwpx_para("가"), hwpx_para("나")]])
    box = f"<hp:rect><hp:drawText><hp:subList>{hwpx_para('글상자 글.')}</hp:subList></hp:drawText></hp:rect>"
    outer = hwpx_table([[hwpx_para("이름"), hwpx_para("값") + inner]])
    assert shapes(run(box) + outer) == [
        ("paragraph", "글상자 글."), ("table", "이름 | 값"), ("table", "가 | 나"),
    ]  # fmt: skip


def test_an_equation_alone_is_an_equation(shapes) -> None:
    equation = "<hp:equation><hp:script>a `over` b</hp:script></hp:equation>"
    assert shapes(run(equation)) == [("equation", "a over b")]


def test_breaks_are_kept_and_removed_text_is_not(shapes) -> None:
    tracked = "<hp:t>새<hp:deleteBegin/>옛<hp:deleteEnd/> 글<hp:lineBreak/>다음 줄</hp:t>"
    assert shapes(run(tracked)) == [("paragraph", "새 글\n다음 줄")]


def test_sections_are_read_in_the_order_of_their_numbers(tmp_path, korean) -> None:
    section = f"<hs:sec {samples.HS} {samples.HP}>{{}}</hs:sec>"
    more = {f"Contents/section{n}.xml": section.format(hwpx_para(f"{n}절.")) for n in (10, 2)}
    path = tmp_path / "문서.hwpx"
    path.write_bytes(samples.rezipped(samples.hwpx(hwpx_para("0절.")), more))
    (reading,) = read(source_of(path), hwpx, korean)
    assert [(e.text, e.element_id) for e in reading.elements] == [
        ("0절.", "s0p2"), ("2절.", "s2p1"), ("10절.", "s10p1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"META-INF/manifest.xml": "<m><encryption-data/></m>"}, "protected by a password"),
        ({"Contents/section0.xml": "<hs:sec"}, "not readable as XML"),
        ({"Contents/header.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a/>'}, "declares a document type"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(changes, message, tmp_path, korean) -> None:
    path = tmp_path / "문서.hwpx"
    path.write_bytes(samples.rezipped(samples.hwpx(), changes))
    with pytest.raises(SourceError, match=rf"^문서\.hwpx: .*{message}"):
        read(source_of(path), hwpx, korean)


def test_the_letter_of_a_city_reads_as_its_page_shows(shared_data, korean) -> None:
    (reading,) = read(source_of(shared_data / "docs-hwp" / "seoul_sihaengmun.hwpx"), hwpx, korean)
    texts = [e.text for e in reading.elements]
    assert any("제목 | 소규모주택정비사업 추진실적 제출('25.3분기)" in text for text in texts)
    assert any("시행 | 전략주택공급과-13666" in text for text in texts)
