"""Okapi BM25: fitted by rank-bm25, served as a term → postings matrix with the same scores.

`rank_bm25.BM25Okapi` scores a question by touching every document. Its weights depend on the corpus
alone, so they are computed once and kept by term. Source: Robertson & Zaragoza, "The Probabilistic
Relevance Framework: BM25 and Beyond", 2009.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from scipy import sparse

_ARRAYS = ("indptr", "rows", "counts", "weights", "idf")
_POSTINGS_AT_ONCE = 1 << 20

Counts = sparse.csr_array
"""How often each term (column) stands in each text (row)."""


class Okapi(BM25Okapi):  # type: ignore[misc]
    """rank-bm25's Okapi with an idf that is positive for every term.

    The stock idf is zero or negative for a term in half of the texts, and small corpora are made of
    such terms.
    """

    def _calc_idf(self, nd: dict[Any, int]) -> None:
        self.idf = {term: idf(self.corpus_size, n) for term, n in nd.items()}


def idf(size: int, containing: int) -> float:
    """ln(1 + (N − n + ½) / (n + ½)): the weight of a term in ``containing`` of ``size`` texts."""
    return math.log(1 + (size - containing + 0.5) / (containing + 0.5))


@dataclass(frozen=True, slots=True)
class BM25Index:
    """Postings by term id: the rows of term t are ``rows[indptr[t]:indptr[t + 1]]``."""

    indptr: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.int32]
    weights: NDArray[np.float32]
    idf: NDArray[np.float64]
    size: int
    k1: float

    def scores(self, terms: Sequence[int]) -> NDArray[np.float32]:
        """Score of every row, as ``BM25Okapi.get_scores``; a repeated term counts again."""
        if self.size == 0 or not terms:
            return np.zeros(self.size, np.float32)
        slices = [slice(self.indptr[term], self.indptr[term + 1]) for term in terms]
        ends = np.cumsum([0, *(part.stop - part.start for part in slices)])
        # Twice as fast as `numpy.bincount`, which first widens rows and weights to 64 bits.
        postings = sparse.csc_array(
            (
                np.concatenate([self.weights[part] for part in slices]),
                np.concatenate([self.rows[part] for part in slices]),
                ends.astype(np.int32),
            ),
            shape=(self.size, len(terms)),
        )
        return np.asarray(postings @ np.ones(len(terms), np.float32))

    def parts(self, terms: Sequence[int], rows: Sequence[int]) -> NDArray[np.float32]:
        """What each term adds to each row's score, (terms, rows); 0 where it does not occur."""
        # Rows of another type than the postings' would have all of those converted.
        wanted = np.array(rows, np.int32)
        found = np.zeros((len(terms), len(wanted)), np.float32)
        for added, term in zip(found, terms, strict=True):
            postings = slice(int(self.indptr[term]), int(self.indptr[term + 1]))
            held, weights = self.rows[postings], self.weights[postings]
            at = held.searchsorted(wanted)
            at[at == len(held)] = 0
            if len(held):
                np.copyto(added, weights[at], where=held[at] == wanted)
        return found

    def highest_possible(self, terms: Sequence[int], unknown: int = 0) -> float:
        """What a question could score at most: Σ idf·(k₁ + 1); unknown terms at the idf of none."""
        known = float(self.idf[list(terms)].sum()) if terms else 0.0
        return (known + unknown * idf(self.size, 0)) * (self.k1 + 1)

    def rarity(self, term: int | None) -> float:
        """The idf of a term; of one in no text for None."""
        return idf(self.size, 0) if term is None else float(self.idf[term])

    def row_counts(self) -> Counts:
        """The counts this was fitted on, row by row."""
        shape = (self.size, len(self.indptr) - 1)
        return sparse.csc_array((self.counts, self.rows, self.indptr), shape=shape).tocsr()


class _Counted(Okapi):
    """rank-bm25's Okapi over counts: it would keep a dictionary for each text, gigabytes in all."""

    def _initialize(self, counts: Counts) -> dict[int, int]:
        self.corpus_size = counts.shape[0]
        self.doc_len = np.asarray(counts.sum(axis=1))
        self.avgdl = self.doc_len.sum() / (self.corpus_size or 1) or 1.0
        containing = np.bincount(counts.indices, minlength=counts.shape[1])
        return dict(enumerate(containing.tolist()))


def fit(rows: Sequence[Sequence[int]], terms: int, k1: float, b: float) -> BM25Index:
    """Fit on texts given as term ids below ``terms``, one sequence a row, possibly empty."""
    columns = np.array([term for row in rows for term in row], np.int32)
    ends = np.cumsum([0, *map(len, rows)])
    ones = np.ones(len(columns), np.int32)
    counts = sparse.csr_array((ones, columns, ends), shape=(len(rows), terms))
    counts.sum_duplicates()
    return fit_counts(counts, k1, b)


def fit_counts(counts: Counts, k1: float, b: float) -> BM25Index:
    """Fit on counted texts; some may be empty."""
    model = _Counted(counts, k1=k1, b=b)
    postings = counts.tocsc()
    idfs = np.array(list(model.idf.values()))
    norm = k1 * (1 - b + b * model.doc_len / model.avgdl)
    indptr = postings.indptr.astype(np.int64)
    weights = np.empty(postings.nnz, np.float32)
    for part in _slices(postings.nnz):
        terms = np.searchsorted(indptr, np.arange(part.start, part.stop), side="right") - 1
        often = postings.data[part]
        weights[part] = idfs[terms] * often * (k1 + 1) / (often + norm[postings.indices[part]])
    return BM25Index(
        indptr, postings.indices.astype(np.int32, copy=False),
        postings.data.astype(np.int32, copy=False), weights, idfs, counts.shape[0], k1,
    )  # fmt: skip


def _slices(size: int) -> Iterator[slice]:
    steps = range(0, size, _POSTINGS_AT_ONCE)
    return (slice(start, min(start + _POSTINGS_AT_ONCE, size)) for start in steps)


def save(index: BM25Index, folder: Path) -> None:
    """Write one ``.npy`` an array, and the two numbers."""
    folder.mkdir(parents=True)
    for name in _ARRAYS:
        with (folder / f"{name}.npy").open("wb") as file:
            np.save(file, getattr(index, name), allow_pickle=False)
    with (folder / "size_k1.npy").open("wb") as file:
        np.save(file, np.array([index.size, index.k1]), allow_pickle=False)


def load(folder: Path) -> BM25Index:
    """Memory-map what `save` wrote.

    Raises:
        OSError, ValueError: a file is missing or is not the array it should be.
    """
    arrays = {name: _map(folder / f"{name}.npy") for name in _ARRAYS}
    size, k1 = np.load(folder / "size_k1.npy", allow_pickle=False)
    return BM25Index(**arrays, size=int(size), k1=float(k1))


def _map(path: Path) -> Any:
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return array.view(np.ndarray)


def vocabulary(texts: Iterable[Sequence[str]]) -> dict[str, int]:
    """Ids of all terms, in code point order, so that they depend on the set of terms alone."""
    return {term: number for number, term in enumerate(sorted({t for text in texts for t in text}))}


def tally(terms: Iterable[str], known: dict[str, int]) -> tuple[list[int], int]:
    """Ids of the known terms with repetitions, and how many are unknown."""
    counts = Counter(known.get(term, -1) for term in terms)
    unknown = counts.pop(-1, 0)
    return sorted(counts.elements()), unknown
