import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from engine.index import bm25

corpora = st.lists(st.lists(st.integers(0, 9), max_size=12), min_size=1, max_size=20)


@given(corpora, st.lists(st.integers(0, 9), max_size=5), st.floats(0.5, 2), st.floats(0, 0.99))
def test_scores_are_those_of_rank_bm25(rows, query, k1, b):
    # At b = 1 rank-bm25 divides nothing by nothing for an empty text.
    if not any(rows):
        return
    reference = bm25.Okapi(rows, k1=k1, b=b)
    expected = reference.get_scores([term for term in query if term in reference.idf])
    found = bm25.fit(rows, 10, k1, b).scores(query)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_match_counts_in_the_smallest_corpora(size):
    rows = [[0, 1]] * (size // 2) + [[0, 2]] * (size - size // 2)
    stock = BM25Okapi(rows)
    assert min(stock.get_scores([0, 2])) <= 0
    scores = bm25.fit(rows, 3, 1.5, 0.75).scores([2])
    assert scores[-1] > 0
    assert (scores >= 0).all()


def test_idf_is_the_formula():
    assert bm25.idf(4, 2) == pytest.approx(math.log(1 + 2.5 / 2.5))
    index = bm25.fit([[0], [0, 1], [2], [2]], 3, 1.5, 0.75)
    assert index.idf == pytest.approx(
        [math.log(1 + 2.5 / 2.5), math.log(1 + 3.5 / 1.5), math.log(2)]
    )


def test_no_question_scores_above_what_is_possible():
    index = bm25.fit([[0] * 500 + [1] * 500, [2]], 3, 1.2, 0.0)
    possible = index.highest_possible([0, 1], unknown=1)
    assert possible == pytest.approx((2 * bm25.idf(2, 1) + bm25.idf(2, 0)) * 2.2)
    assert index.scores([0, 1]).max() < possible


@given(corpora)
def test_an_index_read_back_is_the_one_written(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("bm25") / "가 #1"
    index = bm25.fit(rows, 10, 1.5, 0.75)
    bm25.save(index, folder)
    again = bm25.load(folder)
    for name in ("indptr", "rows", "counts", "weights", "idf"):
        np.testing.assert_array_equal(getattr(again, name), getattr(index, name))
    assert (again.size, again.k1) == (len(rows), 1.5)
    expected = [[row.count(term) for term in range(10)] for row in rows]
    assert again.row_counts().toarray().tolist() == expected


def test_an_empty_corpus_scores_nothing():
    index = bm25.fit([[], []], 3, 1.5, 0.75)
    assert index.scores([0, 1]).tolist() == [0, 0]


@given(
    st.lists(st.lists(st.integers(0, 4), max_size=4), min_size=1, max_size=6),
    st.sets(st.integers(0, 5)),
)
def test_the_parts_of_a_score_are_the_scores_of_its_terms(rows, terms):
    index = bm25.fit(rows, 6, 1.5, 0.75)
    picked = list(range(len(rows)))[::-1]
    alone = [index.scores([term])[picked] for term in terms]
    assert index.parts([*terms], picked).tolist() == [scores.tolist() for scores in alone]


def test_unknown_terms_are_counted():
    assert bm25.tally(["가", "나", "가", "다"], {"가": 4, "나": 1}) == ([1, 4, 4], 1)


def test_vocabulary_depends_on_the_terms_alone():
    assert bm25.vocabulary([["나"], ["가", "나"]]) == {"가": 0, "나": 1}
