import pytest

from engine.errors import SourceError
from eval.runs import decode_id, encode, read_run, write_run


@pytest.mark.parametrize("name", ["문서-1", "두 단어", "100%", "탭\t문자", "50% 할인", "a%20b"])
def test_an_id_survives_the_columns_of_a_run_file(name):
    assert " " not in encode(name)
    assert decode_id(encode(name)) == name


def test_a_run_is_written_in_six_columns_ranked_from_1(tmp_path):
    write_run(tmp_path / "run.trec", {"q1": {"가 나": 0.5, "다": 0.25}}, "my system")
    assert (tmp_path / "run.trec").read_text(encoding="utf-8") == (
        "q1 Q0 가%20나 1 0.5 my%20system\nq1 Q0 다 2 0.25 my%20system\n"
    )


def test_foreign_runs_are_ordered_by_score_then_by_name_backwards_as_trec_eval_does(tmp_path):
    path = tmp_path / "run.trec"
    path.write_text("q Q0 a 1 0.5 t\nq Q0 c 2 0.5 t\nq Q0 b 3 0.9 t\n", encoding="utf-8")
    assert list(read_run(path)["q"]) == ["b", "c", "a"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 a 1 0.5", "run.trec:2: found 5 columns, expected query Q0 line rank score tag"),
        ("q Q0 a 1 high t", "run.trec:2: found score 'high', expected a number"),
        ("q Q0 a 1 nan t", "run.trec:2: found score 'nan', expected a number"),
        ("q Q0 x 1 0.5 t", "run.trec:2: 'x' again for query 'q'"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, message):
    path = tmp_path / "run.trec"
    path.write_text(f"q Q0 x 1 0.9 t\n{line}\n", encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_run(path)


def test_an_empty_run_is_refused(tmp_path):
    (tmp_path / "run.trec").write_text("\n", encoding="utf-8")
    with pytest.raises(SourceError, match="expected lines of a TREC run, found none"):
        read_run(tmp_path / "run.trec")
