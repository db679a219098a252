"""How well sentences answer a question, by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from engine.index.store import Store
from engine.index.tokenizer import BIGRAM, Tokenizer
from engine.retrieve.answer_type import asked_quantity, states
from engine.retrieve.candidates import Legs
from engine.types import Encoder

READ = 12
"""Sentences that are embedded for one question: more were tried and gave the same answers."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weighs sentences as the index weighs words.

    Called with a question, sentences and the heading that each stands under, whose words a sentence
    need not repeat.
    """

    store: Store
    legs: Legs
    tokenizer: Tokenizer
    encoder: Encoder
    similarity_weight: float
    figure_weight: float

    def __call__(
        self, question: str, sentences: Sequence[str], headings: Sequence[str]
    ) -> list[float | None]:
        """The share of the question's weight in each sentence, and its cosine in deviations.

        A sentence that has a figure of the kind that is asked for weighs more by ``figure_weight``.
        None of a fragment that tells nothing (a single word, as in a figure, or a caption whose
        words all stand in the question), and of what holds fewer of the question's words than
        `READ` others; where none holds any, as in another language, all are read.
        """
        asked, *terms = (set(text) for text in self.tokenizer.terms([question, *sentences]))
        known = self.store.term_ids(asked)
        weight = {term: self.legs.children.rarity(known.get(term)) for term in asked}
        total = sum(weight.values()) or 1.0
        above = {text: set(own) for text, own in self._terms_of(headings)}
        shares = [
            sum(weight[term] for term in asked & (own | above[heading])) / total
            for own, heading in zip(terms, headings, strict=True)
        ]
        if quantity := asked_quantity(question):
            shares = [
                share + self.figure_weight * states(sentence, quantity)
                for share, sentence in zip(shares, sentences, strict=True)
            ]
        telling = [at for at, own in enumerate(terms) if _tells(sentences[at], own - asked)]
        if any(shares[at] for at in telling):
            telling = sorted(telling, key=lambda at: -shares[at])[:READ]
        vector = self.encoder.encode_queries([question])
        mean, deviation = self.legs.dense.spread(vector)
        cosines = self.encoder.encode_passages([sentences[at] for at in telling]) @ vector[0]
        weights: list[float | None] = [None] * len(sentences)
        for at, cosine in zip(telling, (cosines - mean[0]) / deviation[0], strict=True):
            weights[at] = shares[at] + self.similarity_weight * float(cosine)
        return weights

    def _terms_of(self, headings: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        texts = list(dict.fromkeys(headings))
        return zip(texts, self.tokenizer.terms(texts), strict=True)


def _tells(sentence: str, new: Set[str]) -> bool:
    if sentence.rstrip().endswith((".", "?", "!")):
        return True
    return len(sentence.split()) > 1 and any(not term.startswith(BIGRAM) for term in new)
