"""Build an index: read what changed, reuse what did not, write a new generation, swap it in."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.config import Config
from engine.errors import EngineError, IndexFault, SourceError
from engine.index import bm25, counting, dense
from engine.index.bm25 import Counts
from engine.index.encoder import encode_into, make_encoder, versions
from engine.index.manifest import (
    Manifest,
    abandon_generation,
    begin_generation,
    building,
    check_files,
    commit_generation,
    fingerprint,
    live_generation,
    read_manifest,
)
from engine.index.store import SCHEMA_VERSION, Entry, Store, StoreWriter
from engine.index.tokenizer import Tokenizer
from engine.ingest.blocks import make_blocks
from engine.ingest.chunks import make_children, make_parents
from engine.ingest.documents import Found, bears_ids, find_sources, read, reader_for
from engine.ingest.source import Source
from engine.retrieve.places import catalog_words
from engine.text.kiwi import Korean
from engine.types import BuildReport, Child, Document, Encoder, Reading, Vectors

INGEST_VERSION = 1
"""Raised whenever readers, blocks or children come out differently for the same file."""

_ROWS_AT_ONCE = 10_000
_TEXTS_AT_ONCE = 2_000

Stage = str
Progress = Callable[[Stage, int, int], None]
"""Called with a stage, how much of it is done and how much there is."""


@dataclass(slots=True)
class _Clock:
    """Seconds a stage, in the order they ran."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: Stage) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class _Previous:
    """The live generation, as far as it can be drawn on."""

    store: Store
    manifest: Manifest
    folder: Path


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the steps of one build share. ``writer`` holds the store in the making."""

    config: Config
    korean: Korean
    tokenizer: Tokenizer
    encoder: Encoder
    prints: dict[str, dict[str, Any]]
    previous: _Previous | None
    writer: StoreWriter
    tell: Progress

    def same(self, part: str) -> _Previous | None:
        """The previous generation if it was made the same way in one respect."""
        previous = self.previous
        same = previous and previous.manifest.fingerprints.get(part) == self.prints[part]
        return previous if same else None


@dataclass(slots=True)
class _Corpus:
    """What was read: the source of each document, and what was not."""

    origin: dict[str, str] = field(default_factory=dict)
    reused: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    encodings: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The children by row: a digest of each text, and its row in the previous generation or -1."""

    digests: list[bytes]
    old: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.digests)


def build_index(
    config: Config,
    *,
    force: bool = False,
    progress: Progress | None = None,
    encoder: Encoder | None = None,
) -> BuildReport:
    """Bring the index up to date with the corpus; the old one serves until the new one is whole.

    Args:
        config: names the corpus, the index and how one becomes the other.
        force: reuse nothing of the old index.
        progress: hears how far each stage is.
        encoder: None: the one that the configuration names.

    Raises:
        SourceError: the corpus is not there, is ambiguous, or (``on_error: fail``) cannot be read.
        IndexFault: the index is being built by someone else, or cannot be written.
        ModelError: the encoder cannot be loaded.
    """
    tell = progress or (lambda stage, done, total: None)
    index = config.resolve(config.index.path)
    with building(index):
        try:
            return _build(config, index, force, tell, encoder or make_encoder(config))
        except OSError as error:
            where = error.filename or index
            raise IndexFault(f"{where}: cannot be written: {error.strerror or error}") from None
        except sqlite3.Error as error:
            raise IndexFault(f"{index}: the store cannot be written: {error}") from None


def open_korean(config: Config) -> Korean:
    """The shared Kiwi, knowing the names of the place catalog."""
    return Korean(catalog_words(config))


def index_fingerprints(
    config: Config, tokenizer: Tokenizer, encoder: Encoder
) -> dict[str, dict[str, Any]]:
    """What an index depends on beside its sources."""
    return {
        "ingest": {"version": INGEST_VERSION, **config.chunking.model_dump()},
        "tokenizer": tokenizer.fingerprint,
        "encoder": dict(encoder.fingerprint),
        "bm25": config.bm25.model_dump(),
        "dense": config.dense.model_dump(exclude={"compared"}),
    }


