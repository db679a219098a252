"""A labelled set: questions, their classes, and graded targets, in BEIR layout.

Format: Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation", 2021.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import SourceError, first_problem
from engine.index.manifest import fingerprint
from engine.ingest.source import clean, decode
from eval.targets import parse_target

UNANSWERABLE = "unanswerable"
"""The class of questions that the corpus does not answer: scored apart."""

Qrels = Mapping[str, Mapping[str, int]]
"""Query id to target to grade; 0 is judged and not relevant."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question. ``query_class`` is empty where the set has no classes."""

    query_id: str
    text: str
    query_class: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """What is asked and what should be found.

    Attributes:
        queries: the judged ones and the unanswerable ones, in the order of the file.
        corpus: ``corpus.jsonl``, where the set brings its own documents.
        notes: what was left out, in words.
    """

    name: str
    queries: tuple[Query, ...]
    qrels: Qrels
    corpus: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A short name of the questions and their grades."""
        asked = {q.query_id: [q.text, q.query_class] for q in self.queries}
        return fingerprint({"queries": asked, "qrels": self.qrels})

    @property
    def judged(self) -> tuple[Query, ...]:
        """Questions that have targets."""
        return tuple(query for query in self.queries if query.query_id in self.qrels)

    @property
    def unanswerable(self) -> tuple[Query, ...]:
        """Questions that should find nothing."""
        return tuple(query for query in self.queries if query.query_class == UNANSWERABLE)

    @property
    def targets(self) -> tuple[str, ...]:
        """Every relevant target once, in order."""
        return tuple(
            dict.fromkeys(t for row in self.qrels.values() for t, grade in row.items() if grade > 0)
        )

    @property
    def by_document(self) -> bool:
        """Whether every target is a whole document, so that ranks count documents."""
        return all(parse_target(t).whole for row in self.qrels.values() for t in row)


class _QueryLine(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: Annotated[str, Field(alias="_id", min_length=1, strict=True)]
    text: Annotated[str, Field(min_length=1, strict=True)]
    metadata: dict[str, Any] = {}


def load_dataset(folder: str | Path, split: str = "test", limit: int | None = None) -> Dataset:
    """Read ``queries.jsonl`` and ``qrels/SPLIT.tsv``; ``limit`` keeps the first judged questions.

    Raises:
        SourceError: a file is missing or a line has another shape, by file and line number.
    """
    folder = Path(folder)
    queries = _read_queries(folder / "queries.jsonl")
    qrels = read_qrels(_qrels_file(folder, split), known=queries)
    for query in queries.values():
        if query.query_class == UNANSWERABLE and any(qrels.get(query.query_id, {}).values()):
            raise SourceError(
                f"{folder.name}: query {query.query_id!r} is of the class {UNANSWERABLE} but has "
                "relevant targets; change its class or its qrels"
            )
    kept = [q for q in queries.values() if q.query_id in qrels or q.query_class == UNANSWERABLE]
    if limit is not None:
        kept = kept[:limit]
    chosen = {q.query_id: qrels[q.query_id] for q in kept if q.query_class != UNANSWERABLE}
    if not chosen:
        raise SourceError(f"{folder}: no query of queries.jsonl has a line in the qrels")
    corpus = folder / "corpus.jsonl"
    return Dataset(
        folder.resolve().name, tuple(kept), chosen, corpus if corpus.is_file() else None,
        _notes(queries, qrels, chosen),
    )  # fmt: skip


def read_qrels(path: Path, known: Mapping[str, Query] | None = None) -> dict[str, dict[str, int]]:
    """Grades from BEIR's three columns (with or without header) or TREC's four.

    Raises:
        SourceError: by file and line number.
    """
    qrels: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        query_id, target, grade = _qrel(line, f"{path.name}:{number}", number)
        if grade is None:
            continue
        if known is not None and query_id not in known:
            raise SourceError(f"{path.name}:{number}: query {query_id!r} is not in queries.jsonl")
        if target in qrels.setdefault(query_id, {}):
            raise SourceError(f"{path.name}:{number}: {query_id!r} and {target!r} again")
        qrels[query_id][target] = grade
    if not qrels:
        raise SourceError(f"{path}: expected lines 'query-id<TAB>target<TAB>grade', found none")
    return qrels


def _qrel(line: str, place: str, number: int) -> tuple[str, str, int | None]:
    columns = line.split("\t") if "\t" in line else line.split()
    if len(columns) == 4:
        columns = [columns[0], columns[2], columns[3]]
    if len(columns) != 3 or not columns[0].strip() or not columns[1].strip():
        raise SourceError(
            f"{place}: found {len(columns)} columns, expected query-id, target, grade"
        )
    query_id, target, grade = (clean(column).strip() for column in columns)
    if number == 1 and grade.lower() in ("score", "relevance", "grade"):
        return query_id, target, None
    if not grade.isdecimal():
        raise SourceError(f"{place}: found grade {grade!r}, expected a whole number from 0")
    return query_id, target, int(grade)


def _read_queries(path: Path) -> dict[str, Query]:
    queries: dict[str, Query] = {}
    for number, line in _lines(path):
        place = f"{path.name}:{number}"
        try:
            row = _QueryLine.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            raise SourceError(f"{place}: not JSON: column {error.colno}: {error.msg}") from None
        except ValidationError as error:
            raise SourceError(f"{place}: {first_problem(error, 'line')}") from None
        query = Query(clean(row.id).strip(), clean(row.text).strip(), _class(row.metadata, place))
        if query.query_id in queries:
            raise SourceError(f"{place}: id {query.query_id!r} again")
        queries[query.query_id] = query
    return queries


def _class(metadata: Mapping[str, Any], place: str) -> str:
    name = metadata.get("class", "")
    if not isinstance(name, str):
        raise SourceError(f"{place}: metadata.class: found {name!r}, expected one word")
    return clean(name).strip()


def _qrels_file(folder: Path, split: str) -> Path:
    wanted = folder / "qrels" / f"{split}.tsv"
    found = sorted(folder.glob("qrels/*.tsv"))
    if wanted.is_file():
        return wanted
    names = ", ".join(path.stem for path in found) or "none"
    raise SourceError(
        f"{folder}: no qrels/{split}.tsv; splits found: {names}; name one with --split"
    )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from None
    text, _ = decode(data, path.name)
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def _notes(queries: Mapping[str, Query], qrels: Qrels, chosen: Qrels) -> tuple[str, ...]:
    counts = Counter(
        unjudged=sum(
            q.query_id not in qrels and q.query_class != UNANSWERABLE for q in queries.values()
        ),
        hopeless=sum(not any(row.values()) for row in chosen.values()),
    )
    notes = {
        "unjudged": "queries have no line in the qrels and are not asked",
        "hopeless": "queries have no relevant target and score 0",
    }
    return tuple(f"{counts[key]} {words}" for key, words in notes.items() if counts[key])
