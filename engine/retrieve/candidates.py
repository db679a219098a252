"""Look a question up in both legs and gather the candidates, each with what either leg says of it.

Anything that answers the protocols below can serve: arrays in this process, or a vector database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.types import Mode, Vectors

_GROUP = 32

Scores = NDArray[np.float64]
Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


class Lexical(Protocol):
    """BM25 over numbered texts, by term ids."""

    @property
    def size(self) -> int:
        """Number of texts."""
        ...

    def scores(self, terms: Sequence[int]) -> Floats:
        """Score of every text."""
        ...

    def highest_possible(self, terms: Sequence[int], unknown: int = 0) -> float:
        """What a question of these terms, and some unknown ones, could score at most."""
        ...

    def parts(self, terms: Sequence[int], rows: Sequence[int]) -> Floats:
        """What each term adds to the score of each of some texts, (terms, rows)."""
        ...

    def rarity(self, term: int | None) -> float:
        """The idf of a term; of one in no text for None."""
        ...


class Dense(Protocol):
    """Vectors by row."""

    @property
    def size(self) -> int:
        """Number of vectors."""
        ...

    def search(self, queries: Vectors, depth: int) -> tuple[Rows, Vectors]:
        """Rows and cosines of the nearest vectors, best first."""
        ...

    def vectors(self, rows: Rows) -> Vectors:
        """The vectors of some rows."""
        ...

    def spread(self, queries: Vectors) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Mean and deviation of each query's cosine to the corpus."""
        ...


