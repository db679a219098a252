import pytest

from engine.errors import SourceError
from engine.ingest.documents import read, reader_for
from engine.ingest.readers import epub, html
from tests.conftest import source_of
from tests.ingest import samples


@pytest.fixture
def shapes(tmp_path, korean):
    def shapes(body: str) -> list[tuple[str, str]]:
        path = tmp_path / "쪽.html"
        path.write_text(f"<!doctype html><html><body>{body}</body></html>", encoding="utf-8")
        (reading,) = read(source_of(path), html, korean)
        return [(e.kind, e.text) for e in reading.elements]

    return shapes


def test_a_page_without_what_frames_it(tmp_path, korean) -> None:
    path = tmp_path / "쪽.html"
    path.write_text(samples.HTML, encoding="utf-8")
    (reading,) = read(source_of(path), html, korean)
    assert reading.title == "수원 화성"
    assert [(e.kind, e.level, e.text) for e in reading.elements] == [
        ("heading", 1, "수원 화성"), ("paragraph", 0, "정조가 1796년에\n완성하였다."),
        ("list", 0, "- 장안문\n  - 북문\n- 팔달문"), ("table", 0, "이름 | 연도\n화성 | 1796"),
    ]  # fmt: skip


def test_frames_are_left_out_where_no_main_is_marked(shapes) -> None:
    body = (
        "<header>누리집</header><div role=navigation>차례</div><aside>광고</aside><p hidden>숨김</p>"
        "<article><header><h1>제목</h1></header><p>글이다.</p></article><footer>저작권</footer>"
    )
    assert shapes(body) == [("heading", "제목"), ("paragraph", "글이다.")]


def test_text_in_forms_is_read_and_their_fields_are_not(shapes) -> None:
    body = "<form><p>민원 안내문이다.</p><select><option>서울</option></select><button>찾기</button></form>"
    assert shapes(body) == [("paragraph", "민원 안내문이다.")]


def test_free_text_between_blocks_makes_paragraphs(shapes) -> None:
    body = "<div>앞 글 <b>굵게</b><p>문단.</p>뒷글</div>"
    assert shapes(body) == [
        ("paragraph", "앞 글 굵게"),
        ("paragraph", "문단."),
        ("paragraph", "뒷글"),
    ]


def test_tables_that_lay_out_a_page_are_opened(shapes) -> None:
    body = "<table><tr><td><h2>제목</h2>글<table><tr><td>가</td><td>나</td></tr></table></td></tr></table>"
    assert shapes(body) == [("heading", "제목"), ("paragraph", "글"), ("table", "가 | 나")]


def test_code_captions_numbered_lists_and_superscripts(shapes) -> None:
    body = (
        "<pre>a  b\nc</pre><figure><img alt='성곽'><figcaption>그림 1</figcaption></figure>"
        "<ol start=3><li>셋째<li>넷째</ol><p>면적은 5m<sup>2</sup>이다.</p>"
    )
    assert shapes(body) == [
        ("code", "a  b\nc"), ("paragraph", "성곽"), ("caption", "그림 1"),
        ("list", "3. 셋째\n4. 넷째"), ("paragraph", "면적은 5m^2이다."),
    ]  # fmt: skip


def test_old_pages_in_cp949_are_decoded(tmp_path, korean) -> None:
    path = tmp_path / "쪽.htm"
    path.write_bytes("<html><meta charset=euc-kr><p>똠방각하</p></html>".encode("cp949"))
    (reading,) = read(source_of(path), html, korean)
    assert (reading.encoding, reading.elements[0].text) == ("cp949", "똠방각하")


def test_a_page_named_as_text_is_read_as_a_page(tmp_path) -> None:
    path = tmp_path / "쪽.txt"
    path.write_text(samples.HTML, encoding="utf-8")
    assert reader_for(source_of(path)) is html


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<p>" + "가 " * 6_000_000, id="long"),
        pytest.param("<div>" * 300 + "가", id="deep"),
    ],
)
def test_what_the_parser_would_drop_is_refused(body, shapes) -> None:
    with pytest.raises(SourceError, match=r"^쪽\.html: .*over 10 MB or elements over 256 deep"):
        shapes(body)


def book(tmp_path, data: bytes):
    path = tmp_path / "책.epub"
    path.write_bytes(data)
    return source_of(path)


def test_a_book_is_read_in_the_order_of_its_spine(tmp_path, korean) -> None:
    (reading,) = read(book(tmp_path, samples.epub()), epub, korean)
    assert (reading.title, reading.page_count) == ("성곽 이야기", None)
    assert reading.elements[0].text == "수원 화성"
    assert reading.elements[0].element_id.startswith("OEBPS/a.xhtml#")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"META-INF/container.xml": "<container/>"}, "names no package; not an EPUB"),
        ({"OEBPS/book.opf": '<p><item id="a" href="../../x.html" media-type="text/html"/>'
          '<itemref idref="a"/></p>'}, "x.html is missing from the archive"),
        ({"META-INF/encryption.xml": '<e><CipherReference URI="OEBPS/a.xhtml"/></e>'}, "is encrypted"),
    ],
)  # fmt: skip
def test_books_that_cannot_be_read_are_refused(changes, message, tmp_path, korean) -> None:
    source = book(tmp_path, samples.rezipped(samples.epub(), changes))
    with pytest.raises(SourceError, match=rf"^책\.epub: .*{message}"):
        read(source, epub, korean)
