"""SQLite holds what is read: documents, blocks, parents, children, and the terms' ids.

Written once, in order, by one connection, so that the same input gives the same bytes; then only
read.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter

from engine.types import FURNITURE, Block, Child, Document, Extent, Parent, Placed

_SCHEMA = """
CREATE TABLE documents (position INTEGER PRIMARY KEY, doc_id TEXT UNIQUE NOT NULL,
    first_child INTEGER NOT NULL, last_child INTEGER NOT NULL, value BLOB NOT NULL);
CREATE TABLE blocks (position INTEGER PRIMARY KEY, block_id TEXT UNIQUE NOT NULL,
    doc_id TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE parents (position INTEGER PRIMARY KEY, parent_id TEXT UNIQUE NOT NULL,
    doc_id TEXT NOT NULL, first_block INTEGER NOT NULL, last_block INTEGER NOT NULL,
    lengths BLOB NOT NULL, value BLOB NOT NULL);
CREATE TABLE children (position INTEGER PRIMARY KEY, child_id TEXT UNIQUE NOT NULL,
    doc_id TEXT NOT NULL, parent INTEGER NOT NULL, first_block INTEGER NOT NULL,
    last_block INTEGER NOT NULL, digest BLOB NOT NULL, value BLOB NOT NULL);
CREATE TABLE terms (term TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
CREATE UNIQUE INDEX terms_by_id ON terms (id);
CREATE INDEX blocks_by_document ON blocks (doc_id);
CREATE INDEX parents_by_document ON parents (doc_id);
CREATE INDEX children_by_document ON children (doc_id);
"""
SCHEMA_VERSION = 5
_AT_ONCE = 500
_DOCUMENT, _BLOCK = TypeAdapter(Document), TypeAdapter(Block)
_PARENT, _CHILD = TypeAdapter(Parent), TypeAdapter(Child)
_BLOCKS, _PARENTS = TypeAdapter(list[Block]), TypeAdapter(list[Parent])
_CHILDREN = TypeAdapter(list[Child])
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One document with all that was made of it, each list in source order."""

    document: Document
    blocks: Sequence[Block]
    parents: Sequence[Parent]
    children: Sequence[Child]


class Store:
    """Read access to a finished store. Positions count from 0; a child's position is its row.

    One connection serves all threads, one statement at a time: it keeps its file even when that
    is removed, which a connection opened later could not.
    """

    def __init__(self, path: Path) -> None:
        """Open read-only; nothing is ever written beside it.

        Raises:
            sqlite3.Error: no store, or a damaged one.
        """
        self._db = sqlite3.connect(_address(path), uri=True, check_same_thread=False)
        self._lock = threading.Lock()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        names = ("documents", "blocks", "parents", "children", "terms")
        return {name: self._rows(f"SELECT count(*) FROM {name}")[0][0] for name in names}

    def integrity(self) -> str:
        """``ok``, or what SQLite finds wrong."""
        return str(self._rows("PRAGMA integrity_check(1)")[0][0])

    def documents(self) -> Iterator[Document]:
        """All documents, in the order of the sources."""
        for (value,) in self._rows("SELECT value FROM documents ORDER BY position"):
            yield _DOCUMENT.validate_json(value)

    def document(self, doc_id: str) -> Document | None:
        """One document, or None."""
        return self._one(_DOCUMENT, "SELECT value FROM documents WHERE doc_id = ?", doc_id)

    def documents_of(self, doc_ids: Collection[str]) -> dict[str, Document]:
        """Those of some documents that are here, by id."""
        places = ",".join("?" * len(doc_ids))
        sql = f"SELECT doc_id, value FROM documents WHERE doc_id IN ({places})"
        return {name: _DOCUMENT.validate_json(value) for name, value in self._rows(sql, *doc_ids)}

    def document_rows(self, doc_id: str) -> range:
        """Rows of a document's children; empty for one that is not here."""
        found = self._rows("SELECT first_child, last_child FROM documents WHERE doc_id = ?", doc_id)
        return range(found[0][0], found[0][1] + 1) if found else range(0)

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
        for (value,) in self._rows("SELECT value FROM children ORDER BY position"):
            yield _CHILD.validate_json(value)

    def blocks_of_parent(self, parent_id: str) -> list[Block]:
        """All blocks of a parent, in source order."""
        return self._all(
            _BLOCKS,
            "SELECT b.value FROM parents p JOIN blocks b "
            "ON b.position BETWEEN p.first_block AND p.last_block "
            "WHERE p.parent_id = ? ORDER BY b.position",
            parent_id,
        )

    def placed(self, rows: Sequence[int]) -> list[Placed]:
        """The children of some rows, and where they stand."""
        places = ",".join("?" * len(rows))
        found = self._rows(
            "SELECT c.position, c.value, c.first_block, c.last_block, p.position, p.first_block, "
            "p.lengths FROM children c JOIN parents p ON p.position = c.parent "
            f"WHERE c.position IN ({places})", *rows,
        )  # fmt: skip
        extents = {parent: _extents(first, lengths) for *_, parent, first, lengths in found}
        by_row = {
            row: Placed(_CHILD.validate_json(value), first, last, extents[parent])
            for row, value, first, last, parent, *_ in found
        }
        return [by_row[row] for row in rows]

    def blocks_between(self, first: int, last: int) -> list[Block]:
        """Blocks from one position to another, both included, in source order."""
        sql = "SELECT value FROM blocks WHERE position BETWEEN ? AND ? ORDER BY position"
        return self._all(_BLOCKS, sql, first, last)

    def blocks_of_document(self, doc_id: str) -> list[Block]:
        """All blocks of a document, in source order."""
        return self._all(
            _BLOCKS, "SELECT value FROM blocks WHERE doc_id = ? ORDER BY position", doc_id
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
                _PARENTS, "SELECT value FROM parents WHERE doc_id = ? ORDER BY position", doc_id
            ),
            self._all(
                _CHILDREN, "SELECT value FROM children WHERE doc_id = ? ORDER BY position", doc_id
            ),
        )

    def digests(self) -> list[bytes]:
        """`text_digest` of each child, by row."""
        return [digest for (digest,) in self._rows("SELECT digest FROM children ORDER BY position")]

    def term_ids(self, terms: Iterable[str]) -> dict[str, int]:
        """Ids of those terms that are known."""
        asked = list(dict.fromkeys(terms))
        found: dict[str, int] = {}
        for start in range(0, len(asked), _AT_ONCE):
            part = asked[start : start + _AT_ONCE]
            places = ",".join("?" * len(part))
            found.update(self._rows(f"SELECT term, id FROM terms WHERE term IN ({places})", *part))
        return found

    def terms(self) -> list[str]:
        """Every term; its position is its id."""
        return [term for (term,) in self._rows("SELECT term FROM terms ORDER BY id")]

    def _rows(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def _one(self, adapter: TypeAdapter[T], sql: str, key: str | int) -> T | None:
        rows = self._rows(sql, key)
        return adapter.validate_json(rows[0][0]) if rows else None

    def _all(self, adapter: TypeAdapter[list[T]], sql: str, *keys: str | int) -> list[T]:
        # Parsed in one go, which is a fifth faster than one by one.
        values = [value for (value,) in self._rows(sql, *keys)]
        return adapter.validate_json(b"[" + b",".join(values) + b"]")


class StoreWriter:
    """A store in the making: documents one after the other, then the terms, then ``commit``.

    Documents of the ``previous`` store are copied as they stand, without being parsed.
    """

    def __init__(self, path: Path, previous: Path | None = None) -> None:
        self.blocks = self.parents = self.children = self.documents = 0
        self._db = sqlite3.connect(path.absolute().as_uri(), uri=True, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "page_size = 4096"):
            self._db.execute(f"PRAGMA {pragma}")
        if previous:
            self._db.execute("ATTACH ? AS old", (_address(previous),))
        self._db.execute("BEGIN")
        for statement in _SCHEMA.split(";"):
            self._db.execute(statement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, entry: Entry) -> None:
        """Append one document."""
        doc_id = entry.document.doc_id
        block_at = {b.block_id: self.blocks + i for i, b in enumerate(entry.blocks)}
        parent_at = {p.parent_id: self.parents + i for i, p in enumerate(entry.parents)}
        self._db.executemany(
            "INSERT INTO blocks VALUES (?, ?, ?, ?)",
            ((block_at[b.block_id], b.block_id, doc_id,
              _BLOCK.dump_json(b, exclude_defaults=True)) for b in entry.blocks),
        )  # fmt: skip
        blocks = {b.block_id: b for b in entry.blocks}
        self._db.executemany(
            "INSERT INTO parents VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((parent_at[p.parent_id], p.parent_id, doc_id, block_at[p.block_ids[0]],
              block_at[p.block_ids[-1]], _lengths(blocks[i] for i in p.block_ids),
              _PARENT.dump_json(p, exclude_defaults=True)) for p in entry.parents),
        )  # fmt: skip
        self._db.executemany(
            "INSERT INTO children VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((self.children + i, c.child_id, doc_id, parent_at[c.parent_id],
              block_at[c.block_ids[0]], block_at[c.block_ids[-1]], text_digest(c.text),
              _CHILD.dump_json(c, exclude_defaults=True)) for i, c in enumerate(entry.children)),
        )  # fmt: skip
        value = _DOCUMENT.dump_json(entry.document, exclude_defaults=True)
        self._finish(doc_id, value, len(entry.blocks), len(entry.parents), len(entry.children))

    def copy(self, doc_id: str) -> None:
        """Append one document of the previous store; nothing of it depends on its neighbours."""
        (value,) = self._db.execute(
            "SELECT value FROM old.documents WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        blocks, block_step = self._span("blocks", doc_id, self.blocks)
        parents, parent_step = self._span("parents", doc_id, self.parents)
        children, child_step = self._span("children", doc_id, self.children)
        self._move("blocks", "position + :by, block_id, doc_id, value", doc_id, by=block_step)
        self._move(
            "parents", "position + :by, parent_id, doc_id, first_block + :blocks, "
            "last_block + :blocks, lengths, value", doc_id, by=parent_step, blocks=block_step,
        )  # fmt: skip
        self._move(
            "children", "position + :by, child_id, doc_id, parent + :parents, "
            "first_block + :blocks, last_block + :blocks, digest, value",
            doc_id, by=child_step, parents=parent_step, blocks=block_step,
        )  # fmt: skip
        self._finish(doc_id, value, blocks, parents, children)

    def counts(self) -> dict[str, int]:
        """Rows of each table but the terms."""
        return {
            "documents": self.documents, "blocks": self.blocks, "parents": self.parents,
            "children": self.children,
        }  # fmt: skip

    def digests(self) -> list[bytes]:
        """`text_digest` of each child so far, by row."""
        found = self._db.execute("SELECT digest FROM children ORDER BY position")
        return [digest for (digest,) in found]

    def texts(self, rows: Iterable[int]) -> Iterator[str]:
        """Texts of some children."""
        for row in rows:
            (value,) = self._db.execute(
                "SELECT value FROM children WHERE position = ?", (row,)
            ).fetchone()
            yield _CHILD.validate_json(value).text

    def parent_of(self) -> list[int]:
        """Position of each child's parent, by row."""
        found = self._db.execute("SELECT parent FROM children ORDER BY position")
        return [parent for (parent,) in found]

    def commit(self, terms: Iterable[str]) -> None:
        """Write the terms, in the order of their ids, make the store whole and close it."""
        self._db.executemany(
            "INSERT INTO terms VALUES (?, ?)", ((t, i) for i, t in enumerate(terms))
        )
        self._db.execute("COMMIT")
        self._db.close()

    def _span(self, table: str, doc_id: str, at: int) -> tuple[int, int]:
        """How many rows a document has in the previous store, and how far they move to ``at``."""
        first, count = self._db.execute(
            f"SELECT min(position), count(*) FROM old.{table} WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        return count, at - (first or 0)

    def _move(self, table: str, columns: str, doc_id: str, **steps: int) -> None:
        self._db.execute(
            f"INSERT INTO {table} SELECT {columns} FROM old.{table} "
            "WHERE doc_id = :doc_id ORDER BY position",
            {"doc_id": doc_id, **steps},
        )

    def _finish(self, doc_id: str, value: bytes, blocks: int, parents: int, children: int) -> None:
        last = self.children + children - 1
        self._db.execute(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?)",
            (self.documents, doc_id, self.children, last, value),
        )
        self.documents += 1
        self.blocks += blocks
        self.parents += parents
        self.children += children


def _lengths(blocks: Iterable[Block]) -> bytes:
    """Of a parent's blocks, beside it, so that choosing what to read of a long one reads one row.

    None of what is never read.
    """
    lengths = [None if b.kind in FURNITURE else len(b.text) for b in blocks]
    return json.dumps(lengths, separators=(",", ":")).encode()


def _extents(first: int, lengths: bytes) -> list[Extent]:
    known = enumerate(json.loads(lengths), first)
    return [Extent(at, chars) for at, chars in known if chars is not None]


def text_digest(text: str) -> bytes:
    """A short name of a text, by which what was made of it is found again."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


def _address(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"
