import json

import pytest

from engine.errors import SourceError
from engine.ingest.readers import beir, text
from tests.conftest import source_of


def test_blank_lines_part_paragraphs(tmp_path, korean):
    path = tmp_path / "글.txt"
    path.write_bytes("첫 문단이다.\r\n\r\n둘째 문단\r\n이다.".encode("cp949"))
    reading = next(text.read(source_of(path), korean))
    assert [e.text for e in reading.elements] == ["첫 문단이다.", "둘째 문단\n이다."]
    assert reading.encoding == "cp949"


def write(tmp_path, *rows):
    path = tmp_path / "corpus.jsonl"
    path.write_text(
        "\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8"
    )
    return source_of(path)


def test_every_line_is_a_document(tmp_path, korean):
    source = write(
        tmp_path,
        {"_id": "a", "title": "제목", "text": "하나\n\n둘"},
        {"_id": "b", "title": "", "text": "셋"},
        {"_id": "c", "title": "넷", "text": "넷은 넷이다"},
        {"_id": "d", "text": ""},
    )
    readings = list(beir.read(source, korean))
    assert [(r.doc_id, [e.text for e in r.elements]) for r in readings] == [
        ("a", ["제목", "하나", "둘"]), ("b", ["셋"]), ("c", ["넷은 넷이다"]), ("d", []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param({"_id": "a", "text": "x"}, r"jsonl:2: id 'a' again \(line 1\)", id="twice"),
        pytest.param({"_id": "b"}, r"jsonl:2: text: Field required", id="no text"),
        pytest.param({"_id": 3, "text": "x"}, r"jsonl:2: _id: .*string", id="number"),
    ],
)
def test_a_bad_line_is_named(row, message, tmp_path, korean):
    source = write(tmp_path, {"_id": "a", "text": "x"}, row)
    with pytest.raises(SourceError, match=message):
        list(beir.read(source, korean))


def test_questions_are_no_corpus(tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "q", "text": "뭐?"}')
    assert not beir.accepts(source_of(path))
