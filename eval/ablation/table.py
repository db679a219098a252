"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Row = tuple[str, ...]


def figure(value: float) -> str:
    """A measure to four places, as tables have it."""
    return f"{value:.4f}".removeprefix("0") if 0 <= value < 1 else f"{value:.4f}"


def between(low: float, high: float, shown: Callable[[float], str]) -> str:
    """An interval, as tables have it."""
    return f"{shown(low)} to {shown(high)}"


def markdown(header: Sequence[str], rows: Iterable[Row]) -> str:
    """A table; the first two columns are words, the others figures."""
    marks = ["---" if at < 2 else "---:" for at in range(len(header))]
    lines = [header, marks, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
