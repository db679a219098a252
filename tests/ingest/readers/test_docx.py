import io

import docx
import pytest
from docx.shared import Pt

from engine.errors import SourceError
from engine.ingest.documents import read, reader_for
from engine.ingest.readers import docx as reader
from tests.conftest import source_of
from tests.ingest import samples
from tests.ingest.samples import W


@pytest.fixture
def reading(tmp_path, korean):
    def reading(data: bytes):
        path = tmp_path / "문서.docx"
        path.write_bytes(data)
        assert reader_for(source_of(path)) is reader
        (found,) = read(source_of(path), reader, korean)
        assert found.page_count is None
        return found

    return reading


def saved(document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_headings_lists_tables_and_the_title(reading) -> None:
    found = reading(samples.word())
    assert found.title == "한국의 문화재"
    assert [(e.kind, e.level, e.text) for e in found.elements] == [
        ("header", 0, "문화재 안내"), ("paragraph", 0, "한국의 문화재"),
        ("heading", 1, "제1장 수원 화성"), ("paragraph", 0, "수원 화성은 정조가 쌓은 성이다."),
        ("list", 0, "1. 장안문\n2. 팔달문"), ("table", 0, "이름 | 연도\n화성 | 1796년"),
    ]  # fmt: skip


def test_merged_cells_repeat_where_they_reach(reading) -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "넓은 칸"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "긴 칸"
    (found,) = reading(saved(document)).elements
    assert found.text == "00 | 넓은 칸 | 넓은 칸\n긴 칸 | 11 | 12\n긴 칸 | 21 | 22"


def test_a_style_based_on_a_heading_is_one(reading) -> None:
    document = docx.Document()
    style = document.styles.add_style("우리 제목", 1)
    style.base_style = document.styles["Heading 2"]
    style.font.size = Pt(20)
    document.add_paragraph("성곽의 역사", style=style)
    assert reading(saved(document)).elements[0].level == 1
    assert reading(saved(document)).elements[0].kind == "heading"


def test_removed_text_is_left_out_and_inserted_text_read(reading) -> None:
    xml = (
        f"<w:p {W}><w:r><w:t>정조가 </w:t></w:r><w:del><w:r><w:delText>1795년</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>1796년</w:t></w:r></w:ins><w:r><w:br/><w:t>완성했다.</w:t></w:r></w:p>"
    )
    assert reading(samples.word_with(xml)).elements[0].text == "정조가 1796년\n완성했다."


def test_text_boxes_and_content_controls_are_read_once(reading) -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>글상자</w:t></w:r></w:p></w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    xml = (
        f"<w:sdt {W} {mc}><w:sdtContent><w:p><w:r><w:t>목차</w:t><mc:AlternateContent>"
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
        "</w:r></w:p></w:sdtContent></w:sdt>"
    )
    texts = [e.text for e in reading(samples.word_with(xml)).elements]
    assert texts == ["목차", "글상자", "끝 문단이다."]


def test_comments_follow_their_paragraph(reading) -> None:
    document = docx.Document()
    run = document.add_paragraph().add_run("정조가 쌓았다.")
    document.add_comment(run, text="출처 확인", author="홍길동")
    found = reading(saved(document)).elements
    assert [(e.kind, e.text) for e in found] == [
        ("paragraph", "정조가 쌓았다."), ("footnote", "[메모] 출처 확인"),
    ]  # fmt: skip


def test_notes_are_numbered_in_the_order_of_the_text(reading) -> None:
    xml = (
        f'<w:p {W}><w:r><w:t>정조</w:t><w:footnoteReference w:id="7"/></w:r>'
        '<w:r><w:t>가 쌓았다.</w:t><w:footnoteReference w:id="5"/></w:r></w:p>'
    )
    notes = "".join(
        f'<w:footnote w:id="{n}"><w:p><w:r><w:t>주석 {n}.</w:t></w:r></w:p></w:footnote>'
        for n in (5, 7)
    )
    data = samples.word_with(xml)
    types = samples.member(data, "[Content_Types].xml").replace(
        "</Types>",
        '<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-'
        'officedocument.wordprocessingml.footnotes+xml"/></Types>',
    )
    relations = samples.member(data, "word/_rels/document.xml.rels").replace(
        "</Relationships>",
        '<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships/footnotes" Target="footnotes.xml"/></Relationships>',
    )
    changes = {
        "word/footnotes.xml": f"<w:footnotes {W}>{notes}</w:footnotes>",
        "[Content_Types].xml": types,
        "word/_rels/document.xml.rels": relations,
    }
    texts = [e.text for e in reading(samples.rezipped(data, changes)).elements]
    assert texts == ["정조^1)가 쌓았다.^2)", "1) 주석 7.", "2) 주석 5.", "끝 문단이다."]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(samples.compound({"EncryptedPackage": b"x"}), "protected by a password", id="ole"),
        pytest.param(samples.zipped({"word/document.xml": "<a/>"}), "not readable as DOCX|cannot be read as docx", id="no package"),
        pytest.param(samples.rezipped(samples.word(), {"word/document.xml": "<!DOCTYPE a []><a/>"}),
                     "declares a document type", id="doctype"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_the_reason(data, message, tmp_path, korean) -> None:
    path = tmp_path / "문서.docx"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=rf"^문서\.docx: .*(?:{message})"):
        read(source_of(path), reader, korean)
