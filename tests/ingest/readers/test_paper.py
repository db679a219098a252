import copy
import json

import pytest

from engine.errors import SourceError
from engine.ingest.readers import paper
from tests.conftest import PAPER, source_of


def read(tmp_path, korean, content):
    path = tmp_path / "paper.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return next(paper.read(source_of(path), korean))


def test_a_paper_is_its_sections_without_pages(tmp_path, korean):
    reading = read(tmp_path, korean, PAPER)
    assert [(e.kind, e.text) for e in reading.elements] == [
        ("heading", "결과"),
        ("paragraph", "수위는 3.2미터까지 올랐다 [R1]."),
        ("paragraph", "비가 그치자 내렸다."),
        ("heading", "한계"),
        ("paragraph", "관측은 한 해에 그쳐 추세를 말할 수 없다."),
    ]
    assert reading.page_count is None
    assert {e.pages for e in reading.elements} == {None}
    assert reading.references == {"R1": "홍길동(2001). 강의 기록."}


def changed(**places):
    content = copy.deepcopy(PAPER)
    for place, value in places.items():
        at = content
        *path, last = [int(p) if p.isdigit() else p for p in place.split("__")]
        for part in path:
            at = at[part]
        at[last] = value
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            changed(sections__0__paragraphs__0="글 [R9]."), r"S1-P1 cites \[R9\]", id="marker"
        ),
        pytest.param(changed(sections__0__paragraphs__1=" \n"), "S1-P2 is empty", id="empty"),
        pytest.param(
            changed(sections__0__paragraphs__1=3),
            r"sections\.0\.paragraphs\.1: .*string",
            id="number",
        ),
        pytest.param(changed(sections__1__paragraphs=[]), "section S2 is empty", id="no paragraph"),
        pytest.param(changed(sections__1__id="S1"), "'S1' and 'S1' are the same", id="twice"),
        pytest.param(
            changed(sections__1__id="S01"), "'S1' and 'S01' are the same", id="same number"
        ),
        pytest.param(changed(sections__1__id="2"), "id '2': expected S and digits", id="id"),
        pytest.param(
            changed(references__0__id="1"), "id '1': expected R and digits", id="reference"
        ),
        pytest.param(changed(sections=[]), "no sections", id="no sections"),
        pytest.param(changed(title=" "), "the title is empty", id="title"),
    ],
)
def test_a_fault_is_refused_and_its_place_named(content, message, tmp_path, korean):
    with pytest.raises(SourceError, match=message):
        read(tmp_path, korean, content)
