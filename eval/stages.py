"""Where a target was lost: before the index, in the ranking, or on the way into the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from eval.dataset import Dataset, Query
from eval.results import Failure, Stage
from eval.systems import Retrieved

NOT_IN_CORPUS = "not in corpus"
WITHHELD = "below the threshold"
ONE_LEG = "found by one leg only"
FUSION = "lost in fusion"
BUDGET = "cut by the budget"
TOKENISED = "tokenised away"
OUTRANKED = "outranked"
CAUSES = {
    NOT_IN_CORPUS: "no child of the index holds the target",
    WITHHELD: "ranked within k, but not taken for evidence",
    ONE_LEG: "one leg alone has it within k, the system does not",
    FUSION: "every leg has it within k, the system does not",
    BUDGET: "its own section was found, but not the part that holds it",
    TOKENISED: "no term is shared by the question and the target's children",
    OUTRANKED: "terms are shared, but other passages score higher",
}
"""In the order they are tried: the first that fits is the cause."""

LEGS = ("bm25", "dense")
Ranks = Mapping[str, Mapping[str, int]]
"""Query id to target to rank."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target is in the index; all empty for one that is not there."""

    child_ids: tuple[str, ...] = ()
    parent_ids: frozenset[str] = frozenset()


class Catalog(Protocol):
    """What an index can say about a target, whether or not it is found."""

    def place(self, target: str) -> Place:
        """The children that hold it, in source order, and their parents."""
        ...

    def shares_term(self, query: str, place: Place) -> bool:
        """Whether the question has a term of the place's children."""
        ...


@dataclass(frozen=True, slots=True)
class Missed:
    """What is known of one target that was not within ``k``."""

    place: Place
    ranked: bool
    legs: Sequence[bool]
    same_parent: bool
    shares_term: Callable[[], bool]


def cause(missed: Missed) -> str:
    """The first of `CAUSES` that fits."""
    if not missed.place.child_ids:
        return NOT_IN_CORPUS
    if missed.ranked:
        return WITHHELD
    if missed.legs and all(missed.legs):
        return FUSION if len(missed.legs) > 1 else ONE_LEG
    if any(missed.legs):
        return ONE_LEG
    if missed.same_parent:
        return BUDGET
    return OUTRANKED if missed.shares_term() else TOKENISED


@dataclass(frozen=True, slots=True)
class Examined:
    """The system whose failures are told: its ranking, and the ranks of what it delivered."""

    name: str
    rankings: Mapping[str, Sequence[Retrieved]]
    delivered: Ranks
    k: int


def failures(
    dataset: Dataset, catalog: Catalog, ranks: Mapping[str, Ranks], system: Examined
) -> list[Failure]:
    """Every relevant target that a system did not deliver within ``k``, with its cause."""
    return [
        _failure(query, target, catalog, ranks, system)
        for query in dataset.judged
        for target in _relevant(dataset, query.query_id)
        if not _within(system.delivered, query.query_id, target, system.k)
    ]


def _failure(
    query: Query, target: str, catalog: Catalog, ranks: Mapping[str, Ranks], system: Examined
) -> Failure:
    place = catalog.place(target)
    shown = {p.parent_id for p in system.rankings.get(query.query_id, ())[: system.k]}
    others = {
        name: rows[query.query_id][target]
        for name, rows in ranks.items()
        if name != system.name and target in rows.get(query.query_id, {})
    }
    missed = Missed(
        place,
        _within(ranks[system.name], query.query_id, target, system.k),
        [others.get(leg, system.k + 1) <= system.k for leg in LEGS if leg in ranks],
        bool(shown & place.parent_ids),
        lambda: catalog.shares_term(query.text, place),
    )
    return Failure(
        query_id=query.query_id, target=target, query_class=query.query_class,
        cause=cause(missed), children=list(place.child_ids),
        rank=ranks[system.name].get(query.query_id, {}).get(target), other_ranks=others,
    )  # fmt: skip


def _within(ranks: Ranks, query_id: str, target: str, k: int) -> bool:
    return ranks.get(query_id, {}).get(target, k + 1) <= k


def count_causes(found: Sequence[Failure]) -> dict[str, int]:
    """How often each cause, in the order of `CAUSES`."""
    counts = Counter(failure.cause for failure in found)
    return {name: counts[name] for name in CAUSES if counts[name]}


def corpus_and_retrieval(
    dataset: Dataset,
    catalog: Catalog | None,
    ranks: Mapping[str, Ranks],
    delivered: Mapping[str, Ranks],
    reaches: Sequence[int],
) -> Iterator[Stage]:
    """How many of the queries' targets each of the first two stages let through.

    ``delivered`` holds the systems that have thresholds; the first of ``reaches`` is theirs.
    """
    wanted = [(q.query_id, t) for q in dataset.judged for t in _relevant(dataset, q.query_id)]
    if catalog is not None:
        passed = sum(bool(catalog.place(target).child_ids) for _, target in wanted)
        yield Stage(name="corpus: in a child of the index", passed=passed, total=len(wanted))
    for name, rows in ranks.items():
        for reach in reaches:
            passed = sum(_within(rows, *pair, reach) for pair in wanted)
            label = f"retrieval: {name}, within {reach}"
            yield Stage(name=label, passed=passed, total=len(wanted))
        if name in delivered:
            passed = sum(_within(delivered[name], *pair, reaches[0]) for pair in wanted)
            label = f"retrieval: {name}, within {reaches[0]} and above the thresholds"
            yield Stage(name=label, passed=passed, total=len(wanted))


def _relevant(dataset: Dataset, query_id: str) -> list[str]:
    return [target for target, grade in dataset.qrels[query_id].items() if grade > 0]