def _build(
    config: Config, index: Path, force: bool, tell: Progress, encoder: Encoder
) -> BuildReport:
    clock = _Clock()
    korean = open_korean(config)
    tokenizer = Tokenizer(korean, config.tokenizer)
    prints = index_fingerprints(config, tokenizer, encoder)
    previous = None if force else _open_previous(index)
    with clock.stage("find"):
        found = find_sources(config)
        inputs = _inputs(found.sources, prints)
    if previous and previous.manifest.inputs == inputs and not _must_fail(previous, config):
        return _unchanged(previous, index, found, clock)
    folder = begin_generation(index)
    old_store = previous.folder / "store.sqlite" if previous else None
    try:
        with StoreWriter(folder / "store.sqlite", old_store) as writer:
            parts = _Parts(config, korean, tokenizer, encoder, prints, previous, writer, tell)
            return _fill(parts, index, folder, found, inputs, clock)
    except BaseException:
        abandon_generation(folder)
        raise
    finally:
        _close(previous)


def _fill(
    parts: _Parts, index: Path, folder: Path, found: Found, inputs: str, clock: _Clock
) -> BuildReport:
    """Make all parts of a generation, one after the other, and swap it in."""
    config, writer = parts.config, parts.writer
    with clock.stage("read"):
        corpus = _read_corpus(parts, found.sources)
    if not writer.children:
        raise _nothing(config, corpus, found)
    rows = _rows(parts)
    with clock.stage("tokenize"):
        counts, terms = _counts(parts, rows)
    with clock.stage("bm25"):
        _fit_lexical(parts, counts, folder)
        del counts
    with clock.stage("embed"):
        vectors, embedded = _vectors(parts, rows)
    with clock.stage("dense"):
        dense.save(dense.fit(vectors, config.dense), folder / "dense.faiss")
        del vectors
    with clock.stage("write"):
        writer.commit(terms)
        manifest = Manifest(
            schema_version=SCHEMA_VERSION, inputs=inputs, fingerprints=parts.prints,
            counts={**writer.counts(), "terms": len(terms)}, config=config.model_dump(mode="json"),
            files={}, versions=versions(), skipped=corpus.skipped, warnings=corpus.warnings,
            encodings=dict(sorted(corpus.encodings.items())),
        )  # fmt: skip
        removed = _removed(parts.previous, corpus)
        _close(parts.previous)
        commit_generation(index, folder, manifest, config.index.keep_generations)
    parts.tell("done", 1, 1)
    return BuildReport(
        index=str(index), documents=writer.documents, read=writer.documents - corpus.reused,
        reused=corpus.reused, removed=removed, skipped=corpus.skipped,
        unsupported=found.unsupported, blocks=writer.blocks, parents=writer.parents,
        children=writer.children, embedded=embedded, unchanged=False, seconds=clock.seconds,
        warnings=tuple(corpus.warnings), encodings=manifest.encodings,
    )  # fmt: skip


def _nothing(config: Config, corpus: _Corpus, found: Found) -> SourceError:
    left_out = {**corpus.skipped, **found.unsupported}
    reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
    return SourceError(
        f"corpus.paths: nothing to index in {', '.join(config.corpus.paths)}"
        + (f" ({reasons[:500]})" if reasons else "")
    )


def _open_previous(index: Path) -> _Previous | None:
    """The live generation, or None where there is none that is whole enough to draw on."""
    try:
        folder = live_generation(index)
        manifest = read_manifest(folder)
        if manifest.schema_version != SCHEMA_VERSION or any(
            check_files(folder, manifest, digests=True)
        ):
            return None
        return _Previous(Store(folder / "store.sqlite"), manifest, folder)
    except (EngineError, sqlite3.Error):
        return None


def _close(previous: _Previous | None) -> None:
    if previous:
        previous.store.close()


def _inputs(sources: Sequence[Source], prints: dict[str, Any]) -> str:
    """A short name of everything that an index is made from."""
    files: dict[str, str] = {}
    for source in sources:
        try:
            files[f"{source.doc_id} {source.name}"] = source.sha256
        except SourceError as error:
            files[source.name] = str(error)
    return fingerprint({"files": files, "prints": prints})


