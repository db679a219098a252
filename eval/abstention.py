"""Knowing when there is no answer: what a system returns for questions the corpus does not answer.

A system abstains by delivering nothing. Beyond that, the score of its first passage is taken as its
confidence: ranked by it, the questions show the risk of answering as coverage grows (El-Yaniv and
Wiener, "On the Foundations of Noise-free Selective Classification", 2010).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.results import Abstention, RiskPoint


@dataclass(frozen=True, slots=True)
class Confidence:
    """One question: the score of the first passage, None where nothing came back.

    ``right`` says whether answering from the first passage would have been right.
    """

    score: float | None
    answerable: bool
    right: bool


def abstention(outcomes: Sequence[Confidence]) -> Abstention:
    """How often silence was right, and how the risk grows with coverage."""
    silent = [o for o in outcomes if o.score is None]
    hopeless = sum(not o.answerable for o in outcomes)
    right = sum(not o.answerable for o in silent)
    points = risk_coverage(outcomes)
    return Abstention(
        abstained=len(silent),
        unanswerable=hopeless,
        precision=right / len(silent) if silent else None,
        recall=right / hopeless if hopeless else None,
        separation=separation(outcomes),
        risk_area=_area(points),
        risk_coverage=points,
    )


def risk_coverage(outcomes: Sequence[Confidence]) -> list[RiskPoint]:
    """Share of wrong answers among the questions answered, most confident first.

    Questions with one and the same score enter together.
    """
    spoken = sorted((o for o in outcomes if o.score is not None), key=lambda o: -(o.score or 0.0))
    points: list[RiskPoint] = []
    wrong = 0
    for count, outcome in enumerate(spoken, 1):
        wrong += not outcome.right
        if count < len(spoken) and spoken[count].score == outcome.score:
            continue
        points.append(
            RiskPoint(
                coverage=count / len(outcomes), risk=wrong / count, threshold=outcome.score or 0.0
            )
        )
    return points


def separation(outcomes: Sequence[Confidence]) -> float | None:
    """Chance that an answerable question scores above an unanswerable one (area under the ROC)."""
    good = [_value(o) for o in outcomes if o.answerable]
    bad = [_value(o) for o in outcomes if not o.answerable]
    if not good or not bad:
        return None
    above = sum((g > b) + (g == b) / 2 for g in good for b in bad)
    return above / (len(good) * len(bad))


def _value(outcome: Confidence) -> float:
    return float("-inf") if outcome.score is None else outcome.score


def _area(points: Sequence[RiskPoint]) -> float | None:
    """Mean risk over coverage, each step weighed by the coverage it adds."""
    if not points:
        return None
    total, before = 0.0, 0.0
    for point in points:
        total += point.risk * (point.coverage - before)
        before = point.coverage
    return total / before


def outcomes_of(
    scores: Mapping[str, float | None], right: Mapping[str, bool], answerable: Mapping[str, bool]
) -> list[Confidence]:
    """Join what is known of each question."""
    return [
        Confidence(score, answerable[query_id], right.get(query_id, False))
        for query_id, score in scores.items()
    ]
