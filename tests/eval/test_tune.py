import pytest

from engine.errors import ConfigError
from eval.calibrate import Signals, calibrate, outcome
from eval.tune import halves, parse_grid, tune
from tests.eval.harness_fakes import Scripted, make_dataset, ranking

QRELS = {f"q{at}": {f"d{at}": 1} for at in range(40)}
DATASET = make_dataset(
    QRELS, {f"q{at}": "fact" if at < 20 else "table" for at in range(40)}, ["u1", "u2"]
)


def system_at(point):
    """Right at weight 2; at any other weight the target is second."""
    good = point.get("fusion.dense_weight") == 2
    rows = {
        f"q{at}?": ranking(f"d{at}", "x") if good else ranking("x", f"d{at}") for at in range(40)
    }
    return Scripted("s", rows)


def test_a_grid_is_all_combinations_with_the_configured_settings_first():
    grid = parse_grid(["fusion.dense_weight=0.1,2", "fusion.method=rrf"])
    assert grid == [
        {}, {"fusion.dense_weight": 0.1, "fusion.method": "rrf"},
        {"fusion.dense_weight": 2, "fusion.method": "rrf"},
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["dense_weight=1", "fusion.dense_weight", "fusion.k="])
def test_an_axis_of_another_shape_is_refused(text):
    with pytest.raises(ConfigError, match="expected section.field=value,value"):
        parse_grid([text])


def test_halves_share_no_question_part_each_class_and_repeat_with_the_seed():
    first, second = halves(DATASET, 3)
    assert len(first.qrels) == len(second.qrels) == 20
    assert not set(first.qrels) & set(second.qrels)
    assert len(first.unanswerable) == len(second.unanswerable) == 1
    assert sum(q.query_class == "fact" for q in first.queries) == 10
    assert halves(DATASET, 3) == (first, second)
    assert halves(DATASET, 4)[0] != first


def test_the_choice_is_made_on_the_tune_half_and_told_on_the_test_half():
    asked = []

    def make(point):
        asked.append(system_at(point))
        return asked[-1]

    found = tune(DATASET, make, parse_grid(["fusion.dense_weight=1,2"]), "RR", seed=0)
    assert found.chosen == {"fusion.dense_weight": 2}
    assert (found.test_before, found.test_after) == (0.5, 1.0)
    assert found.wins == 20
    questions = [{text for texts, _ in one.asked for text in texts} for one in asked]
    assert questions[0] == questions[1] == questions[2]
    assert questions[3] == questions[4] and not questions[3] & questions[0]


def test_settings_that_gain_nothing_are_not_chosen():
    found = tune(DATASET, system_at, parse_grid(["fusion.dense_weight=1,3"]), "RR", seed=0)
    assert found.chosen == {}
    assert found.test_before == found.test_after


def signals(*rows):
    """Rows of share, similarity, coverage, answerable, stated, and what a reranker said."""
    return [Signals(f"q{at}", *row) for at, row in enumerate(rows)]


HALF = signals(
    (0.8, 0.9, 1.0, True), (0.7, 0.8, 1.0, True), (0.1, 0.7, 1.0, False), (0.5, 0.6, 1.0, False)
)  # fmt: skip


def test_thresholds_refuse_all_they_can_while_keeping_what_they_must():
    found = calibrate(HALF, HALF, (0.0, -1.0, 0.0, None), keep=1.0)
    assert (found.tune.kept, found.tune.refused, found.tune.precision) == (1.0, 1.0, 1.0)
    assert 0.5 < found.min_share <= 0.7 or 0.7 < found.min_similarity <= 0.8
    assert found.test_configured.refused == 0


def test_coverage_is_chosen_where_shares_and_cosines_cannot_tell():
    half = signals((0.5, 0.8, 0.6, True), (0.6, 0.9, 0.7, True), (0.7, 0.9, 0.2, False))
    found = calibrate(half, half, (0.0, -1.0, 0.0, None), keep=1.0)
    assert 0.2 < found.min_coverage <= 0.6
    assert (found.tune.kept, found.tune.refused) == (1.0, 1.0)


JUDGED = signals(
    (0.5, 0.8, 0.1, True, True, 4.0), (0.5, 0.8, 0.9, True, True, 3.0),
    (0.5, 0.8, 0.9, False, True, 2.5), (0.0, 0.1, 0.0, False),
)  # fmt: skip


def test_a_judge_says_what_words_and_cosines_cannot():
    found = calibrate(JUDGED, JUDGED, (0.1, 0.9, 0.5, 3.5), keep=1.0)
    assert 2.5 < found.min_score <= 3.0
    assert found.min_coverage == 0.0  # of two ways to the same end, the one that asks less
    assert (found.min_share, found.min_similarity) == (0.1, 0.9)
    assert (found.tune.kept, found.tune.refused) == (1.0, 1.0)
    assert (found.test_configured.kept, found.test_configured.refused) == (0.0, 1.0)


def test_without_a_judge_its_threshold_is_left_alone():
    assert calibrate(HALF, HALF, (0.0, -1.0, 0.0, None), keep=1.0).min_score is None


def test_what_no_place_states_is_refused_however_near_it_is():
    half = signals((0.5, 0.8, 0.9, True), (0.9, 0.9, 0.9, False, False))
    assert outcome(half, 0.1, 0.7, 0.0).refused == 1
    found = calibrate(half, half, (0.0, -1.0, 0.0, None), keep=1.0)
    assert (found.tune.kept, found.tune.refused) == (1.0, 1.0)


def test_either_signal_is_enough_to_answer():
    assert outcome(HALF, 0.75, 0.85, 0.0).kept == pytest.approx(1 / 2)
    assert outcome(HALF, 0.75, 0.75, 0.0).kept == 1
    assert outcome(HALF, 0.3, 0.95, 0.0).refused == pytest.approx(1 / 2)


def test_words_need_a_place_that_holds_them_and_a_near_cosine_does_not():
    apart = signals((0.8, 0.5, 0.3, False), (0.8, 0.9, 0.3, True))
    assert outcome(apart, 0.1, 0.86, 0.35).refused == 1
    assert outcome(apart, 0.1, 0.86, 0.35).kept == 1
    assert outcome(apart, 0.1, 0.86, 0.25).refused == 0


def test_a_question_that_shares_nothing_is_no_match_at_threshold_0():
    assert outcome(signals((0.0, 0.5, 1.0, False)), 0.0, 0.9, 0.0).refused == 1


def test_calibration_needs_both_kinds_of_questions():
    with pytest.raises(ConfigError, match="needs answerable questions and ones of the class"):
        calibrate(HALF[:2], HALF, (0.0, -1.0, 0.0, None))
