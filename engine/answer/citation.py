"""A slice of an evidence's text becomes a citation: its exact blocks, pages and section."""

from __future__ import annotations

from collections.abc import Iterable

from engine.types import Citation, Evidence, Pages, Passage


def cite(evidence: Evidence, start: int, end: int, number: int) -> Citation:
    """Cite ``evidence.text[start:end]``, without the white space at its ends.

    Pages, source ids and section are those of the blocks the slice touches; ``context`` is the
    part of the text that comes from these blocks. An evidence without passages is cited as a whole.

    Raises:
        ValueError: the slice is outside the text, or holds nothing but white space.
    """
    quote = evidence.text[start:end].strip() if 0 <= start < end <= len(evidence.text) else ""
    if not quote:
        raise ValueError(f"{evidence.evidence_id}: no text to cite at {start}:{end}")
    start += evidence.text[start:end].index(quote)
    end = start + len(quote)
    touched = [p for p in evidence.passages if p.start < end and start < p.end]
    if touched:
        context = evidence.text[min(start, touched[0].start) : max(end, touched[-1].end)]
    else:
        context = evidence.text
    return Citation(
        number=number,
        evidence_id=evidence.evidence_id,
        doc_id=evidence.doc_id,
        title=evidence.title,
        source=evidence.source,
        pages=span_pages(touched) if touched else evidence.pages,
        section_path=touched[0].section_path if touched else evidence.section_path,
        source_ids=source_ids(touched) if touched else evidence.source_ids,
        quote=quote,
        context=context,
        markers=tuple(marker for marker in evidence.markers if f"[{marker}]" in quote),
    )


def core_span(evidence: Evidence) -> tuple[int, int]:
    """Where the child that matched stands in the evidence's text; all of it if unknown."""
    cores = [passage for passage in evidence.passages if passage.core]
    if cores:
        return cores[0].start, cores[-1].end
    start = evidence.text.find(evidence.core_text)
    if start < 0 or not evidence.core_text:
        return 0, len(evidence.text)
    return start, start + len(evidence.core_text)


def span_pages(passages: Iterable[Passage]) -> Pages | None:
    """First and last page of some passages, None where no source has pages."""
    pages = [passage.pages for passage in passages if passage.pages]
    if not pages:
        return None
    return min(first for first, _ in pages), max(last for _, last in pages)


def source_ids(passages: Iterable[Passage]) -> tuple[str, ...]:
    """The source ids of some passages, each once, in their order."""
    return tuple(dict.fromkeys(passage.source_id for passage in passages))
