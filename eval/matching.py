"""Passages become lines of a run: the only scoring this harness does by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from eval.dataset import Qrels
from eval.systems import Retrieved
from eval.targets import covers, parse_target

Run = Mapping[str, Mapping[str, float]]
"""Query id to line to score: lines in rank order, scores strictly falling even as float32."""


def to_run(
    rankings: Mapping[str, Sequence[Retrieved]], qrels: Qrels, *, by_document: bool, k: int
) -> Run:
    """The first ``k`` ranks of each question.

    By document, a rank is a document at its best passage. Otherwise a rank is a passage: one that
    is the first to cover a target stands there under the target's name (several targets take
    consecutive ranks, the best grade first), any other under a name that is no target.
    """
    return {
        query_id: falling(
            _documents(ranking) if by_document else _passages(ranking, qrels.get(query_id, {})), k
        )
        for query_id, ranking in rankings.items()
    }


def falling(lines: Iterable[tuple[str, float]], k: int) -> dict[str, float]:
    """Scores that say the order alone: trec_eval sorts by float32 score and ignores ranks."""
    run: dict[str, float] = {}
    ceiling = np.float32(np.inf)
    for name, score in lines:
        if len(run) == k:
            break
        ceiling = min(np.float32(score), np.nextafter(ceiling, np.float32(-np.inf)))
        run[name] = float(ceiling)
    return run


def best_ranks(run_lines: Mapping[str, float], targets: Iterable[str]) -> dict[str, int]:
    """Rank, from 1, of each target that was found."""
    places = {name: rank for rank, name in enumerate(run_lines, 1)}
    return {target: places[target] for target in targets if target in places}


def _documents(ranking: Sequence[Retrieved]) -> Iterable[tuple[str, float]]:
    best: dict[str, float] = {}
    for passage in ranking:
        best.setdefault(passage.doc_id, passage.score)
    return best.items()


def _passages(
    ranking: Sequence[Retrieved], grades: Mapping[str, int]
) -> Iterable[tuple[str, float]]:
    waiting = {t: parse_target(t) for t in sorted(grades, key=lambda t: (-grades[t], t))}
    for rank, passage in enumerate(ranking, 1):
        found = [name for name, target in waiting.items() if covers(passage, target)]
        for name in found:
            del waiting[name]
            yield name, passage.score
        if not found:
            yield f"{passage.doc_id}#{rank}:{_extent(passage)}", passage.score


def _extent(passage: Retrieved) -> str:
    if passage.source_ids:
        first, last = passage.source_ids[0], passage.source_ids[-1]
        return first if first == last else f"{first}..{last}"
    return "passage"
