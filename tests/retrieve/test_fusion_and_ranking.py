import numpy as np
import pytest

from engine.config import FusionSettings
from engine.retrieve.candidates import Candidates, _best, ranks
from engine.retrieve.fusion import fuse, min_max, query_max, rrf, z_score
from engine.retrieve.ranking import is_covered, matches, rank, rank_sections
from engine.types import Hit


def candidates(**changes):
    values = dict(
        rows=np.array([2, 5, 9]),
        bm25=np.array([4.0, 0.0, 2.0]),
        parent=np.array([3.0, 3.0, 0.0]),
        cosine=np.array([0.82, 0.90, 0.80]),
        bm25_rank=np.array([1, 0, 2]),
        dense_rank=np.array([2, 1, 3]),
        bm25_possible=8.0,
        parent_possible=6.0,
        best_bm25=4.0,
        mean=0.80,
        deviation=0.02,
    )
    return Candidates(**{**values, **changes})


def test_query_max_divides_by_what_was_possible():
    scores = query_max(
        candidates(), FusionSettings(child_weight=2, parent_weight=1, dense_weight=0.1)
    )
    assert scores == pytest.approx(
        [2 * 4 / 8 + 3 / 6 + 0.1 * 1, 0 + 3 / 6 + 0.1 * 5, 2 * 2 / 8 + 0 + 0.1 * 0]
    )


def test_a_leg_that_found_next_to_nothing_has_next_to_no_say():
    found = candidates(bm25=np.array([0.1, 0, 0]), parent=np.zeros(3), best_bm25=0.1)
    assert int(np.argmax(query_max(found, FusionSettings()))) == 1


def test_nothing_possible_is_no_division_by_zero():
    found = candidates(bm25=np.zeros(3), parent=np.zeros(3), bm25_possible=0.0, parent_possible=0.0)
    assert np.isfinite(query_max(found, FusionSettings())).all()


def test_rrf_sums_reciprocal_ranks_of_the_legs_that_found_it():
    both = [1 / 61 + 1 / 62, 1 / 61, 1 / 62 + 1 / 63]
    assert rrf(candidates(), 60) == pytest.approx([0.5 * score for score in both])


def test_rrf_weighs_its_legs():
    weighted = [0.2 / 61 + 0.8 / 62, 0.8 / 61, 0.2 / 62 + 0.8 / 63]
    assert rrf(candidates(), 60, 0.8) == pytest.approx(weighted)


def test_min_max_stretches_each_score_from_zero_to_one():
    settings = FusionSettings(child_weight=1, parent_weight=3, dense_share=0.4)
    lexical = [(1 * 1 + 3 * 1) / 4, (1 * 0 + 3 * 1) / 4, (1 * 0.5 + 3 * 0) / 4]
    dense = [(0.82 - 0.80) / 0.10, 1, 0]
    expected = [0.6 * a + 0.4 * b for a, b in zip(lexical, dense, strict=True)]
    assert min_max(candidates(), settings) == pytest.approx(expected)


def test_z_score_counts_deviations_from_the_mean_of_the_candidates():
    found = candidates(bm25=np.array([4.0, 0.0, 2.0]), parent=np.zeros(3))
    settings = FusionSettings(child_weight=1, parent_weight=0, dense_share=0)
    one = 2 / (8 / 3) ** 0.5
    assert z_score(found, settings) == pytest.approx([one, -one, 0])


@pytest.mark.parametrize("method", ["min-max", "z-score", "rrf", "query-max"])
def test_equal_scores_are_no_division_by_zero(method):
    same = candidates(bm25=np.ones(3), parent=np.zeros(3), cosine=np.full(3, 0.8))
    nothing = same.take(np.zeros(3, bool))
    settings = FusionSettings(method=method, child_weight=0, parent_weight=0)
    assert np.isfinite(fuse(same, "hybrid", settings)).all()
    assert len(fuse(nothing, "hybrid", settings)) == 0


def test_one_leg_alone_ranks_by_its_own_score():
    found = candidates()
    assert fuse(found, "bm25", FusionSettings()) is found.bm25
    assert fuse(found, "dense", FusionSettings()) is found.cosine


def test_ties_go_to_the_earlier_row():
    hits = rank(candidates(), np.array([1.0, 2.0, 2.0]))
    assert [(hit.row, hit.rank) for hit in hits] == [(5, 1), (9, 2), (2, 3)]


def test_ranks_count_from_one_and_leave_out_what_was_not_found():
    scores, rows = np.array([1.0, 3.0, 0.0, 3.0]), np.arange(4)
    assert ranks(scores, rows, scores > 0).tolist() == [3, 1, 0, 2]


@pytest.mark.parametrize(
    ("changes", "covered"),
    [
        pytest.param({}, True, id="words and meaning"),
        pytest.param({"best_bm25": 0.7}, True, id="meaning alone"),
        pytest.param({"cosine": np.full(3, 0.8)}, True, id="words alone"),
        pytest.param(
            {"best_bm25": 0.7, "cosine": np.full(3, 0.8)}, False, id="too little of either"
        ),
        pytest.param({"best_bm25": 0.0, "dense_rank": np.zeros(3, int)}, False, id="nothing"),
    ],
)
def test_a_question_is_covered_by_words_or_by_meaning(changes, covered):
    assert is_covered(candidates(**changes), min_share=0.1, min_similarity=0.86) is covered


def test_without_a_known_threshold_any_cosine_counts():
    assert is_covered(candidates(best_bm25=0.0), min_share=0.1, min_similarity=None)


def test_a_candidate_matches_by_a_term_or_by_similarity():
    assert matches(candidates(), 0.86).tolist() == [True, True, True]
    assert matches(candidates(bm25=np.zeros(3)), 0.86).tolist() == [False, True, False]


def test_the_best_of_each_section_in_source_order():
    hits = [Hit(7, 0.9, 1), Hit(8, 0.8, 2), Hit(1, 0.7, 3), Hit(4, 0.6, 4)]
    section = {7: "결과", 8: "결과", 1: "서론", 4: "한계"}.__getitem__
    assert [h.row for h in rank_sections(hits, section, 1, 3)] == [1, 4, 7]
    assert [h.row for h in rank_sections(hits, section, 1, 2)] == [1, 7]
    assert [h.row for h in rank_sections(hits, section, 2, 2)] == [1, 7, 8]


@pytest.mark.parametrize("levels", [3, 1000])
def test_the_best_are_those_of_a_full_sort_ties_to_the_smaller_rows(levels):
    scores = np.random.default_rng(levels).integers(0, levels, 9000) / levels
    expected = np.lexsort((np.arange(9000), -scores))[:50]
    assert sorted(_best(scores, 50).tolist()) == sorted(expected.tolist())


def test_scores_of_nothing_are_never_among_the_best():
    scores = np.zeros(9000)
    scores[[7, 8000]] = 0.5
    assert _best(scores, 50).tolist() == [7, 8000]
