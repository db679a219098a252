import unicodedata

import pytest

from engine.errors import SourceError
from engine.ingest.documents import find_sources


def found(configure, **corpus):
    return find_sources(configure(corpus={"paths": ["docs"], **corpus}))


def test_sources_come_in_sorted_order_with_ids_from_their_paths(corpus, configure):
    (corpus / "나").mkdir()
    (corpus / "나" / "가.md").write_text("글")
    ids = [source.doc_id for source in found(configure).sources]
    assert ids == ["bridge", "memo", "paper", "나/가"]


def test_globs_choose_and_leave_out(corpus, configure):
    ids = [s.doc_id for s in found(configure, include=["*.md", "*.txt"], exclude=["memo*"]).sources]
    assert ids == ["bridge"]


def test_a_type_without_a_reader_is_listed(corpus, configure):
    (corpus / "소리.wav").write_bytes(b"RIFF")
    (corpus / "other.json").write_text('{"a": 1}')
    assert found(configure).unsupported == {
        "docs/소리.wav": "no reader for .wav",
        "docs/other.json": "no reader for .json",
    }


def test_hidden_files_and_office_locks_are_no_documents(corpus, configure):
    (corpus / ".git").mkdir()
    (corpus / ".git" / "a.md").write_text("글")
    (corpus / "~$b.md").write_text("글")
    assert len(found(configure).sources) == 3


def test_links_are_followed_only_on_demand(corpus, configure, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "linked.md").write_text("글")
    (corpus / "link").symlink_to(other, target_is_directory=True)
    (other / "loop").symlink_to(other, target_is_directory=True)
    assert "link/linked" not in {s.doc_id for s in found(configure).sources}
    ids = [s.doc_id for s in found(configure, follow_symlinks=True).sources]
    assert ids.count("link/linked") == 1


def test_names_that_differ_only_in_normalisation_are_refused(corpus, configure):
    (corpus / unicodedata.normalize("NFC", "한글.md")).write_text("글")
    (corpus / unicodedata.normalize("NFD", "한글.md")).write_text("글")
    with pytest.raises(SourceError, match="differ only in Unicode normalisation form"):
        found(configure)


def test_a_decomposed_name_gives_a_composed_id_and_keeps_its_spelling(corpus, configure):
    name = unicodedata.normalize("NFD", "한글.md")
    (corpus / name).write_text("글")
    source = found(configure).sources[-1]
    assert (source.doc_id, source.name) == ("한글", f"docs/{name}")


def test_two_files_of_one_id_are_refused_with_a_way_out(corpus, configure):
    (corpus / "memo.md").write_text("글")
    with pytest.raises(
        SourceError, match=r"'docs/memo\.md' and 'docs/memo\.txt' would share one id"
    ):
        found(configure)


def test_a_missing_path_is_named(configure):
    with pytest.raises(SourceError, match="corpus.paths: docs: no such file or folder"):
        found(configure)


def test_parts_of_one_file_are_one_source_in_numeric_order(corpus, configure):
    for number in (1, 2, 10, 3, 4, 5, 6, 7, 8, 9):
        (corpus / f"큰.part{number}.json").write_text('{"elements": []}')
    source = next(s for s in found(configure).sources if s.doc_id == "큰")
    assert [path.name for path in source.paths] == [f"큰.part{n}.json" for n in range(1, 11)]


def test_numbered_files_of_other_formats_are_documents_of_their_own(corpus, configure):
    for number in (1, 2, 4):
        (corpus / f"보고서.part{number}.md").write_text(f"# {number}부\n")
    names = [source.doc_id for source in found(configure).sources]
    assert [name for name in names if "보고서" in name] == [f"보고서.part{n}" for n in (1, 2, 4)]


def test_a_gap_in_the_parts_is_refused(corpus, configure):
    for number in (1, 3):
        (corpus / f"큰.part{number}.json").write_text('{"elements": []}')
    with pytest.raises(SourceError, match=r"parts \[1, 3\] found, expected 1 to 3"):
        found(configure)
