"""Thresholds below which a question counts as not answered by the corpus.

A question has evidence if some passage matches enough of its weight, or is similar enough. Both
limits are chosen on one half of a set with ``unanswerable`` questions and reported on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engine.errors import ConfigError

KEEP = 0.95
"""Share of the answerable questions that must still be answered, on the tune half."""
_STEPS = 60


@dataclass(frozen=True, slots=True)
class Signals:
    """The best that any passage offers one question."""

    query_id: str
    share: float
    similarity: float
    answerable: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What two thresholds do to a set of questions.

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
    configured: tuple[float, float],
    keep: float = KEEP,
) -> Calibration:
    """Of all pairs that keep enough, the one that refuses most; then the one that keeps most.

    Raises:
        ConfigError: a half has no answerable or no unanswerable question.
    """
    for half in (tune, test):
        if len({signals.answerable for signals in half}) < 2:
            raise ConfigError(
                "calibrate needs answerable questions and ones of the class 'unanswerable' in "
                f"both halves, found {len(half)} of one kind; add to queries.jsonl"
            )
    pairs = [
        (share, similarity)
        for share in _steps([s.share for s in tune])
        for similarity in _steps([s.similarity for s in tune])
    ]
    judged = [(pair, outcome(tune, *pair)) for pair in pairs]
    fit = [(pair, found) for pair, found in judged if found.kept >= keep]
    best, found = max(fit, key=lambda one: (one[1].refused, one[1].kept))
    return Calibration(*best, keep, found, outcome(test, *best), outcome(test, *configured))


def outcome(signals: Sequence[Signals], min_share: float, min_similarity: float) -> Outcome:
    """Apply two thresholds, as retrieval does: one of them is enough."""
    answered = [s.share >= max(min_share, 1e-9) or s.similarity >= min_similarity for s in signals]
    good = sum(s.answerable for s in signals)
    bad = len(signals) - good
    kept = sum(a and s.answerable for a, s in zip(answered, signals, strict=True))
    refused = sum(not a and not s.answerable for a, s in zip(answered, signals, strict=True))
    silent = len(answered) - sum(answered)
    return Outcome(
        kept / good if good else 0.0, refused / bad if bad else 0.0,
        refused / silent if silent else None, good, bad,
    )  # fmt: skip


def _steps(values: Sequence[float]) -> list[float]:
    """Thresholds between the observed values, rounded so that they can be read and copied."""
    found = np.unique(np.quantile(values, np.linspace(0, 1, _STEPS)))
    return sorted({0.0, *(round(float(value), 3) for value in found), 1.01})
