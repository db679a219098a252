"""Ways of cutting documents, on the same questions: what each finds, returns and costs.

Every way yields units that know which blocks they cover, so that targets stay the same. Larger
units find more at a rank because they return more: compare recall beside the characters it took.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from engine.config import Config
from engine.engine import Engine
from engine.errors import ConfigError
from engine.index import bm25, dense
from engine.index.encoder import encode_all
from engine.ingest.blocks import SEPARATOR
from engine.retrieve.candidates import Legs, Query, gather
from engine.retrieve.fusion import fuse
from engine.retrieve.ranking import rank
from engine.text.kiwi import Korean
from engine.types import FURNITURE, Block, Mode, Pages
from eval.dataset import Dataset
from eval.matching import to_run
from eval.measures import mean, score
from eval.results import Chunks
from eval.systems import Rankings, Retrieved

BUDGETS = (1000, 2000, 4000)
"""Characters within which recall is compared, whatever the units."""
_WINDOW = 1
"""Sentences on either side that a sentence window returns."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of search: ``text`` is indexed, ``chars`` are returned, from these blocks.

    ``parent`` names what its terms count towards as well; empty: itself alone.
    """

    doc_id: str
    text: str
    chars: int
    source_ids: tuple[str, ...]
    pages: Pages | None
    parent: str = ""


Blocks = Sequence[Block]
Cut = Callable[[Blocks, Korean], Iterator[Unit]]
"""The units of one document's searchable blocks."""


def cut_blocks(blocks: Blocks, korean: Korean) -> Iterator[Unit]:
    """One unit a block."""
    for block in blocks:
        yield _unit([block], block.text)


def cut_pages(blocks: Blocks, korean: Korean) -> Iterator[Unit]:
    """One unit a page; a block on two pages belongs to its first, one without to the page before.

    A document without pages is one unit.
    """
    page, pages = 0, []
    for block in blocks:
        page = block.pages[0] if block.pages else page
        pages.append((page, block))
    for _, group in groupby(pages, key=lambda one: one[0]):
        members = [block for _, block in group]
        yield _unit(members, "\n".join(block.text for block in members))


def cut_fixed(size: int, overlap: int) -> Cut:
    """Every ``size`` characters of a document, regardless of blocks and sentences."""

    def cut(blocks: Blocks, korean: Korean) -> Iterator[Unit]:
        text, spans = _joined(blocks)
        for start in range(0, max(len(text) - overlap, 1), size - overlap):
            piece = text[start : start + size]
            if piece.strip():
                inside = _touching(spans, start, start + size)
                yield _unit(inside, piece)

    return cut


def cut_sentences(blocks: Blocks, korean: Korean) -> Iterator[Unit]:
    """One unit a sentence, which returns its neighbours too."""
    text, spans = _joined(blocks)
    sentences = korean.sentences(text)
    for at, (start, end) in enumerate(sentences):
        first = sentences[max(at - _WINDOW, 0)][0]
        last = sentences[min(at + _WINDOW, len(sentences) - 1)][1]
        yield _unit(_touching(spans, first, last), text[start:end], last - first)


