"""Measures by `ir_measures`: means over the queries of the qrels, a missing query is 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import ir_measures

from engine.errors import ConfigError
from eval.dataset import Qrels
from eval.matching import Run

DEFAULT_MEASURES = ("R@1", "R@5", "R@10", "R@20", "nDCG@10", "RR@10", "Success@5", "AP@100")
DEFAULT_DEPTH = 100
CURVE = (1, 2, 3, 5, 10, 20, 50, 100)
"""Ranks of the recall-at-k curve."""

PerQuery = dict[str, dict[str, float]]
"""Measure to query id to value; every query of the qrels is there."""


def parse_measures(names: Iterable[str]) -> tuple[str, ...]:
    """Names as `ir_measures` spells them, each once, in order.

    Raises:
        ConfigError: a name is unknown, or no installed provider computes it.
    """
    return tuple(dict.fromkeys(str(_parse(name)) for name in names))


def depth_of(measures: Sequence[str]) -> int:
    """How many ranks the measures look at."""
    cutoffs = [_cutoff(name) for name in measures]
    return max((cutoff or DEFAULT_DEPTH for cutoff in cutoffs), default=DEFAULT_DEPTH)


def main_measure(measures: Sequence[str]) -> str:
    """What plots, failure tables and per-query differences go by: the first nDCG, or the first."""
    return next((name for name in measures if name.startswith("nDCG")), measures[0])


def cutoff_of(measure: str) -> int:
    """The ``k`` of a measure, or 10."""
    return _cutoff(measure) or 10


def score(run: Run, qrels: Qrels, measures: Sequence[str]) -> PerQuery:
    """Every measure for every query of the qrels."""
    parsed = [_parse(name) for name in measures]
    values: PerQuery = {name: dict.fromkeys(qrels, 0.0) for name in measures}
    # An empty ranking is no different from a missing one, but some providers stumble over it.
    lines = {query_id: dict(found) for query_id, found in run.items() if found}
    if lines:
        grades = {query_id: dict(row) for query_id, row in qrels.items()}
        for metric in ir_measures.iter_calc(parsed, grades, lines):
            values[str(metric.measure)][metric.query_id] = float(metric.value)
    return values


def curve_ranks(measures: Sequence[str]) -> tuple[int, ...]:
    """`CURVE` with the rank that the main measure looks down to."""
    return tuple(sorted({*CURVE, cutoff_of(main_measure(measures))}))


def recall_curve(run: Run, qrels: Qrels, ranks: Iterable[int]) -> PerQuery:
    """``R@k`` at each of those ranks."""
    return score(run, qrels, [f"R@{k}" for k in ranks])


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean; 0 of nothing."""
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def _parse(name: str) -> Any:
    try:
        measure = ir_measures.parse_measure(name)
        supported = ir_measures.DefaultPipeline.supports(measure)
    except (NameError, ValueError, AssertionError, SyntaxError) as error:
        raise ConfigError(
            f"measure {name!r}: {error}; expected a name such as R@10, nDCG@10, RR, AP@100"
        ) from None
    if not supported:
        raise ConfigError(f"measure {name!r}: no installed provider of ir_measures computes it")
    return measure


def _cutoff(name: str) -> int | None:
    params = _parse(name).params
    return int(params["cutoff"]) if "cutoff" in params else None
