"""Okapi BM25: fitted by rank-bm25, served as a term → postings matrix with the same scores.

`rank_bm25.BM25Okapi` scores a question by touching every document. Its weights depend on the corpus
alone, so they are computed once and kept by term. Source: Robertson & Zaragoza, "The Probabilistic
Relevance Framework: BM25 and Beyond", 2009.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from scipy import sparse

_ARRAYS = ("indptr", "rows", "counts", "weights", "idf")


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

    def scores(self, terms: Sequence[int]) -> NDArray[np.float64]:
        """Score of every row, as ``BM25Okapi.get_scores``; a repeated term counts again."""
        if self.size == 0 or not terms:
            return np.zeros(self.size)
        slices = [slice(self.indptr[term], self.indptr[term + 1]) for term in terms]
        rows = np.concatenate([self.rows[s] for s in slices])
        weights = np.concatenate([self.weights[s] for s in slices])
        return np.asarray(np.bincount(rows, weights, minlength=self.size), np.float64)

    def weight(self, term: int, row: int) -> float:
        """What a term adds to a row's score; 0 where it does not occur."""
        start, end = int(self.indptr[term]), int(self.indptr[term + 1])
        at = start + int(np.searchsorted(self.rows[start:end], row))
        return float(self.weights[at]) if at < end and self.rows[at] == row else 0.0

    def highest_possible(self, terms: Sequence[int], unknown: int = 0) -> float:
        """What a question could score at most: Σ idf·(k₁ + 1); unknown terms at the idf of none."""
        known = float(self.idf[list(terms)].sum()) if terms else 0.0
        return (known + unknown * idf(self.size, 0)) * (self.k1 + 1)

    def rarity(self, term: int | None) -> float:
        """The idf of a term; of one in no text for None."""
        return idf(self.size, 0) if term is None else float(self.idf[term])

    def row_terms(self) -> list[list[int]]:
        """Term ids of each row with repetitions, sorted: the input of `fit`, but for its order."""
        terms = len(self.indptr) - 1
        matrix = sparse.csr_matrix(
            (np.asarray(self.counts), np.asarray(self.rows), np.asarray(self.indptr)),
            shape=(terms, self.size),
        ).tocsc()
        matrix.sort_indices()
        return [
            np.repeat(matrix.indices[a:b], matrix.data[a:b]).tolist()
            for a, b in zip(matrix.indptr, matrix.indptr[1:], strict=False)
        ]


def fit(rows: Sequence[Sequence[int]], terms: int, k1: float, b: float) -> BM25Index:
    """Fit on texts given as term ids below ``terms``, one sequence a row, possibly empty."""
    if not any(rows):
        empty = np.zeros(0, np.int32)
        return BM25Index(
            np.zeros(terms + 1, np.int64), empty, empty, np.zeros(0, np.float32),
            np.full(terms, idf(len(rows), 0)), len(rows), k1,
        )  # fmt: skip
    model = Okapi(rows, k1=k1, b=b)
    lengths = np.asarray(model.doc_len)
    sizes = [len(counts) for counts in model.doc_freqs]
    term_of = np.fromiter((t for c in model.doc_freqs for t in c), np.int64, sum(sizes))
    count_of = np.fromiter((n for c in model.doc_freqs for n in c.values()), np.int32, sum(sizes))
    row_of = np.repeat(np.arange(len(rows), dtype=np.int32), sizes)
    order = np.lexsort((row_of, term_of))
    term_of, count_of, row_of = term_of[order], count_of[order], row_of[order]
    weight_of_term = np.full(terms, idf(len(rows), 0))
    weight_of_term[list(model.idf)] = list(model.idf.values())
    norm = k1 * (1 - b + b * lengths / model.avgdl)
    weights = weight_of_term[term_of] * count_of * (k1 + 1) / (count_of + norm[row_of])
    indptr = np.zeros(terms + 1, np.int64)
    np.cumsum(np.bincount(term_of, minlength=terms), out=indptr[1:])
    return BM25Index(
        indptr, row_of, count_of, weights.astype(np.float32), weight_of_term, len(rows), k1
    )


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
