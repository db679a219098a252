import unicodedata

import pytest

from engine.errors import SourceError
from eval.dataset import load_dataset, read_qrels
from tests.eval.harness_fakes import write_set

QUERIES = [("q1", "정조는 왜 화성을 쌓았나?", "fact"), ("q2", "입장료는 얼마인가?", None)]
QRELS = [("q1", "guide#S1-P1", 2), ("q1", "guide#page=3", 1), ("q2", "fees", 1)]


def test_a_set_is_read_with_classes_and_grades(tmp_path):
    dataset = load_dataset(write_set(tmp_path / "palace", QUERIES, QRELS))
    assert dataset.name == "palace"
    assert [q.query_class for q in dataset.queries] == ["fact", ""]
    assert dataset.qrels["q1"] == {"guide#S1-P1": 2, "guide#page=3": 1}
    assert not dataset.by_document


def test_unanswerable_questions_are_kept_without_qrels(tmp_path):
    queries = [*QUERIES, ("u1", "화성의 와이파이 비밀번호는?", "unanswerable")]
    dataset = load_dataset(write_set(tmp_path / "s", queries, QRELS))
    assert [q.query_id for q in dataset.unanswerable] == ["u1"]
    assert "u1" not in dataset.qrels


def test_a_question_without_qrels_is_left_out_and_said_so(tmp_path):
    dataset = load_dataset(write_set(tmp_path / "s", QUERIES, QRELS[:2]))
    assert [q.query_id for q in dataset.queries] == ["q1"]
    assert dataset.notes == ("1 queries have no line in the qrels and are not asked",)


def test_a_question_with_grade_0_alone_stays_and_counts(tmp_path):
    dataset = load_dataset(write_set(tmp_path / "s", QUERIES, [("q1", "a", 0), ("q2", "b", 1)]))
    assert dataset.qrels["q1"] == {"a": 0}
    assert dataset.notes == ("1 queries have no relevant target and score 0",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param(("q1", "x"), "test.tsv:2: found 2 columns, expected", id="columns"),
        pytest.param(("q1", "x", "high"), "test.tsv:2: found grade 'high'", id="word"),
        pytest.param(("q1", "x", "-1"), "test.tsv:2: found grade '-1'", id="negative"),
        pytest.param(("q9", "x", 1), "test.tsv:2: query 'q9' is not in", id="unknown query"),
        pytest.param(("", "x", 1), "test.tsv:2: found 3 columns", id="empty id"),
    ],
)
def test_a_bad_line_of_the_qrels_is_named(tmp_path, row, message):
    folder = write_set(tmp_path / "s", QUERIES, [row])
    with pytest.raises(SourceError, match=message):
        load_dataset(folder)


def test_a_pair_judged_twice_is_refused(tmp_path):
    folder = write_set(tmp_path / "s", QUERIES, [QRELS[0], QRELS[0]])
    with pytest.raises(SourceError, match="test.tsv:3: 'q1' and 'guide#S1-P1' again"):
        load_dataset(folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param('{"_id": "q3"', "queries.jsonl:3: not JSON: column", id="json"),
        pytest.param('{"_id": "q3"}', "queries.jsonl:3: text: Field required", id="no text"),
        pytest.param('{"_id": 3, "text": "가"}', "queries.jsonl:3: _id:", id="number as id"),
        pytest.param('{"_id": "q1", "text": "가"}', "queries.jsonl:3: id 'q1' again", id="twice"),
        pytest.param(
            '{"_id": "q3", "text": "가", "metadata": {"class": ["a"]}}',
            r"queries.jsonl:3: metadata.class: found \['a'\]", id="class",
        ),
    ],
)  # fmt: skip
def test_a_bad_line_of_the_queries_is_named(tmp_path, line, message):
    folder = write_set(tmp_path / "s", QUERIES, QRELS)
    with (folder / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(SourceError, match=message):
        load_dataset(folder)


def test_an_unanswerable_question_with_targets_is_a_contradiction(tmp_path):
    folder = write_set(tmp_path / "s", [("u", "없는 질문", "unanswerable")], [("u", "a", 1)])
    with pytest.raises(SourceError, match="of the class unanswerable but has relevant targets"):
        load_dataset(folder)


def test_ids_are_composed_on_both_sides(tmp_path):
    apart = unicodedata.normalize("NFD", "수원")
    folder = write_set(tmp_path / "s", [(apart, "질문", None)], [("수원", apart, 1)])
    assert load_dataset(folder).qrels == {"수원": {"수원": 1}}


def test_a_missing_split_names_those_that_are_there(tmp_path):
    folder = write_set(tmp_path / "s", QUERIES, QRELS)
    with pytest.raises(SourceError, match="no qrels/dev.tsv; splits found: test"):
        load_dataset(folder, "dev")


def test_qrels_of_trec_have_four_columns(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 doc-a 2\nq1 0 doc-b 0\n", encoding="utf-8")
    assert read_qrels(path) == {"q1": {"doc-a": 2, "doc-b": 0}}


def test_a_header_is_optional_and_a_byte_order_mark_is_no_header(tmp_path):
    path = tmp_path / "test.tsv"
    path.write_text("\ufeffq1\tdoc\t1\r\n", encoding="utf-8")
    assert read_qrels(path) == {"q1": {"doc": 1}}


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0c"])
def test_only_a_newline_ends_a_line(tmp_path, mark):
    path = tmp_path / "test.tsv"
    path.write_text(f"q1\t가{mark}나\t1\nq2\t다\t1\n", encoding="utf-8")
    assert list(read_qrels(path)) == ["q1", "q2"]
