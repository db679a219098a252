import pytest

from engine.cli import main
from engine.retrieve.explain import written

WHY = {
    "terms": {"#화성": 3.0, "정조": 2.5, "화성": 2.75},
    "bm25": 8.25, "bm25_rank": 2, "share": 0.225, "cosine": 0.8764, "dense_rank": 1,
    "parts": {"child": 0.225, "parent": 0.3, "dense": 0.1},
}  # fmt: skip


def test_each_point_has_a_line_words_before_bigrams():
    assert written(WHY).splitlines() == [
        "terms   화성 2.75, 정조 2.50, #화성 3.00",
        "bm25    8.25, rank 2, 22% of the question's weight",
        "dense   cosine 0.876, rank 1",
        "score   0.625 = child 0.225 + parent 0.300 + dense 0.100",
    ]


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            {"rewrite": {"text": "수원 화성 성곽", "places": ["a"]}},
            "rewrite 수원 화성 성곽 (a)",
        ),
        ({"ambiguous": {"성산": ["a", "b"]}}, "place   성산 is ambiguous: a, b"),
        ({"rerank": 0.75, "fused_rank": 3}, "rerank  0.7500, before it rank 3"),
    ],
)
def test_what_else_happened_is_told(more, line):
    assert written({**WHY, **more}).splitlines()[-1] == line


def test_a_leg_that_found_nothing_says_so():
    why = {"terms": {}, "bm25": 0.0, "bm25_rank": None, "cosine": 0.9, "dense_rank": 3}
    assert written(why).splitlines() == [
        "terms   none in common",
        "bm25    nothing in common",
        "dense   cosine 0.900, rank 3",
    ]


def test_many_terms_are_cut_short():
    terms = {f"말{n}": float(n) for n in range(1, 12)}
    assert written({"terms": terms}).endswith("말4 4.00 and 3 more")


def test_the_summands_are_the_score(sample):
    for one in sample.retrieve("덕수궁에서 외교권 뺏긴 데가 어디야?", k=3):
        assert sum(one.why["parts"].values()) == pytest.approx(one.score, abs=3e-4)
        assert set(one.why["parts"]) == {"child", "parent", "dense", "rewrite"}


def test_the_shell_explains(demo_folder, capsys):
    config = str(demo_folder / "config.yaml")
    question = "화성 쌓은 일꾼들은 돈을 받고 일했어?"
    assert main(["--config", config, "query", question, "-k", "1", "--explain"]) == 0
    shown = capsys.readouterr().out
    assert "place   화성 is ambiguous: hwaseong-fortress, hwaseong-city" in shown
    assert main(["--config", config, "query", question, "-k", "1"]) == 0
    assert "ambiguous" not in capsys.readouterr().out
