"""Every file has a rule, imports point one way wherever they stand, and there is no circle."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import PROJECT

VALUES = {"errors", "types", "config", "messages"}
MAY_IMPORT = {
    "errors": set(),
    "types": set(),
    "config": {"errors"},
    "messages": {"types"},
    "text": {"errors", "text"},
    "pdf": {"errors", "types", "pdf"},
    "index": {*VALUES, "text", "index"},
    "retrieve": {*VALUES, "text", "index", "retrieve"},
    "ingest": {*VALUES, "text", "pdf", "ingest"},
    "answer": {*VALUES, "text", "pdf", "answer"},
    "build": {*VALUES, "text", "index", "retrieve", "ingest"},
    "engine": {*VALUES, "text", "index", "retrieve", "ingest", "answer", "build"},
    "tools": {*VALUES, "text", "pdf", "index", "ingest", "answer", "build", "engine", "tools"},
    "cli": {*VALUES, "index", "retrieve", "ingest", "answer", "build", "engine", "tools"},
    "__init__": {*VALUES, "engine"},
    "__main__": {"cli"},
}
"""The room of a file is its folder in ``engine/``, or its own name."""
POINTS_UP = {("engine.types", "engine.answer.rendering")}
"""`Answer.render` is called on the value, so that it is found there; it does nothing itself."""

FILES = sorted((PROJECT / "engine").rglob("*.py"))


def module_of(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


MODULES = {module_of(path) for path in FILES}


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def imports(path: Path) -> set[str]:
    """Modules of the engine that a file imports, also inside functions and for types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] == "engine"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(PROJECT).as_posix())
def test_imports_point_one_way(path):
    module = module_of(path)
    room = room_of(module)
    assert room in MAY_IMPORT, f"{path.name} has no rule: give its room one"
    found = {other for other in imports(path) if (module, other) not in POINTS_UP}
    assert {room_of(other) for other in found} <= MAY_IMPORT[room]


def test_there_is_no_circle():
    graph = {
        module_of(path): {o for o in imports(path) if (module_of(path), o) not in POINTS_UP}
        for path in FILES
        if path.name != "__init__.py"
    }
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"a circle: {' → '.join(error.args[1])}")


def test_a_rule_for_every_room_and_a_room_for_every_rule():
    assert {room_of(module) for module in MODULES} == set(MAY_IMPORT)


def test_the_engine_never_imports_the_harness():
    assert not [p for p in FILES if "from eval" in p.read_text(encoding="utf-8")]
