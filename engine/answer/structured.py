"""A question of the checks to the same language model: any prompt, any schema, plain JSON back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.answer.client import Request, ask
from engine.answer.credentials import Credentials, find_credentials
from engine.answer.record import open_record
from engine.answer.reply import reply_text
from engine.config import Config
from engine.errors import GenerationError

Ask = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


def make_ask(config: Config, credentials: Credentials | None = None) -> Ask:
    """A function from a prompt and a strict schema to the object the model replied.

    Replies are recorded and repeated like those of drafts. Credentials are looked up at once.

    Raises:
        ConfigError: the model or the key is missing.
        GenerationError: by the function, when there is no usable reply.
    """
    known = credentials or find_credentials(config.generation)
    record = open_record(config)

    def put(prompt: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        request = Request("judgement", "", prompt, schema)
        return _object(reply_text(ask(request, config.generation, known, record).payload))

    return put


def _object(text: str) -> Mapping[str, Any]:
    from pydantic_core import from_json

    try:
        value = from_json(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise GenerationError(
            "the language model's reply is no JSON object; check that the server supports JSON "
            "schemas",
            kind="garbled",
            retryable=True,
        )
    return value
