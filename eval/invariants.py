"""What must hold for any ranking: when it does not, the harness is wrong, and the run fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from eval.dataset import Qrels
from eval.matching import Run, falling
from eval.measures import PerQuery, mean, score
from eval.results import Check
from eval.statistics import paired

_SLACK = 1e-9


def check_system(name: str, run: Run, qrels: Qrels, curve: PerQuery) -> list[Check]:
    """Bounds and order of the measures of one system, and its reversed-order canary."""
    qrels = {query_id: row for query_id, row in qrels.items() if any(row.values())}
    values = score(run, qrels, ["R@1", "RR", "nDCG"])
    first, reciprocal, gain = values["R@1"], values["RR"], values["nDCG"]
    return [
        Check(name=f"{name}: R@k never falls with k", problem=_monotone(curve)),
        Check(
            name=f"{name}: R@1 <= RR <= 1",
            problem=_worst(first, lambda q, v: v <= reciprocal[q] + _SLACK <= 1 + 2 * _SLACK),
        ),
        Check(name=f"{name}: nDCG <= 1", problem=_worst(gain, lambda q, v: v <= 1 + _SLACK)),
        Check(name=f"{name}: reversed order scores lower", problem=_canary(run, qrels, reciprocal)),
    ]


def check_oracle(run: Run, qrels: Qrels) -> Check:
    """A system that returns every target's own passage, through the same matching, scores 1."""
    qrels = {query_id: row for query_id, row in qrels.items() if any(row.values())}
    values = score(run, qrels, ["nDCG", "RR"])
    short = [
        f"{name} of query {query_id} is {value:.4f}"
        for name, row in values.items()
        for query_id, value in row.items()
        if value < 1 - _SLACK
    ]
    return Check(name="a system given the qrels scores 1", problem=short[0] if short else "")


def reverse(run: Run) -> Run:
    """The same lines, worst first."""
    return {
        query_id: falling(
            [(line, -rank) for rank, line in enumerate(reversed(list(lines)))], len(lines)
        )
        for query_id, lines in run.items()
    }


def _monotone(curve: PerQuery) -> str:
    rows = list(curve.items())
    return next(_falls(rows), "")


def _falls(rows: list[tuple[str, dict[str, float]]]) -> Iterator[str]:
    for (small, before), (large, after) in zip(rows, rows[1:], strict=False):
        for query_id, value in before.items():
            if value > after[query_id] + _SLACK:
                yield f"query {query_id}: {small} {value:.4f} > {large} {after[query_id]:.4f}"


def _worst(values: Mapping[str, float], holds: Callable[[str, float], bool]) -> str:
    return next((f"query {q}: {v:.4f}" for q, v in values.items() if not holds(q, v)), "")


def _canary(run: Run, qrels: Qrels, reciprocal: Mapping[str, float]) -> str:
    """A weak ranking of few questions may lose to its reverse by chance; that is no fault."""
    turned = score(reverse(run), qrels, ["RR"])["RR"]
    own, canary = mean(reciprocal.values()), mean(turned.values())
    if canary < own or paired(reciprocal, turned, seed=0).p >= 0.05:
        return ""
    return f"RR {own:.4f}, reversed {canary:.4f}: is the order upside down?"
