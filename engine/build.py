"""Build an index: read what changed, reuse what did not, write a new generation, swap it in."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.config import Config
from engine.errors import EngineError, IndexFault, SourceError
from engine.index import bm25, dense
from engine.index.encoder import encode_all, make_encoder, versions
from engine.index.manifest import (
    Manifest,
    begin_generation,
    building,
    check_files,
    commit_generation,
    fingerprint,
    live_generation,
    read_manifest,
)
from engine.index.store import SCHEMA_VERSION, Entry, Store, write_store
from engine.index.tokenizer import Tokenizer
from engine.ingest.blocks import make_blocks
from engine.ingest.chunks import make_children, make_parents
from engine.ingest.documents import Found, find_sources, read, reader_for
from engine.ingest.source import Source
from engine.korean import Korean
from engine.retrieve.places import catalog_words
from engine.types import BuildReport, Child, Document, Encoder, Reading, Vectors

INGEST_VERSION = 1
"""Raised whenever readers, blocks or children come out differently for the same file."""

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


@dataclass(slots=True)
class _Corpus:
    """What was read: entries by document id, and what was not."""

    entries: dict[str, Entry] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)
    reused: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def build_index(
    config: Config, *, force: bool = False, progress: Progress | None = None
) -> BuildReport:
    """Bring the index up to date with the corpus; the old one serves until the new one is whole.

    Raises:
        SourceError: the corpus is not there, is ambiguous, or (``on_error: fail``) cannot be read.
        IndexFault: the index is being built by someone else, or cannot be written.
        ModelError: the encoder cannot be loaded.
    """
    tell = progress or (lambda stage, done, total: None)
    index = config.resolve(config.index.path)
    with building(index):
        try:
            return _build(config, index, force, tell)
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
        "dense": config.dense.model_dump(exclude={"hnsw_ef_search"}),
    }


def _build(config: Config, index: Path, force: bool, tell: Progress) -> BuildReport:
    clock = _Clock()
    korean = open_korean(config)
    tokenizer, encoder = Tokenizer(korean, config.tokenizer), make_encoder(config)
    prints = index_fingerprints(config, tokenizer, encoder)
    previous = None if force else _open_previous(index)
    with clock.stage("find"):
        found = find_sources(config)
        inputs = _inputs(found.sources, prints)
    if (
        previous
        and previous.manifest.inputs == inputs
        and not any(check_files(previous.folder, previous.manifest, digests=False))
    ):
        return _unchanged(previous, index, found, clock)
    with clock.stage("read"):
        corpus = _read_corpus(
            config, found.sources, korean, _same(previous, prints, "ingest"), tell
        )
    entries = [corpus.entries[doc_id] for doc_id in sorted(corpus.entries)]
    children = [child for entry in entries for child in entry.children]
    if not children:
        reasons = "; ".join(
            f"{n}: {r}" for n, r in [*corpus.skipped.items(), *found.unsupported.items()]
        )
        raise SourceError(
            f"corpus.paths: nothing to index in {', '.join(config.corpus.paths)}"
            + (f" ({reasons[:500]})" if reasons else "")
        )
    known = _known_rows(previous)
    with clock.stage("tokenize"):
        terms = _terms(children, tokenizer, _same(previous, prints, "tokenizer"), known, tell)
        vocabulary = bm25.vocabulary(terms)
        rows = [[vocabulary[term] for term in text] for text in terms]
        del terms
    with clock.stage("embed"):
        vectors, embedded = _vectors(
            children, encoder, _same(previous, prints, "encoder"), known, tell
        )
    folder = begin_generation(index)
    with clock.stage("bm25"):
        size, (k1, b) = len(vocabulary), (config.bm25.k1, config.bm25.b)
        parent_of = _parent_positions(entries)
        bm25.save(bm25.fit(rows, size, k1, b), folder / "bm25" / "children")
        by_parent: list[list[int]] = [[] for _ in range(int(parent_of.max()) + 1)]
        for parent, row in zip(parent_of.tolist(), rows, strict=True):
            by_parent[parent] += row
        bm25.save(bm25.fit(by_parent, size, k1, b), folder / "bm25" / "parents")
        with (folder / "parents.npy").open("wb") as file:
            np.save(file, parent_of, allow_pickle=False)
    with clock.stage("dense"):
        dense.save(dense.fit(vectors, config.dense), folder / "dense.faiss")
    with clock.stage("write"):
        write_store(folder / "store.sqlite", entries, vocabulary)
        counts = {
            "documents": len(entries), "blocks": sum(len(e.blocks) for e in entries),
            "parents": sum(len(e.parents) for e in entries), "children": len(children),
            "terms": len(vocabulary),
        }  # fmt: skip
        manifest = Manifest(
            schema_version=SCHEMA_VERSION, inputs=inputs, fingerprints=prints, counts=counts,
            config=config.model_dump(mode="json"), files={}, versions=versions(),
            skipped=corpus.skipped, warnings=corpus.warnings, encodings=_encodings(entries),
        )  # fmt: skip
        removed = _removed(previous, corpus)
        if previous:
            previous.store.close()
        commit_generation(index, folder, manifest, config.index.keep_generations)
    tell("done", 1, 1)
    return BuildReport(
        index=str(index), documents=len(entries), read=len(entries) - corpus.reused,
        reused=corpus.reused, removed=removed, skipped=corpus.skipped,
        unsupported=found.unsupported, blocks=counts["blocks"], parents=counts["parents"],
        children=len(children), embedded=embedded, unchanged=False, seconds=clock.seconds,
        warnings=tuple(corpus.warnings), encodings=manifest.encodings,
    )  # fmt: skip


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


def _same(previous: _Previous | None, prints: dict[str, Any], part: str) -> _Previous | None:
    """The previous generation if it was made the same way in one respect."""
    return (
        previous if previous and previous.manifest.fingerprints.get(part) == prints[part] else None
    )


def _inputs(sources: Sequence[Source], prints: dict[str, Any]) -> str:
    """A short name of everything that an index is made from."""
    files: dict[str, str] = {}
    for source in sources:
        try:
            files[f"{source.doc_id} {source.name}"] = source.sha256
        except SourceError as error:
            files[source.name] = str(error)
    return fingerprint({"files": files, "prints": prints})


def _unchanged(previous: _Previous, index: Path, found: Found, clock: _Clock) -> BuildReport:
    counts = previous.manifest.counts
    previous.store.close()
    return BuildReport(
        index=str(index), documents=counts["documents"], read=0, reused=counts["documents"],
        removed=0, skipped=previous.manifest.skipped, unsupported=found.unsupported,
        blocks=counts["blocks"], parents=counts["parents"], children=counts["children"],
        embedded=0, unchanged=True, seconds=clock.seconds,
        warnings=tuple(previous.manifest.warnings),
        encodings=previous.manifest.encodings,
    )  # fmt: skip


def _read_corpus(
    config: Config,
    sources: Sequence[Source],
    korean: Korean,
    previous: _Previous | None,
    tell: Progress,
) -> _Corpus:
    corpus = _Corpus()
    known = _known_documents(previous)
    for done, source in enumerate(sources):
        tell("read", done, len(sources))
        try:
            entries = _reuse(previous, known, source) or _read_source(config, source, korean)
        except SourceError as error:
            if config.corpus.on_error == "fail":
                raise
            corpus.skipped[source.name] = str(error).removeprefix(f"{source.name}: ")
            continue
        for entry, reused in entries:
            _add(corpus, entry, source.name, reused)
    tell("read", len(sources), len(sources))
    return corpus


def _add(corpus: _Corpus, entry: Entry, name: str, reused: bool) -> None:
    doc_id = entry.document.doc_id
    if doc_id in corpus.entries:
        raise SourceError(
            f"{corpus.origin[doc_id]!r} and {name!r} both hold a document {doc_id!r}; "
            "rename one or name it in corpus.exclude"
        )
    corpus.entries[doc_id] = entry
    corpus.origin[doc_id] = name
    corpus.reused += reused
    corpus.warnings += [f"{name}: {warning}" for warning in entry.document.warnings]
    if not entry.children:
        corpus.warnings.append(f"{name}: {doc_id}: holds no searchable text")


def _known_documents(previous: _Previous | None) -> dict[tuple[str, str], list[str]]:
    """Ids of the documents of each source, by its name and content."""
    known: dict[tuple[str, str], list[str]] = {}
    for document in previous.store.documents() if previous else ():
        known.setdefault((document.source, document.sha256), []).append(document.doc_id)
    return known


def _reuse(
    previous: _Previous | None, known: dict[tuple[str, str], list[str]], source: Source
) -> list[tuple[Entry, bool]]:
    if previous is None:
        return []
    found = [previous.store.entry(i) for i in known.get((source.name, source.sha256), [])]
    return [(entry, True) for entry in found if entry is not None]


def _read_source(config: Config, source: Source, korean: Korean) -> list[tuple[Entry, bool]]:
    reader = reader_for(source)
    if reader is None:
        raise SourceError(f"{source.name}: no reader for it")
    return [
        (make_entry(source, reader.NAME, reading, config, korean), False)
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


def _known_rows(previous: _Previous | None) -> dict[bytes, int]:
    """Row of each child text in the previous generation."""
    if previous is None:
        return {}
    return {_key(child.text): row for row, child in enumerate(previous.store.children())}


def _key(text: str) -> bytes:
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


def _terms(
    children: Sequence[Child],
    tokenizer: Tokenizer,
    previous: _Previous | None,
    known: dict[bytes, int],
    tell: Progress,
) -> list[list[str]]:
    """Terms of every child; analysed only where the text is new."""
    old = [known.get(_key(child.text)) if previous else None for child in children]
    if previous:
        names = previous.store.terms()
        counts = bm25.load(previous.folder / "bm25" / "children").row_terms()
    made = tokenizer.terms([c.text for c, row in zip(children, old, strict=True) if row is None])
    terms: list[list[str]] = []
    for row in old:
        terms.append(next(made) if row is None else [names[term] for term in counts[row]])
        if len(terms) % 1000 == 0:
            tell("tokenize", len(terms), len(children))
    tell("tokenize", len(children), len(children))
    return terms


def _vectors(
    children: Sequence[Child],
    encoder: Encoder,
    previous: _Previous | None,
    known: dict[bytes, int],
    tell: Progress,
) -> tuple[Vectors, int]:
    """Vectors of every child, and how many were made anew; the same text is encoded once."""
    old = [known.get(_key(child.text), -1) if previous else -1 for child in children]
    fresh = list(dict.fromkeys(c.text for c, row in zip(children, old, strict=True) if row < 0))
    vectors = np.zeros((len(children), encoder.dim), np.float32)
    done = 0

    def hear(count: int) -> None:
        nonlocal done
        done += count
        tell("embed", done, len(fresh))

    tell("embed", 0, len(fresh))
    made = dict(zip(fresh, encode_all(encoder, fresh, hear), strict=True)) if fresh else {}
    if previous:
        reused = [position for position, row in enumerate(old) if row >= 0]
        if reused:
            index = dense.load(previous.folder / "dense.faiss", _dense_settings(previous))
            vectors[reused] = index.vectors(np.array([old[position] for position in reused]))
    for position, row in enumerate(old):
        if row < 0:
            vectors[position] = made[children[position].text]
    return vectors, len(fresh)


def _dense_settings(previous: _Previous) -> Any:
    return Config.model_validate(previous.manifest.config).dense


def _parent_positions(entries: Iterable[Entry]) -> Any:
    """Position of each child's parent among all parents, by row."""
    positions: list[int] = []
    before = 0
    for entry in entries:
        at = {parent.parent_id: before + i for i, parent in enumerate(entry.parents)}
        positions += [at[child.parent_id] for child in entry.children]
        before += len(entry.parents)
    return np.array(positions, np.int32)


def _encodings(entries: Iterable[Entry]) -> dict[str, int]:
    found = Counter(e.document.encoding for e in entries if e.document.encoding)
    return dict(sorted(found.items()))


def _removed(previous: _Previous | None, corpus: _Corpus) -> int:
    if previous is None:
        return 0
    return sum(document.doc_id not in corpus.entries for document in previous.store.documents())
