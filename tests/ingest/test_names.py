import unicodedata
from pathlib import Path

import pytest

from engine.config import make_config
from engine.ingest.documents import find_sources, read, reader_for
from tests.ingest import samples

NAMES = [
    "한글 문서",
    "a#b%20c(최종) [1]",
    "100% 확정 & 'ok'",
    "점.여럿.있는.이름",
    "가" * 40,
]


def found(tmp_path: Path, name: str, data: bytes):
    (tmp_path / "docs").mkdir(exist_ok=True)
    (tmp_path / "docs" / name).write_bytes(data)
    config = make_config({"corpus": {"paths": ["docs"]}}, root=tmp_path)
    return find_sources(config).sources


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".hwp", ".docx", ".html", ".csv"])
def test_any_name_is_found_read_and_kept_as_spelled(
    name: str, form: str, suffix: str, tmp_path, korean
) -> None:
    sample = {Path(n).suffix: data for n, data in samples.all_samples().items()}[suffix]
    spelled = unicodedata.normalize(form, name + suffix)
    (source,) = found(tmp_path, spelled, sample)
    assert source.name == f"docs/{spelled}"
    assert source.doc_id == unicodedata.normalize("NFC", name)
    reader = reader_for(source)
    assert reader is not None
    assert list(read(source, reader, korean))


def test_a_name_of_255_bytes_is_read(tmp_path, korean) -> None:
    name = "가" * 83 + "ab.txt"
    assert len(name.encode()) == 255
    (source,) = found(tmp_path, name, samples.TEXT.encode())
    assert source.doc_id == "가" * 83 + "ab"


def test_what_no_reader_takes_is_reported_with_the_reason(tmp_path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "가짜.hwp").write_bytes(b"not a document")
    (tmp_path / "docs" / "그림.png").write_bytes(b"\x89PNG")
    config = make_config({"corpus": {"paths": ["docs"]}}, root=tmp_path)
    assert find_sources(config).unsupported == {
        "docs/가짜.hwp": "named .hwp, but its content is something else or damaged",
        "docs/그림.png": "no reader for .png",
    }
