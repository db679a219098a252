"""Where a target was lost: before the index, in the ranking, or on the way into the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from eval.dataset import Dataset
from eval.results import Failure, Stage
from eval.systems import Retrieved

NOT_IN_CORPUS = "not in corpus"
ONE_LEG = "found by one leg only"
FUSION = "lost in fusion"
BUDGET = "cut by the budget"
TOKENISED = "tokenised away"
OUTRANKED = "outranked"
CAUSES = {
    NOT_IN_CORPUS: "no child of the index holds the target",
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
    legs: Sequence[bool]
    same_parent: bool
    shares_term: Callable[[], bool]


def cause(missed: Missed) -> str:
    """The first of `CAUSES` that fits."""
    if not missed.place.child_ids:
        return NOT_IN_CORPUS
    if missed.legs and all(missed.legs):
        return FUSION if len(missed.legs) > 1 else ONE_LEG
    if any(missed.legs):
        return ONE_LEG
    if missed.same_parent:
        return BUDGET
    return OUTRANKED if missed.shares_term() else TOKENISED


def failures(
    dataset: Dataset,
    catalog: Catalog,
    name: str,
    ranks: Mapping[str, Ranks],
    rankings: Mapping[str, Sequence[Retrieved]],
    k: int,
) -> list[Failure]:
    """Every relevant target that system ``name`` did not bring up within ``k``, with its cause."""
    legs = [leg for leg in LEGS if leg in ranks and leg != name]
    found: list[Failure] = []
    for query in dataset.judged:
        shown = {passage.parent_id for passage in rankings.get(query.query_id, ())[:k]}
        for target in _relevant(dataset, query.query_id):
            ranked = {s: ranks[s].get(query.query_id, {}).get(target) for s in ranks}
            own = ranked.pop(name)
            if own is not None and own <= k:
                continue
            place = catalog.place(target)
            missed = Missed(
                place,
                [(ranked[leg] or k + 1) <= k for leg in legs],
                bool(shown & place.parent_ids),
                lambda text=query.text, place=place: catalog.shares_term(text, place),
            )
            found.append(
                Failure(
                    query_id=query.query_id, target=target, query_class=query.query_class,
                    cause=cause(missed), children=list(place.child_ids), rank=own,
                    other_ranks={s: rank for s, rank in ranked.items() if rank is not None},
                )
            )  # fmt: skip
    return found


def count_causes(found: Sequence[Failure]) -> dict[str, int]:
    """How often each cause, in the order of `CAUSES`."""
    counts = Counter(failure.cause for failure in found)
    return {name: counts[name] for name in CAUSES if counts[name]}


def corpus_and_retrieval(
    dataset: Dataset, catalog: Catalog | None, ranks: Mapping[str, Ranks], k: int, depth: int
) -> Iterator[Stage]:
    """How many of the queries' targets each of the first two stages let through."""
    wanted = [(q.query_id, t) for q in dataset.judged for t in _relevant(dataset, q.query_id)]
    if catalog is not None:
        places = {target: catalog.place(target) for _, target in wanted}
        passed = sum(bool(places[target].child_ids) for _, target in wanted)
        yield Stage(name="corpus: in a child of the index", passed=passed, total=len(wanted))
    for name, rows in ranks.items():
        found = [rows.get(query_id, {}).get(target) for query_id, target in wanted]
        for reach in dict.fromkeys((k, depth)):
            passed = sum(rank is not None and rank <= reach for rank in found)
            label = f"retrieval: {name}, within {reach}"
            yield Stage(name=label, passed=passed, total=len(wanted))


def _relevant(dataset: Dataset, query_id: str) -> list[str]:
    return [target for target, grade in dataset.qrels[query_id].items() if grade > 0]
