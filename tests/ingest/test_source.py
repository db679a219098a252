import unicodedata

import pytest

from engine.errors import SourceError
from engine.ingest.source import clean, decode, parse_json

KOREAN = "근거가 있는 문장입니다. 가나다라마바사"


@pytest.mark.parametrize(
    ("encoding", "reported"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("cp949", "cp949"),
        ("euc-kr", "cp949"),
    ],
)
def test_korean_bytes_are_decoded_and_the_encoding_reported(encoding, reported):
    assert decode(KOREAN.encode(encoding), "글.txt") == (KOREAN, reported)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_seen_by_its_zero_bytes(encoding):
    text = "Report 2024: 근거, sources and pages"
    assert decode(text.encode(encoding), "글.txt") == (text, encoding)


def test_bytes_of_no_korean_encoding_are_refused_by_name():
    with pytest.raises(SourceError, match=r"글\.txt: neither UTF-8 \(byte 0 .*save it as UTF-8"):
        decode(b"\xff\x80\xff\x80", "글.txt")


def test_a_mark_that_lies_is_named():
    with pytest.raises(SourceError, match="starts as utf-8, but byte 3 does not fit"):
        decode(b"\xef\xbb\xbf\xff", "글.txt")


def test_text_is_composed_once_at_the_door():
    decomposed = unicodedata.normalize("NFD", "한국은행")
    assert len(decomposed) == 12
    assert clean(decomposed + "\r\n끝\x00") == "한국은행\n끝"


def test_half_characters_do_not_survive():
    clean("\ud800").encode()


def test_a_fault_in_json_is_named_by_line_and_column():
    with pytest.raises(SourceError, match="not JSON: line 2 column 1"):
        parse_json('{"a":\n}', "글.json")
