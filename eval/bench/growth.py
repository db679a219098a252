"""How time and memory grow with the number of children, drawn and named."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from eval.bench.figures import Figure

Sizes = Mapping[int, Sequence[Figure]]
"""The figures of each size; keys are what was asked for, not what came out."""

_DRAWN = (
    ("build", "full, without a model"),
    ("build", "full: tokenize"),
    ("build", "full: bm25"),
    ("build", "full: dense"),
    ("build", "peak memory"),
    ("build", "1 % changed"),
    ("open", "Engine.open"),
    ("open", "resident after opening"),
    ("ask", "median (p50)"),
    ("ask", "BM25 of children, median"),
    ("ask", "nearest vectors, median"),
    ("BM25", "rank_bm25.get_scores, median"),
)
_ORDERS = ((0.2, "constant"), (0.75, "below linear"), (1.15, "linear"), (1.6, "above linear"))


def order(points: Sequence[tuple[float, float]]) -> tuple[float, str]:
    """Slope of the logarithms over the last step, and a word for it."""
    (before, low), (after, high) = points[-2:]
    slope = math.log(max(high, 1e-9) / max(low, 1e-9)) / math.log(after / before)
    return slope, next((word for limit, word in _ORDERS if slope < limit), "quadratic")


def series(sizes: Sizes) -> dict[tuple[str, str, str], list[tuple[float, float]]]:
    """(children, value) of each drawn figure that every size has."""
    found: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for size in sorted(sizes):
        known = {(one.part, one.name): one for one in sizes[size]}
        built = known.get(("build", "children"))
        children = float(size) if built is None else built.value
        for part, name in _DRAWN:
            if (part, name) in known:
                one = known[part, name]
                found.setdefault((part, name, one.unit), []).append((children, one.value))
    return {key: points for key, points in found.items() if len(points) == len(sizes)}


def growth_table(sizes: Sizes) -> str:
    """One row a figure: its value at each size, the exponent of the last step, and its order.

    Empty where no figure was measured at every size.
    """
    rows = series(sizes)
    if not rows:
        return ""
    children = [f"{point[0]:,.0f}" for point in next(iter(rows.values()))]
    lines = [f"| figure | {' | '.join(children)} | exponent | order |"]
    lines.append("|---|" + "---:|" * (len(children) + 1) + "---|")
    for (part, name, unit), points in rows.items():
        slope, word = order(points)
        values = " | ".join(f"{value:,.4g} {unit}" for _, value in points)
        lines.append(f"| {part}: {name} | {values} | {slope:.2f} | {word} |")
    return "\n".join(lines)


def draw(sizes: Sizes, path: Path) -> None:
    """Draw every unit in a panel of its own, both axes by powers of ten."""
    from matplotlib import pyplot

    rows = series(sizes)
    units = list(dict.fromkeys(unit for _, _, unit in rows))
    figure, panels = pyplot.subplots(1, len(units), figsize=(5.5 * len(units), 4.5), squeeze=False)
    for panel, unit in zip(panels[0], units, strict=True):
        for (part, name, own), points in rows.items():
            if own == unit:
                panel.loglog(*zip(*points, strict=True), marker="o", label=f"{part}: {name}")
        panel.set_xlabel("children")
        panel.set_ylabel(unit)
        panel.grid(alpha=0.3)
        panel.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
