"""A question of the checks to the same language model: any prompt, any schema, plain JSON back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from engine.answer.client import Request, ask
from engine.answer.credentials import Credentials, find_credentials
from engine.answer.record import open_record
from engine.answer.reply import reply_text
from engine.config import Config
from engine.errors import GenerationError


class Ask(Protocol):
    """A language model that answers a prompt in the shape of a JSON schema."""

    def __call__(self, prompt: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Raises `GenerationError` where there is no usable reply."""
        ...


def make_ask(config: Config, credentials: Credentials | None = None) -> Ask:
    """A function from a prompt and a strict schema to the object the model replied.

    Replies are recorded and repeated like those of drafts. Credentials are looked up at once.

    Raises:
        ConfigError: the model or the key is missing.
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
