"""Work that is shared out among the processors this process may use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def each(run: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What ``run`` makes of each item, in their order; a thread a processor, none for one item."""
    threads = min(processors(), len(items))
    if threads < 2:
        return [run(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, items))
