"""The checks against human paraphrases: entailed pairs must pass, contradictions may be caught."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.answer.validation.entailment import Entailer
from engine.answer.validation.oracle import validate
from engine.answer.validation.sources import Analyzer
from engine.config import ValidationSettings
from engine.errors import SourceError
from eval.attack.cases import make_evidence
from eval.attack.misattributions import answer_of
from eval.attack.passages import PassageText

LABELS = ("entailment", "neutral", "contradiction")
_CHECKS = ("literals", "names", "slots", "polarity", "entailment")


def read_pairs(path: Path, split: str) -> list[Mapping[str, Any]]:
    """Pairs in the form of KLUE-NLI: even rows to tune on, odd ones to report.

    Raises:
        SourceError: the file is no list of premise, hypothesis and gold_label.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [row for row in rows if row["gold_label"] in LABELS][split == "report" :: 2]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SourceError(
            f"{path}: expected a JSON list of premise, hypothesis and gold_label: {error!r}"
        ) from None


def count_pairs(
    rows: Sequence[Mapping[str, Any]],
    korean: Analyzer,
    settings: ValidationSettings,
    entailer: Entailer | None = None,
) -> dict[str, Counter[str]]:
    """By label: ``pairs``, those that failed ``any`` check, and those that failed each."""
    counts: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for row in rows:
        evidence = make_evidence([PassageText("", "", row["premise"])])
        draft = answer_of(row["hypothesis"], "DOC_1")
        checks = {f.check for f in validate(draft, evidence, korean, settings, entailer).findings}
        counts[row["gold_label"]].update(["pairs", *(["any"] if checks else []), *checks])
    return counts


def write_nli_table(counts: Mapping[str, Counter[str]]) -> str:
    """One row a label, one column a check."""
    columns = ("any", *_CHECKS)
    lines = [
        "| failed, of human-written pairs | pairs | " + " | ".join(columns) + " |",
        "|---" * (len(columns) + 2) + "|",
    ]
    for label, found in counts.items():
        pairs = found["pairs"]
        if pairs:
            rates = " | ".join(f"{found[column] / pairs:.1%}" for column in columns)
            lines.append(f"| {label} | {pairs} | {rates} |")
    return "\n".join(lines)
