"""From questions to rankings of one index: what is asked, by which legs, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from engine.config import Config
from engine.index import bm25
from engine.index.parallel import both, each
from engine.index.store import Store
from engine.index.tokenizer import Tokenizer
from engine.retrieve.abstention import Silence
from engine.retrieve.candidates import (
    Candidates,
    Legs,
    Query,
    Scores,
    by_words,
    gather_wordings,
    nearest,
)
from engine.retrieve.concordance import PLACES, Concordance
from engine.retrieve.coverage import Coverage
from engine.retrieve.fusion import fuse, parts
from engine.retrieve.mentions import names_of
from engine.retrieve.places import Place, catalog_of
from engine.retrieve.ranking import is_covered, matches, rank
from engine.retrieve.rerank import Judge, load_judge, rerank
from engine.retrieve.rewrite import Rewriting, rewrite
from engine.text.kiwi import Korean, has_hangul
from engine.types import Encoder, Hit, Mode, Scope, Vectors

_VECTORS_AT_ONCE = 16
"""Questions a scan: what of the codes is in the cache serves them all."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and its second wording where it has one; ``names`` has its known terms' ids."""

    text: str
    query: Query
    names: Mapping[str, int]
    second: Query | None = None
    rewriting: Rewriting = Rewriting()


@dataclass(frozen=True, slots=True)
class Ranking:
    """A question's candidates in order, and what is known of each.

    ``extra`` is what the second wording adds to each score; ``fused`` is the order
    before a reranker; ``silence`` says what speaks against the question's having an answer.
    """

    mode: Mode
    asked: Asked
    found: Candidates
    extra: Scores
    fused: Sequence[Hit]
    hits: Sequence[Hit]
    silence: Silence = Silence()

    def reranked(self, row: int) -> Mapping[str, Any]:
        """The score of the second look and the rank before it; empty without one."""
        if self.hits is self.fused:
            return {}
        before = next(hit for hit in self.fused if hit.row == row)
        after = next(hit for hit in self.hits if hit.row == row)
        return {"rerank": round(after.score, 4), "fused_rank": before.rank}


