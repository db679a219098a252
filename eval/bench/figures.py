"""What a measurement yields: named figures, with the bar each has to meet."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value. ``at_least`` and ``at_most`` are bars, where it has one."""

    part: str
    name: str
    value: float
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None

    @property
    def bar(self) -> str:
        """The bar as people read it."""
        if self.at_least is not None:
            return f"≥ {self.at_least:g} {self.unit}".strip()
        return f"≤ {self.at_most:g} {self.unit}".strip() if self.at_most is not None else ""

    @property
    def verdict(self) -> str:
        """``met`` or ``missed``; empty without a bar."""
        low = self.at_least is not None and self.value < self.at_least
        high = self.at_most is not None and self.value > self.at_most
        return ("missed" if low or high else "met") if self.bar else ""


def milliseconds(
    run: Callable[[Any], object],
    over: Iterable[Any],
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Time of each call; by default as a clock on the wall shows it."""
    taken = []
    for value in over:
        start = clock()
        run(value)
        taken.append((clock() - start) * 1e3)
    return taken


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of all lies."""
    return float(np.quantile(values, share))


def table(figures: Sequence[Figure]) -> str:
    """A Markdown table, one row a figure."""
    lines = ["| part | figure | value | bar | |", "|---|---|---:|---|---|"]
    for one in figures:
        value = f"{_short(one.value)} {one.unit}".strip()
        lines.append(f"| {one.part} | {one.name} | {value} | {one.bar} | {one.verdict} |")
    return "\n".join(lines)


def save(figures: Sequence[Figure], path: Path) -> None:
    """Write figures as JSON; those of the file that were not measured anew stay in it."""
    fresh = {(one.part, one.name) for one in figures}
    saved = load(path) if path.is_file() else []
    kept = [one for one in saved if (one.part, one.name) not in fresh]
    content = [asdict(one) for one in (*kept, *figures)]
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> list[Figure]:
    """What `save` wrote."""
    return [Figure(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def _short(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e12:
        return f"{int(value):,}"
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}"
