"""How much of each evidence is sent to a language model: all cores, then context, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.text.kiwi import Korean
from engine.types import Evidence, Passage, page_span, pages_of

Slice = tuple[int, int]


def fit(
    evidence: Sequence[Evidence], budget_chars: int, korean: Korean, *, cores_only: bool = False
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """Cut evidence to a budget; what does not fit with its whole core is left out.

    The cores of the best come first, then whole sentences around them, again the best first. At
    least one evidence is kept, whatever its length. ``cores_only`` sends no context and no heading.

    Returns:
        What is sent and what is left out, each in the order given.
    """
    best = sorted(evidence, key=lambda e: e.rank)
    spare = budget_chars
    windows: dict[str, Slice] = {}
    for item in best:
        start, end = body_span(item) if cores_only else core_span(item)
        if windows and end - start > spare:
            break
        windows[item.evidence_id] = start, end
        spare -= end - start
    for item in best[: 0 if cores_only else len(windows)]:
        core = windows[item.evidence_id]
        window = widen(item.text, core, spare, korean)
        windows[item.evidence_id] = window
        spare -= (window[1] - window[0]) - (core[1] - core[0])
    sent = tuple(cut(e, windows[e.evidence_id]) for e in evidence if e.evidence_id in windows)
    return sent, tuple(e for e in evidence if e.evidence_id not in windows)


def core_span(evidence: Evidence) -> Slice:
    """Where the child that matched stands in the evidence's text; all of it if unknown."""
    cores = [passage for passage in evidence.passages if passage.core]
    if cores:
        return cores[0].start, cores[-1].end
    start = evidence.text.find(evidence.core_text)
    if start < 0 or not evidence.core_text:
        return 0, len(evidence.text)
    return start, start + len(evidence.core_text)


def body_span(evidence: Evidence) -> Slice:
    """The core without the headings at its ends: what is quoted where no sentence is closest."""
    bodies = [p for p in evidence.passages if p.core and p.kind != "heading"]
    return (bodies[0].start, bodies[-1].end) if bodies else core_span(evidence)


def widen(text: str, core: Slice, spare_chars: int, korean: Korean) -> Slice:
    """Grow a slice by whole sentences, after and before in turn, for as long as they fit."""
    start, end = core
    if len(text) - (end - start) <= spare_chars:
        return 0, len(text)
    if spare_chars <= 0:
        return core
    sentences = korean.sentences(text)
    before = [s for s, _ in sentences if s < start]
    after = [e for _, e in sentences if e > end]
    limit = spare_chars + end - start
    grown = True
    while grown:
        grown = False
        if after and after[0] - start <= limit:
            end, grown = after.pop(0), True
        if before and end - before[-1] <= limit:
            start, grown = before.pop(), True
    return start, end


def cut(evidence: Evidence, window: Slice) -> Evidence:
    """The evidence reduced to a slice of its text, with the provenance of just that slice."""
    start, end = window
    if (start, end) == (0, len(evidence.text)):
        return evidence
    text = evidence.text[start:end]
    passages = tuple(
        _moved(passage, start, end)
        for passage in evidence.passages
        if passage.start < end and start < passage.end
    )
    kept = replace(
        evidence,
        text=text,
        passages=passages,
        markers=tuple(marker for marker in evidence.markers if f"[{marker}]" in text),
    )
    if not passages:
        return kept
    return replace(
        kept,
        block_ids=tuple(dict.fromkeys(passage.block_id for passage in passages)),
        source_ids=tuple(dict.fromkeys(passage.source_id for passage in passages)),
        pages=page_span(passage.pages for passage in passages),
    )


def _moved(passage: Passage, start: int, end: int) -> Passage:
    first, last = max(passage.start, start), min(passage.end, end)
    return replace(
        passage,
        start=first - start,
        end=last - start,
        pages=pages_of(passage, first, last),
        page_breaks=tuple((at - start, page) for at, page in passage.page_breaks),
    )
