"""Results as files: a page, a summary in Markdown, one row a query, runs, and all as JSON."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from eval import plots
from eval.dataset import Qrels
from eval.matching import Run
from eval.measures import cutoff_of
from eval.results import Comparison, Results, save_results
from eval.runs import encode, write_qrels, write_run
from eval.stages import CAUSES

_FAILURES_SHOWN = 200


def write_report(results: Results, runs: Mapping[str, Run], qrels: Qrels, folder: Path) -> None:
    """Fill a folder: ``report.html``, ``report.md``, ``results.json``, ``per_query.csv``, runs."""
    folder.mkdir(parents=True, exist_ok=True)
    save_results(results, folder)
    (folder / "report.md").write_text(markdown(results), encoding="utf-8")
    (folder / "report.html").write_text(html(results), encoding="utf-8")
    write_per_query(results, folder / "per_query.csv")
    write_qrels(folder / "qrels.trec", qrels)
    for name, run in runs.items():
        write_run(folder / f"{file_name(name)}.trec", run, name)


def file_name(system: str) -> str:
    """A system's name as a file name."""
    return encode("".join(c if c.isalnum() or c in "+-_.=" else "_" for c in system))


def headline(results: Results) -> str:
    """The finding in one or two sentences, as careful as the statistics."""
    main, count = results.main, results.systems[0].estimates[results.main].n
    best = max(results.systems, key=lambda system: system.estimates[main].mean)
    highest = best.estimates[main].mean
    text = f"{best.name} has the highest {main}: {highest:.3f} over {count} questions."
    against = next((c for c in _overall(results, main) if c.system == best.name), None)
    if best is results.systems[0] or against is None:
        others = [c for c in _overall(results, main) if c.p_holm < 0.05 and c.difference < 0]
        names = ", ".join(c.system for c in others)
        return text + (f" The difference is beyond chance for {names}." if names else "")
    verdict = (
        f"beyond chance (p {p_value(against.p_holm)})"
        if against.p_holm < 0.05
        else f"within chance (p {p_value(against.p_holm)})"
    )
    return (
        f"{text} Against {against.base} the difference is {against.difference:+.3f}, {verdict}: "
        f"better on {against.wins} questions, worse on {against.losses}."
        + (f" Note: {against.warning}." if against.warning else "")
    )


def table(results: Results) -> list[list[str]]:
    """Systems by measures, with intervals; the first row names the columns."""
    rows = [["system", *results.measures]]
    for system in results.systems:
        cells = [system.estimates[m] for m in results.measures]
        rows.append([system.name, *(f"{e.mean:.3f} [{e.low:.3f}, {e.high:.3f}]" for e in cells)])
    return rows


def markdown(results: Results) -> str:
    """The summary: the headline and every table but the list of failures."""
    parts = [f"# Retrieval report: {results.dataset}", headline(results)]
    parts += [f"**Not to be trusted:** {c.name}: {c.problem}" for c in results.broken]
    parts += ["## Measures", pipes(table(results))]
    if results.comparisons:
        parts += [f"## Against {results.systems[0].name}", pipes(_comparison_rows(results))]
    if results.systems[0].classes:
        parts += [f"## {results.main} by class", pipes(_class_rows(results))]
    if results.chunkings:
        parts += ["## Ways of cutting", pipes(chunking_rows(results))]
    if results.stages:
        rows = [[s.name, str(s.passed), str(s.total)] for s in results.stages]
        parts += ["## Where targets are lost", pipes([["stage", "targets", "of"], *rows])]
    if results.cause_counts:
        causes = [[name, str(count)] for name, count in results.cause_counts.items()]
        parts.append(pipes([["cause", "targets"], *causes]))
    if any(s.delivered for s in results.systems):
        parts += ["## As configured, with its thresholds", pipes(delivered_rows(results))]
    if any(s.abstention for s in results.systems):
        parts += ["## Knowing when there is no answer", pipes(_abstention_rows(results))]
    parts += ["## How this was measured", *_circumstances(results)]
    return "\n\n".join(parts) + "\n"


