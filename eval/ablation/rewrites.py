"""What the second wording of questions that name a place brings, class by class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.config import FusionSettings, RewriteSettings
from engine.index import bm25
from engine.retrieve.candidates import Candidates, Query, Scores, gather_wordings
from engine.retrieve.fusion import fuse
from engine.retrieve.mentions import names_of
from engine.retrieve.places import catalog_of
from engine.retrieve.rewrite import Rewriting, rewrite
from eval.ablation.lab import DEPTH, Lab, measure
from eval.ablation.table import Row, figure

HEADER = ("class", "mode", "questions", "rewritten", "nDCG@10", "R@10", "better", "worse")
_MODES: tuple[Literal["off", "limited", "all"], ...] = ("off", "limited", "all")


def rewrite_rows(lab: Lab, questions: Sequence[int]) -> Iterator[Row]:
    """One row a class and mode; ``better`` and ``worse`` count questions by nDCG@10."""
    kinds = sorted({lab.questions[at].kind for at in questions if lab.questions[at].grades})
    plain: NDArray[np.float64] | None = None
    for mode in _MODES:
        settings = RewriteSettings(mode=mode)
        rewritings = _rewritings(lab, settings)
        found, scores = _scored(lab, rewritings, settings.weight)
        ndcg, recall = measure(lab, found, scores)
        plain = ndcg if plain is None else plain
        for kind in kinds:
            at = [i for i in questions if lab.questions[i].kind == kind]
            change = ndcg[at] - plain[at]
            yield (
                kind or "all", mode, str(len(at)),
                str(sum(rewritings[i].text is not None for i in at)),
                figure(float(ndcg[at].mean())), figure(float(recall[at].mean())),
                str(int((change > 1e-9).sum())), str(int((change < -1e-9).sum())),
            )  # fmt: skip


def _rewritings(lab: Lab, settings: RewriteSettings) -> list[Rewriting]:
    names = names_of(catalog_of(lab.engine.config))
    texts = [question.text for question in lab.questions]
    analysed = lab.engine.korean.morphemes(texts)
    return [rewrite(t, m, names, settings) for t, m in zip(texts, analysed, strict=True)]


def _scored(
    lab: Lab, rewritings: Sequence[Rewriting], weight: float
) -> tuple[list[Candidates], list[Scores]]:
    """As the engine does it: the second wording by words alone, added by its weight."""
    found: list[Candidates] = []
    scores: list[Scores] = []
    legs, fusion = lab.engine.legs, FusionSettings()
    for at, rewriting in enumerate(rewritings):
        wordings = [_query(lab, lab.questions[at].text, at)]
        if rewriting.text is not None:
            wordings.append(_query(lab, rewriting.text, None))
        one, *others = gather_wordings(legs, wordings, "hybrid", DEPTH)
        score = fuse(one, "hybrid", fusion)
        for other in others:
            score = score + weight * fuse(other, "hybrid", fusion)
        found.append(one)
        scores.append(score)
    return found, scores


def _query(lab: Lab, text: str, vector: int | None) -> Query:
    terms = next(lab.engine.tokenizer.terms([" ".join(text.split())]))
    ids, unknown = bm25.tally(terms, lab.engine.store.term_ids(terms))
    return Query(tuple(ids), unknown, None if vector is None else lab.vectors[vector : vector + 1])
