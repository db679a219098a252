"""BM25 beside rank-bm25, whose scores it must equal, and beside bm25s."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from engine.engine import Engine
from engine.index import bm25
from engine.retrieve.candidates import Query, gather
from eval.bench.corpus import configure
from eval.bench.figures import Figure, milliseconds, quantile
from eval.bench.machine import alone
from eval.bench.questions import questions
from eval.bench.vectors import PairEncoder

_DEPTH = 100
_SLOW = 15
"""Questions that rank-bm25 is asked, which takes seconds over them."""


def compare(root: Path, children: int, number: int) -> list[Figure]:
    """All of them on the same children, terms and questions."""
    figures: list[Figure] = alone(_rank_bm25, root, str(children), number)
    if find_spec("bm25s"):
        figures += alone(_bm25s, root, str(children), number)
    return figures


def texts_of(index: bm25.BM25Index) -> list[list[int]]:
    """Term ids of each text, with repetitions."""
    counts = index.row_counts()
    return [
        np.repeat(counts.indices[a:b], counts.data[a:b]).tolist()
        for a, b in zip(counts.indptr, counts.indptr[1:], strict=False)
    ]


def _prepare(root: Path, name: str, number: int) -> tuple[Engine, list[Query]]:
    engine = Engine.open(configure(root, name), encoder=PairEncoder())
    asked = [one.query for one in engine.lookup.analyse(questions(engine, number), "bm25")]
    return engine, [query for query in asked if query.terms]


def _rank_bm25(root: Path, name: str, number: int) -> list[Figure]:
    engine, asked = _prepare(root, name, number)
    index = bm25.load(engine.folder / "bm25" / "children")
    terms = [query.terms for query in asked]
    model = bm25.Okapi(texts_of(index), k1=index.k1)
    theirs = milliseconds(model.get_scores, terms[:_SLOW])
    ours = milliseconds(index.scores, terms)
    worst = max(
        float(np.abs(index.scores(some) - model.get_scores(some)).max()) for some in terms[:3]
    )
    ratio = quantile(theirs, 0.5) / quantile(ours, 0.5)
    return [
        Figure("BM25", "scores of all children, median", quantile(ours, 0.5), "ms"),
        Figure("BM25", "rank_bm25.get_scores, median", quantile(theirs, 0.5), "ms"),
        Figure("BM25", "rank_bm25 ÷ ours", ratio, "×", at_least=200),
        Figure("BM25", "largest difference of a score", worst, at_most=1e-4),
    ]


def _bm25s(root: Path, name: str, number: int) -> list[Figure]:
    import bm25s

    engine, asked = _prepare(root, name, number)
    index = bm25.load(engine.folder / "bm25" / "children")
    depth = min(_DEPTH, index.size)
    model = bm25s.BM25(method="lucene", k1=index.k1, b=0.75)
    ids = {str(number): number for number in range(len(index.idf))}
    model.index((texts_of(index), ids), show_progress=False)

    def theirs(query: Query) -> object:
        return model.retrieve([list(query.terms)], k=depth, show_progress=False)

    def ours(query: Query) -> object:
        return gather(engine.legs, query, "bm25", depth)

    own, other = milliseconds(ours, asked), milliseconds(theirs, asked)
    ratio = quantile(own, 0.5) / quantile(other, 0.5)
    return [
        Figure("BM25", f"best {depth} children, median", quantile(own, 0.5), "ms"),
        Figure("BM25", f"bm25s, best {depth}, median", quantile(other, 0.5), "ms"),
        Figure("BM25", "ours ÷ bm25s", ratio, "×", at_most=2),
    ]
