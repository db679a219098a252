"""Page spans, as every stage reckons with them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.types import Pages


def page_span(spans: Iterable[Pages | None]) -> Pages | None:
    """The pages that several spans cover together; None where none has pages."""
    known = [span for span in spans if span is not None]
    if not known:
        return None
    return min(first for first, _ in known), max(last for _, last in known)
