import pytest

from eval.experiment import oracle_run
from eval.invariants import check_oracle, check_system, reverse
from eval.matching import to_run
from eval.measures import CURVE, recall_curve
from tests.eval.harness_fakes import make_dataset, ranking

QRELS = {"q1": {"a": 1}, "q2": {"b": 2, "c": 1}}


def checks(rankings):
    run = to_run(rankings, QRELS, by_document=True, k=100)
    curve = recall_curve(run, QRELS, CURVE)
    return {check.name: check.problem for check in check_system("s", run, QRELS, curve)}


def test_a_sound_ranking_breaks_nothing():
    found = checks({"q1": ranking("a", "x", "y"), "q2": ranking("x", "b", "c")})
    assert set(found.values()) == {""}


def test_a_ranking_upside_down_is_caught_by_the_canary():
    qrels = {f"q{at}": {"a": 1} for at in range(8)}
    run = to_run(dict.fromkeys(qrels, ranking("x", "y", "a")), qrels, by_document=True, k=9)
    (*_, canary) = check_system("s", run, qrels, recall_curve(run, qrels, CURVE))
    assert canary.problem == "RR 0.3333, reversed 1.0000: is the order upside down?"


def test_a_weak_ranking_of_two_questions_is_not_called_upside_down():
    found = checks({"q1": ranking("x", "y", "a"), "q2": ranking("x", "y", "b")})
    assert found["s: reversed order scores lower"] == ""


def test_a_ranking_that_reversal_does_not_change_proves_nothing():
    found = checks({"q1": ranking("a"), "q2": ranking("b")})
    assert found["s: reversed order scores lower"] == ""


def test_recall_that_falls_with_k_is_named():
    run = to_run({"q1": ranking("a", "x"), "q2": ranking("b")}, QRELS, by_document=True, k=9)
    curve = {"R@1": {"q1": 1.0, "q2": 0.5}, "R@2": {"q1": 0.5, "q2": 0.5}}
    problems = [check.problem for check in check_system("s", run, QRELS, curve)]
    assert problems[0] == "query q1: R@1 1.0000 > R@2 0.5000"


@pytest.mark.parametrize(
    "qrels",
    [
        pytest.param({"q1": {"a": 1}, "q2": {"b": 2, "c": 1}}, id="documents"),
        pytest.param({"q": {"a#S1-P1": 1, "a#S1-P2": 2, "b#page=3": 1}}, id="passages"),
        pytest.param({"q": {"a": 1, "a#S1-P2": 2, "z": 0}}, id="a document and its block"),
    ],
)
def test_a_system_given_the_qrels_scores_1(qrels):
    assert check_oracle(oracle_run(make_dataset(qrels)), qrels).problem == ""


def test_an_oracle_that_misses_is_named():
    run = to_run({"q1": ranking("a"), "q2": ranking("c")}, QRELS, by_document=True, k=9)
    assert check_oracle(run, QRELS).problem.startswith("nDCG of query q2 is 0.")


def test_reversing_keeps_the_lines():
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    assert list(reverse(run)["q"]) == ["c", "b", "a"]
