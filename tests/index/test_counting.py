import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.index import counting

texts = st.lists(st.lists(st.sampled_from("가나다라마"), max_size=8), min_size=1, max_size=12)


def table(counts, names):
    """Each text as its terms with their counts."""
    return [
        {names[i]: n for i, n in enumerate(row) if n} for row in counts.toarray().tolist()
    ]  # fmt: skip


@given(texts)
def test_counts_are_those_of_each_text(rows):
    ids = {}
    counts = counting.count(iter(rows), ids)
    assert table(counts, list(ids)) == [{t: row.count(t) for t in set(row)} for row in rows]


def test_more_texts_than_a_batch_are_all_counted():
    rows = [["가"] * (n % 3) for n in range(3000)]
    counts = counting.count(iter(rows), {})
    assert counts.sum(axis=1).tolist() == [n % 3 for n in range(3000)]


@given(texts, st.permutations("가나다라마바"))
def test_ids_do_not_depend_on_what_was_counted_first(rows, order):
    ids = {term: number for number, term in enumerate(order)}
    counts, names = counting.in_order(counting.count(rows, ids), list(ids))
    assert names == sorted({term for row in rows for term in row})
    assert table(counts, names) == [{t: row.count(t) for t in set(row)} for row in rows]


def test_stacked_texts_stand_below_each_other():
    ids = {}
    first, second = counting.count([["가"], ["나", "나"]], ids), counting.count([["다"]], ids)
    assert counting.stack([first, second], len(ids)).toarray().tolist() == [
        [1, 0, 0], [0, 2, 0], [0, 0, 1],
    ]  # fmt: skip


def test_groups_hold_the_sums_of_their_texts():
    counts = counting.count([["가"], ["가", "나"], ["다"]], {})
    gathered = counting.gather(counts, np.array([0, 0, 2], np.int32))
    assert gathered.toarray().tolist() == [[2, 1, 0], [0, 0, 0], [0, 0, 1]]
