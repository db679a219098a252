import struct
import zlib

import pytest

from engine.errors import SourceError
from engine.ingest.archive import Archive, inflate, member_names, parse_xml
from tests.conftest import source_of
from tests.ingest import samples


def archive(tmp_path, members: dict[str, str | bytes]) -> Archive:
    path = tmp_path / "묶음.zip"
    path.write_bytes(samples.zipped(members))
    return Archive(source_of(path))


def test_what_expands_too_far_is_refused_before_it_is_read(tmp_path) -> None:
    with pytest.raises(SourceError, match=r"^묶음\.zip: .*over 200 times its size .* bomb"):
        archive(tmp_path, {"a": bytes(20_000_000)})
    with pytest.raises(SourceError, match=r"expands to over 268,435,456 bytes"):
        archive(tmp_path, {"a": bytes(150_000_000), "b": bytes(150_000_000)})


def test_a_directory_that_lies_about_a_size_makes_a_damaged_member(tmp_path) -> None:
    true, claimed = struct.pack("<I", 30_000), struct.pack("<I", 10)
    path = tmp_path / "묶음.zip"
    path.write_bytes(samples.zipped({"a": bytes(30_000)}).replace(true, claimed))
    with pytest.raises(SourceError, match=r"^묶음\.zip: a is damaged: Bad CRC-32"):
        Archive(source_of(path)).read("a")


def test_a_stream_is_inflated_no_further_than_its_limit() -> None:
    packed = zlib.compress(b"a" * 2000)[2:-4]
    assert inflate(packed, "x") == b"a" * 2000
    with pytest.raises(SourceError, match="^x: expands to over 1,999 bytes; refused"):
        inflate(packed, "x", limit=1999)
    with pytest.raises(SourceError, match="^x is damaged: its compressed data ends early"):
        inflate(packed[:-3], "x")


def test_a_missing_member_is_named(tmp_path) -> None:
    with pytest.raises(SourceError, match=r"^묶음\.zip: b is missing from the archive"):
        archive(tmp_path, {"a": "x"}).read("b")


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
        ('<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>', "declares a document type"),
        ("<a>" * 300, "not readable as XML"),
        ("", "not readable as XML"),
    ],
)
def test_xml_that_could_define_entities_or_nests_too_deeply_is_refused(xml, message) -> None:
    with pytest.raises(SourceError, match=f"^x: {message}"):
        parse_xml(xml.encode(), "x")


def test_a_file_that_is_no_zip_has_no_members(tmp_path) -> None:
    path = tmp_path / "글.zip"
    path.write_bytes(b"PK\x03\x04 cut off")
    assert member_names(source_of(path)) == frozenset()
