import json

import pytest

from engine.errors import SourceError
from engine.tools.inspect import inspect, json_lines, written
from tests.ingest import samples


def saved(tmp_path, name: str, data: bytes):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_an_inspection_shows_outline_counts_and_first_lines(tmp_path, korean) -> None:
    path = saved(tmp_path, "화성.docx", samples.word())
    assert written(inspect(path, korean)).split("\n") == [
        f"source    {path}",
        "format    docx",
        "document  화성",
        "title     한국의 문화재",
        "pages     none in this format",
        "blocks    6: paragraph 2, header 1, heading 1, list 1, table 1",
        "S0-F1  (before the first heading) · 2 blocks",
        "    한국의 문화재",
        "S1-H1  제1장 수원 화성 · 3 blocks",
        "    수원 화성은 정조가 쌓은 성이다.",
    ]


def test_pages_and_warnings_are_shown_where_there_are_any(tmp_path, korean) -> None:
    response = json.loads(samples.UPSTAGE)
    response["elements"][1] |= {"page": 2, "category": "새 종류"}
    path = saved(tmp_path, "응답.json", json.dumps(response).encode())
    lines = written(inspect(path, korean)).split("\n")
    assert "pages     2" in lines
    assert "warning   element 1: unknown category '새 종류'" in lines
    assert "S1-H1  화성 · p.1-2 · 1 blocks" in lines


def test_the_outline_is_indented_by_the_levels_in_use(tmp_path, korean) -> None:
    path = saved(tmp_path, "법.txt", samples.LAW.encode())
    lines = written(inspect(path, korean)).split("\n")
    assert "    S1-H1  제1장 총칙 · 0 blocks" in lines
    assert "      S1-H2  제1조 (목적) · 1 blocks" in lines


def test_blocks_are_one_line_of_json_each(tmp_path, korean) -> None:
    path = saved(tmp_path, "법.txt", samples.LAW.encode())
    rows = [json.loads(line) for line in json_lines(inspect(path, korean))]
    assert rows[3]["block_id"] == "법:S1-P1"
    assert rows[3]["label"] == "제1조"
    assert rows[3]["section_path"] == ["제1장 총칙", "제1조 (목적)"]


def test_every_document_of_a_file_is_shown(tmp_path, korean) -> None:
    inspection = inspect(saved(tmp_path, "corpus.jsonl", samples.BEIR.encode()), korean)
    assert [one.doc_id for one in inspection.documents] == ["d1", "d2"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("없음.hwp", "없음.hwp: no such file; expected one file"),
        ("그림.png", "그림.png: no reader for .png"),
        ("가짜.docx", "가짜.docx: named .docx, but its content is something else or damaged"),
    ],
)
def test_what_cannot_be_inspected_is_refused(name, message, tmp_path, korean) -> None:
    if name != "없음.hwp":
        saved(tmp_path, name, b"x")
    with pytest.raises(SourceError, match=message):
        inspect(tmp_path / name, korean)
