import math

import pytest
import pytrec_eval

from engine.errors import ConfigError
from eval.matching import to_run
from eval.measures import DEFAULT_MEASURES, depth_of, main_measure, parse_measures, score
from eval.runs import read_run, write_qrels, write_run
from tests.eval.harness_fakes import ranking

QRELS = {
    "q1": {"g#S1-P1": 2, "g#S1-P2": 1, "g#S1-P9": 1},
    "q 2": {"h#S1-P1": 1},
    "q3": {"g#S1-P5": 1},
}
RANKINGS = {
    "q1": ranking("g#S1-P4", "g#S1-P1", "h#S1-P1", "g#S1-P2"),
    "q 2": ranking("h#S1-P1", "g#S1-P1"),
}


def run_of(rankings):
    return to_run(rankings, QRELS, by_document=False, k=100)


def test_measures_have_the_values_of_their_definitions():
    values = score(run_of(RANKINGS), QRELS, ["nDCG@10", "RR", "R@4", "Success@1"])
    gain = 2 / math.log2(3) + 1 / math.log2(5)
    ideal = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert values["nDCG@10"]["q1"] == pytest.approx(gain / ideal)
    assert values["RR"]["q1"] == pytest.approx(1 / 2)
    assert values["R@4"]["q1"] == pytest.approx(2 / 3)
    assert values["Success@1"] == {"q1": 0, "q 2": 1, "q3": 0}


def test_a_query_missing_from_the_run_is_0_and_counts():
    values = score(run_of(RANKINGS), QRELS, list(DEFAULT_MEASURES))
    assert all(row["q3"] == 0 for row in values.values())
    assert all(set(row) == set(QRELS) for row in values.values())


def test_a_run_without_any_line_is_0_everywhere():
    values = score({"q1": {}}, QRELS, ["R@5", "RR@10"])
    assert values == {"R@5": dict.fromkeys(QRELS, 0), "RR@10": dict.fromkeys(QRELS, 0)}


def test_our_numbers_are_trec_evals_on_the_written_files(tmp_path):
    """The files are parsed by pytrec_eval's own readers, not by ours."""
    names = {
        "nDCG@10": "ndcg_cut_10",
        "R@5": "recall_5",
        "AP@100": "map_cut_100",
        "RR": "recip_rank",
    }
    write_run(tmp_path / "s.trec", run_of(RANKINGS), "s")
    write_qrels(tmp_path / "q.trec", QRELS)
    with (tmp_path / "q.trec").open() as qrels, (tmp_path / "s.trec").open() as run:
        judge = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), set(names.values()))
        theirs = judge.evaluate(pytrec_eval.parse_run(run))
    ours = score(run_of(RANKINGS), QRELS, list(names))
    for name, key in names.items():
        assert ours[name]["q1"] == pytest.approx(theirs["q1"][key])
        assert ours[name]["q 2"] == pytest.approx(theirs["q%202"][key])


def test_a_run_read_back_scores_the_same(tmp_path):
    run = run_of(RANKINGS)
    write_run(tmp_path / "s.trec", run, "s")
    again = read_run(tmp_path / "s.trec")
    assert {q: list(lines) for q, lines in again.items()} == {q: list(v) for q, v in run.items()}
    assert score(again, QRELS, list(DEFAULT_MEASURES)) == score(run, QRELS, list(DEFAULT_MEASURES))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Recal@5", "measure 'Recal@5': measure not found: Recal"),
        ("R@", "measure 'R@': problem parsing"),
        ("alpha_nDCG@5", "no installed provider of ir_measures computes it"),
    ],
)
def test_an_unknown_measure_is_refused(name, message):
    with pytest.raises(ConfigError, match=message):
        parse_measures([name])


def test_the_depth_is_the_deepest_cutoff_or_100():
    assert depth_of(["R@5", "nDCG@20"]) == 20
    assert depth_of(["R@5", "RR"]) == 100


def test_the_main_measure_is_the_first_ndcg():
    assert main_measure(["R@5", "nDCG@10", "nDCG@5"]) == "nDCG@10"
    assert main_measure(["R@5", "RR"]) == "R@5"
