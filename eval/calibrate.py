"""Thresholds below which a question counts as not answered by the corpus.

A question has evidence if some passage matches enough of its weight and some place holds enough of
its words, or if some passage is similar enough. The limits are chosen on one half of a set with
``unanswerable`` questions and reported on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

KEEP = 0.95
"""Share of the answerable questions that must still be answered, on the tune half."""
_STEPS = 60

Thresholds = tuple[float, float, float]
"""``min_share``, ``min_similarity``, ``min_coverage``."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The best that any passage offers one question."""

    query_id: str
    share: float
    similarity: float
    coverage: float
    answerable: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What thresholds do to a set of questions.

    ``kept``: share of answerable questions answered; ``refused``: share of unanswerable ones not.
    ``precision``: share of the refused that are unanswerable, None where nothing is refused.
    """

    kept: float
    refused: float
    precision: float | None
    answerable: int
    unanswerable: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """The chosen thresholds and what they do on either half, beside no thresholds at all."""

    min_share: float
    min_similarity: float
    min_coverage: float
    keep: float
    tune: Outcome
    test: Outcome
    test_configured: Outcome

    def as_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


def calibrate(
    tune: Sequence[Signals],
    test: Sequence[Signals],
    configured: Thresholds,
    keep: float = KEEP,
) -> Calibration:
    """Of all thresholds that keep enough, those that refuse most; then those that keep most.

    Raises:
        ConfigError: a half has no answerable or no unanswerable question.
    """
    for half in (tune, test):
        if len({signals.answerable for signals in half}) < 2:
            raise ConfigError(
                "calibrate needs answerable questions and ones of the class 'unanswerable' in "
                f"both halves, found {len(half)} of one kind; add to queries.jsonl"
            )
    best = _strictest(tune, keep)
    found = [outcome(tune, *best), outcome(test, *best), outcome(test, *configured)]
    return Calibration(*best, keep, *found)


def _strictest(signals: Sequence[Signals], keep: float) -> Thresholds:
    good = np.array([s.answerable for s in signals])
    share, similarity, coverage = (
        np.array([getattr(s, name) for s in signals])
        for name in ("share", "similarity", "coverage")
    )
    limits = _steps(similarity)
    near = similarity >= np.array(limits)[:, None]
    best: tuple[float, float, Thresholds] = (-1.0, -1.0, (0.0, -1.0, 0.0))
    for least, held in product(_steps(share), _steps(coverage)):
        answered = near | ((share >= max(least, 1e-9)) & (coverage >= held))
        kept, refused = answered[:, good].mean(axis=1), (~answered)[:, ~good].mean(axis=1)
        for at in np.flatnonzero(kept >= keep):
            found = float(refused[at]), float(kept[at])
            if found > best[:2]:
                best = (*found, (least, limits[at], held))
    return best[2]


def outcome(
    signals: Sequence[Signals], min_share: float, min_similarity: float, min_coverage: float
) -> Outcome:
    """Apply thresholds, as retrieval does: words or similarity, one is enough."""
    answered = [
        (s.share >= max(min_share, 1e-9) and s.coverage >= min_coverage)
        or s.similarity >= min_similarity
        for s in signals
    ]
    good = sum(s.answerable for s in signals)
    bad = len(signals) - good
    kept = sum(a and s.answerable for a, s in zip(answered, signals, strict=True))
    refused = sum(not a and not s.answerable for a, s in zip(answered, signals, strict=True))
    silent = len(answered) - sum(answered)
    return Outcome(
        kept / good if good else 0.0, refused / bad if bad else 0.0,
        refused / silent if silent else None, good, bad,
    )  # fmt: skip


def _steps(values: NDArray[np.float64]) -> list[float]:
    """Thresholds between the observed values, rounded so that they can be read and copied."""
    found = np.unique(np.quantile(values, np.linspace(0, 1, _STEPS)))
    return sorted({0.0, *(round(float(value), 3) for value in found), 1.01})
