"""One run: every system over every question, then all figures from the same lines."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eval.abstention import abstention, outcomes_of
from eval.answers import SavedAnswer, generation
from eval.dataset import UNANSWERABLE, Dataset, Qrels, Query
from eval.gates import Condition, check_gate
from eval.invariants import check_oracle, check_system
from eval.matching import Run, best_ranks, to_run
from eval.measures import (
    CURVE,
    DEFAULT_MEASURES,
    curve_ranks,
    cutoff_of,
    depth_of,
    main_measure,
    mean,
    recall_curve,
    score,
)
from eval.results import Abstention, Comparison, Estimate, QueryRecord, Results, SystemResult
from eval.stages import Catalog, Examined, corpus_and_retrieval, count_causes, failures
from eval.statistics import holm, interval, paired, too_few
from eval.systems import Retrieved, System, Thresholded, Timed, search_documents
from eval.targets import parse_target

Progress = Callable[[str, int, int], None]
"""Called with a system's name, questions done, and questions in all."""

_BATCH = 100
_DEEPEST = 1000


@dataclass(frozen=True, slots=True)
class Settings:
    """How to measure. ``latency_sample`` questions are timed alone, after the batch."""

    measures: tuple[str, ...] = DEFAULT_MEASURES
    seed: int = 0
    latency_sample: int = 30
    gates: tuple[Condition, ...] = ()

    @property
    def depth(self) -> int:
        """Ranks asked for: as far as the measures and the recall curve look."""
        return max(depth_of(self.measures), CURVE[-1])


@dataclass(frozen=True, slots=True)
class Asked:
    """What one system returned, question by question; a run from a file has no passages.

    ``silent``: questions that its thresholds leave without evidence; None: it has none.
    """

    name: str
    run: Run
    rankings: Mapping[str, Sequence[Retrieved]] = field(default_factory=dict)
    silent: frozenset[str] | None = None
    seconds: float | None = None
    latencies_ms: tuple[float, ...] = ()

    @property
    def delivered(self) -> Run | None:
        """The run once the thresholds have been applied."""
        if self.silent is None:
            return None
        return {q: {} if q in self.silent else lines for q, lines in self.run.items()}


def ask(
    system: System, dataset: Dataset, settings: Settings, tell: Progress | None = None
) -> Asked:
    """Put every question to a system, in batches."""
    start = time.perf_counter()
    rankings = _in_batches(system, dataset, settings, tell)
    seconds = time.perf_counter() - start
    run = to_run(rankings, dataset.qrels, by_document=dataset.by_document, k=settings.depth)
    silent = _silent(system, dataset) if isinstance(system, Thresholded) else None
    latencies = _latencies(system, dataset, settings)
    return Asked(system.name, run, rankings, silent, seconds, latencies)


def evaluate(
    dataset: Dataset,
    asked: Sequence[Asked],
    settings: Settings,
    catalog: Catalog | None = None,
    answers: Mapping[str, SavedAnswer] | None = None,
) -> Results:
    """All figures; the first system is the one the others are compared with.

    Causes of failure are told for the last system that returned passages.
    """
    main = main_measure(settings.measures)
    k = cutoff_of(main)
    systems = [_system(one, dataset, settings) for one in asked]
    ranks = {system.name: system.ranks for system in systems}
    delivered = {s.name: s.delivered_ranks for s in systems if s.delivered}
    reaches = list(dict.fromkeys((k, settings.depth)))
    stages = list(corpus_and_retrieval(dataset, catalog, ranks, delivered, reaches))
    searched = [one for one in asked if one.rankings][-1:]
    missed = [
        failure
        for one in searched
        if catalog is not None
        for failure in failures(
            dataset, catalog, ranks,
            Examined(one.name, one.rankings, delivered.get(one.name, ranks[one.name]), k),
        )
    ]  # fmt: skip
    checks = [check_oracle(oracle_run(dataset), dataset.qrels)]
    for one in asked:
        judged = {q: lines for q, lines in one.run.items() if q in dataset.qrels}
        curve = recall_curve(judged, dataset.qrels, curve_ranks(settings.measures))
        checks += check_system(one.name, judged, dataset.qrels, curve)
    return Results(
        dataset=dataset.name, level="document" if dataset.by_document else "passage",
        measures=list(settings.measures), main=main, depth=settings.depth, seed=settings.seed,
        queries=[_record(dataset, q.query_id, q.text, q.query_class) for q in dataset.queries],
        class_sizes=_class_sizes(dataset), unknown_targets=_unknown(dataset, catalog),
        notes=list(dataset.notes), systems=systems,
        comparisons=compare_systems(dataset, systems, settings), checks=checks,
        stages=stages + (generation(dataset, answers) if answers else []), failures=missed,
        cause_counts=count_causes(missed),
        gates=[check_gate(gate, systems) for gate in settings.gates],
    )  # fmt: skip


