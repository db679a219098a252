"""What is compared: anything that ranks passages for a batch of questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.types import Pages


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One passage of a ranking, as far as scoring needs it: its core, without its context.

    Attributes:
        source_ids: of the blocks in the core, such as ``S2-P1``.
        pages: spans of the blocks in the core.
        chars: length of the core.
    """

    doc_id: str
    score: float
    source_ids: tuple[str, ...] = ()
    pages: tuple[Pages, ...] = ()
    chars: int = 0
    child_id: str = ""
    parent_id: str = ""


Rankings = list[list[Retrieved]]
Search = Callable[[Sequence[str], int], Rankings]


class System(Protocol):
    """One way of finding passages."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def search(self, queries: Sequence[str], k: int) -> Rankings:
        """Rank at most ``k`` passages for each question, best first, scores not rising."""
        ...


@runtime_checkable
class Thresholded(Protocol):
    """A system that gives no evidence for a question below its thresholds.

    ``search`` must rank regardless of them, so that systems are compared as rankings.
    """

    def silent(self, queries: Sequence[str]) -> list[bool]:
        """Whether each question gets nothing."""
        ...


@runtime_checkable
class Timed(Protocol):
    """A system whose batches share work, and which can be timed on one question alone."""

    def once(self, query: str) -> object:
        """Answer one question as a person would ask it."""
        ...


def search_documents(
    search: Search, queries: Sequence[str], k: int, limit: int, first: int | None = None
) -> tuple[Rankings, int]:
    """Rank passages until ``k`` documents are found, fetching deeper where several share one.

    Stops for a question when its ranking ends or at ``limit`` passages. ``first`` is how many are
    fetched at once; how many most questions needed is returned too, to begin with next time.
    """
    fetched = needed = first or k
    rankings = search(queries, fetched)
    short = _short(rankings, k, fetched)
    while short and fetched < limit:
        fetched = min(fetched * 3, limit)
        needed = fetched if 2 * len(short) > len(queries) else needed
        deeper = search([queries[at] for at in short], fetched)
        for at, ranking in zip(short, deeper, strict=True):
            rankings[at] = ranking
        short = _short(rankings, k, fetched)
    return rankings, needed


def _short(rankings: Rankings, k: int, fetched: int) -> list[int]:
    return [
        at
        for at, ranking in enumerate(rankings)
        if len(ranking) >= fetched and len({passage.doc_id for passage in ranking}) < k
    ]
