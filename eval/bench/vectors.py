"""Vectors without a model: random directions of character pairs, summed over a text.

Alike texts get alike vectors, as with a model, and a query costs next to nothing: what is left is
the engine's own time. Uniformly random vectors would have no neighbours worth finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from engine.config import EncoderSettings
from engine.index.encoder import BundledEncoder
from engine.types import Vectors

_BUCKETS = 1 << 16


class PairEncoder:
    """Unit vectors of texts from their character pairs."""

    min_similarity = 0.5
    min_similarity_foreign = 0.5
    fingerprint = {"kind": "character pairs", "seed": 0}

    def __init__(self, dim: int = 384) -> None:
        self.dim = dim
        draw = np.random.default_rng(0)
        self._directions = draw.standard_normal((_BUCKETS, dim), np.float32)
        # As some words are commoner than others, some pairs must weigh less.
        self._directions *= draw.exponential(1.0, (_BUCKETS, 1)).astype(np.float32)

    @property
    def megabytes(self) -> float:
        """Its own memory, which an engine with a model does not have."""
        return self._directions.nbytes / 2**20

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        pairs = [_pairs(text) for text in texts]
        ends = np.cumsum([0, *map(len, pairs)])
        columns = np.concatenate([np.zeros(0, np.int64), *pairs])
        shape = (len(texts), _BUCKETS)
        counts = sparse.csr_array((np.ones(len(columns), np.float32), columns, ends), shape=shape)
        rows: Vectors = (counts @ self._directions).astype(np.float32)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.maximum(norms, np.float32(1e-6))
        return unit

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        return self.encode_queries(texts)


def _pairs(text: str) -> NDArray[np.int64]:
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)
    pairs: NDArray[np.int64] = (points[:-1] * 1_000_003 + points[1:] * 7_919) % _BUCKETS
    return pairs


class Known(PairEncoder):
    """The same vectors, those of some texts made beforehand: for what asking costs without them."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        self._known = dict(zip(texts, super().encode_queries(texts), strict=True))

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a text, which must be one of those."""
        return np.stack([self._known[text] for text in texts])


class Beside(PairEncoder):
    """The same vectors, after the bundled model has embedded the texts too: for what that costs."""

    def __init__(self, bulk: Literal["auto", "always"]) -> None:
        super().__init__()
        self._model = BundledEncoder(EncoderSettings(bulk=bulk))

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        self._model.encode_queries(texts)
        return super().encode_queries(texts)
