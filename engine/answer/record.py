"""A file of replies: what was asked once can be repeated without a network, byte for byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from engine.config import Config
from engine.errors import ConfigError, GenerationError

Payload = Mapping[str, Any]


def request_key(api: str, body: Mapping[str, Any]) -> str:
    """SHA-256 of a request. Neither the key nor the server's address is part of a request."""
    text = json.dumps([api, body], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def open_record(config: Config) -> Record | None:
    """The record that the configuration names, if any; the file need not exist yet."""
    settings = config.generation
    if settings.record is None:
        return None
    return Record(config.resolve(settings.record), settings.record_mode)


class Record:
    """Replies by request, one JSON object a line: ``{"request": KEY, "reply": {...}}``."""

    def __init__(self, path: Path, mode: Literal["record", "replay"]) -> None:
        self.path = path
        self.mode = mode

    def find(self, key: str) -> Payload | None:
        """The reply to a request, None if it has to be asked for.

        Raises:
            GenerationError: in replay mode, the request was never recorded.
        """
        reply = self._replies().get(key)
        if reply is None and self.mode == "replay":
            raise GenerationError(
                f"{self.path}: no reply recorded for request {key[:12]}; the question, evidence, "
                "prompts, model or settings differ from the recorded run: record it again",
                kind="unrecorded",
            )
        return reply

    def keep(self, key: str, reply: Payload) -> None:
        """Append one reply."""
        line = json.dumps({"request": key, "reply": reply}, ensure_ascii=False, sort_keys=True)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line + "\n")
        except OSError as error:
            raise ConfigError(
                f"generation.record: {self.path} cannot be written: {error.strerror}"
            ) from None

    def _replies(self) -> dict[str, Payload]:
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"generation.record: {self.path} cannot be read: {error}") from None
        return dict(self._entry(number, line) for number, line in enumerate(lines, 1) if line)

    def _entry(self, number: int, line: str) -> tuple[str, Payload]:
        try:
            entry = json.loads(line)
            return str(entry["request"]), dict(entry["reply"])
        except (ValueError, KeyError, TypeError):
            raise ConfigError(
                f"generation.record: {self.path}, line {number}: expected "
                '{"request": …, "reply": …}; delete the line or name another file'
            ) from None