def _must_fail(previous: _Previous, config: Config) -> bool:
    """Whether files that were skipped then are an error now; reading them anew says which."""
    return config.corpus.on_error == "fail" and bool(previous.manifest.skipped)


def _unchanged(previous: _Previous, index: Path, found: Found, clock: _Clock) -> BuildReport:
    counts = previous.manifest.counts
    previous.store.close()
    return BuildReport(
        index=str(index), documents=counts["documents"], read=0, reused=counts["documents"],
        removed=0, skipped=previous.manifest.skipped, unsupported=found.unsupported,
        blocks=counts["blocks"], parents=counts["parents"], children=counts["children"],
        embedded=0, unchanged=True, seconds=clock.seconds,
        warnings=tuple(previous.manifest.warnings), encodings=previous.manifest.encodings,
    )  # fmt: skip


def _read_corpus(parts: _Parts, sources: Sequence[Source]) -> _Corpus:
    corpus = _Corpus()
    known = _known_documents(parts.same("ingest"))
    for done, source in enumerate(sources):
        parts.tell("read", done, len(sources))
        try:
            _take(parts, corpus, source, known.get((source.name, source.sha256), []))
        except SourceError as error:
            if parts.config.corpus.on_error == "fail" or isinstance(error, _TwiceError):
                raise
            corpus.skipped[source.name] = str(error).removeprefix(f"{source.name}: ")
    parts.tell("read", len(sources), len(sources))
    return corpus


def _take(parts: _Parts, corpus: _Corpus, source: Source, before: Sequence[Document]) -> None:
    """Add the documents of a source: those of the previous generation, or else by reading it.

    An id comes from the corpus path that a file was found under, which may be another one now.
    """
    known = [d for d in before if d.doc_id == source.doc_id or bears_ids(d.format)]
    for document in known:
        _note(corpus, document, source.name)
        corpus.reused += 1
        rows = parts.writer.children
        parts.writer.copy(document.doc_id)
        _warn_if_bare(corpus, source.name, document.doc_id, parts.writer.children - rows)
    if known:
        return
    for entry in _read_source(parts.config, source, parts.korean):
        _note(corpus, entry.document, source.name)
        parts.writer.add(entry)
        _warn_if_bare(corpus, source.name, entry.document.doc_id, len(entry.children))


class _TwiceError(SourceError):
    """Two documents of one id: no file's own fault, so none can be skipped for it."""


def _note(corpus: _Corpus, document: Document, name: str) -> None:
    doc_id = document.doc_id
    if doc_id in corpus.origin:
        raise _TwiceError(
            f"{corpus.origin[doc_id]!r} and {name!r} both hold a document {doc_id!r}; "
            "rename one or name it in corpus.exclude"
        )
    corpus.origin[doc_id] = name
    corpus.warnings += [f"{name}: {warning}" for warning in document.warnings]
    if document.encoding:
        corpus.encodings[document.encoding] += 1


def _warn_if_bare(corpus: _Corpus, name: str, doc_id: str, children: int) -> None:
    if not children:
        corpus.warnings.append(f"{name}: {doc_id}: holds no searchable text")


def _known_documents(previous: _Previous | None) -> dict[tuple[str, str], list[Document]]:
    """Documents of each source, by its name and content."""
    known: dict[tuple[str, str], list[Document]] = {}
    for document in previous.store.documents() if previous else ():
        known.setdefault((document.source, document.sha256), []).append(document)
    return known


def _read_source(config: Config, source: Source, korean: Korean) -> list[Entry]:
    reader = reader_for(source)
    if reader is None:
        raise SourceError(f"{source.name}: no reader for it")
    return [
        make_entry(source, reader.NAME, reading, config, korean)
        for reading in read(source, reader, korean)
    ]


