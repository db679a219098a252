"""What the OpenAI SDK raises, as errors a person can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.answer.credentials import Credentials
from engine.config import GenerationSettings
from engine.errors import GenerationError

if TYPE_CHECKING:
    from openai import OpenAIError

RETRIED = frozenset({408, 409, 429})
"""The statuses below 500 after which the SDK asks again."""


def generation_error(
    error: OpenAIError, settings: GenerationSettings, credentials: Credentials
) -> GenerationError:
    """The SDK's error in one line of our own, without the key."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    tries = f"{settings.max_retries + 1} tries"
    if isinstance(error, APITimeoutError):
        return GenerationError(
            f"the language model's server was silent for {settings.timeout_seconds:g} s in each of "
            f"{tries}; see generation.timeout_seconds",
            kind="timeout",
            retryable=True,
        )
    if isinstance(error, APIConnectionError):
        return GenerationError(
            f"the language model's server could not be reached, or hung up, in {tries}; "
            "check the network and OPENAI_BASE_URL",
            kind="connection",
            retryable=True,
        )
    if isinstance(error, APIStatusError):
        return _status_failure(error, credentials)
    return GenerationError(
        f"the request to the language model failed: {_clean(str(error), credentials)}",
        kind="rejected",
    )


def _status_failure(error: Any, credentials: Credentials) -> GenerationError:
    status = error.status_code
    if status in {401, 403}:
        return GenerationError(
            f"the language model's server refused the key ({status}); check OPENAI_API_KEY",
            kind="denied",
        )
    said = error.body.get("message") if isinstance(error.body, dict) else None
    said = f": {_clean(str(said), credentials)}" if said else ""
    if status == 429:
        spent = error.code == "insufficient_quota"
        return GenerationError(
            f"the language model's server allows no more requests now (429){said}",
            kind="rate-limited",
            retryable=not spent,
        )
    if status >= 500 or status in RETRIED:
        return GenerationError(
            f"the language model's server is out of order ({status}){said}",
            kind="unavailable",
            retryable=True,
        )
    return GenerationError(
        f"the language model's server rejected the request ({status}){said}; "
        f"check the model's name ({credentials.model}) and generation.api",
        kind="rejected",
    )


def _clean(text: str, credentials: Credentials) -> str:
    for secret in (credentials.api_key, credentials.base_url):
        if secret:
            text = text.replace(secret.get_secret_value(), "***")
    return " ".join(text.split())[:300]
