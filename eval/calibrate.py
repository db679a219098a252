"""Thresholds below which a question counts as not answered by the corpus.

A question has evidence if some passage matches enough of its weight and some place holds enough of
its words, or if some passage is similar enough; and if some place states the quantity that it asks
for; and, with a reranker, if that finds some passage good enough. The limits are chosen on one half
of a set with ``unanswerable`` questions and reported on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

KEEP = 0.97
"""Share of the answerable questions that must still be answered, on the tune half."""
_STEPS = 60

Thresholds = tuple[float, float, float, float | None]
"""``min_share``, ``min_similarity``, ``min_coverage``, and a reranker's ``min_score``."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The best that any passage offers one question; ``judged`` is None without a reranker.

    ``stated``: whether some place has a figure of the kind that is asked for, if one is.
    """

    query_id: str
    share: float
    similarity: float
    coverage: float
    answerable: bool
    stated: bool = True
    judged: float | None = None


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
    min_score: float | None
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

    With a reranker its score and ``min_coverage`` are chosen, and the others stay as configured.

    Raises:
        ConfigError: a half has no answerable or no unanswerable question.
    """
    for half in (tune, test):
        if len({signals.answerable for signals in half}) < 2:
            raise ConfigError(
                "calibrate needs answerable questions and ones of the class 'unanswerable' in "
                f"both halves, found {len(half)} of one kind; add to queries.jsonl"
            )
    judged = any(signals.judged is not None for signals in tune)
    best = _strictest_judge(tune, configured, keep) if judged else _strictest(tune, keep)
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
    stated = np.array([s.stated for s in signals])
    best: tuple[float, float, Thresholds] = (-1.0, -1.0, (0.0, -1.0, 0.0, None))
    for least, held in product(_steps(share), _steps(coverage)):
        answered = stated & (near | ((share >= max(least, 1e-9)) & (coverage >= held)))
        kept, refused = answered[:, good].mean(axis=1), (~answered)[:, ~good].mean(axis=1)
        for at in np.flatnonzero(kept >= keep):
            found = float(refused[at]), float(kept[at])
            if found > best[:2]:
                best = (*found, (least, limits[at], held, None))
    return best[2]


def _strictest_judge(signals: Sequence[Signals], configured: Thresholds, keep: float) -> Thresholds:
    share, similarity, _, _ = configured
    best: tuple[tuple[float, ...], Thresholds] = ((-1.0,), (share, similarity, 0.0, None))
    scores = [s.judged for s in signals if s.judged is not None]
    for held, score in product(
        _steps(np.array([s.coverage for s in signals])), _quantiles(np.array(scores))
    ):
        found = outcome(signals, share, similarity, held, score)
        # Of two ways to the same end, the one that asks less of the words.
        worth = (found.refused, found.kept, -held, score)
        if found.kept >= keep and worth > best[0]:
            best = (worth, (share, similarity, held, score))
    return best[1]


def outcome(
    signals: Sequence[Signals],
    min_share: float,
    min_similarity: float,
    min_coverage: float,
    min_score: float | None = None,
) -> Outcome:
    """Apply thresholds, as retrieval does: words or similarity, one is enough; then the judge."""
    answered = [
        (
            (s.share >= max(min_share, 1e-9) and s.coverage >= min_coverage)
            or s.similarity >= min_similarity
        )
        and s.stated
        and (min_score is None or s.judged is None or s.judged >= min_score)
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
    """Thresholds of shares and cosines: among the observed values, and beyond all on both sides."""
    return sorted({0.0, *_quantiles(values), 1.01})


def _quantiles(values: NDArray[np.float64]) -> list[float]:
    """Values spread over those observed, rounded so that they can be read and copied."""
    found = np.quantile(values, np.linspace(0, 1, _STEPS))
    return sorted({round(float(value), 3) for value in found})
