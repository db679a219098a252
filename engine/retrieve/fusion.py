"""From what two legs say of each candidate to one score."""

from __future__ import annotations

import numpy as np

from engine.config import FusionSettings
from engine.retrieve.search import Candidates, Scores
from engine.types import Mode


def fuse(found: Candidates, mode: Mode, settings: FusionSettings) -> Scores:
    """Score of each candidate, higher is better. With one leg, that leg's own score."""
    if mode == "bm25":
        return found.bm25
    if mode == "dense":
        return found.cosine
    if settings.method == "rrf":
        return rrf(found, settings.rrf_k)
    return query_max(found, settings)


def query_max(found: Candidates, settings: FusionSettings) -> Scores:
    """Sum of scores, each normalised by what it could have been.

    BM25 of the child and of its parent are divided by the highest score the question could reach
    (not by the best one found, which gives a leg that found next to nothing a full vote); the
    cosine is taken in deviations from the question's mean cosine to the corpus. The division by a
    bound follows Lee, "Analyses of multiple evidence combination", 1997, whose bounds are those
    of the results instead.
    """
    lexical = settings.child_weight * found.bm25 / (found.bm25_possible or 1.0)
    lexical = lexical + settings.parent_weight * found.parent / (found.parent_possible or 1.0)
    return lexical + settings.dense_weight * (found.cosine - found.mean) / found.deviation


def rrf(found: Candidates, k: int) -> Scores:
    """Reciprocal rank fusion: Σ 1 / (k + rank) over the legs that hold a candidate.

    Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
    Learning Methods", 2009.
    """
    scores = np.zeros(len(found))
    for rank in (found.bm25_rank, found.dense_rank):
        scores += np.where(rank > 0, 1.0 / (k + rank), 0.0)
    return scores
