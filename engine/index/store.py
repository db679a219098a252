"""SQLite holds what is read: documents, blocks, parents, children, and the terms' ids.

Written once, in order, by one connection, so that the same input gives the same bytes; then only
read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from engine.types import Block, Child, Document, Parent

_SCHEMA = """
CREATE TABLE documents (position INTEGER PRIMARY KEY, doc_id TEXT UNIQUE NOT NULL,
    first_child INTEGER NOT NULL, last_child INTEGER NOT NULL, value BLOB NOT NULL);
CREATE TABLE blocks (position INTEGER PRIMARY KEY, block_id TEXT UNIQUE NOT NULL,
    doc_id TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE parents (position INTEGER PRIMARY KEY, parent_id TEXT UNIQUE NOT NULL,
    doc_id TEXT NOT NULL, first_block INTEGER NOT NULL, last_block INTEGER NOT NULL,
    value BLOB NOT NULL);
CREATE TABLE children (position INTEGER PRIMARY KEY, child_id TEXT UNIQUE NOT NULL,
    doc_id TEXT NOT NULL, parent INTEGER NOT NULL, value BLOB NOT NULL);
CREATE TABLE terms (term TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
CREATE UNIQUE INDEX terms_by_id ON terms (id);
CREATE INDEX blocks_by_document ON blocks (doc_id);
CREATE INDEX parents_by_document ON parents (doc_id);
CREATE INDEX children_by_document ON children (doc_id);
"""
SCHEMA_VERSION = 1
_DOCUMENT, _BLOCK = TypeAdapter(Document), TypeAdapter(Block)
_PARENT, _CHILD = TypeAdapter(Parent), TypeAdapter(Child)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One document with all that was made of it, each list in source order."""

    document: Document
    blocks: Sequence[Block]
    parents: Sequence[Parent]
    children: Sequence[Child]


class Store:
    """Read access to a finished store. Positions count from 0; a child's position is its row."""

    def __init__(self, path: Path) -> None:
        """Open read-only; nothing is ever written beside it.

        Raises:
            sqlite3.Error: no store, or a damaged one.
        """
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        names = ("documents", "blocks", "parents", "children", "terms")
        return {
            name: self._db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names
        }

    def integrity(self) -> str:
        """``ok``, or what SQLite finds wrong."""
        return str(self._db.execute("PRAGMA integrity_check(1)").fetchone()[0])

    def documents(self) -> Iterator[Document]:
        """All documents, by id."""
        for (value,) in self._db.execute("SELECT value FROM documents ORDER BY position"):
            yield _DOCUMENT.validate_json(value)

    def document(self, doc_id: str) -> Document | None:
        """One document, or None."""
        return self._one(_DOCUMENT, "SELECT value FROM documents WHERE doc_id = ?", doc_id)

    def document_rows(self, doc_id: str) -> range:
        """Rows of a document's children; empty for one that is not here."""
        found = self._db.execute(
            "SELECT first_child, last_child FROM documents WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        return range(found[0], found[1] + 1) if found else range(0)

    def block(self, block_id: str) -> Block | None:
        """One block, or None."""
        return self._one(_BLOCK, "SELECT value FROM blocks WHERE block_id = ?", block_id)

    def parent(self, parent_id: str) -> Parent | None:
        """One parent, or None."""
        return self._one(_PARENT, "SELECT value FROM parents WHERE parent_id = ?", parent_id)

    def child(self, child_id: str) -> Child | None:
        """One child, or None."""
        return self._one(_CHILD, "SELECT value FROM children WHERE child_id = ?", child_id)

    def child_at(self, row: int) -> Child:
        """The child of a row of the indexes."""
        found = self._one(_CHILD, "SELECT value FROM children WHERE position = ?", row)
        if found is None:
            raise KeyError(row)
        return found

    def children(self) -> Iterator[Child]:
        """All children, by row."""
        for (value,) in self._db.execute("SELECT value FROM children ORDER BY position"):
            yield _CHILD.validate_json(value)

    def blocks_of_parent(self, parent_id: str) -> list[Block]:
        """All blocks of a parent, in source order."""
        return self._all(
            _BLOCK,
            "SELECT b.value FROM parents p JOIN blocks b "
            "ON b.position BETWEEN p.first_block AND p.last_block "
            "WHERE p.parent_id = ? ORDER BY b.position",
            parent_id,
        )

    def blocks_of_document(self, doc_id: str) -> list[Block]:
        """All blocks of a document, in source order."""
        return self._all(
            _BLOCK, "SELECT value FROM blocks WHERE doc_id = ? ORDER BY position", doc_id
        )

    def entry(self, doc_id: str) -> Entry | None:
        """All of one document, as it was written."""
        document = self.document(doc_id)
        if document is None:
            return None
        return Entry(
            document,
            self.blocks_of_document(doc_id),
            self._all(
                _PARENT, "SELECT value FROM parents WHERE doc_id = ? ORDER BY position", doc_id
            ),
            self._all(
                _CHILD, "SELECT value FROM children WHERE doc_id = ? ORDER BY position", doc_id
            ),
        )

    def term_ids(self, terms: Iterable[str]) -> dict[str, int]:
        """Ids of those terms that are known."""
        found: dict[str, int] = {}
        for term in dict.fromkeys(terms):
            row = self._db.execute("SELECT id FROM terms WHERE term = ?", (term,)).fetchone()
            if row:
                found[term] = row[0]
        return found

    def term_names(self, ids: Iterable[int]) -> dict[int, str]:
        """Terms of some ids."""
        found: dict[int, str] = {}
        for number in ids:
            row = self._db.execute("SELECT term FROM terms WHERE id = ?", (number,)).fetchone()
            if row:
                found[number] = row[0]
        return found

    def terms(self) -> list[str]:
        """Every term; its position is its id."""
        return [term for (term,) in self._db.execute("SELECT term FROM terms ORDER BY id")]

    def _one(self, adapter: TypeAdapter[T], sql: str, key: str | int) -> T | None:
        row = self._db.execute(sql, (key,)).fetchone()
        return adapter.validate_json(row[0]) if row else None

    def _all(self, adapter: TypeAdapter[T], sql: str, key: str) -> list[T]:
        return [adapter.validate_json(value) for (value,) in self._db.execute(sql, (key,))]


def write_store(path: Path, entries: Iterable[Entry], terms: Iterable[str]) -> None:
    """Write a new store; documents in the order given, terms in the order of their ids."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA page_size = 4096")
        db.execute("BEGIN")
        for statement in _SCHEMA.split(";"):
            db.execute(statement)
        counts = [0, 0, 0]
        for position, entry in enumerate(entries):
            _write_entry(db, position, entry, counts)
        db.executemany("INSERT INTO terms VALUES (?, ?)", ((t, i) for i, t in enumerate(terms)))
        db.execute("COMMIT")
    finally:
        db.close()


def _write_entry(db: sqlite3.Connection, position: int, entry: Entry, counts: list[int]) -> None:
    """Append one document; ``counts`` are the blocks, parents and children written so far."""
    blocks, parents, children = counts
    doc_id = entry.document.doc_id
    db.execute(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?)",
        (position, doc_id, children, children + len(entry.children) - 1,
         _DOCUMENT.dump_json(entry.document, exclude_defaults=True)),
    )  # fmt: skip
    block_at = {block.block_id: blocks + i for i, block in enumerate(entry.blocks)}
    parent_at = {parent.parent_id: parents + i for i, parent in enumerate(entry.parents)}
    db.executemany(
        "INSERT INTO blocks VALUES (?, ?, ?, ?)",
        ((block_at[b.block_id], b.block_id, doc_id, _BLOCK.dump_json(b, exclude_defaults=True))
         for b in entry.blocks),
    )  # fmt: skip
    db.executemany(
        "INSERT INTO parents VALUES (?, ?, ?, ?, ?, ?)",
        ((parent_at[p.parent_id], p.parent_id, doc_id, block_at[p.block_ids[0]],
          block_at[p.block_ids[-1]], _PARENT.dump_json(p, exclude_defaults=True))
         for p in entry.parents),
    )  # fmt: skip
    db.executemany(
        "INSERT INTO children VALUES (?, ?, ?, ?, ?)",
        ((children + i, c.child_id, doc_id, parent_at[c.parent_id],
          _CHILD.dump_json(c, exclude_defaults=True)) for i, c in enumerate(entry.children)),
    )  # fmt: skip
    counts[:] = [
        blocks + len(entry.blocks), parents + len(entry.parents), children + len(entry.children)
    ]  # fmt: skip
