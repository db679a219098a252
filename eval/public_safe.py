"""Results that may be published: figures and counts, but no text, no names, and hashed ids.

Ids become keyed hashes (HMAC-SHA256): without the key nobody can try ids until one fits. Queries of
a class with fewer than `FEW` of them appear in aggregates alone.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from eval.dataset import Qrels
from eval.matching import Run
from eval.results import Failure, QueryRecord, Results, SystemResult

FEW = 5
KEY_VARIABLE = "GEUNGEO_EVAL_KEY"
"""The same key gives the same hashes in every report; without it each report has its own."""
_KEPT_OF_INDEX = ("documents", "blocks", "parents", "children", "fingerprint", "bytes", "seconds")
_PATH = re.compile(r"=[^,]*[/\\][^,]*")

Hash = Callable[[str], str]


def keyed_hash() -> Hash:
    """Sixteen hexadecimal digits for a name, by the key of the environment or a fresh one."""
    given = os.environ.get(KEY_VARIABLE, "")
    key = given.encode() if given else secrets.token_bytes(32)
    return lambda name: hmac.new(key, name.encode(), hashlib.sha256).hexdigest()[:16]


def redact(
    results: Results, runs: Mapping[str, Run], qrels: Qrels, name: Hash
) -> tuple[Results, dict[str, Run], Qrels]:
    """The same figures without anything that could be read back."""
    sizes = Counter(query.query_class for query in results.queries)
    shown = {q.query_id: name(q.query_id) for q in results.queries if sizes[q.query_class] >= FEW}
    changes: dict[str, Any] = {
        "dataset": "dataset",
        "public_safe": True,
        "index": {key: v for key, v in results.index.items() if key in _KEPT_OF_INDEX},
        "queries": [_query(q, name) for q in results.queries if q.query_id in shown],
        "unknown_targets": [name(target) for target in results.unknown_targets],
        "notes": [f"{len(results.notes)} notes are left out"] if results.notes else [],
        "systems": [_system(system, shown, name) for system in results.systems],
        "comparisons": [
            c.model_copy(update={"system": _label(c.system), "base": _label(c.base)})
            for c in results.comparisons
        ],
        "stages": [s.model_copy(update={"name": _label(s.name)}) for s in results.stages],
        "failures": [_failure(f, name) for f in results.failures if f.query_id in shown],
        "checks": [
            c.model_copy(
                update={"name": _label(c.name), "problem": "does not hold" if c.problem else ""}
            )
            for c in results.checks
        ],
        "gates": [g.model_copy(update={"condition": _label(g.condition)}) for g in results.gates],
    }
    hidden_runs = {_label(system): _lines(run, shown, name) for system, run in runs.items()}
    return results.model_copy(update=changes), hidden_runs, _lines(qrels, shown, name)


def _lines(table: Mapping[str, Mapping[str, Any]], shown: Mapping[str, str], name: Hash) -> Any:
    """Rows of the shown queries, both ids hashed; order and values stay."""
    return {
        shown[query_id]: {name(line): value for line, value in row.items()}
        for query_id, row in table.items()
        if query_id in shown
    }


def _query(query: QueryRecord, name: Hash) -> QueryRecord:
    targets = {name(target): grade for target, grade in query.targets.items()}
    hidden = {"query_id": name(query.query_id), "text": None, "targets": targets}
    return query.model_copy(update=hidden)


def _system(system: SystemResult, shown: Mapping[str, str], name: Hash) -> SystemResult:
    return system.model_copy(
        update={
            "name": _label(system.name),
            "per_query": {
                measure: {shown[q]: value for q, value in row.items() if q in shown}
                for measure, row in system.per_query.items()
            },
            "ranks": _lines(system.ranks, shown, name),
            "delivered_ranks": _lines(system.delivered_ranks, shown, name),
            "latencies_ms": sorted(system.latencies_ms),
        }
    )


def _failure(failure: Failure, name: Hash) -> Failure:
    return failure.model_copy(
        update={
            "query_id": name(failure.query_id),
            "target": name(failure.target),
            "children": [],
            "other_ranks": {_label(s): rank for s, rank in failure.other_ranks.items()},
        }
    )


def _label(system: str) -> str:
    """A system's name without the paths that its settings may hold."""
    return _PATH.sub("=…", system)
