"""Proof that an index is whole and agrees with its configuration."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.config import Config
from engine.engine import Engine
from engine.errors import EngineError
from engine.index.manifest import Manifest, check_files, live_generation, read_manifest
from engine.index.store import Store


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    name: str
    ok: bool
    detail: str


def examine(config: Config) -> list[Check]:
    """Everything that can be proved without the sources, one check after the other."""
    index = config.resolve(config.index.path)
    try:
        folder = live_generation(index)
        manifest = read_manifest(folder)
    except EngineError as error:
        return [Check("index", False, str(error))]
    counts = ", ".join(f"{number} {name}" for name, number in manifest.counts.items())
    return [
        Check("index", True, f"{folder} ({counts})"),
        _check("files", lambda: _files(folder, manifest)),
        _check("store", lambda: _store(folder, manifest)),
        _check("rows", lambda: _rows(config)),
    ]


def _check(name: str, run: Callable[[], str]) -> Check:
    """What a look finds; an exception is the finding."""
    try:
        return Check(name, True, run())
    except EngineError as error:
        return Check(name, False, str(error))
    except (sqlite3.Error, OSError, ValueError, KeyError) as error:
        return Check(name, False, f"{type(error).__name__}: {error}; rebuild with build --force")


def _files(folder: Path, manifest: Manifest) -> str:
    faults = list(check_files(folder, manifest, digests=True))
    if faults:
        raise EngineError("; ".join(faults))
    size = sum(record.size for record in manifest.files.values())
    return f"{len(manifest.files)} files, {size / 1e6:.1f} MB, all as written (sha256)"


def _store(folder: Path, manifest: Manifest) -> str:
    store = Store(folder / "store.sqlite")
    try:
        verdict = store.integrity()
        counts = store.counts()
        if verdict != "ok" or counts != manifest.counts:
            raise EngineError(
                f"{folder / 'store.sqlite'}: {verdict}, {counts}, expected {manifest.counts}"
            )
        spans = _spans(store)
    finally:
        store.close()
    return f"SQLite is whole; {spans} children read back as the spans of their blocks"


def _spans(store: Store) -> int:
    """Every child's text is what its spans slice out of its blocks, on the blocks' pages."""
    number = 0
    for document in store.documents():
        blocks = {block.block_id: block for block in store.blocks_of_document(document.doc_id)}
        entry = store.entry(document.doc_id)
        for child in entry.children if entry else ():
            text = "\n".join(blocks[s.block_id].text[s.start : s.end] for s in child.spans)
            if text != child.text:
                raise EngineError(f"{child.child_id}: its text is not that of its blocks; rebuild")
            number += 1
    return number


def _rows(config: Config) -> str:
    """Opens under the configuration, and row i of each part belongs to child i."""
    engine = Engine.open(config)
    size = engine.legs.dense.size
    picked = np.unique(np.linspace(0, size - 1, min(size, 20)).astype(np.int64))
    children = [engine.store.child_at(int(row)) for row in picked]
    wanted = engine.legs.dense.vectors(picked)
    made = engine.encoder.encode_passages([child.text for child in children])
    cosine = (wanted * made).sum(axis=1)
    for row, child, value in zip(picked, children, cosine, strict=True):
        if value < 0.99:
            raise EngineError(f"vector {row} is not that of {child.child_id} (cosine {value:.3f})")
    terms = engine.tokenizer.terms([child.text for child in children])
    for row, child, own in zip(picked, children, terms, strict=True):
        known = list(engine.store.term_ids(own).values())
        if not engine.legs.children.parts(known, [int(row)]).all():
            raise EngineError(f"BM25 row {row} lacks a term of {child.child_id}")
    return f"{len(picked)} of {size} children analysed and embedded again: rows agree"
