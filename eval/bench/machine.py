"""Memory of this process, and a process of its own for what must be measured alone."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

_STATUS = Path("/proc/self/status")


def alone(run: Callable[..., Any], *given: Any) -> Any:
    """What ``run`` returns in a new process, which holds nothing of this one."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        return pool.submit(run, *given).result()


def read_through(folder: Path) -> None:
    """Read every file once, so that the system has them in memory as far as it can."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb", buffering=0) as file:
                while file.read(1 << 24):
                    pass


def resident_mb() -> float:
    """Memory of this process that is in RAM now, mapped files included; 0 where unknown."""
    return _status("VmRSS")


def peak_mb() -> float:
    """The most this process ever had in RAM."""
    found = _status("VmHWM")
    if found or sys.platform == "win32":
        return found
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _status(name: str) -> float:
    if not _STATUS.is_file():
        return 0.0
    for line in _STATUS.read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    return 0.0
