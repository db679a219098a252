"""Cited answers and summaries from a language model: the four ways to start one.

``validate`` is the oracle, already given its model and settings; it is called with a draft and the
evidence exactly as it was sent. Without evidence nothing is sent and no key is needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

from engine.answer.client import Exchange, ask, ask_async
from engine.answer.credentials import Credentials, find_credentials
from engine.answer.events import Event
from engine.answer.policy import Check, Course, Step, Task, course
from engine.answer.prompts import Shape
from engine.answer.record import open_record
from engine.config import Config
from engine.text.kiwi import Korean
from engine.types import Answer, Draft, Evidence, Validation

Validate = Callable[[Draft, Sequence[Evidence]], Validation]
Listener = Callable[[Event], None]


def generate(
    kind: Shape,
    question: str,
    evidence: Sequence[Evidence],
    *,
    korean: Korean,
    config: Config,
    validate: Validate,
    credentials: Credentials | None = None,
    on_event: Listener | None = None,
) -> Answer:
    """Write an answer or a summary; see `stream` for what may be raised.

    Args:
        kind: ``answer``, with evidence best first, or ``summary``, with one evidence a section in
            source order, of which only the core is used.
        question: in the words of the person who asks.
        evidence: numbered passages.
        korean: for the ends of sentences.
        config: the sections ``generation`` and ``validation`` are used.
        validate: the checks.
        credentials: None takes them from the environment, or asks if the configuration says so.
        on_event: told of each stage as it begins.
    """
    events = stream(
        kind, question, evidence,
        korean=korean, config=config, validate=validate, credentials=credentials,
    )  # fmt: skip
    answer = None
    for event in events:
        if on_event:
            on_event(event)
        answer = event.answer
    return _final(answer)


async def generate_async(
    kind: Shape,
    question: str,
    evidence: Sequence[Evidence],
    *,
    korean: Korean,
    config: Config,
    validate: Validate,
    credentials: Credentials | None = None,
    on_event: Listener | None = None,
) -> Answer:
    """As `generate`; neither the network nor the checks block the event loop."""
    events = stream_async(
        kind, question, evidence,
        korean=korean, config=config, validate=validate, credentials=credentials,
    )  # fmt: skip
    answer = None
    async for event in events:
        if on_event:
            on_event(event)
        answer = event.answer
    return _final(answer)


def stream(
    kind: Shape,
    question: str,
    evidence: Sequence[Evidence],
    *,
    korean: Korean,
    config: Config,
    validate: Validate,
    credentials: Credentials | None = None,
) -> Iterator[Event]:
    """Yield stages as they begin; the last carries the answer, and no other carries a sentence.

    Raises:
        ConfigError: the model or the key is missing.
        GenerationError: the model gave no usable reply.
    """
    steps = course(_task(kind, question, evidence, korean, config))
    record = open_record(config)
    step = _next(steps, None)
    while step:
        given: Exchange | Validation | None = None
        if isinstance(step, Event):
            yield step
        elif isinstance(step, Check):
            given = validate(step.draft, step.evidence)
        else:
            credentials = credentials or find_credentials(config.generation)
            given = ask(step, config.generation, credentials, record)
        step = _next(steps, given)


async def stream_async(
    kind: Shape,
    question: str,
    evidence: Sequence[Evidence],
    *,
    korean: Korean,
    config: Config,
    validate: Validate,
    credentials: Credentials | None = None,
) -> AsyncIterator[Event]:
    """As `stream`; neither the network nor the checks block the event loop."""
    steps = course(_task(kind, question, evidence, korean, config))
    record = open_record(config)
    step = _next(steps, None)
    while step:
        given: Exchange | Validation | None = None
        if isinstance(step, Event):
            yield step
        elif isinstance(step, Check):
            given = await asyncio.to_thread(validate, step.draft, step.evidence)
        else:
            credentials = credentials or find_credentials(config.generation)
            given = await ask_async(step, config.generation, credentials, record)
        step = _next(steps, given)


def _task(
    kind: Shape, question: str, evidence: Sequence[Evidence], korean: Korean, config: Config
) -> Task:
    return Task(kind, question, tuple(evidence), config.generation, config.validation, korean)


def _next(steps: Course[None], given: Exchange | Validation | None) -> Step | None:
    """The next step, None at the end."""
    try:
        return steps.send(given)
    except StopIteration:
        return None


def _final(answer: Answer | None) -> Answer:
    if answer is None:
        raise RuntimeError("the course ended without a final event")
    return answer
