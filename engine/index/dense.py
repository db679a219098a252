"""Nearest vectors by inner product with FAISS: all compared while that is cheap, codes beyond.

A code has four bits for every two dimensions. All codes are scanned, and the vectors they put first
are compared exactly. Codes depend on nothing but their vector and a fixed sample of all, so they
cost seconds where a graph costs minutes, and an index that grew equals one made at once.

Jégou, Douze & Schmid, "Product Quantization for Nearest Neighbor Search", 2011; scanned as in
André, Kermarrec & Le Scouarnec, "Quicker ADC: Unlocking the Hidden Potential of Product
Quantization with SIMD", 2019.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from engine.config import DenseSettings
from engine.types import Vectors

_SAMPLE = 2048
_CODES_A_BLOCK = 32
_MOST_CODES = 512
"""A vector; FAISS adds them up in 16 bits, and of 1,024 the sums overflowed."""
_VECTORS_AT_ONCE = 16_384


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """A FAISS index whose row i is child i.

    ``moments`` has the covariance of a fixed sample of its vectors, (dim, dim), then their mean.
    Where it has codes, so many vectors are ``compared`` exactly, or twice as many as asked for.
    ``buffer`` holds what the index reads from, and must live as long as it does.
    """

    index: Any
    moments: Vectors
    compared: int
    buffer: Any = None

    @property
    def size(self) -> int:
        """Number of vectors."""
        return int(self.index.ntotal)

    def search(self, queries: Vectors, depth: int) -> tuple[NDArray[np.int64], Vectors]:
        """Rows and cosines of the nearest ``depth`` vectors a query, best first; never padding."""
        depth = min(depth, self.size)
        if depth == 0:
            return np.zeros((len(queries), 0), np.int64), np.zeros((len(queries), 0), np.float32)
        with _on_one_thread():
            found = self.index.search(
                np.ascontiguousarray(queries, np.float32), depth, params=self._how(depth)
            )
        return found[1], found[0]

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """The stored vectors of some rows."""
        found: Vectors = self.index.reconstruct_batch(np.ascontiguousarray(rows, np.int64))
        return found

    def spread(self, queries: Vectors) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Mean and deviation of each query's cosine to the corpus, from the sample."""
        # A matrix product would wake a pool of threads, which costs more than the sums.
        covariance, mean = self.moments[:-1], self.moments[-1]
        variance = np.einsum("qe,qe->q", np.einsum("qd,de->qe", queries, covariance), queries)
        deviation = np.sqrt(np.maximum(variance, 1e-12))
        return np.einsum("qd,d->q", queries, mean), deviation

    def _how(self, depth: int) -> Any:
        if not isinstance(self.index, faiss.IndexRefine):
            return None
        factor = max(self.compared / depth, 2.0)
        return faiss.IndexRefineSearchParameters(k_factor=factor)  # type: ignore[call-arg]  # stubs


def fit(vectors: Vectors, settings: DenseSettings) -> DenseIndex:
    """Index unit vectors, on one thread, so that the same vectors give the same bytes."""
    size, dim = vectors.shape
    least = {"flat": size, "codes": 0, "auto": settings.flat_max_children}[settings.index]
    # Fewer vectors would not do to learn the codes from.
    coded = size > max(least, _SAMPLE)
    index: Any = _coded(dim) if coded else faiss.IndexFlatIP(dim)
    sample = _pick(vectors)
    with _on_one_thread():
        index.train(sample)
        for start in range(0, size, _VECTORS_AT_ONCE):
            index.add(vectors[start : start + _VECTORS_AT_ONCE])
    return DenseIndex(index, _moments(sample), settings.compared)


@contextmanager
def _on_one_thread() -> Iterator[None]:
    """Keep FAISS, in this thread of ours, from waking a pool that costs more than it saves."""
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)


def _coded(dim: int) -> Any:
    """Codes in front of the vectors, of two dimensions each where that is not too many codes."""
    widths = (width for width in (2, 1, *range(3, dim + 1)) if dim % width == 0)
    codes = next(dim // width for width in widths if dim // width <= _MOST_CODES)
    scan = faiss.IndexPQFastScan(dim, codes, 4, faiss.METRIC_INNER_PRODUCT, _CODES_A_BLOCK)
    return faiss.IndexRefine(scan, faiss.IndexFlatIP(dim))


def save(dense: DenseIndex, path: Path) -> None:
    """Write the index and, beside it, the moments; by Python's own files, so any path works."""
    with path.open("wb") as file:
        writer = faiss.PyCallbackIOWriter(file.write)  # type: ignore[attr-defined]
        faiss.write_index(dense.index, writer)
    with _beside(path).open("wb") as file:
        np.save(file, dense.moments, allow_pickle=False)


def load(path: Path, settings: DenseSettings) -> DenseIndex:
    """Memory-map what `save` wrote.

    Raises:
        OSError, ValueError: the file is missing or is no index of this kind.
    """
    buffer = np.memmap(path, np.uint8, mode="r")
    reader = faiss.ZeroCopyIOReader(  # type: ignore[attr-defined]  # missing in its stubs
        faiss.swig_ptr(buffer), buffer.size
    )
    try:
        index = faiss.read_index(reader, faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        raise ValueError(f"no FAISS index: {str(error).splitlines()[-1]}") from None
    if index.metric_type != faiss.METRIC_INNER_PRODUCT:
        raise ValueError("its metric is not the inner product")
    moments = np.load(_beside(path), allow_pickle=False)
    return DenseIndex(index, moments, settings.compared, (buffer, reader))


def _beside(path: Path) -> Path:
    return path.with_suffix(".moments.npy")


def _pick(vectors: Vectors) -> Vectors:
    """A fixed random sample, in row order."""
    size = len(vectors)
    if size <= _SAMPLE:
        return vectors.copy()
    return vectors[np.sort(np.random.default_rng(0).choice(size, _SAMPLE, replace=False))]


def _moments(sample: Vectors) -> Vectors:
    if not len(sample):
        return np.zeros((sample.shape[1] + 1, sample.shape[1]), np.float32)
    # In 64 bits, so that how a processor orders the sums does not show in 32.
    mean = sample.mean(axis=0, dtype=np.float64)
    apart = sample - mean
    moments: Vectors = np.vstack([apart.T @ apart / len(sample), mean]).astype(np.float32)
    return moments
