"""Ways to fuse two legs, over the same candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from engine.config import FusionSettings
from engine.retrieve.candidates import Candidates, Scores
from engine.retrieve.fusion import fuse
from engine.types import Mode
from eval.ablation.lab import Lab, measure
from eval.ablation.table import Row, between, figure
from eval.statistics import interval

HEADER = ("set", "fusion", "nDCG@10", "95 %", "R@10", "to the better leg", "95 %")

FUSIONS: dict[str, tuple[Mode, FusionSettings]] = {
    "BM25 alone": ("bm25", FusionSettings()),
    "dense alone": ("dense", FusionSettings()),
    "query-max (default)": ("hybrid", FusionSettings()),
    "query-max, parent 1.5": ("hybrid", FusionSettings(parent_weight=1.5, dense_weight=0.08)),
    "query-max, no parent": ("hybrid", FusionSettings(parent_weight=0)),
    "min-max, dense .7": ("hybrid", FusionSettings(method="min-max", dense_share=0.7)),
    "z-score, dense .7": ("hybrid", FusionSettings(method="z-score", dense_share=0.7)),
    "rrf": ("hybrid", FusionSettings(method="rrf")),
    "rrf, dense .7": ("hybrid", FusionSettings(method="rrf", dense_share=0.7)),
}
CONFIDENT = "query-max × gap of the dense leg"
AGREED = "query-max × agreement of the legs"


def fusion_rows(lab: Lab, found: Sequence[Candidates], questions: Sequence[int]) -> Iterator[Row]:
    """One row a fusion."""
    tried = {
        name: [fuse(one, mode, settings) for one in found]
        for name, (mode, settings) in FUSIONS.items()
    }
    tried[CONFIDENT] = [by_gap(one) for one in found]
    tried[AGREED] = [by_agreement(one) for one in found]
    measured = {name: _measured(lab, found, scores, questions) for name, scores in tried.items()}
    legs = [measured[name] for name in ("BM25 alone", "dense alone")]
    better = max(legs, key=lambda leg: float(leg[0].mean()))[0]
    for name, (ndcg, recall) in measured.items():
        margin = ndcg - better
        yield (
            lab.name, name, figure(float(ndcg.mean())), _between(ndcg, figure),
            figure(float(recall.mean())), f"{margin.mean():+.4f}",
            _between(margin, "{:+.4f}".format),
        )  # fmt: skip


def _measured(
    lab: Lab, found: Sequence[Candidates], scores: Sequence[Scores], questions: Sequence[int]
) -> tuple[Scores, Scores]:
    """nDCG@10 and R@10 of the questions that have targets."""
    ndcg, recall = (values[list(questions)] for values in measure(lab, found, scores))
    return ndcg[~np.isnan(ndcg)], recall[~np.isnan(recall)]


def _between(values: Scores, shown: Callable[[float], str]) -> str:
    found = interval(values.tolist(), seed=0)
    return between(found.low, found.high, shown)


def by_gap(found: Candidates) -> Scores:
    """Dense counts up to half as much again where its first is a deviation ahead of its second."""
    best = np.sort(found.cosine)[::-1]
    gap = (best[0] - best[1]) / found.deviation if len(best) > 1 else 0.0
    weight = 0.08 * (1 + 0.5 * min(1.0, float(gap)))
    return fuse(found, "hybrid", FusionSettings(parent_weight=1.5, dense_weight=weight))


def by_agreement(found: Candidates) -> Scores:
    """Words count up to half as much again where both legs have the same first ten."""
    firsts = [set(np.lexsort((found.rows, -leg))[:10].tolist()) for leg in _legs(found)]
    lift = 1 + 0.5 * len(firsts[0] & firsts[1]) / 10
    settings = FusionSettings(child_weight=lift, parent_weight=1.5 * lift, dense_weight=0.09)
    return fuse(found, "hybrid", settings)


def _legs(found: Candidates) -> tuple[Scores, Scores]:
    return found.bm25, found.cosine