def make_entry(
    source: Source, form: str, reading: Reading, config: Config, korean: Korean
) -> Entry:
    """Everything that one reading becomes."""
    doc_id = reading.doc_id or source.doc_id
    blocks = make_blocks(doc_id, reading)
    parents = make_parents(blocks, config.chunking)
    children: list[Child] = []
    section, first = -1, 1
    for parent in parents:
        first = first if parent.section == section else 1
        section = parent.section
        made = make_children(parent, blocks, config.chunking, korean, first)
        first += len(made)
        children += made
    document = Document(
        doc_id, reading.title, source.name, form, source.sha256, page_count=reading.page_count,
        encoding=reading.encoding, references=reading.references, metadata=reading.metadata,
        warnings=reading.warnings,
    )  # fmt: skip
    return Entry(document, blocks, parents, children)


def _rows(parts: _Parts) -> _Rows:
    digests = parts.writer.digests()
    known: dict[bytes, int] = {}
    if parts.previous:
        known = {digest: row for row, digest in enumerate(parts.previous.store.digests())}
    return _Rows(digests, np.array([known.get(digest, -1) for digest in digests], np.int64))


def _counts(parts: _Parts, rows: _Rows) -> tuple[Counts, list[str]]:
    """Counts of the terms of every child, and the terms; analysed only where the text is new."""
    previous = parts.same("tokenizer")
    old = rows.old if previous else np.full(len(rows), -1)
    fresh, reused = np.flatnonzero(old < 0), np.flatnonzero(old >= 0)
    names = previous.store.terms() if previous else []
    ids = {term: number for number, term in enumerate(names)}
    counts = counting.count(_terms(parts, fresh.tolist()), ids)
    if previous and len(reused):
        before = bm25.load(previous.folder / "bm25" / "children").row_counts()[old[reused]]
        places = np.argsort(np.concatenate([fresh, reused]))
        counts = counting.stack([counts, before], len(ids))[places]
    return counting.in_order(counts, list(ids))


def _terms(parts: _Parts, rows: Sequence[int]) -> Iterator[list[str]]:
    for done in range(0, len(rows), _TEXTS_AT_ONCE):
        parts.tell("tokenize", done, len(rows))
        batch = rows[done : done + _TEXTS_AT_ONCE]
        yield from parts.tokenizer.terms(list(parts.writer.texts(batch)))
    parts.tell("tokenize", len(rows), len(rows))


def _fit_lexical(parts: _Parts, counts: Counts, folder: Path) -> None:
    """BM25 over the children and over their parents, and which parent each child has."""
    k1, b = parts.config.bm25.k1, parts.config.bm25.b
    parent_of = np.array(parts.writer.parent_of(), np.int32)
    bm25.save(bm25.fit_counts(counts, k1, b), folder / "bm25" / "children")
    by_parent = counting.gather(counts, parent_of)
    bm25.save(bm25.fit_counts(by_parent, k1, b), folder / "bm25" / "parents")
    with (folder / "parents.npy").open("wb") as file:
        np.save(file, parent_of, allow_pickle=False)


def _vectors(parts: _Parts, rows: _Rows) -> tuple[Vectors, int]:
    """Vectors of every child, and how many were made anew; the same text is encoded once."""
    previous = parts.same("encoder")
    old = rows.old if previous else np.full(len(rows), -1)
    first = {rows.digests[row]: row for row in np.flatnonzero(old < 0).tolist()[::-1]}
    fresh = sorted(first.values())
    vectors = np.empty((len(rows), parts.encoder.dim), np.float32)
    done = 0

    def hear(count: int) -> None:
        nonlocal done
        done += count
        parts.tell("embed", done, len(fresh))

    parts.tell("embed", 0, len(fresh))
    encode_into(vectors, fresh, parts.encoder, list(parts.writer.texts(fresh)), hear)
    for row in np.flatnonzero(old < 0).tolist():
        if first[rows.digests[row]] != row:
            vectors[row] = vectors[first[rows.digests[row]]]
    if previous:
        index = dense.load(previous.folder / "dense.faiss", parts.config.dense)
        for reused in np.array_split(np.flatnonzero(old >= 0), len(old) // _ROWS_AT_ONCE + 1):
            if len(reused):
                vectors[reused] = index.vectors(old[reused])
    return vectors, len(fresh)


def _removed(previous: _Previous | None, corpus: _Corpus) -> int:
    if previous is None:
        return 0
    return sum(document.doc_id not in corpus.origin for document in previous.store.documents())
