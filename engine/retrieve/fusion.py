"""From what two legs say of each candidate to one score."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.config import FusionSettings
from engine.retrieve.candidates import Candidates, Scores
from engine.types import Mode


def fuse(found: Candidates, mode: Mode, settings: FusionSettings) -> Scores:
    """Score of each candidate, higher is better. With one leg, that leg's own score."""
    if mode == "bm25":
        return found.bm25
    if mode == "dense":
        return found.cosine
    if settings.method == "rrf":
        return rrf(found, settings.rrf_k, settings.dense_share)
    return {"query-max": query_max, "min-max": min_max, "z-score": z_score}[settings.method](
        found, settings
    )


def query_max(found: Candidates, settings: FusionSettings) -> Scores:
    """Sum of scores, each normalised by what it could have been.

    BM25 of the child and of its parent are divided by the highest score the question could reach
    (not by the best one found, which gives a leg that found next to nothing a full vote); the
    cosine is taken in deviations from the question's mean cosine to the corpus. The division by a
    bound follows Lee, "Analyses of multiple evidence combination", 1997, whose bounds are those
    of the results instead.
    """
    return sum(parts(found, settings).values(), np.zeros(len(found)))


def parts(found: Candidates, settings: FusionSettings) -> dict[str, Scores]:
    """The summands of `query_max`, by name."""
    child = found.bm25 / (found.bm25_possible or 1.0)
    parent = found.parent / (found.parent_possible or 1.0)
    return {
        "child": settings.child_weight * child,
        "parent": settings.parent_weight * parent,
        "dense": settings.dense_weight * (found.cosine - found.mean) / found.deviation,
    }


def min_max(found: Candidates, settings: FusionSettings) -> Scores:
    """Weighted sum of scores, each stretched over the candidates to run from 0 to 1.

    Fox & Shaw, "Combination of Multiple Searches", 1994, as normalised by Lee, 1997. A leg that
    found next to nothing has its full say, which `query_max` avoids.
    """
    return _mixture(found, settings, _stretched)


def z_score(found: Candidates, settings: FusionSettings) -> Scores:
    """Weighted sum of scores, each in deviations from the mean of the candidates.

    Renda & Straccia, "Web Metasearch: Rank vs. Score Based Rank Aggregation Methods", 2003.
    """
    return _mixture(found, settings, _standard)


def rrf(found: Candidates, k: int, dense_share: float = 0.5) -> Scores:
    """Weighted reciprocal rank fusion: Σ weight / (k + rank) over the legs that hold a candidate.

    Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
    Learning Methods", 2009; weighted as in Bruch, Gai & Ingber, "An Analysis of Fusion Functions
    for Hybrid Retrieval", 2023.
    """
    scores = np.zeros(len(found))
    for rank, weight in ((found.bm25_rank, 1 - dense_share), (found.dense_rank, dense_share)):
        scores += np.where(rank > 0, weight / (k + rank), 0.0)
    return scores


def _mixture(
    found: Candidates, settings: FusionSettings, normal: Callable[[Scores], Scores]
) -> Scores:
    """Child and parent by their weights for the lexical leg, then the legs by their shares."""
    child, parent = settings.child_weight, settings.parent_weight
    lexical = (child * normal(found.bm25) + parent * normal(found.parent)) / (child + parent or 1.0)
    share = settings.dense_share
    return (1 - share) * lexical + share * normal(found.cosine)


def _stretched(scores: Scores) -> Scores:
    spread = float(np.ptp(scores)) if len(scores) else 0.0
    return (scores - scores.min()) / spread if spread else np.zeros(len(scores))


def _standard(scores: Scores) -> Scores:
    deviation = float(scores.std()) if len(scores) else 0.0
    return (scores - scores.mean()) / deviation if deviation > 1e-12 else np.zeros(len(scores))
