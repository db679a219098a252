"""Imports point one way, and user-facing Korean stands where it belongs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import PROJECT

BASE = {"types", "errors", "pages", "pdfium", "parallel"}
ALLOWED = {
    "types": set(), "errors": set(), "pages": {"types"}, "parallel": set(), "pdfium": {"types", "errors"}, "korean": BASE, "config": BASE,
    "ingest": BASE | {"config", "korean", "ingest"},
    "index": BASE | {"config", "korean", "index"},
    "retrieve": BASE | {"config", "korean", "retrieve"},
    "answer": BASE | {"config", "korean", "answer"},
}  # fmt: skip
FILES = sorted((PROJECT / "engine").rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Parts of the engine that a file imports when it is imported itself."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("engine."):
            found.add(node.module.split(".")[1])
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(PROJECT).as_posix())
def test_imports_point_one_way(path):
    part = path.relative_to(PROJECT / "engine").parts[0].removesuffix(".py")
    if part in ALLOWED:
        assert imports(path) <= ALLOWED[part]


def test_the_engine_never_imports_the_harness():
    assert not [p for p in FILES if "from eval" in p.read_text(encoding="utf-8")]