@dataclass(frozen=True, slots=True)
class Legs:
    """The loaded indexes. ``parent_of[row]`` is the position of a child's parent."""

    children: Lexical
    parents: Lexical
    parent_of: NDArray[np.int32]
    dense: Dense


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of a question say of the whole corpus.

    Scores of every child and of every parent, and the ``best`` rows, in no order.
    """

    bm25: Floats
    parent: Floats
    best: Rows


@dataclass(frozen=True, slots=True)
class Query:
    """A question, analysed: ids of its known terms, how many are unknown, its vector (1, dim).

    ``words`` and ``near``, the cosines of the nearest rows, are there if looked up beforehand.
    """

    terms: tuple[int, ...]
    unknown: int
    vector: Vectors | None
    near: Mapping[int, float] | None = None
    words: Words | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Children that a leg brought up; all arrays run alike, by ascending row.

    ``bm25`` and ``parent`` are scores of the child and of its parent, ``best_bm25`` is the highest
    child's in the corpus, or in the rows that alone were asked; ``bm25_possible`` and
    ``parent_possible`` are the most a question could score; ``cosine`` is 0 where the dense leg is
    off, ``mean`` and ``deviation`` are of the question's cosine to the whole corpus. Ranks count
    from 1; 0: that leg did not find the row.
    """

    rows: Rows
    bm25: Scores
    parent: Scores
    cosine: Scores
    bm25_rank: Rows
    dense_rank: Rows
    bm25_possible: float
    parent_possible: float
    best_bm25: float
    mean: float
    deviation: float

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def share(self) -> Scores:
        """How much of the question's weight each child matches, from 0 to 1."""
        return self.bm25 / (self.bm25_possible or 1.0)

    @property
    def best_share(self) -> float:
        """The highest share of any child in what was asked."""
        return self.best_bm25 / (self.bm25_possible or 1.0)

    def take(self, keep: NDArray[np.bool_] | Rows) -> Candidates:
        """Some of the candidates; ranks stay as they were."""
        arrays = ("rows", "bm25", "parent", "cosine", "bm25_rank", "dense_rank")
        values = {name: getattr(self, name)[keep] for name in arrays}
        return Candidates(
            **values, bm25_possible=self.bm25_possible, parent_possible=self.parent_possible,
            best_bm25=self.best_bm25, mean=self.mean, deviation=self.deviation,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Look:
    """What the legs say of the whole corpus; ``near`` has the cosines of the nearest rows."""

    query: Query
    words: Words
    near: Mapping[int, float]

    def brought_up(self) -> Rows:
        """The best rows by words, and by meaning."""
        near = np.fromiter(self.near, np.int64, len(self.near))
        return np.unique(np.concatenate([near, self.words.best]))


def gather(
    legs: Legs, query: Query, mode: Mode, depth: int, within: range | None = None
) -> Candidates:
    """The best ``depth`` children of each leg; with ``within``, every child of those rows."""
    return gather_wordings(legs, [query], mode, depth, within)[0]


def gather_wordings(
    legs: Legs, queries: Sequence[Query], mode: Mode, depth: int, within: range | None = None
) -> list[Candidates]:
    """Candidates for several wordings of one question: whatever one of them brings up, for all."""
    looks = [_look(legs, query, mode, depth if within is None else 0) for query in queries]
    if within is not None:
        rows: Rows = np.arange(within.start, within.stop, dtype=np.int64)
    else:
        rows = reduce(np.union1d, [look.brought_up() for look in looks])
    return [_describe(legs, look, rows, within is not None) for look in looks]


def _look(legs: Legs, query: Query, mode: Mode, depth: int) -> _Look:
    near = query.near
    if near is None:
        near = nearest(legs.dense, query.vector, depth)[0] if query.vector is not None else {}
    return _Look(query, query.words or by_words(legs, query.terms, mode, depth), near)


def by_words(legs: Legs, terms: Sequence[int], mode: Mode, depth: int) -> Words:
    """Scores of all, and the best ``depth`` rows by the child's words, and with the parent's."""
    bm25 = legs.children.scores(terms)
    parent = legs.parents.scores(terms) if mode == "hybrid" else np.zeros(0, np.float32)
    best = [np.zeros(0, np.int64)]
    if mode != "dense" and depth:
        best.append(_best(bm25, depth))
    if mode == "hybrid" and depth:
        both = (parent * (_above_zero(bm25) / _above_zero(parent))).take(legs.parent_of)
        both += bm25
        best.append(_best(both, depth))
    return Words(bm25, parent, np.concatenate(best))


def _describe(legs: Legs, look: _Look, rows: Rows, alone: bool) -> Candidates:
    """Candidates of those rows; ``alone``: nothing else in the corpus was asked."""
    query, words = look.query, look.words
    bm25 = words.bm25[rows].astype(np.float64)
    cosine = _cosines(legs.dense, query.vector, rows, look.near)
    mean, deviation = _spread(legs.dense, query.vector)
    parent = words.parent[legs.parent_of[rows]] if len(words.parent) else np.zeros(len(rows))
    return Candidates(
        rows=rows,
        bm25=bm25,
        parent=parent.astype(np.float64),
        cosine=cosine,
        bm25_rank=ranks(bm25, rows, bm25 > 0),
        dense_rank=ranks(cosine, rows, cosine > -1) if query.vector is not None else rows * 0,
        bm25_possible=legs.children.highest_possible(query.terms, query.unknown),
        parent_possible=legs.parents.highest_possible(query.terms, query.unknown),
        best_bm25=float((bm25 if alone else words.bm25).max(initial=0.0)),
        mean=mean,
        deviation=deviation,
    )


def ranks(scores: Scores, rows: Rows, counted: NDArray[np.bool_]) -> Rows:
    """Rank of each candidate by score, ties to the smaller row; 0 for those not counted."""
    order = np.lexsort((rows, -scores))
    order = order[counted[order]]
    ranked = np.zeros(len(rows), np.int64)
    ranked[order] = np.arange(1, len(order) + 1)
    return ranked


def _best(scores: Floats, depth: int) -> Rows:
    """Rows of the highest positive scores, in no order; ties at the edge to the smaller rows."""
    floor = _floor(scores, depth)
    rows = np.flatnonzero(scores >= floor if floor > 0 else scores > 0)
    if len(rows) > depth:
        edge = np.partition(scores[rows], len(rows) - depth)[len(rows) - depth]
        above, at = rows[scores[rows] > edge], rows[scores[rows] == edge]
        rows = np.concatenate([above, at[: depth - len(above)]])
    return rows


def _floor(scores: Floats, depth: int) -> float:
    """A score that at least ``depth`` rows reach, found without sorting; 0 where there are few.

    It is the ``depth``-th best of the maxima of interleaved groups, each of which is some row's.
    """
    groups = len(scores) // _GROUP
    if groups < depth:
        return 0.0
    highest = scores[: groups * _GROUP].reshape(_GROUP, groups).max(axis=0)
    return float(np.partition(highest, groups - depth)[groups - depth])


def _above_zero(scores: Floats) -> float:
    return float(scores.max(initial=0.0)) or 1.0


def nearest(dense: Dense, vectors: Vectors, depth: int) -> list[dict[int, float]]:
    """The cosines of the ``depth`` nearest rows, by row, of each of some vectors."""
    if depth == 0:
        return [{} for _ in vectors]
    found = zip(*(part.tolist() for part in dense.search(vectors, depth)), strict=True)
    near = [dict(zip(rows, cosines, strict=True)) for rows, cosines in found]
    for one in near:
        one.pop(-1, None)
    return near


def _cosines(dense: Dense, vector: Vectors | None, rows: Rows, near: Mapping[int, float]) -> Scores:
    """Cosine of every candidate; those that only BM25 found are looked up."""
    if vector is None or not len(rows):
        return np.zeros(len(rows))
    known = np.fromiter(near, np.int64, len(near))
    cosine = np.zeros(len(rows))
    at = np.searchsorted(rows, known)
    cosine[at] = np.fromiter(near.values(), np.float64, len(near))
    missing = np.ones(len(rows), np.bool_)
    missing[at] = False
    if missing.any():
        cosine[missing] = np.einsum("rd,d->r", dense.vectors(rows[missing]), vector[0])
    return cosine


def _spread(dense: Dense, vector: Vectors | None) -> tuple[float, float]:
    if vector is None:
        return 0.0, 1.0
    mean, deviation = dense.spread(vector)
    return float(mean[0]), float(deviation[0])
