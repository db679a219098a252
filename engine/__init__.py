"""Geungeo (근거): Korean documents as data that can be cited.

Importing this package loads no model and no torch; names are resolved when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.config import Config, load_config
    from engine.engine import Engine
    from engine.errors import EngineError
    from engine.types import Answer, BuildReport, Citation, Evidence

__version__ = "0.1.0"
__all__ = [
    "Answer", "BuildReport", "Citation", "Config", "Engine", "EngineError", "Evidence",
    "load_config",
]  # fmt: skip

_HOMES = {
    "Answer": "types", "BuildReport": "types", "Citation": "types", "Evidence": "types",
    "Config": "config", "load_config": "config", "Engine": "engine", "EngineError": "errors",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(import_module(f"engine.{_HOMES[name]}"), name)
