"""How sure a difference is: intervals, paired tests, effect sizes. All take a seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

FEW_QUERIES = 25
"""Below this, an interval is too wide to tell systems of the same kind apart."""
FEW_DIFFERENCES = 6
"""Fewer queries that differ cannot reach p < .05: two of 2**5 sign patterns are already .0625."""
RESAMPLES = 5000
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over queries and its percentile bootstrap interval."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Paired:
    """One system against another on the same queries.

    Attributes:
        difference: mean of the second minus mean of the first.
        p: of the paired randomisation test, two-sided.
        effect: mean difference in standard deviations of the differences (Cohen's d_z).
    """

    difference: float
    p: float
    wins: int
    ties: int
    losses: int
    effect: float


def interval(values: Sequence[float], seed: int) -> Interval:
    """Mean with a 95% interval from resampling queries."""
    array = np.asarray(values, np.float64)
    if not len(array):
        return Interval(0.0, 0.0, 0.0, 0)
    mean = float(array.mean())
    if np.ptp(array) == 0:
        return Interval(mean, mean, mean, len(array))
    found = stats.bootstrap(
        (array,), np.mean, n_resamples=RESAMPLES, confidence_level=CONFIDENCE,
        method="percentile", rng=np.random.default_rng(seed), batch=500,
    ).confidence_interval  # fmt: skip
    return Interval(mean, float(found.low), float(found.high), len(array))


def paired(base: Mapping[str, float], other: Mapping[str, float], seed: int) -> Paired:
    """Compare per-query values; both must have the same queries.

    The test flips the sign of each query's difference (Fisher's randomisation test; Smucker et al.,
    "A Comparison of Statistical Significance Tests for Information Retrieval Evaluation", 2007).
    """
    differences = np.array([other[query_id] - base[query_id] for query_id in base])
    changed = differences[np.abs(differences) > 1e-12]
    return Paired(
        difference=float(differences.mean()) if len(differences) else 0.0,
        p=_randomisation(changed, seed),
        wins=int((changed > 0).sum()),
        ties=len(differences) - len(changed),
        losses=int((changed < 0).sum()),
        effect=_effect(differences),
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust for having looked several times (Holm, 1979); in the order given."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    for place, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = highest
    return adjusted


def too_few(n: int, changed: int | None = None) -> str:
    """A warning where the queries cannot carry a conclusion, or nothing."""
    if n < FEW_QUERIES:
        return f"{n} queries: too few to tell systems apart (expected at least {FEW_QUERIES})"
    if changed is not None and changed < FEW_DIFFERENCES:
        return f"only {changed} queries differ: no test can tell these systems apart"
    return ""


def _randomisation(changed: np.ndarray, seed: int) -> float:
    """Queries without a difference have no sign to flip and are left out beforehand."""
    if len(changed) < 2:
        return 1.0
    found = stats.permutation_test(
        (changed,), _total, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES,
        rng=np.random.default_rng(seed), batch=500,
    )  # fmt: skip
    return float(found.pvalue)


def _total(values: np.ndarray, axis: int) -> np.ndarray:
    total: np.ndarray = values.sum(axis=axis)
    return total


def _effect(differences: np.ndarray) -> float:
    if len(differences) < 2:
        return 0.0
    deviation = float(differences.std(ddof=1))
    return float(differences.mean()) / deviation if not math.isclose(deviation, 0) else 0.0
