import pytest

from eval.statistics import holm, interval, paired, too_few


def named(values):
    return {f"q{at}": value for at, value in enumerate(values)}


def test_the_interval_holds_the_mean_and_repeats_with_its_seed():
    values = [0.0, 1.0, 0.5, 0.75] * 10
    first = interval(values, seed=7)
    assert first.mean == pytest.approx(2.25 / 4)
    assert first.low < first.mean < first.high
    assert first == interval(values, seed=7)


def test_more_queries_make_a_narrower_interval():
    few, many = interval([0, 1] * 10, 0), interval([0, 1] * 250, 0)
    assert many.high - many.low < few.high - few.low


def test_a_constant_has_no_width_and_nothing_has_no_queries():
    assert interval([0.5] * 3, 0).low == interval([0.5] * 3, 0).high == 0.5
    assert interval([], 0).n == 0


def test_the_exact_p_of_few_differences_is_the_share_of_sign_patterns():
    found = paired(named([0, 0, 0, 0.5]), named([1, 1, 1, 0.5]), seed=0)
    assert found.p == pytest.approx(2 / 2**3)
    assert (found.wins, found.ties, found.losses) == (3, 1, 0)
    assert found.difference == pytest.approx(3 / 4)


def test_the_effect_is_the_mean_difference_in_deviations():
    found = paired(named([0, 0]), named([1, 0.5]), seed=0)
    deviation = (0.25**2 * 2) ** 0.5
    assert found.effect == pytest.approx(0.75 / deviation)


def test_equal_systems_have_p_1_and_no_effect():
    found = paired(named([0.2, 0.8]), named([0.2, 0.8]), seed=0)
    assert (found.p, found.effect, found.ties) == (1.0, 0.0, 2)


def test_one_difference_alone_proves_nothing():
    assert paired(named([0, 0.5]), named([1, 0.5]), seed=0).p == 1.0


def test_a_clear_difference_over_many_queries_is_beyond_chance():
    found = paired(named([0.1] * 60), named([0.1] * 10 + [0.6] * 50), seed=0)
    assert found.p < 0.001


def test_swapping_the_systems_turns_the_sign_and_keeps_p():
    base, other = named([0, 0.5, 1, 0.25]), named([1, 0.75, 0.5, 0.5])
    there, back = paired(base, other, 3), paired(other, base, 3)
    assert there.difference == -back.difference
    assert there.p == pytest.approx(back.p)


def test_holm_multiplies_the_smallest_by_all_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_too_few_queries_or_differences_are_said():
    assert "24 queries: too few" in too_few(24)
    assert "only 5 queries differ" in too_few(100, 5)
    assert too_few(25, 6) == ""
