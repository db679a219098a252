"""Progress of a build on stderr: live bars on a terminal, one line a stage elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from engine.build import Progress

_NAMES = {"read": "documents", "tokenize": "children", "embed": "embedding"}


@contextmanager
def shown() -> Iterator[Progress]:
    """A callback for `build_index` that shows what it is told."""
    if sys.stderr.isatty():
        with _bars() as progress:
            yield progress
    else:
        yield _line


def _line(stage: str, done: int, total: int) -> None:
    if stage in _NAMES and done == total and total:
        print(f"{_NAMES[stage]}: {done}", file=sys.stderr)


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate)
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bars:
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in _NAMES or not total:
                return
            if stage not in tasks:
                tasks[stage] = bars.add_task(_NAMES[stage], total=total, rate="")
            bars.update(tasks[stage], completed=done, total=total)
            speed = bars.tasks[tasks[stage]].speed
            bars.update(tasks[stage], rate=f"{speed:.0f}/s" if speed else "")

        yield tell
