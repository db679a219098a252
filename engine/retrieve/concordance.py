"""Which words of a question stand together in one place of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.index.store import Store
from engine.index.tokenizer import fold
from engine.retrieve.answer_type import asked_quantity, states
from engine.retrieve.candidates import Candidates, Legs
from engine.retrieve.coverage import Coverage, Word, content_words, cover
from engine.text.kiwi import Korean, has_hangul
from engine.types import Hit

PLACES = 5
"""How many hits are looked at."""


@dataclass(frozen=True, slots=True)
class Concordance:
    """The children of an index, read for the words of a question."""

    store: Store
    legs: Legs
    korean: Korean

    def coverage(self, question: str, found: Candidates, hits: Sequence[Hit]) -> Coverage:
        """How much of a question stands in one of its `places`; all of one without Hangul."""
        if not has_hangul(question):
            return Coverage(1.0)
        words = content_words(next(self.korean.morphemes([fold(question)])))
        ids = self.store.term_ids(word.form for word in words)
        rarity = self.legs.children.rarity
        places = self.places(found, hits[:PLACES])
        held = [self._held(words, ids, place) for place in places]
        return cover(words, [rarity(ids.get(word.form)) for word in words], held, rarity(None) / 2)

    def unstated(self, question: str, found: Candidates, hits: Sequence[Hit]) -> str | None:
        """The quantity that a question asks for and none of its `places` has a figure of."""
        quantity = asked_quantity(question)
        if quantity is None:
            return None
        places = self.places(found, hits)
        texts = (" ".join(self.store.child_at(row).text for row in place) for place in places)
        return None if any(states(text, quantity) for text in texts) else quantity

    def places(self, found: Candidates, hits: Sequence[Hit]) -> list[list[int]]:
        """Rows around the hits, and around the best by words: each with its neighbours."""
        best = found.rows[np.argsort(-found.bm25, kind="stable")[:1]].tolist()
        rows = dict.fromkeys([*(hit.row for hit in hits), *best])
        parents = self.legs.parent_of
        near = [range(max(row - 1, 0), min(row + 2, len(parents))) for row in rows]
        return [
            [at for at in place if parents[at] == parents[row]]
            for row, place in zip(rows, near, strict=True)
        ]

    def _held(self, words: Sequence[Word], ids: Mapping[str, int], place: list[int]) -> list[bool]:
        """Which words stand in a place, as morphemes or as written."""
        text = "".join("".join(fold(self.store.child_at(row).text).split()) for row in place)
        parts = self.legs.children.parts(list(ids.values()), place)
        indexed = {form for form, own in zip(ids, parts, strict=True) if own.any()}
        return [word.form in indexed or word.is_written(text) for word in words]
