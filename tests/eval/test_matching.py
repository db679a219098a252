import numpy as np
import pytest

from eval.matching import best_ranks, falling, to_run
from eval.targets import Target, covers, parse_target
from tests.eval.harness_fakes import passage, ranking


@pytest.mark.parametrize(
    ("text", "target"),
    [
        pytest.param("guide", Target("guide"), id="document"),
        pytest.param("guide#page=12", Target("guide", page=12), id="page"),
        pytest.param("a/guide#S2-P1", Target("a/guide", source_id="S2-P1"), id="block"),
        pytest.param("C#입문", Target("C#입문"), id="a sharp inside the id"),
        pytest.param("C#입문#S1-H1", Target("C#입문", source_id="S1-H1"), id="both"),
        pytest.param("guide#page=x", Target("guide#page=x"), id="no number"),
    ],
)
def test_a_target_is_a_document_a_page_or_a_block(text, target):
    assert parse_target(text) == target


@pytest.mark.parametrize(
    ("target", "covered"),
    [("guide", True), ("other", False), ("guide#page=3", True), ("guide#page=4", True),
     ("guide#page=5", False), ("guide#S2-P2", True), ("guide#S2-P3", False)],
)  # fmt: skip
def test_a_passage_covers_what_its_core_holds(target, covered):
    found = passage("guide", source_ids=("S2-P1", "S2-P2"), pages=[(3, 4)])
    assert covers(found, parse_target(target)) is covered


def test_a_target_counts_once_at_its_first_covering_rank():
    found = ranking("x#S1-P1", "guide#S1-P1", "guide#S1-P1")
    run = to_run({"q": found}, {"q": {"guide#S1-P1": 1}}, by_document=False, k=10)
    assert best_ranks(run["q"], ["guide#S1-P1"]) == {"guide#S1-P1": 2}
    assert len(run["q"]) == 3


def test_documents_are_ranked_at_their_best_passage():
    found = ranking("a", "a", "b", "a", "c")
    run = to_run({"q": found}, {"q": {"c": 1}}, by_document=True, k=2)
    assert list(run["q"]) == ["a", "b"]


def test_targets_of_one_passage_take_consecutive_ranks_the_best_grade_first():
    found = [passage("g", 0.9, ("S1-P1", "S1-P2")), passage("g", 0.8, ("S1-P3",))]
    qrels = {"q": {"g#S1-P1": 1, "g#S1-P2": 2, "g#S1-P3": 1}}
    run = to_run({"q": found}, qrels, by_document=False, k=10)
    assert list(run["q"]) == ["g#S1-P2", "g#S1-P1", "g#S1-P3"]


def test_a_passage_that_is_no_target_never_bears_a_targets_name():
    found = ranking("g#S1-P1", "g#S1-P1")
    run = to_run({"q": found}, {"q": {"g": 1, "g#S1-P1": 1}}, by_document=False, k=10)
    assert list(run["q"]) == ["g", "g#S1-P1", "g#2:S1-P1"]


def test_equal_scores_become_falling_ones_even_in_single_precision():
    run = falling([(name, 0.5) for name in "가나다"], 3)
    single = np.array(list(run.values()), np.float32)
    assert list(run) == ["가", "나", "다"]
    assert (np.diff(single) < 0).all()
    assert run["다"] == pytest.approx(0.5, abs=1e-6)


def test_a_score_that_rises_is_taken_down_to_its_rank():
    run = falling([("a", 0.2), ("b", 0.9)], 2)
    assert run["b"] < run["a"] == pytest.approx(0.2)
