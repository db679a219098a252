"""Work that is shared out among the processors this process may use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
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


def both(here: Callable[[], T], beside: Callable[[], R]) -> tuple[T, R]:
    """What two calls give: the second on a thread that is kept for it, if there are processors.

    A call that holds Python's lock belongs beside, one that lets go of it here: a thread that is
    woken gets the lock only when the one that woke it lets go.
    """
    if processors() < 2:
        return here(), beside()
    waiting = _pool().submit(beside)
    try:
        made = here()
    finally:
        waiting.exception()
    return made, waiting.result()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(processors(), thread_name_prefix="beside")


if hasattr(os, "register_at_fork"):
    # A child has none of its parent's threads.
    os.register_at_fork(after_in_child=_pool.cache_clear)
