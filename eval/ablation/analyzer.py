"""What each step of the analyzer brings, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.config import FusionSettings
from engine.index.tokenizer import fold
from engine.retrieve.fusion import fuse
from eval.ablation.lab import Lab, analyse, candidates, measure
from eval.ablation.table import Row, figure
from eval.ablation.variants import Remembering, analyzers

HEADER = ("set", "terms", "bm25 nDCG@10", "bm25 R@10", "hybrid nDCG@10", "hybrid R@10", "MB",
          "seconds")  # fmt: skip


def analyzer_rows(lab: Lab, questions: Sequence[int]) -> Iterator[Row]:
    """One row an analyzer: both indexes' size, and the seconds beyond Kiwi's own."""
    korean = Remembering(lab.engine.korean)
    list(korean.morphemes([fold(child.text) for child in lab.children]))
    for name, analyzer in analyzers(korean).items():
        lexical = analyse(lab, analyzer)
        found = candidates(lexical)
        row = [lab.name, name]
        for mode in ("bm25", "hybrid"):
            scores = [fuse(one, mode, FusionSettings()) for one in found]
            row += [
                figure(float(np.nanmean(v[list(questions)]))) for v in measure(lab, found, scores)
            ]
        yield (*row, f"{lexical.megabytes:.1f}", f"{lexical.seconds:.1f}")