def html(results: Results) -> str:
    """The page: everything inline, nothing fetched."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True,
    )  # fmt: skip
    searched = [system for system in results.systems if system.seconds is not None]
    return environment.get_template("report.html").render(
        r=results,
        judged=results.systems[0].estimates[results.main].n,
        headline=headline(results),
        best=_best(results),
        plots={
            "recall": plots.recall_curves(results), "scatter": plots.scatter(results),
            "classes": plots.class_bars(results), "latency": plots.latency_histogram(results),
            "risk": plots.risk_coverage(results),
        },
        p=p_value,
        share=lambda value: "–" if value is None else f"{value:.3f}",
        median=median,
        k=cutoff_of(results.main),
        failing=searched[-1].name if searched else "",
        causes=CAUSES,
        limit=_FAILURES_SHOWN,
        texts={query.query_id: query.text for query in results.queries},
        delivered=delivered_rows(results) if any(s.delivered for s in results.systems) else [],
        chunking=chunking_rows(results) if results.chunkings else [],
        abstentions=[(s.name, s.abstention) for s in results.systems if s.abstention],
    )  # fmt: skip


def write_per_query(results: Results, path: Path) -> None:
    """One row a query and system; a byte order mark, so that spreadsheets see UTF-8."""
    known = {query.query_id: query for query in results.queries}
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        text = [] if results.public_safe else ["text"]
        writer.writerow(["query_id", "class", *text, "system", *results.measures, "first_rank"])
        for system in results.systems:
            for query_id in next(iter(system.per_query.values()), {}):
                query = known[query_id]
                ranks = system.ranks.get(query_id, {}).values()
                values = [f"{system.per_query[m][query_id]:.6g}" for m in results.measures]
                words = [] if results.public_safe else [query.text]
                writer.writerow(
                    [query_id, query.query_class, *words, system.name, *values,
                     min(ranks, default="")]
                )  # fmt: skip


def pipes(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row names the columns."""
    head, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def p_value(p: float) -> str:
    """Three digits, or that it is below."""
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _overall(results: Results, measure: str) -> list[Comparison]:
    return [c for c in results.comparisons if c.measure == measure and not c.query_class]


def _best(results: Results) -> dict[str, str]:
    return {
        m: max(results.systems, key=lambda system: system.estimates[m].mean).name
        for m in results.measures
    }


def _comparison_rows(results: Results) -> list[list[str]]:
    head = ["system", "measure", "difference", "p (Holm)", "better", "same", "worse", "effect"]
    body = [
        [c.system + (f" ({c.query_class})" if c.query_class else ""), c.measure,
         f"{c.difference:+.3f}", p_value(c.p_holm), str(c.wins), str(c.ties), str(c.losses),
         f"{c.effect:+.2f}" + (f"; {c.warning}" if c.warning else "")]
        for c in results.comparisons
    ]  # fmt: skip
    return [head, *body]


def _class_rows(results: Results) -> list[list[str]]:
    names = list(results.systems[0].classes)
    head = ["system", *(f"{name} (n={results.class_sizes[name]})" for name in names)]
    body = [
        [system.name, *(f"{system.classes[name][results.main].mean:.3f}" for name in names)]
        for system in results.systems
    ]
    return [head, *body]


def _abstention_rows(results: Results) -> list[list[str]]:
    head = ["system", "abstained", "precision", "recall", "separation", "risk area"]
    body = []
    for system in results.systems:
        if a := system.abstention:
            shares = (a.precision, a.recall, a.separation, a.risk_area)
            cells = ["–" if share is None else f"{share:.3f}" for share in shares]
            body.append([system.name, str(a.abstained), *cells])
    return [head, *body]


def delivered_rows(results: Results) -> list[list[str]]:
    """What the thresholds for evidence leave of each system's ranking."""
    shown = [system for system in results.systems if system.delivered]
    measures = list(shown[0].delivered) if shown else []
    head = ["system", *(f"{m}{part}" for m in measures for part in (", ranking", ", delivered"))]
    k = [f"R@{cutoff_of(results.main)}"]
    body = []
    for system in shown:
        cells = []
        for m in measures:
            ranking = system.curve[cutoff_of(m)] if m in k else system.estimates[m].mean
            cells += [f"{ranking:.3f}", f"{system.delivered[m].mean:.3f}"]
        body.append([system.name, *cells])
    return [head, *body]


def chunking_rows(results: Results) -> list[list[str]]:
    """Each way of cutting with what it found, returned and cost."""
    main, k = results.main, cutoff_of(results.main)
    found = {system.name: system for system in results.systems}
    budgets = list(results.chunkings[0].recall_within)
    head = ["chunking", "units", "mean characters", main, f"R@{k}", f"characters to rank {k}",
            *(f"recall in {n} characters" for n in budgets), "index MB", "build s"]  # fmt: skip
    body = []
    for one in results.chunkings:
        system = found[one.name]
        body.append(
            [one.name, str(one.units), f"{one.mean_chars:.0f}",
             f"{system.estimates[main].mean:.3f}", f"{system.curve[k]:.3f}",
             f"{system.chars[k]:,.0f}", *(f"{one.recall_within[n]:.3f}" for n in budgets),
             f"{one.bytes / 1e6:.1f}", f"{one.seconds:.1f}"]
        )  # fmt: skip
    return [head, *body]


def _circumstances(results: Results) -> Iterable[str]:
    held = len(results.checks) - len(results.broken)
    lines = [
        f"- one rank holds one {results.level}; depth {results.depth}; seed {results.seed}",
        f"- {held} of {len(results.checks)} invariants hold",
    ]
    lines += [f"- {note}" for note in results.notes]
    if results.unknown_targets:
        names = ", ".join(f"`{target}`" for target in results.unknown_targets[:20])
        lines.append(f"- {len(results.unknown_targets)} targets are not in the index: {names}")
    lines += [
        f"- gate `{g.condition}` {'holds' if g.holds else 'fails'}: {g.left:.4f}, {g.right:.4f}"
        for g in results.gates
    ]
    lines += [f"- {key}: {value}" for key, value in {**results.index, **results.versions}.items()]
    return ["\n".join(lines)]
