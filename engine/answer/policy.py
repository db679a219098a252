"""Draft, check, ask again, and only then decide what may be shown.

The whole course is one generator that touches no network: it yields what it needs (a `Request`, a
`Check`) and is sent the outcome, so that blocking and asynchronous callers share all of it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine import messages
from engine.answer.assembly import assemble, refuse
from engine.answer.audit import audit
from engine.answer.client import Exchange, Request
from engine.answer.context import fit
from engine.answer.events import Event
from engine.answer.judgement import Attempt, best
from engine.answer.parting import part
from engine.answer.prompts import (
    Shape,
    boundary_token,
    data_prompt,
    instructions,
    repair_prompt,
    unreadable_prompt,
)
from engine.answer.schema import answer_schema, read_draft, summary_schema
from engine.config import GenerationSettings, ValidationSettings
from engine.errors import GenerationError
from engine.text.kiwi import Korean
from engine.types import Answer, Draft, Evidence, Validation


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be written; a summary keeps the order of its evidence."""

    kind: Shape
    question: str
    evidence: tuple[Evidence, ...]
    generation: GenerationSettings
    validation: ValidationSettings
    korean: Korean


@dataclass(frozen=True, slots=True)
class Check:
    """A draft to be validated against what was sent."""

    draft: Draft
    evidence: tuple[Evidence, ...]


Result = TypeVar("Result")
Step = Event | Request | Check
Course = Generator[Step, Exchange | Validation | None, Result]


def course(task: Task) -> Course[None]:
    """All steps of one answer; the last is the ``final`` event with the answer.

    Raises:
        GenerationError: no draft could be read, although it was asked for again where allowed.
    """
    yield Event("evidence", evidence=task.evidence)
    if not task.evidence:
        yield Event("final", answer=refuse(task.kind, task.question, messages.NOTHING_FOUND))
        return
    sent, unsent = fit(
        task.evidence, task.generation.context_chars, task.korean,
        cores_only=task.kind == "summary",
    )  # fmt: skip
    attempts: list[Attempt] = []
    while not attempts or _ask_again(attempts, task.validation):
        yield Event("drafting", attempt=len(attempts) + 1)
        attempts.append((yield from _attempt(task, sent, attempts)))
    yield Event("final", attempt=len(attempts), answer=_decide(task, sent, unsent, attempts))


def source_labels(evidence: Sequence[Evidence]) -> list[str]:
    """The id each paragraph goes by in a summary: the source id of its core's first body block.

    Two that begin in the same block, or come from different documents, go by their evidence ids.
    """
    names = [_core_source_id(e) for e in evidence]
    return [
        name if names.count(name) == 1 else e.evidence_id
        for name, e in zip(names, evidence, strict=True)
    ]


def _core_source_id(evidence: Evidence) -> str:
    cores = [passage for passage in evidence.passages if passage.core]
    bodies = [passage.source_id for passage in cores if passage.kind != "heading"]
    others = [*(passage.source_id for passage in cores), *evidence.source_ids]
    return next(iter([*bodies, *others, evidence.evidence_id]))


def _attempt(task: Task, sent: tuple[Evidence, ...], before: list[Attempt]) -> Course[Attempt]:
    exchange = yield _request(task, sent, before[-1] if before else None)
    if not isinstance(exchange, Exchange):
        raise TypeError(f"expected the reply to a request, was sent {type(exchange).__name__}")
    try:
        draft = part(read_draft(task.kind, exchange.payload), task.korean)
    except GenerationError as error:
        return Attempt(exchange, error=error)
    if not draft.answerable:
        return Attempt(exchange, draft)
    yield Event("checking", attempt=len(before) + 1)
    validation = yield Check(draft, sent)
    if not isinstance(validation, Validation):
        raise TypeError(f"expected the outcome of the checks, was sent {type(validation).__name__}")
    return Attempt(exchange, draft, validation)


def _request(task: Task, sent: tuple[Evidence, ...], last: Attempt | None) -> Request:
    token = boundary_token(task.question, sent)
    labels = source_labels(sent) if task.kind == "summary" else [e.evidence_id for e in sent]
    schema = summary_schema(labels) if task.kind == "summary" else answer_schema(labels)
    prompt = data_prompt(task.question, list(zip(labels, sent, strict=True)), token)
    if last and last.error:
        prompt += unreadable_prompt(last.error.kind)
    elif last and last.draft and last.validation:
        errors = [f for f in last.validation.findings if f.severity == "error"]
        prompt += repair_prompt(last.draft, errors, token)
    return Request(f"cited_{task.kind}", instructions(task.kind, token), prompt, schema)


def _ask_again(attempts: list[Attempt], settings: ValidationSettings) -> bool:
    last = attempts[-1]
    if last.error:
        return last.error.retryable and len(attempts) <= settings.max_regenerations
    if last.validation is None or last.clean:
        return False
    # A draft without a single citation is worth one repair even where none are configured.
    allowed = max(settings.max_regenerations, 1 if last.uncited else 0)
    return len(attempts) <= allowed


def _decide(
    task: Task, sent: tuple[Evidence, ...], unsent: tuple[Evidence, ...], attempts: list[Attempt]
) -> Answer:
    last = attempts[-1]
    shown = best(attempts, sent)
    log = audit(task.kind, task.validation, sent, unsent, attempts, shown)
    if last.draft and not last.draft.answerable:
        return refuse(task.kind, task.question, messages.UNANSWERABLE, evidence=sent, audit=log)
    if shown is None:
        raise last.error or GenerationError("no draft was written", kind="empty")
    return assemble(task.question, shown, sent, unsent, task.validation.policy, log)
