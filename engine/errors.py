"""What can go wrong, as few kinds as a caller would treat differently.

Every message is one line: what was found, what was expected, what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class EngineError(Exception):
    """Anything a person can mend: the base of all errors raised on purpose."""


class ConfigError(EngineError):
    """The configuration names an unknown field or a value out of range."""


class SourceError(EngineError):
    """A source file cannot be read as what it claims to be."""


class IndexFault(EngineError):
    """The index is missing, damaged, locked, or was built for another configuration."""


class ModelError(EngineError):
    """A model cannot be loaded or used here."""


class GenerationError(EngineError):
    """The language model gave no usable reply.

    ``kind`` is one word for what went wrong: ``timeout``, ``connection``, ``rate-limited``,
    ``unavailable``, ``denied``, ``rejected`` before a reply came; ``failed``, ``incomplete``,
    ``filtered``, ``refused``, ``empty``, ``garbled``, ``shape`` in a reply; ``unrecorded`` in a
    replay.
    ``retryable`` says whether asking again may help.
    """

    def __init__(self, message: str, *, kind: str = "failed", retryable: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.retryable = retryable


def first_problem(error: ValidationError, whole: str) -> str:
    """The first thing that is wrong with a value, after its field, or what the ``whole`` is."""
    problem = error.errors()[0]
    return f"{'.'.join(map(str, problem['loc'])) or whole}: {problem['msg']}"


def file_problem(error: OSError) -> str:
    """The file, where the system names it, and what is wrong with it."""
    return f"{error.filename or 'file'}: {error.strerror or error}"
