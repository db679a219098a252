"""Labelled questions as the rows of an index that answer them, and what a ranking of rows is worth.

A ranked child stands for its document where targets are documents, or else for the targets that its
blocks hold; a target counts once, at its first child.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Grades = Mapping[str, int]
"""Target to grade."""


@dataclass(frozen=True, slots=True)
class Question:
    """One labelled question; without grades, one that the corpus does not answer."""

    question_id: str
    text: str
    kind: str
    grades: Grades


def load_questions(folder: Path) -> list[Question]:
    """Judged questions, and those of the class ``unanswerable``, of a set in BEIR layout."""
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question_id, target, grade = line.split("\t")
        if int(grade) > 0:
            grades.setdefault(question_id, {})[target] = int(grade)
    questions: list[Question] = []
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row.get("metadata", {}).get("class", "")
        if row["_id"] in grades or kind == "unanswerable":
            found = grades.get(row["_id"], {})
            questions.append(Question(row["_id"], row["text"], kind, found))
    return questions


def halves(questions: Sequence[Question], seed: int = 0) -> tuple[list[int], list[int]]:
    """Positions of the tune half and of the test half, each class split alike."""
    tune: list[int] = []
    kinds = sorted({question.kind for question in questions})
    for kind in kinds:
        members = [at for at, question in enumerate(questions) if question.kind == kind]
        random.Random(f"{seed} {kind}").shuffle(members)
        tune += members[: (len(members) + 1) // 2]
    chosen = set(tune)
    return sorted(tune), [at for at in range(len(questions)) if at not in chosen]


def ranked_targets(
    rows: Iterable[int], held: Sequence[frozenset[str]], grades: Grades, k: int
) -> list[str]:
    """The first ``k`` ranks as targets; ``held[row]`` are the targets that a child can stand for.

    A child with several new targets takes as many ranks, the best grade first; one without any new
    one takes a rank of its own, unless all it can stand for has been seen.
    """
    ranking: list[str] = []
    seen: set[str] = set()
    for row in rows:
        new = held[row] - seen
        seen |= held[row]
        wanted = sorted(new & grades.keys(), key=lambda target: (-grades[target], target))
        whole = any("#" not in target for target in held[row])
        if whole and not new:
            continue
        ranking += wanted or [""]
        if len(ranking) >= k:
            break
    return ranking[:k]


def recall(ranking: Sequence[str], grades: Grades) -> float:
    """Share of the targets that were found."""
    return len({target for target in ranking if target}) / len(grades)


def ndcg(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Σ grade / log2(1 + rank), over the best there could be.

    Järvelin & Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002.
    """
    gains = [grades.get(target, 0) for target in ranking[:k]]
    best = sorted(grades.values(), reverse=True)[:k]
    return _discounted(gains) / _discounted(best)


def interval(values: Sequence[float], seed: int = 0, resamples: int = 2000) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean."""
    array = np.asarray(values, np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(array), (resamples, len(array)))
    low, high = np.percentile(array[drawn].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def _discounted(gains: Sequence[int]) -> float:
    return float(sum(gain / np.log2(1 + rank) for rank, gain in enumerate(gains, 1)))
