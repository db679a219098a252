"""Which model to ask and with which key: from the environment, or typed in; never from a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from getpass import getpass

from pydantic import SecretStr

from engine.config import GenerationSettings
from engine.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Credentials:
    """A model's name, the key, and the server; the key is shown by no ``repr``."""

    model: str = ""
    api_key: SecretStr | None = None
    base_url: SecretStr | None = None
    """Secret as well, since it may carry a password; None is OpenAI itself."""

    @property
    def complete(self) -> bool:
        """Whether a question can be asked; a server of one's own may need no key."""
        return bool(self.model and (self.api_key or self.base_url))


def find_credentials(
    settings: GenerationSettings, environ: Mapping[str, str] = os.environ
) -> Credentials:
    """Take the model and the key from the environment, the model else from the configuration.

    Raises:
        ConfigError: one is missing (and may not be asked for), or cannot be what it claims to be.
    """
    found = Credentials(
        model=environ.get("OPENAI_CHAT_MODEL", "").strip() or settings.model or "",
        api_key=_secret(environ.get("OPENAI_API_KEY", "")),
        base_url=_secret(environ.get("OPENAI_BASE_URL", "")),
    )
    replaying = settings.record_mode == "replay"
    if settings.interactive and not found.complete and not replaying:
        found = ask_credentials(found)
    if not found.model:
        raise ConfigError(
            "no language model is named; set generation.model or OPENAI_CHAT_MODEL "
            "(or generation.interactive: true to be asked)"
        )
    if not found.complete and not replaying:
        raise ConfigError(
            "no key for the language model; set OPENAI_API_KEY, or OPENAI_BASE_URL for a server "
            "of your own (or generation.interactive: true to be asked)"
        )
    _check(found)
    return found


def ask_credentials(
    known: Credentials | None = None,
    *,
    ask: Callable[[str], str] | None = None,
    ask_hidden: Callable[[str], str] = getpass,
) -> Credentials:
    """Ask at the terminal for what is not known yet; what is typed as a key is not shown.

    Nothing is written anywhere: keep the value for as long as the process lives.

    Raises:
        ConfigError: there is no terminal to ask at, or the input ended.
    """
    known = known or Credentials()
    if ask is None:
        if not sys.stdin.isatty():
            raise ConfigError(
                "generation.interactive: found no terminal to ask at; set OPENAI_API_KEY "
                "and OPENAI_CHAT_MODEL instead"
            )
        ask = _ask_visibly
    try:
        if not known.model:
            known = replace(known, model=ask("모델 이름: ").strip())
        if not known.api_key:
            known = replace(known, api_key=_secret(ask_hidden("API 키 (보이지 않음): ")))
    except EOFError:
        raise ConfigError("generation.interactive: the input ended before all was given") from None
    return known


def _ask_visibly(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _secret(value: str) -> SecretStr | None:
    return SecretStr(value.strip()) if value.strip() else None


def _check(found: Credentials) -> None:
    key = found.api_key.get_secret_value() if found.api_key else ""
    if not all("!" <= char <= "~" for char in key):
        raise ConfigError(
            "OPENAI_API_KEY: found spaces or characters that no key has; copy the key again"
        )
    url = found.base_url.get_secret_value() if found.base_url else "https://"
    if not url.startswith(("http://", "https://")):
        raise ConfigError(
            "OPENAI_BASE_URL: expected an address such as http://localhost:8000/v1; "
            "it must start with http:// or https://"
        )
