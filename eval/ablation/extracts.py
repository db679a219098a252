"""Whether the sentences of an answer without a model hold the answer, and how many they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.types import Answer, Citation
from eval.ablation.lab import Lab
from eval.ablation.labelled import Question
from eval.ablation.table import Row, between, figure
from eval.engines import RememberingEncoder
from eval.indexes import changed
from eval.measures import mean
from eval.statistics import interval
from eval.systems import Retrieved
from eval.targets import covers, parse_target

HEADER = ("set", "sentences", "questions", "first", "any", "any, less the row above", "shown")
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "one of each evidence, by words": {
        "sentences_per_evidence": 1, "least": 0.5, "similarity_weight": 0, "evidence_weight": 0
    },
    "and by similarity": {"sentences_per_evidence": 1, "least": 0.5, "evidence_weight": 0},
    "and by their evidence": {"sentences_per_evidence": 1, "least": 0.5},
    "of three quarters of the best": {"sentences_per_evidence": 1},
    "two of each": {"sentences_per_evidence": 2},
    "three of each, however many": {"sentences": 100},
    "as configured": {},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """What an answer tells: whether its first sentence is right, whether any, and how many."""

    first: bool
    any: bool
    sentences: int


def extract_rows(lab: Lab, questions: Sequence[int], folder: Path) -> Iterator[Row]:
    """One row a variant, over the questions that have an answer."""
    spans = spans_of(folder)
    asked = [lab.questions[at] for at in questions if lab.questions[at].grades]
    engine = replace(lab.engine, encoder=RememberingEncoder(lab.engine.encoder))
    before: list[Told] = []
    for name, settings in VARIANTS.items():
        changes = {f"extraction.{key}": value for key, value in settings.items()}
        variant = replace(engine, config=changed(engine.config, changes))
        told = [judge(variant.answer(one.text), one, spans.get(one.query_id)) for one in asked]
        yield (lab.name, name, str(len(asked)), figure(mean(one.first for one in told)),
               figure(mean(one.any for one in told)), _change(before, told),
               f"{mean(one.sentences for one in told):.2f}")  # fmt: skip
        before = told


def spans_of(folder: Path) -> dict[str, str]:
    """The words that answer a question, by its id, where ``answers.jsonl`` has them."""
    path = folder / "answers.jsonl"
    if not path.is_file():
        return {}
    rows = map(json.loads, filter(None, path.read_text(encoding="utf-8").split("\n")))
    return {row["_id"]: row["answer"] for row in rows}


def judge(answer: Answer, question: Question, span: str | None) -> Told:
    """A sentence is right if it cites a target and, where its words are known, holds them."""
    targets = [parse_target(target) for target in question.grades]
    cited = {
        citation.number: any(covers(_passage(citation), target) for target in targets)
        for citation in answer.citations
    }
    right = [
        any(cited[number] for number in sentence.citations) and (span or "") in sentence.text
        for sentence in answer.sentences
    ]
    return Told(right[:1] == [True], any(right), len(right))


def _passage(citation: Citation) -> Retrieved:
    pages = (citation.pages,) if citation.pages else ()
    return Retrieved(citation.doc_id, 0.0, citation.source_ids, pages)


def _change(before: Sequence[Told], now: Sequence[Told]) -> str:
    if not before:
        return ""
    found = interval(
        [float(b.any) - float(a.any) for a, b in zip(before, now, strict=True)], seed=0
    )
    return between(found.low, found.high, "{:+.4f}".format)