def oracle_run(dataset: Dataset) -> Run:
    """What a perfect system would return, put through the same matching as all others."""
    rankings = {}
    for query_id, grades in dataset.qrels.items():
        best = sorted((t for t in grades if grades[t] > 0), key=lambda t: -grades[t])
        rankings[query_id] = [_passage_of(target, -float(at)) for at, target in enumerate(best)]
    depth = max(len(ranking) for ranking in rankings.values()) + 1
    return to_run(rankings, dataset.qrels, by_document=dataset.by_document, k=depth)


def compare_systems(
    dataset: Dataset, systems: Sequence[SystemResult], settings: Settings
) -> list[Comparison]:
    """Every system against the first: each measure over all queries, the main one by class too."""
    main = main_measure(settings.measures)
    groups = {name: ids for name, ids in _classes(dataset).items() if name}
    found: list[Comparison] = []
    for measure in settings.measures:
        found += _family(systems, measure, "", list(dataset.qrels), settings.seed)
    for name, ids in groups.items():
        found += _family(systems, main, name, ids, settings.seed)
    order = {system.name: at for at, system in enumerate(systems)}
    return sorted(found, key=lambda c: (c.query_class != "", order[c.system]))


def _family(
    systems: Sequence[SystemResult], measure: str, group: str, ids: Sequence[str], seed: int
) -> list[Comparison]:
    """One measure on one group of queries: the tests that Holm's correction takes together."""
    base, *others = systems
    own = {query_id: base.per_query[measure][query_id] for query_id in ids}
    pairs = [
        paired(own, {query_id: other.per_query[measure][query_id] for query_id in ids}, seed)
        for other in others
    ]
    return [
        Comparison(
            system=other.name, base=base.name, measure=measure, query_class=group,
            difference=pair.difference, p=pair.p, p_holm=adjusted, wins=pair.wins, ties=pair.ties,
            losses=pair.losses, effect=pair.effect,
            warning=too_few(len(ids), pair.wins + pair.losses),
        )
        for other, pair, adjusted in zip(others, pairs, holm([p.p for p in pairs]), strict=True)
    ]  # fmt: skip


def _in_batches(
    system: System, dataset: Dataset, settings: Settings, tell: Progress | None
) -> dict[str, Sequence[Retrieved]]:
    rankings: dict[str, Sequence[Retrieved]] = {}
    needed = settings.depth
    for batch in _batches(dataset):
        texts = [query.text for query in batch]
        if dataset.by_document:
            found, needed = search_documents(system.search, texts, settings.depth, _DEEPEST, needed)
        else:
            found = system.search(texts, settings.depth)
        rankings.update((q.query_id, ranking) for q, ranking in zip(batch, found, strict=True))
        if tell:
            tell(system.name, len(rankings), len(dataset.queries))
    return rankings


def _silent(system: Thresholded, dataset: Dataset) -> frozenset[str]:
    return frozenset(
        query.query_id
        for batch in _batches(dataset)
        for query, silent in zip(batch, system.silent([q.text for q in batch]), strict=True)
        if silent
    )


def _batches(dataset: Dataset) -> Iterator[tuple[Query, ...]]:
    return (dataset.queries[at : at + _BATCH] for at in range(0, len(dataset.queries), _BATCH))


def _latencies(system: System, dataset: Dataset, settings: Settings) -> tuple[float, ...]:
    count = min(settings.latency_sample, len(dataset.queries))
    sample = random.Random(settings.seed).sample(dataset.queries, count)
    times = []
    for query in sample:
        start = time.perf_counter()
        if isinstance(system, Timed):
            system.once(query.text)
        else:
            system.search([query.text], 10)
        times.append(1000 * (time.perf_counter() - start))
    return tuple(times)


