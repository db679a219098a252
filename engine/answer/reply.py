"""The text of a language model's reply, if the reply is whole; otherwise the error it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import GenerationError

KEPT = (
    "id", "model", "status", "error", "incomplete_details", "output", "choices", "usage",
)  # fmt: skip
"""The parts of a reply that are read, and therefore recorded."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Content(_Part):
    type: str
    text: str | None = None
    refusal: str | None = None


class _Item(_Part):
    type: str
    status: str | None = None
    phase: str | None = None
    content: tuple[_Content, ...] | None = None


class _Problem(_Part):
    code: str | None = None
    message: str | None = None
    reason: str | None = None


class _Response(_Part):
    status: str
    output: tuple[_Item, ...] = ()
    error: _Problem | None = None
    incomplete_details: _Problem | None = None


class _Message(_Part):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Part):
    finish_reason: str | None = None
    message: _Message


class _Completion(_Part):
    choices: tuple[_Choice, ...]


def reply_text(payload: Mapping[str, Any]) -> str:
    """What the model wrote, from a Responses or a Chat Completions reply.

    Raises:
        GenerationError: the reply is cut, refused, failed, empty, or no such reply.
    """
    try:
        if "choices" in payload:
            text = _chat_text(_Completion.model_validate(payload))
        else:
            text = _response_text(_Response.model_validate(payload))
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise GenerationError(
            f"the server's reply has no usable {field!r}; expected a Responses or Chat Completions "
            "reply: check generation.api and OPENAI_BASE_URL",
            kind="shape",
        ) from None
    if not text.strip():
        raise GenerationError("the language model's reply is empty", kind="empty", retryable=True)
    return text


def _response_text(response: _Response) -> str:
    if response.status == "incomplete":
        raise _unfinished((response.incomplete_details or _Problem()).reason)
    if response.status != "completed":
        problem = response.error or _Problem()
        raise GenerationError(
            f"the language model ended with status {response.status!r}"
            + (f" ({problem.code})" if problem.code else ""),
            kind="failed",
            retryable=problem.code in {"server_error", "rate_limit_exceeded"},
        )
    messages = [i for i in response.output if i.type == "message" and i.phase != "commentary"]
    parts = [part for message in messages for part in message.content or ()]
    if any(part.type == "refusal" for part in parts):
        raise _refused()
    if any(message.status not in {None, "completed"} for message in messages):
        raise _unfinished(None)
    return "".join(part.text or "" for part in parts if part.type == "output_text")


def _chat_text(completion: _Completion) -> str:
    if not completion.choices:
        return ""
    choice = completion.choices[0]
    if choice.message.refusal:
        raise _refused()
    if choice.finish_reason in {"length", "content_filter"}:
        raise _unfinished(choice.finish_reason)
    if choice.finish_reason != "stop":
        raise GenerationError(
            f"the language model stopped for {choice.finish_reason!r}, expected 'stop'",
            kind="failed",
        )
    return choice.message.content or ""


def _refused() -> GenerationError:
    return GenerationError("the language model refused to answer", kind="refused")


def _unfinished(reason: str | None) -> GenerationError:
    if reason == "content_filter":
        return GenerationError("the server's content filter stopped the reply", kind="filtered")
    return GenerationError(
        "the language model's reply is cut off; raise generation.max_output_tokens, "
        "or ask for less",
        kind="incomplete",
        retryable=True,
    )
