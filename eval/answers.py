"""The third stage, from saved answers: was the target sent, cited, and kept after the checks.

A file of JSON lines, ``{"query_id": …, "answer": …}``, where the answer is what
``answer.render("json")`` gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import SourceError, first_problem
from engine.types import Pages
from eval.dataset import Dataset
from eval.results import Stage
from eval.systems import Retrieved
from eval.targets import covers, parse_target


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Source(_Lenient):
    """A piece of evidence or a citation: where it stands."""

    doc_id: str
    source_ids: tuple[str, ...] = ()
    pages: Pages | None = None
    number: int | None = None


class CitingSentence(_Lenient):
    """A sentence with the numbers of its citations."""

    citations: tuple[int, ...] = ()


class SavedAnswer(_Lenient):
    """As much of an answer as this stage needs."""

    sentences: tuple[CitingSentence, ...] = ()
    pruned: tuple[CitingSentence, ...] = ()
    citations: tuple[Source, ...] = ()
    evidence: tuple[Source, ...] = ()


class _Line(_Lenient):
    query_id: str
    answer: SavedAnswer


def load_answers(path: Path) -> dict[str, SavedAnswer]:
    """Answers by query id.

    Raises:
        SourceError: by file and line number.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    answers: dict[str, SavedAnswer] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = _Line.model_validate_json(line)
        except ValidationError as error:
            raise SourceError(f"{path.name}:{number}: {first_problem(error, 'line')}") from None
        answers[row.query_id] = row.answer
    return answers


def generation(dataset: Dataset, answers: Mapping[str, SavedAnswer]) -> list[Stage]:
    """Of the targets of answered queries: sent, cited, and cited by a sentence that stayed."""
    wanted = [
        (answers[query.query_id], target)
        for query in dataset.judged
        if query.query_id in answers
        for target, grade in dataset.qrels[query.query_id].items()
        if grade > 0
    ]
    kept = [(_cited(answer, answer.sentences), target) for answer, target in wanted]
    cited = [
        (_cited(answer, (*answer.sentences, *answer.pruned)), target) for answer, target in wanted
    ]
    sent = [(answer.evidence, target) for answer, target in wanted]
    stages = {"in the evidence sent": sent, "cited": cited, "kept after checks": kept}
    return [
        Stage(
            name=f"generation: {name}",
            passed=sum(_holds(sources, target) for sources, target in rows),
            total=len(rows),
        )
        for name, rows in stages.items()
    ]


def _cited(answer: SavedAnswer, sentences: Sequence[CitingSentence]) -> tuple[Source, ...]:
    numbers = {number for sentence in sentences for number in sentence.citations}
    return tuple(source for source in answer.citations if source.number in numbers)


def _holds(sources: Iterable[Source], target: str) -> bool:
    parsed = parse_target(target)
    return any(
        covers(
            Retrieved(s.doc_id, 0.0, s.source_ids, () if s.pages is None else (s.pages,)), parsed
        )
        for s in sources
    )
