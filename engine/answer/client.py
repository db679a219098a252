"""One question to a language model through the OpenAI SDK, which also waits and retries.

Both interfaces come back as the plain JSON object the server sent; `engine.answer.reply` reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.answer.credentials import Credentials
from engine.answer.failures import RETRIED, generation_error
from engine.answer.record import Payload, Record, request_key
from engine.answer.reply import KEPT
from engine.config import GenerationSettings
from engine.errors import GenerationError

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: instructions (or none), the prompt with the data, the schema of the reply."""

    name: str
    instructions: str
    prompt: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request's key, the model that was asked for, and the reply as it came."""

    key: str
    model: str
    payload: Payload


def request_body(request: Request, settings: GenerationSettings, model: str) -> dict[str, Any]:
    """The body of the HTTP request, for the interface the settings name."""
    schema = {"name": request.name, "schema": dict(request.schema), "strict": True}
    body: dict[str, Any] = {"model": model, "store": False}
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if settings.api == "responses":
        body |= {"instructions": request.instructions} if request.instructions else {}
        body |= {
            "input": request.prompt,
            "text": {"format": {"type": "json_schema", **schema}},
            "max_output_tokens": settings.max_output_tokens,
        }
        if settings.reasoning_effort is not None:
            body["reasoning"] = {"effort": settings.reasoning_effort}
        return body
    rules = [{"role": "system", "content": request.instructions}] if request.instructions else []
    body |= {
        "messages": [*rules, {"role": "user", "content": request.prompt}],
        "response_format": {"type": "json_schema", "json_schema": schema},
        "max_tokens": settings.max_output_tokens,
    }
    if settings.reasoning_effort is not None:
        body["reasoning_effort"] = settings.reasoning_effort
    return body


def ask(
    request: Request, settings: GenerationSettings, credentials: Credentials, record: Record | None
) -> Exchange:
    """Ask, or answer from the record.

    Raises:
        GenerationError: no reply came; asking again was already tried where that could help.
    """
    body, key, known = _prepare(request, settings, credentials, record)
    if known is None:
        known = _parse(_send(body, settings, credentials))
        if record:
            record.keep(key, known)
    return Exchange(key, credentials.model, known)


async def ask_async(
    request: Request, settings: GenerationSettings, credentials: Credentials, record: Record | None
) -> Exchange:
    """As `ask`, without blocking the event loop."""
    body, key, known = _prepare(request, settings, credentials, record)
    if known is None:
        known = _parse(await _send_async(body, settings, credentials))
        if record:
            record.keep(key, known)
    return Exchange(key, credentials.model, known)


def _prepare(
    request: Request, settings: GenerationSettings, credentials: Credentials, record: Record | None
) -> tuple[dict[str, Any], str, Payload | None]:
    body = request_body(request, settings, credentials.model)
    key = request_key(settings.api, body)
    return body, key, record.find(key) if record else None


def _send(body: dict[str, Any], settings: GenerationSettings, credentials: Credentials) -> bytes:
    from openai import DefaultHttpxClient, OpenAI, OpenAIError

    def asking(request: httpx2.Request) -> None:
        _log_retry(request, settings)

    http = DefaultHttpxClient(event_hooks={"request": [asking], "response": [_log_status]})
    try:
        with OpenAI(http_client=http, **_options(settings, credentials)) as sdk:
            if settings.api == "responses":
                return bytes(sdk.responses.with_raw_response.create(**body).content)
            return bytes(sdk.chat.completions.with_raw_response.create(**body).content)
    except OpenAIError as error:
        raise generation_error(error, settings, credentials) from None


async def _send_async(
    body: dict[str, Any], settings: GenerationSettings, credentials: Credentials
) -> bytes:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

    async def asking(request: httpx2.Request) -> None:
        _log_retry(request, settings)

    async def answered(response: httpx2.Response) -> None:
        _log_status(response)

    http = DefaultAsyncHttpxClient(event_hooks={"request": [asking], "response": [answered]})
    try:
        async with AsyncOpenAI(http_client=http, **_options(settings, credentials)) as sdk:
            if settings.api == "responses":
                return bytes((await sdk.responses.with_raw_response.create(**body)).content)
            return bytes((await sdk.chat.completions.with_raw_response.create(**body)).content)
    except OpenAIError as error:
        raise generation_error(error, settings, credentials) from None


def _options(settings: GenerationSettings, credentials: Credentials) -> dict[str, Any]:
    key, url = credentials.api_key, credentials.base_url
    return {
        # A server without keys is sent this word, since the SDK insists on one.
        "api_key": key.get_secret_value() if key else "none",
        "base_url": url.get_secret_value() if url else "https://api.openai.com/v1",
        "timeout": settings.timeout_seconds,
        "max_retries": settings.max_retries,
    }


def _log_retry(request: httpx2.Request, settings: GenerationSettings) -> None:
    retry = int(request.headers.get("x-stainless-retry-count", "0"))
    if retry:
        log.warning("asking the language model again: retry %d of %d", retry, settings.max_retries)


def _log_status(response: httpx2.Response) -> None:
    if response.status_code in RETRIED or response.status_code >= 500:
        wait = response.headers.get("retry-after")
        log.warning(
            "the language model's server answered %d%s",
            response.status_code, f" and asks to wait {wait} s" if wait else "",
        )  # fmt: skip


def _parse(content: bytes) -> Payload:
    from pydantic_core import from_json

    try:
        payload = from_json(content, allow_inf_nan=False)
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise GenerationError(
            f"the server sent {len(content)} bytes that are no JSON object; check OPENAI_BASE_URL",
            kind="garbled",
        )
    return {name: payload[name] for name in KEPT if name in payload}
