"""Questions with their own targets, as the tables take them, parted into two halves."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.dataset import UNANSWERABLE, Dataset


@dataclass(frozen=True, slots=True)
class Question:
    """One labelled question; without grades, one that the corpus does not answer."""

    query_id: str
    text: str
    kind: str
    grades: Mapping[str, int]


def questions_of(dataset: Dataset) -> list[Question]:
    """Questions with relevant targets, and those of the class ``unanswerable``."""
    questions: list[Question] = []
    for query in dataset.queries:
        row = dataset.qrels.get(query.query_id, {})
        grades = {target: grade for target, grade in row.items() if grade > 0}
        if grades or query.query_class == UNANSWERABLE:
            questions.append(Question(query.query_id, query.text, query.query_class, grades))
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
