"""Drawings for the report, as SVG text that stands alone: told apart by shape as well as colour."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

from eval.results import Results, SystemResult

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#444444")
"""Okabe & Ito's palette, which most colour-blind readers can tell apart."""
_MARKERS = "osD^vPX"
_LINES = ("-", "--", "-.", ":")
_HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo")
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "geungeo", "font.size": 10, "axes.grid": True,
    "font.family": "sans-serif", "grid.color": "#dddddd", "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "hatch.linewidth": 0.6,
}  # fmt: skip


def recall_curves(results: Results) -> str:
    """Mean recall down to each rank, one line a system."""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(4.8, 3.5)
        for at, system in enumerate(results.systems):
            ranks = list(system.curve)
            axes.plot(
                ranks, list(system.curve.values()), label=system.name, color=_colour(at),
                marker=_MARKERS[at % len(_MARKERS)], linestyle=_LINES[at % len(_LINES)],
                markersize=5,
            )  # fmt: skip
        axes.set_xscale("log")
        _rank_axis(axes, sorted({k for system in results.systems for k in system.curve}))
        axes.set(xlabel="k", ylabel="Recall at k", ylim=(0, 1.02))
        axes.legend(loc="lower right")
        return _svg(figure)


def class_bars(results: Results) -> str:
    """The main measure by query class, with intervals; empty where the set has no classes."""
    names = [name for name in results.class_sizes if name in results.systems[0].classes]
    if not names:
        return ""
    count = len(results.systems)
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(max(4.0, 1.3 + 1.25 * len(names)), 3.4)
        for at, system in enumerate(results.systems):
            found = [system.classes[name][results.main] for name in names]
            places = [place + (at - (count - 1) / 2) * 0.8 / count for place in range(len(names))]
            means = [one.mean for one in found]
            errors = [
                [max(0.0, one.mean - one.low) for one in found],
                [max(0.0, one.high - one.mean) for one in found],
            ]
            axes.bar(
                places, means, 0.8 / count, yerr=errors, label=system.name, color=_colour(at),
                hatch=_HATCHES[at % len(_HATCHES)], edgecolor="white", capsize=2,
                error_kw={"elinewidth": 0.8, "ecolor": "#333333"},
            )  # fmt: skip
        labels = [f"{name}\nn={results.class_sizes[name]}" for name in names]
        axes.set_xticks(range(len(names)), labels)
        axes.set(ylabel=results.main, ylim=(0, 1.02))
        axes.grid(axis="x", visible=False)
        figure.legend(loc="outside upper center", ncols=count)
        return _svg(figure)


def scatter(results: Results) -> str:
    """Each query's main measure under the first and the last system; area says how many."""
    if len(results.systems) < 2:
        return ""
    base, other = results.systems[0], results.systems[-1]
    counts = _pairs(base, other, results.main)
    if not counts:
        return ""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(4.8, 4.2)
        axes.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, zorder=1)
        for sign, label, marker in ((1, "better", "^"), (0, "same", "o"), (-1, "worse", "v")):
            points = [p for p in counts if (p[1] > p[0]) - (p[1] < p[0]) == sign]
            if points:
                axes.scatter(
                    [x for x, _ in points], [y for _, y in points],
                    [24 + 14 * min(counts[p], 60) ** 0.8 for p in points], marker=marker,
                    color=COLOURS[{1: 2, 0: 6, -1: 1}[sign]], alpha=0.65, linewidths=0, zorder=2,
                    label=f"{label}: {sum(counts[p] for p in points)}",
                )  # fmt: skip
        axes.set(
            xlabel=f"{base.name}: {results.main}", ylabel=f"{other.name}: {results.main}",
            xlim=(-0.06, 1.06), ylim=(-0.06, 1.06), aspect="equal",
        )  # fmt: skip
        legend = figure.legend(loc="outside upper center", ncols=3, handletextpad=0.2)
        for handle in legend.legend_handles:
            if handle is not None and hasattr(handle, "set_sizes"):
                handle.set_sizes([30])
        return _svg(figure)


def latency_histogram(results: Results) -> str:
    """Milliseconds a question, asked alone; empty where nothing was timed."""
    timed = [(at, s) for at, s in enumerate(results.systems) if s.latencies_ms]
    if not timed:
        return ""
    every = [value for _, system in timed for value in system.latencies_ms]
    low, high = max(min(every) * 0.95, 0.01), max(every) * 1.05
    edges = [low * (high / low) ** (step / 24) for step in range(25)]
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(4.8, 3.5)
        for at, system in timed:
            axes.hist(
                system.latencies_ms, edges, histtype="step", label=system.name, linewidth=1.6,
                color=_colour(at), linestyle=_LINES[at % len(_LINES)],
            )  # fmt: skip
        axes.set(xlabel="milliseconds a question (logarithmic)", ylabel="questions", xscale="log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 50 * low else (1,)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
        return _svg(figure)


def risk_coverage(results: Results) -> str:
    """Share of wrong answers as more questions are answered; empty without unanswerable ones."""
    shown = [(at, s) for at, s in enumerate(results.systems) if s.abstention]
    if not shown:
        return ""
    with matplotlib.rc_context(_STYLE):
        figure, axes = _figure(4.8, 3.5)
        for at, system in shown:
            points = system.abstention.risk_coverage if system.abstention else []
            axes.plot(
                [p.coverage for p in points], [p.risk for p in points], label=system.name,
                color=_colour(at), linestyle=_LINES[at % len(_LINES)],
                marker=_MARKERS[at % len(_MARKERS)] if len(points) < 12 else "", markersize=5,
            )  # fmt: skip
        axes.set(
            xlabel="share of questions answered", ylabel="share of those wrong",
            xlim=(0, 1.02), ylim=(0, 1.02),
        )  # fmt: skip
        axes.legend()
        return _svg(figure)


def _pairs(base: SystemResult, other: SystemResult, measure: str) -> Counter[tuple[float, float]]:
    theirs = other.per_query[measure]
    return Counter(
        (round(value, 2), round(theirs[query_id], 2))
        for query_id, value in base.per_query[measure].items()
    )


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _rank_axis(axes: Axes, ranks: Sequence[int]) -> None:
    axes.xaxis.set_major_locator(FixedLocator(list(ranks)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]


def _svg(figure: Figure) -> str:
    """Without the XML prologue, and scaled by the page."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r'width="([\d.]+)pt" height="[\d.]+pt"', r'style="max-width:\1pt"', text, count=1)
