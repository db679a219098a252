import pytest

from eval.abstention import Confidence, abstention, risk_coverage, separation

GOOD, WRONG, NONE = (True, True), (True, False), (False, False)


def outcomes(*rows):
    return [Confidence(score, *kind) for score, kind in rows]


def test_precision_and_recall_are_of_silence():
    found = abstention(outcomes((0.9, GOOD), (None, WRONG), (None, NONE), (0.5, NONE)))
    assert found.precision == pytest.approx(1 / 2)
    assert found.recall == pytest.approx(1 / 2)
    assert (found.abstained, found.unanswerable) == (2, 2)


def test_a_system_that_never_abstains_has_no_precision():
    found = abstention(outcomes((0.9, GOOD), (0.5, NONE)))
    assert found.precision is None
    assert found.recall == 0


def test_risk_grows_with_coverage_when_confidence_is_right():
    points = risk_coverage(outcomes((0.9, GOOD), (0.2, NONE), (0.8, GOOD), (None, NONE)))
    assert [(p.coverage, p.risk) for p in points] == [
        (pytest.approx(1 / 4), 0),
        (pytest.approx(2 / 4), 0),
        (pytest.approx(3 / 4), pytest.approx(1 / 3)),
    ]


def test_questions_with_one_score_enter_together():
    points = risk_coverage(outcomes((0.5, GOOD), (0.5, NONE)))
    assert [(p.coverage, p.risk, p.threshold) for p in points] == [(1.0, 0.5, 0.5)]


def test_the_area_is_the_mean_risk_over_coverage():
    found = abstention(outcomes((0.9, GOOD), (0.8, NONE)))
    assert found.risk_area == pytest.approx((0 + 1 / 2) / 2)


def test_separation_is_the_chance_of_the_right_order_ties_half():
    rows = outcomes((0.9, GOOD), (0.5, GOOD), (0.5, NONE), (None, NONE))
    assert separation(rows) == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert separation(rows[:2]) is None
