"""Building: full, with one document in a hundred changed, and with none; time and memory."""

from __future__ import annotations

import time
from pathlib import Path

from engine.build import build_index
from engine.types import BuildReport
from eval.bench.corpus import configure, write_corpus
from eval.bench.figures import Figure
from eval.bench.machine import alone, peak_mb
from eval.bench.vectors import PairEncoder

_CHANGED = 100
_ADDED = "\n\n##### 제999조 (고친 조)\n\n이 조는 다시 짓는 시간을 재려고 {number}번째로 더한다.\n"


def build(root: Path, children: int, data: Path | None, passages_a_second: float) -> list[Figure]:
    """Build one size; ``passages_a_second`` is what embedding would add with a model."""
    name = str(children)
    write_corpus(root / name / "docs", children, data)
    full, peak, work = alone(_build, root, name, True)
    change(root / name / "docs")
    partly, again, rework = alone(_build, root, name, False)
    none, _, _ = alone(_build, root, name, False)
    taken, retaken = _total(full), _total(partly)
    embedding = full.embedded / passages_a_second
    figures = [
        Figure("build", "children", full.children),
        Figure("build", "documents", full.documents),
        Figure("build", "full, without a model", taken, "s"),
        *(Figure("build", f"full: {stage}", value, "s") for stage, value in full.seconds.items()),
        Figure("build", "full, embedding at the measured rate added", taken + embedding, "s"),
        Figure("build", "peak memory", peak, "MB", at_most=2048),
        Figure("build", "full: processor time", work, "s"),
        Figure("build", "1 % changed", retaken, "s"),
        Figure("build", "1 %: processor time", rework, "s"),
        *(Figure("build", f"1 %: {stage}", value, "s") for stage, value in partly.seconds.items()),
        Figure("build", "1 %: documents read", partly.read),
        Figure("build", "1 %: peak memory", again, "MB"),
        Figure("build", "nothing changed", _total(none), "s"),
        Figure("build", "1 % ÷ full, without a model", 100 * retaken / taken, "%"),
    ]
    remade = retaken + partly.embedded / passages_a_second
    share = 100 * remade / (taken + embedding)
    return [*figures, Figure("build", "1 % ÷ full, embedding included", share, "%", at_most=5)]


def change(docs: Path) -> None:
    """Add an article to every hundredth document, another one each time."""
    files = sorted(path for path in docs.iterdir() if path.suffix == ".md")
    for path in files[:: min(_CHANGED, len(files))]:
        text = path.read_text(encoding="utf-8")
        added = _ADDED.format(number=text.count("(고친 조)") + 1)
        path.write_text(text.rstrip() + added, encoding="utf-8")


def _build(root: Path, name: str, force: bool) -> tuple[BuildReport, float, float]:
    """The report, the peak of memory in MB, and the processor time of all threads in seconds."""
    report = build_index(configure(root, name), force=force, encoder=PairEncoder())
    return report, peak_mb(), time.process_time()


def _total(report: BuildReport) -> float:
    return sum(report.seconds.values())
