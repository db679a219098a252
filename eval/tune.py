"""Choose settings on one half of the questions, and tell the truth about them on the other."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from engine.errors import ConfigError
from eval.dataset import Dataset
from eval.experiment import Settings, ask, shorten
from eval.indexes import parse_value
from eval.measures import mean, score
from eval.statistics import interval, paired, too_few
from eval.systems import System

Point = Mapping[str, Any]
"""One combination of settings, ``section.field`` to value; empty: as configured."""

DEFAULT_GRID = ("fusion.parent_weight=0,0.5,1,2", "fusion.dense_weight=0.05,0.1,0.15,0.2,0.3")


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was tried and what came of it.

    Attributes:
        trials: every combination with its mean on the tune half, in the order tried.
        chosen: the best of them; empty where nothing beat the configured settings.
    """

    measure: str
    seed: int
    tune_queries: int
    test_queries: int
    trials: tuple[tuple[Point, float], ...]
    chosen: Point
    test_before: float
    test_after: float
    test_low: float
    test_high: float
    p: float
    wins: int
    losses: int
    warning: str

    def as_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


def parse_grid(texts: Iterable[str]) -> list[Point]:
    """``section.field=value,value`` each, as all their combinations, the configured settings first.

    Raises:
        ConfigError: one has another shape.
    """
    axes: dict[str, list[Any]] = {}
    for text in texts:
        name, sign, values = text.partition("=")
        if not sign or "." not in name or not values:
            raise ConfigError(f"--grid {text!r}: expected section.field=value,value")
        axes[name] = [parse_value(value) for value in values.split(",")]
    return [{}, *(dict(zip(axes, values, strict=True)) for values in product(*axes.values()))]


def halves(dataset: Dataset, seed: int) -> tuple[Dataset, Dataset]:
    """A tune half and a test half of the questions, each class parted alike.

    Raises:
        ConfigError: there are too few questions to part.
    """
    rng = random.Random(seed)
    by_class: dict[str, list[str]] = {}
    for query in sorted(dataset.queries, key=lambda query: query.query_id):
        by_class.setdefault(query.query_class, []).append(query.query_id)
    tune: list[str] = []
    for ids in by_class.values():
        # Odd classes give their extra question to either half, so that neither is favoured.
        rng.shuffle(ids)
        tune += ids[: (len(ids) + rng.randrange(2)) // 2]
    first = shorten(dataset, tune)
    second = shorten(dataset, {q.query_id for q in dataset.queries} - set(tune))
    if not first.qrels or not second.qrels:
        raise ConfigError(f"{dataset.name}: {len(dataset.qrels)} judged questions cannot be halved")
    return first, second


def tune(
    dataset: Dataset,
    make: Callable[[Point], System],
    grid: Sequence[Point],
    measure: str,
    seed: int,
    tell: Callable[[str, int, int], None] | None = None,
) -> Tuned:
    """Try every point on the tune half; ask the test half twice: as configured, and as chosen."""
    first, second = halves(dataset, seed)
    trials: list[tuple[Point, float]] = []
    for done, point in enumerate(grid, 1):
        trials.append((point, mean(_values(make(point), first, measure).values())))
        if tell:
            tell("tune", done, len(grid))
    chosen = max(trials, key=lambda trial: round(trial[1], 6))[0]
    before = _values(make({}), second, measure)
    after = _values(make(chosen), second, measure) if chosen else before
    pair = paired(before, after, seed)
    bounds = interval([after[q] - before[q] for q in before], seed)
    return Tuned(
        measure, seed, len(first.qrels), len(second.qrels), tuple(trials), chosen,
        mean(before.values()), mean(after.values()), bounds.low, bounds.high, pair.p, pair.wins,
        pair.losses, too_few(len(before), pair.wins + pair.losses),
    )  # fmt: skip


def _values(system: System, dataset: Dataset, measure: str) -> dict[str, float]:
    settings = Settings(measures=(measure,), latency_sample=0)
    judged = shorten(dataset, dataset.qrels)
    return score(ask(system, judged, settings).run, dataset.qrels, [measure])[measure]
