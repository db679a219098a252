"""Hand-written stand-ins for systems, indexes and sets, shared by the tests of the harness."""

import json
from collections.abc import Mapping, Sequence

from eval.dataset import UNANSWERABLE, Dataset, Query
from eval.stages import Place
from eval.systems import Retrieved


def passage(doc_id, score=1.0, source_ids=(), pages=(), chars=100, parent_id="", child_id=""):
    return Retrieved(doc_id, score, tuple(source_ids), tuple(pages), chars, child_id, parent_id)


def ranking(*names):
    """Passages ``doc`` or ``doc#S1-P1``, scores falling from 1.0 by 0.01."""
    return [
        passage(name.split("#")[0], 1 - at / 100, name.split("#")[1:])
        for at, name in enumerate(names)
    ]


class Scripted:
    """Returns what it was told for each question, and remembers how it was asked."""

    def __init__(self, name: str, answers: Mapping[str, Sequence[Retrieved]]) -> None:
        self.name = name
        self.answers = answers
        self.asked: list[tuple[tuple[str, ...], int]] = []

    def search(self, queries, k):
        self.asked.append((tuple(queries), k))
        return [list(self.answers.get(query, ()))[:k] for query in queries]


class Cautious(Scripted):
    """Gives no evidence for a question whose best passage scores below 0.99."""

    def silent(self, queries):
        return [not row or row[0].score < 0.99 for row in self.search(queries, 1)]


class FakeCatalog:
    """Knows the places it was given; questions share a term with them unless told otherwise."""

    def __init__(self, places, strangers=()):
        self.places = {
            target: Place((child,), frozenset({parent}))
            for target, (child, parent) in places.items()
        }
        self.strangers = strangers

    def place(self, target):
        return self.places.get(target, Place())

    def shares_term(self, query, place):
        return query not in self.strangers


def make_dataset(qrels, classes=None, unanswerable=()):
    """Questions are spelled like their ids with ``?``."""
    classes = classes or {}
    queries = [Query(query_id, f"{query_id}?", classes.get(query_id, "")) for query_id in qrels]
    queries += [Query(query_id, f"{query_id}?", UNANSWERABLE) for query_id in unanswerable]
    return Dataset("set", tuple(queries), qrels)


def write_set(folder, queries, qrels, corpus=None, header="query-id\tcorpus-id\tscore"):
    """A set in BEIR layout; queries as ``(id, text, class or None)``, qrels as rows."""
    (folder / "qrels").mkdir(parents=True)
    lines = [
        json.dumps({"_id": i, "text": text, "metadata": {"class": c} if c else {}})
        for i, text, c in queries
    ]
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = ([header] if header else []) + ["\t".join(map(str, row)) for row in qrels]
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    if corpus is not None:
        documents = [{"_id": i, "title": "", "text": text} for i, text in corpus]
        text = "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in documents)
        (folder / "corpus.jsonl").write_text(text, encoding="utf-8")
    return folder
