import json

import pytest

from engine.config import load_config
from engine.types import Answer, Citation, Sentence
from eval.ablation.extracts import HEADER, VARIANTS, Told, extract_rows, judge, spans_of
from eval.ablation.lab import open_lab
from eval.ablation.labelled import Question

ASKED = Question("q", "?", "fact", {"d#S1-P2": 2, "e": 1})


def answer(*sentences):
    """Sentences as pairs of a text and the place that it cites."""
    citations = [
        Citation(at, "DOC_1", doc_id, "제목", "d.md", None, (), (source_id,), text, text, 0)
        for at, (text, doc_id, source_id) in enumerate(sentences, 1)
    ]
    told = [Sentence(text, (at,), "supported") for at, (text, *_) in enumerate(sentences, 1)]
    return Answer("?", "answer", tuple(told), tuple(citations))


@pytest.mark.parametrize(
    ("sentences", "span", "told"),
    [
        ([], None, Told(first=False, any=False, sentences=0)),
        ([("가", "d", "S1-P2")], None, Told(first=True, any=True, sentences=1)),
        ([("가", "d", "S1-P3"), ("나", "e", "S9-P1")], None, Told(first=False, any=True, sentences=2)),
        ([("가", "f", "S1-P2")], None, Told(first=False, any=False, sentences=1)),
        ([("1796년이다.", "e", "S1-P1")], "1796년", Told(first=True, any=True, sentences=1)),
        ([("1794년이다.", "e", "S1-P1")], "1796년", Told(first=False, any=False, sentences=1)),
        ([("1796년이다.", "f", "S1-P1")], "1796년", Told(first=False, any=False, sentences=1)),
    ],
)  # fmt: skip
def test_a_sentence_is_right_if_it_cites_a_target_and_holds_the_words(sentences, span, told):
    assert judge(answer(*sentences), ASKED, span) == told


def test_words_that_answer_are_read_where_a_set_has_them(tmp_path):
    assert spans_of(tmp_path) == {}
    rows = [{"_id": "a", "answer": "서울", "start": 3}, {"_id": "b", "answer": "부산"}]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n"
    (tmp_path / "answers.jsonl").write_text(text, encoding="utf-8")
    assert spans_of(tmp_path) == {"a": "서울", "b": "부산"}


def test_each_way_of_quoting_is_a_row(demo_folder):
    folder = demo_folder / "data" / "eval" / "heritage"
    lab = open_lab(load_config(demo_folder / "config.yaml"), folder)
    asked = [at for at, one in enumerate(lab.questions) if one.query_id in ("h002", "h010")]
    rows = list(extract_rows(lab, asked, folder))
    assert [row[1] for row in rows] == list(VARIANTS)
    assert all(len(row) == len(HEADER) and row[2] == "2" for row in rows)
    assert rows[-1][4] == "1.0000"