def _system(one: Asked, dataset: Dataset, settings: Settings) -> SystemResult:
    qrels, run = dataset.qrels, {q: lines for q, lines in one.run.items() if q in dataset.qrels}
    per_query = score(run, qrels, settings.measures)
    main, ranks = main_measure(settings.measures), curve_ranks(settings.measures)
    curve = recall_curve(run, qrels, ranks)
    kept = list(dict.fromkeys((main, f"R@{cutoff_of(main)}")))
    kept_run = one.delivered
    delivered = {} if kept_run is None else score(kept_run, qrels, kept)
    groups = {name: ids for name, ids in _classes(dataset).items() if name}
    return SystemResult(
        name=one.name,
        estimates={m: _estimate(row, qrels, settings.seed) for m, row in per_query.items()},
        classes={
            name: {m: _estimate(row, ids, settings.seed) for m, row in per_query.items()}
            for name, ids in groups.items()
        },
        curve={cutoff_of(measure): mean(row.values()) for measure, row in curve.items()},
        chars=_chars(one.rankings, qrels, dataset.by_document, ranks),
        per_query=per_query,
        ranks=_ranks(run, qrels),
        delivered={m: _estimate(r, qrels, settings.seed) for m, r in delivered.items()},
        delivered_ranks={} if kept_run is None else _ranks(kept_run, qrels),
        seconds=one.seconds,
        latencies_ms=list(one.latencies_ms),
        abstention=_abstention(one, dataset),
    )


def _ranks(run: Run, qrels: Qrels) -> dict[str, dict[str, int]]:
    return {
        query_id: best_ranks(run.get(query_id, {}), (t for t in row if row[t] > 0))
        for query_id, row in qrels.items()
    }


def _estimate(values: Mapping[str, float], ids: Iterable[str], seed: int) -> Estimate:
    found = interval([values[query_id] for query_id in ids], seed)
    return Estimate(mean=found.mean, low=found.low, high=found.high, n=found.n)


def _chars(
    rankings: Mapping[str, Sequence[Retrieved]],
    qrels: Qrels,
    by_document: bool,
    ranks: Iterable[int],
) -> dict[int, float]:
    """Mean characters of the passages at ranks 1 to k; of a document, its best passage."""
    if not rankings:
        return {}
    lengths = [_lengths(rankings.get(query_id, ()), by_document) for query_id in qrels]
    return {k: mean(sum(row[:k]) for row in lengths) for k in ranks}


def _lengths(ranking: Sequence[Retrieved], by_document: bool) -> list[int]:
    if not by_document:
        return [passage.chars for passage in ranking]
    best: dict[str, int] = {}
    for passage in ranking:
        best.setdefault(passage.doc_id, passage.chars)
    return list(best.values())


def _abstention(one: Asked, dataset: Dataset) -> Abstention | None:
    if not dataset.unanswerable:
        return None
    scores: dict[str, float | None] = {}
    right: dict[str, bool] = {}
    for query in dataset.queries:
        lines = one.run.get(query.query_id, {})
        silent = query.query_id in (one.silent or ())
        first = None if silent else next(iter(lines), None)
        scores[query.query_id] = None if first is None else lines[first]
        right[query.query_id] = dataset.qrels.get(query.query_id, {}).get(first or "", 0) > 0
    answerable = {q.query_id: q.query_class != UNANSWERABLE for q in dataset.queries}
    return abstention(outcomes_of(scores, right, answerable))


def _passage_of(target: str, value: float) -> Retrieved:
    parsed = parse_target(target)
    return Retrieved(
        parsed.doc_id, value,
        source_ids=(parsed.source_id,) if parsed.source_id else (),
        pages=((parsed.page, parsed.page),) if parsed.page is not None else (),
    )  # fmt: skip


def _record(dataset: Dataset, query_id: str, text: str, group: str) -> QueryRecord:
    targets = dict(dataset.qrels.get(query_id, {}))
    return QueryRecord(query_id=query_id, text=text, query_class=group, targets=targets)


def _classes(dataset: Dataset) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for query in dataset.judged:
        groups.setdefault(query.query_class, []).append(query.query_id)
    return groups


def _class_sizes(dataset: Dataset) -> dict[str, int]:
    sizes = {name: len(ids) for name, ids in _classes(dataset).items()}
    if dataset.unanswerable:
        sizes[UNANSWERABLE] = len(dataset.unanswerable)
    return sizes


def _unknown(dataset: Dataset, catalog: Catalog | None) -> list[str]:
    if catalog is None:
        return []
    return [target for target in dataset.targets if not catalog.place(target).child_ids]


def shorten(dataset: Dataset, ids: Iterable[str]) -> Dataset:
    """The same set with some of its queries."""
    kept = set(ids)
    return replace(
        dataset,
        queries=tuple(q for q in dataset.queries if q.query_id in kept),
        qrels={query_id: row for query_id, row in dataset.qrels.items() if query_id in kept},
    )
