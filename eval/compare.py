"""Runs from anywhere, and two reports of ours, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import ConfigError
from eval.dataset import Dataset, Query, read_qrels
from eval.experiment import Asked, Settings, evaluate
from eval.matching import Run
from eval.results import Results, SystemResult
from eval.runs import read_run
from eval.statistics import paired, too_few

_SHOWN = 10


def compare_runs(paths: Sequence[Path], qrels: Path, settings: Settings) -> Results:
    """Score TREC run files on one set of qrels; the first is the base.

    A line of a run must be spelled like its target; it stands for itself alone.

    Raises:
        SourceError: a file is missing or a line has another shape.
    """
    grades = read_qrels(qrels)
    dataset = Dataset(
        qrels.stem, tuple(Query(query_id, "") for query_id in grades), grades,
        notes=("scored from run files: one rank holds one line",),
    )  # fmt: skip
    runs = named_runs(paths)
    strangers = {name: sum(q not in grades for q in run) for name, run in runs.items()}
    notes = [f"{name}: {n} queries are not in the qrels" for name, n in strangers.items() if n]
    results = evaluate(dataset, [Asked(name, run) for name, run in runs.items()], settings)
    return results.model_copy(update={"level": "line", "notes": [*results.notes, *notes]})


def named_runs(paths: Sequence[Path]) -> dict[str, Run]:
    """Load runs under `run_names`."""
    return {name: read_run(path) for name, path in zip(run_names(paths), paths, strict=True)}


def run_names(paths: Sequence[Path]) -> list[str]:
    """The files' stems; a second one of a stem gets its folder's name in front."""
    names: list[str] = []
    for path in paths:
        unique = path.stem
        if unique in names:
            unique = f"{path.resolve().parent.name}/{unique}"
        while unique in names:
            unique += "'"
        names.append(unique)
    return names


@dataclass(frozen=True, slots=True)
class Change:
    """One system in two reports, over the queries that both have."""

    system: str
    measure: str
    before: float
    after: float
    p: float
    wins: int
    losses: int
    n: int
    moved: tuple[tuple[str, float, float], ...]
    warning: str


def diff(before: Results, after: Results) -> list[Change]:
    """What changed, system by system, on each measure that both reports have.

    ``moved`` are the queries whose value differs, the largest loss first.

    Raises:
        ConfigError: the reports share no system, measure or query.
    """
    measures = [m for m in before.measures if m in after.measures]
    old = {system.name: system for system in before.systems}
    shared = [(old[system.name], system) for system in after.systems if system.name in old]
    changes = [
        change
        for one, other in shared
        for measure in measures
        if (change := _change(one, other, measure, after.seed)) is not None
    ]
    if not changes:
        lacking = "system" if not shared else "question" if measures else "measure"
        raise ConfigError(
            f"the reports have no {lacking} in common; name two reports on the same questions "
            "(ids of public reports agree only under one key)"
        )
    return changes


def diff_lines(changes: Sequence[Change], main: str, texts: Mapping[str, str | None]) -> list[str]:
    """The changes in words: means first, then each query that moved on the main measure."""
    lines = ["| system | measure | before | after | change | p | better | worse | queries |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    lines += [
        f"| {c.system} | {c.measure} | {c.before:.4f} | {c.after:.4f} "
        f"| {c.after - c.before:+.4f} | {c.p:.3f} | {c.wins} | {c.losses} | {c.n} |"
        for c in changes
    ]
    for change in changes:
        if change.measure == main and change.moved:
            lines += ["", f"{change.system}, {main}, query by query:"]
            lines += [f"  {change.warning}"] if change.warning else []
            lines += _moved(change.moved, texts)
    return lines


def _moved(moved: Sequence[tuple[str, float, float]], texts: Mapping[str, str | None]) -> list[str]:
    shown = moved if len(moved) <= 2 * _SHOWN else [*moved[:_SHOWN], *moved[-_SHOWN:]]
    lines = [
        f"  {new - old:+.3f}  {old:.3f} -> {new:.3f}  {name}  {texts.get(name) or ''}".rstrip()
        for name, old, new in shown
    ]
    hidden = len(moved) - len(shown)
    return [*lines[:_SHOWN], f"  ({hidden} more)", *lines[_SHOWN:]] if hidden else lines


def _change(before: SystemResult, after: SystemResult, measure: str, seed: int) -> Change | None:
    old, new = before.per_query[measure], after.per_query[measure]
    shared = [query_id for query_id in old if query_id in new]
    if not shared:
        return None
    old, new = {q: old[q] for q in shared}, {q: new[q] for q in shared}
    pair = paired(old, new, seed)
    moved = [(q, old[q], new[q]) for q in shared if abs(new[q] - old[q]) > 1e-12]
    return Change(
        after.name, measure, sum(old.values()) / len(shared), sum(new.values()) / len(shared),
        pair.p, pair.wins, pair.losses, len(shared),
        tuple(sorted(moved, key=lambda row: (row[2] - row[1], row[0]))),
        too_few(len(shared), pair.wins + pair.losses),
    )  # fmt: skip
