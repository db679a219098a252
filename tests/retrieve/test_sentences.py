"""Weights of sentences, with terms and vectors made by hand."""

import numpy as np
import pytest

from engine.retrieve.sentences import READ, Weighing


class Words:
    """Terms are words, and all weigh one."""

    def terms(self, texts):
        return iter([text.rstrip(".").split() for text in texts])

    def term_ids(self, terms):
        return {term: at for at, term in enumerate(sorted(terms))}

    def rarity(self, term):
        return 1.0

    @property
    def children(self):
        return self

    @property
    def dense(self):
        return self

    def spread(self, queries):
        return np.array([0.2], np.float32), np.array([0.1], np.float32)


class Counting:
    """Remembers what it reads; only passages with the word 가까운 lie near a question."""

    def __init__(self):
        self.read = []

    def encode_queries(self, texts):
        return np.array([[1.0, 0.0]], np.float32)

    def encode_passages(self, texts):
        self.read += texts
        rows = [(0.6, 0.8) if "가까운" in text else (0.0, 1.0) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), 2)


@pytest.fixture
def encoder():
    return Counting()


@pytest.fixture
def weigh(encoder):
    words = Words()
    weighing = Weighing(words, words, words, encoder, similarity_weight=0.1, figure_weight=0.25)

    def told(question, sentences, heading=""):
        return weighing(question, sentences, [heading] * len(sentences))

    return told


def test_a_weight_is_the_share_of_words_and_the_cosine_in_deviations(weigh):
    far, near = weigh("돌 다리", ["돌 나무.", "돌 가까운 다리."])
    assert far == pytest.approx(1 / 2 + 0.1 * (0.0 - 0.2) / 0.1)
    assert near == pytest.approx(2 / 2 + 0.1 * (0.6 - 0.2) / 0.1)


def test_the_words_of_its_heading_are_a_sentences_own(weigh):
    (bare,), (under,) = weigh("돌 다리", ["돌 나무."]), weigh("돌 다리", ["돌 나무."], "긴 다리")
    assert under == pytest.approx(bare + 1 / 2)
    assert weigh("돌 다리", ["팔달산"], "긴 다리") == [None]


def test_what_tells_nothing_has_no_weight_and_is_not_read(weigh, encoder):
    told = weigh("돌 다리", ["팔달산", "돌 다리", "돌 다리.", "돌 나무"])
    assert [weight is None for weight in told] == [True, True, False, False]
    assert encoder.read == ["돌 다리.", "돌 나무"]


def test_only_the_sentences_with_most_of_the_words_are_read(weigh, encoder):
    sentences = [f"나무 {n}." for n in range(READ)] + ["돌 다리 길.", "다리 길."]
    told = weigh("돌 다리", sentences)
    assert len(encoder.read) == READ and encoder.read[:2] == ["돌 다리 길.", "다리 길."]
    assert sum(weight is None for weight in told) == 2 and None not in told[-2:]


def test_in_another_language_all_are_read(weigh, encoder):
    sentences = [f"나무 {n}." for n in range(2 * READ)]
    assert None not in weigh("stone bridge", sentences) and len(encoder.read) == 2 * READ
    assert weigh("stone bridge", []) == []


def test_a_figure_of_the_kind_that_is_asked_for_weighs_more(weigh):
    told = weigh(
        "무게는 얼마인가?", ["돌의 무게는 크다.", "돌의 무게는 3톤이다.", "무게는 3년째 같다."]
    )
    plain = weigh(
        "무게는 어떤가?", ["돌의 무게는 크다.", "돌의 무게는 3톤이다.", "무게는 3년째 같다."]
    )
    assert np.subtract(told, plain).argmax() == 1
    assert told[1] - told[0] == pytest.approx(0.25)
    assert plain[1] == pytest.approx(plain[0])
