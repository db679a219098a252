"""One opened index with its labelled questions, on which a variant is tried without rebuilding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from engine.config import Config
from engine.engine import Engine
from engine.index import bm25
from engine.retrieve.candidates import Candidates, Legs, Query, Scores, gather
from engine.retrieve.ranking import rank
from engine.types import Child, Mode, Vectors
from eval.ablation.labelled import Question, questions_of
from eval.ablation.variants import Analyzer
from eval.dataset import load_dataset
from eval.engines import passage_of
from eval.matching import to_run
from eval.measures import score
from eval.systems import Retrieved

K = 10
MEASURES = (f"nDCG@{K}", f"R@{K}")
DEPTH = 200
"""Deep enough that ten documents are among the children, several of which share one."""


@dataclass(frozen=True, slots=True)
class Lab:
    """Everything that stays the same between variants."""

    name: str
    engine: Engine
    questions: tuple[Question, ...]
    children: tuple[Child, ...]
    passages: tuple[Retrieved, ...]
    by_document: bool
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Lexical:
    """The lexical side under one analyzer, and what it took."""

    legs: Legs
    queries: tuple[Query, ...]
    seconds: float
    megabytes: float
    terms: int


def open_lab(config: Config, folder: Path) -> Lab:
    """Open a built index and encode the questions, once."""
    dataset = load_dataset(folder)
    engine = Engine.open(config)
    questions = tuple(questions_of(dataset))
    children = tuple(engine.store.children())
    passages = tuple(passage_of(child) for child in children)
    vectors = engine.encoder.encode_queries([" ".join(q.text.split()) for q in questions])
    return Lab(
        dataset.name, engine, questions, children, passages, dataset.by_document, vectors
    )  # fmt: skip


def analyse(lab: Lab, analyzer: Analyzer) -> Lexical:
    """Index and questions under another analyzer; the vectors stay."""
    start = perf_counter()
    texts = list(analyzer.terms([child.text for child in lab.children]))
    seconds = perf_counter() - start
    known = bm25.vocabulary(texts)
    rows = [[known[term] for term in text] for text in texts]
    settings, parent_of = lab.engine.config.bm25, lab.engine.legs.parent_of
    by_parent: list[list[int]] = [[] for _ in range(int(parent_of.max()) + 1)]
    for parent, row in zip(parent_of.tolist(), rows, strict=True):
        by_parent[parent] += row
    fitted = [bm25.fit(r, len(known), settings.k1, settings.b) for r in (rows, by_parent)]
    size = sum(array.nbytes for index in fitted for array in _arrays(index))
    queries = tuple(_queries(lab, analyzer, known))
    legs = replace(lab.engine.legs, children=fitted[0], parents=fitted[1])
    return Lexical(legs, queries, seconds, size / 2**20, len(known))


def _queries(lab: Lab, analyzer: Analyzer, known: dict[str, int]) -> Iterator[Query]:
    texts = [" ".join(question.text.split()) for question in lab.questions]
    for at, terms in enumerate(analyzer.terms(texts)):
        ids, unknown = bm25.tally(terms, {t: known[t] for t in terms if t in known})
        yield Query(tuple(ids), unknown, lab.vectors[at : at + 1])


def _arrays(index: bm25.BM25Index) -> tuple[NDArray[np.generic], ...]:
    return index.indptr, index.rows, index.counts, index.weights, index.idf


def candidates(lexical: Lexical, mode: Mode = "hybrid", depth: int = DEPTH) -> list[Candidates]:
    """What is known of each question's candidates; fused as often as one likes."""
    return [gather(lexical.legs, query, mode, depth) for query in lexical.queries]


def measure(
    lab: Lab, found: Sequence[Candidates], scores: Sequence[Scores]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """nDCG@10 and R@10 of each question; NaN for one without targets."""
    judged = {q.query_id: q.grades for q in lab.questions if q.grades}
    rankings = {
        question.query_id: _passages(lab, one, fused)
        for question, one, fused in zip(lab.questions, found, scores, strict=True)
        if question.grades
    }
    values = score(to_run(rankings, judged, by_document=lab.by_document, k=K), judged, MEASURES)
    ndcg, recall = (
        np.array([values[name].get(q.query_id, np.nan) for q in lab.questions])
        for name in MEASURES
    )  # fmt: skip
    return ndcg, recall


def _passages(lab: Lab, found: Candidates, scores: Scores) -> list[Retrieved]:
    return [replace(lab.passages[hit.row], score=hit.score) for hit in rank(found, scores)]
