import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader

from engine.errors import SourceError
from engine.ingest.pdf.garbage import broken_share, judge
from tests.ingest.readers.made_pdf import Sheets, read

KOREAN = "정조는 수원에 화성을 쌓게 하였으며 공사는 이 년 반 만에 끝났다."
ENGLISH = "The fortress was built in two and a half years, and its records survive."
MOJIBAKE = KOREAN.encode("cp949").decode("latin-1")


@pytest.fixture
def sheets(tmp_path):
    return Sheets(tmp_path / "문서.pdf")


def picture(sheets):
    sheets.canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), "gray")), 0, 0, 595, 842)
    return sheets


def test_a_password_is_named_with_the_way_out(tmp_path, korean):
    locked = Sheets(tmp_path / "잠긴 문서.pdf", encrypt=StandardEncryption("비밀".encode().hex()))
    path = locked.text(KOREAN, 72, 100).page().save()
    with pytest.raises(SourceError, match=r"^잠긴 문서\.pdf: encrypted with a password; save it"):
        read(path, korean)


def test_an_owner_password_alone_does_not_keep_anyone_from_reading(tmp_path, korean):
    guarded = Sheets(tmp_path / "보호.pdf", encrypt=StandardEncryption("", ownerPassword="a"))
    path = guarded.text(KOREAN, 72, 100).page().save()
    assert [element.text for element in read(path, korean).elements] == [KOREAN]


@pytest.mark.parametrize("data", [b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(500), b"%PDF-1.4 1 0 obj"])
def test_a_damaged_file_is_refused_in_one_line(tmp_path, korean, data):
    path = tmp_path / "깨짐.pdf"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"^깨짐\.pdf: damaged, or not a PDF; open it .* anew$"):
        read(path, korean)


def test_a_file_without_pages_is_refused(tmp_path, korean):
    path = tmp_path / "빈.pdf"
    pypdfium2.PdfDocument.new().save(path)
    with pytest.raises(SourceError, match=r"^빈\.pdf: a PDF without pages; expected at least one$"):
        read(path, korean)


def test_a_garbage_page_is_left_out_and_named_with_its_share(sheets, korean):
    sheets.text(KOREAN, 72, 100).page()
    sheets.text(MOJIBAKE, 72, 100, font="Helvetica").page()
    reading = read(sheets.text(ENGLISH, 72, 100, font="Helvetica").page().save(), korean)
    assert [(e.text, e.pages) for e in reading.elements] == [(KOREAN, (1, 1)), (ENGLISH, (3, 3))]
    (warning,) = reading.warnings
    assert warning.startswith("page 2: ") and "run OCR over the file first" in warning
    assert "% of the characters are unreadable; left out" in warning


def test_pages_of_pictures_are_left_out_and_named_together(sheets, korean):
    sheets.text(KOREAN, 72, 100).page()
    picture(sheets).page()
    reading = read(picture(sheets).text("12", 290, 810).page().save(), korean)
    assert [element.text for element in reading.elements] == [KOREAN]
    (warning,) = reading.warnings
    assert warning.startswith("pages 2-3: no text, only pictures (over 100% of the page); left out")


def test_text_over_a_full_page_picture_is_kept(sheets, korean):
    path = picture(sheets).text("화성 안내", 72, 100, size=30).page().save()
    assert [element.text for element in read(path, korean).elements] == ["화성 안내"]


def test_a_file_without_one_usable_page_is_refused_with_advice(sheets, korean):
    picture(sheets).page()
    path = sheets.text(MOJIBAKE, 72, 100, font="Helvetica").page().save()
    message = (
        r"^문서\.pdf: no page of 2 has usable text \(1 with unreadable characters, "
        r"1 with pictures only\); run OCR over the file first, or put the JSON of Upstage"
    )
    with pytest.raises(SourceError, match=message):
        read(path, korean)


def test_blank_pages_are_no_trouble_unless_there_is_nothing_else(sheets, tmp_path, korean):
    path = sheets.text(KOREAN, 72, 100).page().text(" ", 72, 100).page().save()
    assert read(path, korean).warnings == ()
    empty = Sheets(tmp_path / "백지.pdf").text(" ", 72, 100).page().save()
    with pytest.raises(SourceError, match=r"^백지\.pdf: none of its 1 pages|no page of 1"):
        read(empty, korean)


@pytest.mark.parametrize(
    ("text", "unmapped", "state"),
    [
        pytest.param(KOREAN, 0, "text", id="Korean"),
        pytest.param(ENGLISH, 0, "text", id="English"),
        pytest.param("Ce café est très fermé à Noël, déjà.", 0, "text", id="French"),
        pytest.param("1,234 5,678 | 90.1% 23.4% -5,000 12,345", 0, "text", id="figures"),
        pytest.param("제1장 총칙 ........................ 3", 0, "text", id="contents"),
        pytest.param("똠방각하가 펲시콜라를 마신다", 0, "text", id="a rare syllable or two"),
        pytest.param("修身齊家治國平天下 大學之道 在明明德 在親民", 0, "text", id="Chinese"),
        pytest.param("뷁쉛뛟꿻쟑뀃쀍휋", 0, "broken", id="random syllables"),
        pytest.param(KOREAN.encode().decode("cp949", "replace"), 0, "broken", id="UTF-8 as CP949"),
        pytest.param(MOJIBAKE, 0, "broken", id="CP949 as Latin-1"),
        pytest.param("(cid:123)(cid:45)(cid:6) 제", 0, "broken", id="cid"),
        pytest.param("\ue001\ue002\ue003\ue004 가나다", 0, "broken", id="private use"),
        pytest.param("\ufffd" * 5 + "가나다라마", 0, "broken", id="replacement"),
        pytest.param("가나다라마바사아자차", 3, "broken", id="3 of 10 unmapped"),
        pytest.param("가나다라마바사아자차", 2, "text", id="2 of 10 unmapped"),
        pytest.param("ᄀᄂᄃᄅᄆᄇᄉᄋ", 0, "broken", id="loose jamo"),
        pytest.param("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" * 2, 0, "broken", id="symbols"),
    ],
)
def test_a_page_is_judged_by_its_characters(text, unmapped, state):
    assert judge(1, text, unmapped, 0.0, 0).state == state


def test_the_share_counts_characters_once():
    assert broken_share("가나다라마바사\ue001\ue002\ue003") == 3 / 10
    assert broken_share("(cid:1)(cid:2)가나") == 2 / 4


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_a_cut_or_altered_file_is_read_or_refused_by_name(tmp_path, korean, data):
    whole = tmp_path / "원본.pdf"
    if not whole.exists():
        Sheets(whole).text(KOREAN, 72, 100).page().text(ENGLISH, 72, 100).page().save()
    content = bytearray(whole.read_bytes()[: data.draw(st.integers(9, whole.stat().st_size))])
    for at in data.draw(st.lists(st.integers(9, len(content)), max_size=6)):
        content[at - 1] ^= data.draw(st.integers(1, 255))
    broken = tmp_path / "변형.pdf"
    broken.write_bytes(content)
    try:
        reading = read(broken, korean)
    except SourceError as error:
        assert str(error).startswith("변형.pdf: ") and "\n" not in str(error)
    else:
        assert reading.page_count >= 1
