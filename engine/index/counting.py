"""Counts of terms in texts, one row a text, kept small while texts stream by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from engine.index.bm25 import Counts

_TEXTS_AT_ONCE = 1024


def count(texts: Iterable[Sequence[str]], ids: dict[str, int]) -> Counts:
    """Count the terms of each text; ``ids`` numbers them and gains those it lacks."""
    left = iter(texts)
    batches = iter(lambda: list(islice(left, _TEXTS_AT_ONCE)), [])
    return stack([_count(batch, ids) for batch in batches], len(ids))


def _count(texts: Sequence[Sequence[str]], ids: dict[str, int]) -> Counts:
    columns = np.fromiter(
        (ids.setdefault(term, len(ids)) for text in texts for term in text), np.int32
    )
    ends = np.cumsum([0, *map(len, texts)])
    shape = (len(texts), len(ids))
    counts = sparse.csr_array((np.ones(len(columns), np.int32), columns, ends), shape=shape)
    counts.sum_duplicates()
    return counts


def stack(parts: Sequence[Counts], terms: int) -> Counts:
    """Texts below each other, with ids below ``terms``."""
    indptr = [0, *chain.from_iterable(_ends(parts))]
    return sparse.csr_array(
        (
            np.concatenate([np.zeros(0, np.int32), *(part.data for part in parts)]),
            np.concatenate([np.zeros(0, np.int32), *(part.indices for part in parts)]),
            np.array(indptr, np.int64),
        ),
        shape=(len(indptr) - 1, terms),
    )


def _ends(parts: Iterable[Counts]) -> Iterator[list[int]]:
    before = 0
    for part in parts:
        yield (part.indptr[1:].astype(np.int64) + before).tolist()
        before += part.nnz


def in_order(counts: Counts, names: Sequence[str]) -> tuple[Counts, list[str]]:
    """Number the terms by code points; terms of no text are left out.

    So ids depend on the texts alone, and not on which of them were counted first.
    """
    used = np.flatnonzero(np.bincount(counts.indices, minlength=len(names))).tolist()
    used.sort(key=names.__getitem__)
    place = np.zeros(len(names), np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    arrays = counts.data, place[counts.indices], counts.indptr
    shape = (counts.shape[0], len(used))
    return sparse.csr_array(arrays, shape=shape), [names[number] for number in used]


def gather(counts: Counts, group_of: NDArray[np.int32]) -> Counts:
    """Counts of groups of texts; ``group_of`` names the group of each and does not decrease."""
    members = np.ones(len(group_of), np.int32)
    ends = np.searchsorted(group_of, np.arange(group_of[-1] + 2)) if len(group_of) else [0]
    shape = (len(ends) - 1, len(group_of))
    rows = np.arange(len(group_of), dtype=np.int32)
    gathered: Counts = sparse.csr_array((members, rows, ends), shape=shape) @ counts
    return gathered
