"""Opening and asking: memory, latency by stage, recall of the codes, batches, threads."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from engine.index.dense import DenseIndex
from engine.types import Vectors
from eval.bench.corpus import configure
from eval.bench.figures import Figure, milliseconds, quantile
from eval.bench.machine import alone, read_through, resident_mb

DEPTH = 20
_K = 5
_BATCH = 100


def ask(root: Path, children: int, number: int) -> list[Figure]:
    """Measure one built index with so many questions, in two fresh processes."""
    opening: list[Figure] = alone(_opening, root, str(children))
    asking: list[Figure] = alone(_asking, root, str(children), number)
    return opening + asking


def _opening(root: Path, name: str) -> list[Figure]:
    start = time.perf_counter()
    from engine.engine import Engine
    from eval.bench.vectors import PairEncoder

    imported = time.perf_counter() - start
    encoder, before = PairEncoder(), resident_mb()
    start = time.perf_counter()
    engine = Engine.open(configure(root, name), encoder=encoder)
    opened = time.perf_counter() - start
    after = resident_mb()
    engine.retrieve("허가를 받아야 하는 경우")
    own = encoder.megabytes
    return [
        Figure("open", "imports", imported, "s"),
        Figure("open", "Engine.open", opened, "s", at_most=0.5),
        Figure("open", "resident after opening", after - own, "MB", at_most=400),
        Figure("open", "of it by opening", after - before, "MB"),
        Figure("open", "resident after a question (Kiwi loaded)", resident_mb() - own, "MB"),
    ]


def _asking(root: Path, name: str, number: int) -> list[Figure]:
    from engine.engine import Engine
    from eval.bench.questions import questions
    from eval.bench.vectors import Known, PairEncoder

    engine = Engine.open(configure(root, name), encoder=PairEncoder())
    asked = questions(engine, number + 20)
    engine = replace(engine, encoder=Known(asked))
    for question in asked[:20]:
        engine.retrieve(question, _K)
    asked = asked[20:]
    # As they are in memory after a build, or after some use: a disk is not what is measured.
    read_through(root / name / "index")

    def run(question: str) -> object:
        return engine.retrieve(question, _K)

    wall = milliseconds(run, asked)
    # A busy machine adds waiting to wall time; processor time shows the work alone.
    work = milliseconds(run, asked, time.thread_time)
    return [
        Figure("ask", "median (p50)", quantile(wall, 0.5), "ms", at_most=5),
        Figure("ask", "p95", quantile(wall, 0.95), "ms", at_most=12),
        Figure("ask", "processor time, median", quantile(work, 0.5), "ms"),
        Figure("ask", "processor time, p95", quantile(work, 0.95), "ms"),
        *_stages(engine, asked),
        _recall(engine, asked),
        *_batches(engine, asked[:_BATCH]),
        _threads(engine, asked[:_BATCH]),
    ]


def _stages(engine: Any, asked: Sequence[str]) -> list[Figure]:
    queries = [engine.lookup.analyse([question], "hybrid")[0] for question in asked]
    terms = [one.query.terms for one in queries]
    vectors = [one.query.vector for one in queries]
    depth = engine.config.retrieval.depth
    legs = engine.legs
    stages = {
        "analyse the question": (lambda q: engine.lookup.analyse([q], "hybrid"), asked),
        "BM25 of children": (legs.children.scores, terms),
        "BM25 of parents": (legs.parents.scores, terms),
        "nearest vectors": (lambda vector: legs.dense.search(vector, depth), vectors),
        "all but the analysis": (
            lambda one: engine._found(one, _K, "hybrid", "global", None),
            queries,
        ),
    }
    return [
        Figure("ask", f"{name}, median", statistics.median(milliseconds(run, over)), "ms")
        for name, (run, over) in stages.items()
    ]


def _recall(engine: Any, asked: Sequence[str]) -> Figure:
    dense = engine.legs.dense
    stored = dense.vectors(np.arange(dense.size))
    share = recall(dense, stored, engine.encoder.encode_queries(asked))
    return Figure("dense", f"recall@{DEPTH} of the codes", share, at_least=0.99)


def recall(dense: DenseIndex, stored: Vectors, queries: Vectors) -> float:
    """How many of the nearest the index finds; any of those that tie with the last will do."""
    exact = faiss.knn(queries, stored, DEPTH, metric=faiss.METRIC_INNER_PRODUCT)[0]
    found = dense.search(queries, 100)[1][:, :DEPTH]
    return float((found >= exact[:, -1:] - 1e-6).mean())


def _batches(engine: Any, asked: Sequence[str]) -> list[Figure]:
    """One call for all against one call each.

    Without a model, with the bundled one, and with that and ``encoder.bulk: always``.
    """
    from eval.bench.vectors import Beside

    figures = []
    encoders = {
        "without a model": engine.encoder,
        "embedding included": Beside("auto"),
        "embedding in bulk": Beside("always"),
    }
    for name, encoder in encoders.items():
        single, many = _single_and_many(replace(engine, encoder=encoder), asked)
        bar = None if encoder is engine.encoder else 3
        figures += [
            Figure("batch", f"single, {name}", single / len(asked), "ms/question"),
            Figure("batch", f"of {_BATCH}, {name}", many / len(asked), "ms/question"),
            Figure("batch", f"ratio, {name}", single / many, "×", at_least=bar),
        ]
    return figures


def _single_and_many(engine: Any, asked: Sequence[str]) -> tuple[float, float]:
    """The best of three times of each, in turn, so that noise meets both; models are loaded."""
    engine.retrieve(asked[0])
    engine.retrieve_many(asked)
    single, many = [], []
    for _ in range(3):
        single.append(sum(milliseconds(lambda question: engine.retrieve(question, _K), asked)))
        many += milliseconds(lambda all_of_them: engine.retrieve_many(all_of_them, _K), [asked])
    return min(single), min(many)


def _threads(engine: Any, asked: Sequence[str]) -> Figure:
    serial = [[e.child_id for e in engine.retrieve(question, _K)] for question in asked]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda question: engine.retrieve(question, _K), asked)
        answers = [[e.child_id for e in one] for one in found]
        same = sum(map(list.__eq__, answers, serial))
    share = same / len(asked)
    return Figure("ask", "equal answers from 8 threads", share, at_least=1)
