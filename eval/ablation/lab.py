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
from engine.retrieve.search import Candidates, Legs, Query, Scores, gather
from engine.types import Child, Mode, Vectors
from eval.ablation.labelled import Question, load_questions, ndcg, ranked_targets, recall
from eval.ablation.variants import Analyzer

K = 10
DEPTH = 200
"""Deep enough that ten documents are among the children, several of which share one."""


@dataclass(frozen=True, slots=True)
class Lab:
    """Everything that stays the same between variants."""

    name: str
    engine: Engine
    questions: tuple[Question, ...]
    children: tuple[Child, ...]
    held: tuple[frozenset[str], ...]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Lexical:
    """The lexical side under one analyzer, and what it took."""

    legs: Legs
    queries: tuple[Query, ...]
    seconds: float
    megabytes: float
    terms: int


def open_lab(config: Config, dataset: Path) -> Lab:
    """Open a built index and encode the questions, once."""
    engine = Engine.open(config)
    questions = load_questions(dataset)
    children = tuple(engine.store.children())
    texts = [" ".join(question.text.split()) for question in questions]
    by_document = any("#" not in t for question in questions for t in question.grades)
    held = tuple(_held(child, by_document) for child in children)
    vectors = engine.encoder.encode_queries(texts)
    return Lab(dataset.name, engine, tuple(questions), children, held, vectors)


def _held(child: Child, by_document: bool) -> frozenset[str]:
    if by_document:
        return frozenset([child.doc_id])
    return frozenset(block_id.replace(f"{child.doc_id}:", f"{child.doc_id}#", 1)
                     for block_id in child.block_ids)  # fmt: skip


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
    values = np.full((2, len(lab.questions)), np.nan)
    for at, (one, score, question) in enumerate(zip(found, scores, lab.questions, strict=True)):
        if question.grades:
            rows = one.rows[np.lexsort((one.rows, -score))].tolist()
            ranking = ranked_targets(rows, lab.held, question.grades, K)
            values[:, at] = ndcg(ranking, question.grades, K), recall(ranking, question.grades)
    return values[0], values[1]
