"""How well sentences answer a question, by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from engine.index.store import Store
from engine.index.tokenizer import BIGRAM, Tokenizer
from engine.retrieve.search import Legs
from engine.types import Encoder


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weighs sentences as the index weighs words; called with a question and sentences."""

    store: Store
    legs: Legs
    tokenizer: Tokenizer
    encoder: Encoder
    similarity_weight: float

    def __call__(self, question: str, sentences: Sequence[str]) -> list[float | None]:
        """The share of the question's weight in each sentence, and its cosine in deviations.

        None of a fragment that tells nothing: a single word, as in a figure, or a caption whose
        words all stand in the question.
        """
        asked, *terms = (set(text) for text in self.tokenizer.terms([question, *sentences]))
        known = self.store.term_ids(asked)
        weight = {term: self.legs.children.rarity(known.get(term)) for term in asked}
        total = sum(weight.values()) or 1.0
        vector = self.encoder.encode_queries([question])
        cosines = self.encoder.encode_passages(sentences) @ vector[0]
        mean, deviation = self.legs.dense.spread(vector)
        return [
            sum(weight[term] for term in asked & own) / total
            + self.similarity_weight * float((cosine - mean[0]) / deviation[0])
            if _tells(sentence, own - asked)
            else None
            for sentence, own, cosine in zip(sentences, terms, cosines, strict=True)
        ]


def _tells(sentence: str, new: Set[str]) -> bool:
    if sentence.rstrip().endswith((".", "?", "!")):
        return True
    return len(sentence.split()) > 1 and any(not term.startswith(BIGRAM) for term in new)