CUTS: Mapping[str, Cut] = {
    "block": cut_blocks,
    "page": cut_pages,
    "fixed-256": cut_fixed(256, 0),
    "fixed-512": cut_fixed(512, 0),
    "fixed-512-overlap-64": cut_fixed(512, 64),
    "sentence-window": cut_sentences,
}
PARENT_CHILD = "parent-child"
"""The engine's own way, taken from its index."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """A built way of cutting, as a system."""

    name: str
    config: Config
    legs: Legs
    units: Sequence[Unit]
    analyse: Callable[[Sequence[str]], list[Query]]
    mode: Mode
    bytes: int
    seconds: float

    def search(self, queries: Sequence[str], k: int) -> Rankings:
        """Rank units; see `eval.systems.System`."""
        depth = max(self.config.retrieval.depth, 4 * k)
        rankings: Rankings = []
        for query in self.analyse(queries):
            found = gather(self.legs, query, self.mode, depth)
            hits = rank(found, fuse(found, self.mode, self.config.fusion))[:k]
            rankings.append([_retrieved(self.units[hit.row], hit.score) for hit in hits])
        return rankings


def build_chunking(name: str, engine: Engine, mode: Mode = "hybrid") -> Chunked:
    """Cut, tokenise, embed and index the documents of an engine another way, all timed.

    A unit without a parent is its own: its lexical score counts with both weights.

    Raises:
        ConfigError: the name is unknown.
    """
    check_name(name)
    start = time.perf_counter()
    units = list(_children(engine) if name == PARENT_CHILD else _cut(engine, CUTS[name]))
    texts = [unit.text for unit in units]
    terms = list(engine.tokenizer.terms(texts))
    vocabulary = bm25.vocabulary(terms)
    rows = [[vocabulary[term] for term in row] for row in terms]
    vectors = encode_all(engine.encoder, texts, lambda count: None)
    k1, b = engine.config.bm25.k1, engine.config.bm25.b
    lexical = bm25.fit(rows, len(vocabulary), k1, b)
    parent_of, merged = _parents(units, rows)
    parents = lexical if merged is rows else bm25.fit(merged, len(vocabulary), k1, b)
    legs = Legs(lexical, parents, parent_of, dense.fit(vectors, engine.config.dense))
    seconds = time.perf_counter() - start
    kept = {id(index): _nbytes(index) for index in (lexical, parents)}
    return Chunked(
        name, engine.config, legs, units, _analyser(engine, vocabulary), mode,
        vectors.nbytes + sum(kept.values()), seconds,
    )  # fmt: skip


def check_name(name: str) -> None:
    """Refuse an unknown way of cutting.

    Raises:
        ConfigError: with the known ones.
    """
    if name not in CUTS and name != PARENT_CHILD:
        known = ", ".join((*CUTS, PARENT_CHILD))
        raise ConfigError(f"chunking {name!r}: unknown; known: {known}")


def cost(chunked: Chunked, rankings: Mapping[str, Sequence[Retrieved]], dataset: Dataset) -> Chunks:
    """What a way of cutting takes, and what it finds in equal amounts of text."""
    lengths = [unit.chars for unit in chunked.units]
    return Chunks(
        name=chunked.name, units=len(lengths), mean_chars=mean(lengths), bytes=chunked.bytes,
        seconds=chunked.seconds,
        recall_within={str(n): _recall_within(rankings, dataset, n) for n in BUDGETS},
    )  # fmt: skip


def _recall_within(
    rankings: Mapping[str, Sequence[Retrieved]], dataset: Dataset, budget: int
) -> float:
    cut = {query_id: within_chars(ranking, budget) for query_id, ranking in rankings.items()}
    depth = max(map(len, cut.values()), default=1) or 1
    run = to_run(cut, dataset.qrels, by_document=dataset.by_document, k=depth)
    measure = f"R@{depth}"
    return mean(score(run, dataset.qrels, [measure])[measure].values())


def within_chars(ranking: Sequence[Retrieved], budget: int) -> list[Retrieved]:
    """The first passages that fit a budget of characters together."""
    kept: list[Retrieved] = []
    for passage in ranking:
        budget -= passage.chars
        if budget < 0:
            break
        kept.append(passage)
    return kept


def _analyser(engine: Engine, vocabulary: dict[str, int]) -> Callable[[Sequence[str]], list[Query]]:
    def analyse(questions: Sequence[str]) -> list[Query]:
        encoded = engine.encoder.encode_queries(questions)
        found = []
        for at, words in enumerate(engine.tokenizer.terms(questions)):
            ids, unknown = bm25.tally(words, vocabulary)
            found.append(Query(tuple(ids), unknown, encoded[at : at + 1]))
        return found

    return analyse


def _parents(
    units: Sequence[Unit], rows: list[list[int]]
) -> tuple[NDArray[np.int32], list[list[int]]]:
    """Position of each unit's parent and the terms of each parent; ``rows`` if all are alone."""
    if not any(unit.parent for unit in units):
        return np.arange(len(units), dtype=np.int32), rows
    places = {name: at for at, name in enumerate(dict.fromkeys(unit.parent for unit in units))}
    merged: list[list[int]] = [[] for _ in places]
    for unit, row in zip(units, rows, strict=True):
        merged[places[unit.parent]] += row
    return np.array([places[unit.parent] for unit in units], np.int32), merged


def _nbytes(index: bm25.BM25Index) -> int:
    return sum(a.nbytes for a in (index.indptr, index.rows, index.counts, index.weights, index.idf))


def _children(engine: Engine) -> Iterator[Unit]:
    for child in engine.store.children():
        ids = tuple(block_id.removeprefix(f"{child.doc_id}:") for block_id in child.block_ids)
        yield Unit(child.doc_id, child.text, len(child.text), ids, child.pages, child.parent_id)


def _cut(engine: Engine, cut: Cut) -> Iterator[Unit]:
    for blocks in _documents(engine):
        yield from cut(blocks, engine.korean)


def _documents(engine: Engine) -> Iterator[list[Block]]:
    for document in engine.store.documents():
        blocks = [
            block
            for block in engine.store.blocks_of_document(document.doc_id)
            if block.kind not in FURNITURE and block.text.strip()
        ]
        if blocks:
            yield blocks


def _joined(blocks: Blocks) -> tuple[str, list[tuple[int, int, Block]]]:
    text, spans = "", []
    for block in blocks:
        text += SEPARATOR if text else ""
        spans.append((len(text), len(text) + len(block.text), block))
        text += block.text
    return text, spans


def _touching(spans: Sequence[tuple[int, int, Block]], start: int, end: int) -> list[Block]:
    return [block for first, last, block in spans if first < end and last > start]


def _unit(blocks: Blocks, text: str, chars: int | None = None) -> Unit:
    pages = [block.pages for block in blocks if block.pages is not None]
    span = (min(p[0] for p in pages), max(p[1] for p in pages)) if pages else None
    return Unit(
        blocks[0].doc_id, text, len(text) if chars is None else chars,
        tuple(block.source_id for block in blocks), span,
    )  # fmt: skip


def _retrieved(unit: Unit, value: float) -> Retrieved:
    return Retrieved(
        unit.doc_id, value, unit.source_ids, () if unit.pages is None else (unit.pages,),
        unit.chars, parent_id=unit.parent,
    )  # fmt: skip
