"""Ways of cutting documents, on the same questions: what each finds, returns and costs.

Every way yields units that know which blocks they cover, so that targets stay the same. Larger units
find more at a rank because they return more: compare recall beside the characters it took.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from engine.config import Config
from engine.engine import Engine
from engine.errors import ConfigError
from engine.index import bm25, dense
from engine.index.encoder import encode_all
from engine.ingest.blocks import SEPARATOR
from engine.korean import Korean
from engine.retrieve.fusion import fuse
from engine.retrieve.ranking import rank
from engine.retrieve.search import Legs, Query, gather
from engine.types import FURNITURE, Block, Mode, Pages
from eval.systems import Rankings, Retrieved

_WINDOW = 1
"""Sentences on either side that a sentence window returns."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of search: ``text`` is indexed, ``chars`` are returned, from these blocks."""

    doc_id: str
    text: str
    chars: int
    source_ids: tuple[str, ...]
    pages: Pages | None


Blocks = Sequence[Block]
Cut = Callable[[Blocks, Korean], Iterator[Unit]]
"""The units of one document's searchable blocks."""


def cut_blocks(blocks: Blocks, korean: Korean) -> Iterator[Unit]:
    """One unit a block."""
    for block in blocks:
        yield _unit([block], block.text)


def cut_pages(blocks: Blocks, korean: Korean) -> Iterator[Unit]:
    """One unit a page; a block on two pages belongs to its first.

    Raises:
        ConfigError: the document has no pages.
    """
    if any(block.pages is None for block in blocks):
        raise ConfigError(f"chunking 'page': document {blocks[0].doc_id!r} has no pages")
    for _, group in groupby(blocks, key=lambda block: block.pages and block.pages[0]):
        members = list(group)
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
    """Cut, tokenise, embed and index the documents of an engine another way.

    A unit is its own parent: its lexical score counts with both weights.

    Raises:
        ConfigError: the name is unknown, or the documents cannot be cut this way.
    """
    if name not in CUTS:
        known = ", ".join((*CUTS, PARENT_CHILD))
        raise ConfigError(f"chunking {name!r}: unknown; known: {known}")
    start = time.perf_counter()
    units = [unit for blocks in _documents(engine) for unit in CUTS[name](blocks, engine.korean)]
    texts = [unit.text for unit in units]
    terms = list(engine.tokenizer.terms(texts))
    vocabulary = bm25.vocabulary(terms)
    rows = [[vocabulary[term] for term in row] for row in terms]
    lexical = bm25.fit(rows, len(vocabulary), engine.config.bm25.k1, engine.config.bm25.b)
    vectors = encode_all(engine.encoder, texts, lambda count: None)
    legs = Legs(
        lexical, lexical, np.arange(len(units), dtype=np.int32),
        dense.fit(vectors, engine.config.dense),
    )  # fmt: skip
    seconds = time.perf_counter() - start
    size = vectors.nbytes + sum(
        array.nbytes for array in (lexical.indptr, lexical.rows, lexical.counts, lexical.weights)
    )

    def analyse(questions: Sequence[str]) -> list[Query]:
        encoded = engine.encoder.encode_queries(questions)
        found = []
        for at, words in enumerate(engine.tokenizer.terms(questions)):
            ids, unknown = bm25.tally(words, vocabulary)
            found.append(Query(tuple(ids), unknown, encoded[at : at + 1]))
        return found

    return Chunked(name, engine.config, legs, units, analyse, mode, size, seconds)


def within_chars(ranking: Sequence[Retrieved], budget: int) -> list[Retrieved]:
    """The first passages that fit a budget of characters together."""
    kept: list[Retrieved] = []
    for passage in ranking:
        budget -= passage.chars
        if budget < 0:
            break
        kept.append(passage)
    return kept


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
        unit.doc_id, value, unit.source_ids, () if unit.pages is None else (unit.pages,), unit.chars
    )