@dataclass(frozen=True)
class Lookup:
    """The parts of an opened index that a question meets."""

    config: Config
    store: Store
    legs: Legs
    korean: Korean
    tokenizer: Tokenizer
    encoder: Encoder

    def analyse(self, questions: Sequence[str], mode: Mode, depth: int = 0) -> list[Asked]:
        """Terms, vectors and second wordings of questions, all at once.

        The ``depth`` nearest rows of each are looked up with them, and beside that the words of a
        single one, whose scores of the whole corpus are too many to keep of a hundred; a depth of
        0 leaves both to the ranking.
        """
        texts = [" ".join(question.split()) for question in questions]
        if mode == "bm25":
            return self._words(texts, mode)
        meanings, words = both(
            lambda: self._meanings(texts, depth), lambda: self._looked_up(texts, mode, depth)
        )
        return [
            replace(one, query=replace(one.query, vector=vector, near=near))
            for one, (vector, near) in zip(words, meanings, strict=True)
        ]

    def _looked_up(self, texts: Sequence[str], mode: Mode, depth: int) -> list[Asked]:
        asked = self._words(texts, mode)
        if len(asked) != 1 or not depth:
            return asked
        query = asked[0].query
        words = by_words(self.legs, query.terms, mode, depth)
        return [replace(asked[0], query=replace(query, words=words))]

    def _words(self, texts: Sequence[str], mode: Mode) -> list[Asked]:
        rewritings = self._rewrite(texts) if mode != "dense" else [Rewriting()] * len(texts)
        seconds = iter(self.tokenizer.terms([r.text for r in rewritings if r.text is not None]))
        asked: list[Asked] = []
        for text, terms, rewriting in zip(
            texts, self.tokenizer.terms(texts), rewritings, strict=True
        ):
            known = self.store.term_ids(terms)
            second = None
            if rewriting.text is not None:
                other = next(seconds)
                second = _query(other, self.store.term_ids(other))
            names = dict(sorted(known.items(), key=itemgetter(1)))
            asked.append(Asked(text, _query(terms, known), names, second, rewriting))
        return asked

    def _meanings(
        self, texts: Sequence[str], depth: int
    ) -> list[tuple[Vectors, Mapping[int, float] | None]]:
        """The vector of each text, (1, dim), and what is nearest to it."""
        vectors = self.encoder.encode_queries(texts)
        rows = [vectors[at : at + 1] for at in range(len(texts))]
        if not depth:
            return [(row, None) for row in rows]
        parts = [
            vectors[at : at + _VECTORS_AT_ONCE] for at in range(0, len(texts), _VECTORS_AT_ONCE)
        ]
        near = each(lambda part: nearest(self.legs.dense, part, depth), parts)
        return list(zip(rows, chain.from_iterable(near), strict=True))

    def depth(self, k: int) -> int:
        """How many children each leg brings up for so much evidence."""
        return max(self.config.retrieval.depth, 4 * k)

    def rank(
        self, asked: Asked, k: int, mode: Mode, scope: Scope = "global", within: range | None = None
    ) -> Ranking:
        """Children for a question, best first; none where the corpus holds nothing on it."""
        settings = self.config.retrieval
        wordings = [asked.query] if asked.second is None else [asked.query, asked.second]
        found, *others = gather_wordings(self.legs, wordings, mode, self.depth(k), within)
        scores, extra = fuse(found, mode, self.config.fusion), np.zeros(len(found))
        for other in others:
            extra += self.config.rewrite.weight * fuse(other, mode, self.config.fusion)
        threshold = self._threshold(asked.text)
        doubt = self._doubt(asked, found, scores + extra, threshold) if scope == "global" else None
        asks = bool(asked.query.terms or asked.query.unknown)
        kept = np.full(len(found), asks and is_covered(found, settings.min_share, threshold))
        if doubt is not None and doubt.share < settings.min_coverage:
            kept[:] = False
        if mode == "bm25" or scope == "section":
            kept &= matches(found, threshold)
        found, scores, extra = found.take(kept), scores[kept], extra[kept]
        fused = rank(found, scores + extra)
        if scope == "global" and settings.quantities and fused:
            near = fused[: max(k, PLACES)]
            if unstated := self.concordance.unstated(asked.text, found, near):
                return Ranking(mode, asked, found, extra, fused, [], Silence(doubt, unstated))
        hits, least = self._rerank(asked.text, fused), self.config.rerank.min_score
        if least is not None and hits is not fused and hits and hits[0].score < least:
            silence = Silence(doubt, judged=hits[0].score)
            return Ranking(mode, asked, found, extra, fused, [], silence)
        return Ranking(mode, asked, found, extra, fused, hits, Silence(doubt))

    def why(self, ranking: Ranking, rows: Sequence[int]) -> list[Mapping[str, Any]]:
        """How each child was found: the terms it matches, by weight, and what each leg says."""
        names = ranking.asked.names
        matched = self.legs.children.parts(list(names.values()), rows).T
        weights = matched.astype(np.float64).round(4).tolist()
        return [
            self._why(ranking, row, {n: w for n, w in zip(names, own, strict=True) if w})
            for row, own in zip(rows, weights, strict=True)
        ]

    def _why(self, ranking: Ranking, row: int, terms: Mapping[str, float]) -> Mapping[str, Any]:
        query, found = ranking.asked.query, ranking.found
        at = int(np.searchsorted(found.rows, row))
        return {
            "terms": terms,
            "bm25": round(float(found.bm25[at]), 4),
            "bm25_rank": int(found.bm25_rank[at]) or None,
            "share": round(float(found.share[at]), 4),
            "cosine": None if query.vector is None else round(float(found.cosine[at]), 4),
            "dense_rank": int(found.dense_rank[at]) or None,
            **self._summands(ranking, at),
            **(ranking.silence.coverage.told() if ranking.silence.coverage else {}),
            **ranking.reranked(row),
            **ranking.asked.rewriting.told(),
        }

    def _doubt(
        self, asked: Asked, found: Candidates, scores: Scores, threshold: float | None
    ) -> Coverage | None:
        """The coverage, where it is asked for, and no cosine is near enough to do without."""
        if asked.query.vector is None or threshold is None or not len(found):
            return None
        if not self.config.retrieval.min_coverage or found.cosine.max() >= threshold:
            return None
        return self.concordance.coverage(asked.text, found, rank(found, scores, PLACES))

    def _threshold(self, question: str) -> float | None:
        """The cosine that counts as an answer; a question in another script comes less near."""
        if self.config.retrieval.min_similarity is not None:
            return self.config.retrieval.min_similarity
        if has_hangul(question):
            return self.encoder.min_similarity
        return self.encoder.min_similarity_foreign

    def _rewrite(self, texts: Sequence[str]) -> list[Rewriting]:
        settings, names = self.config.rewrite, self._names
        if settings.mode == "off" or not names:
            return [Rewriting()] * len(texts)
        analysed = self.korean.morphemes(texts)
        return [rewrite(t, m, names, settings) for t, m in zip(texts, analysed, strict=True)]

    @cached_property
    def concordance(self) -> Concordance:
        """Which words of a question stand together."""
        return Concordance(self.store, self.legs, self.korean)

    @cached_property
    def _names(self) -> Mapping[str, tuple[Place, ...]]:
        return names_of(catalog_of(self.config))

    def _rerank(self, question: str, hits: list[Hit]) -> list[Hit]:
        if self.config.rerank.model is None:
            return hits
        return rerank(
            question, hits, lambda row: self.store.child_at(row).text, self._judge,
            self.config.rerank,
        )  # fmt: skip

    @cached_property
    def _judge(self) -> Judge:
        return load_judge(self.config.rerank, self.config.root)

    def _summands(self, ranking: Ranking, at: int) -> Mapping[str, Any]:
        """What the fused score is the sum of, by the default fusion."""
        if ranking.mode != "hybrid" or self.config.fusion.method != "query-max":
            return {}
        summed = parts(ranking.found.take(np.array([at])), self.config.fusion)
        values = {name: round(float(scores[0]), 4) for name, scores in summed.items()}
        if ranking.asked.second is not None:
            values["rewrite"] = round(float(ranking.extra[at]), 4)
        return {"parts": values}


def _query(terms: Sequence[str], known: dict[str, int]) -> Query:
    ids, unknown = bm25.tally(terms, known)
    return Query(tuple(ids), unknown, None)
