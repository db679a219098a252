"""From a slice of an evidence to the place in the source that a reader can look up."""

from __future__ import annotations

from engine.types import Citation, Evidence, page_span, pages_of


def cite(evidence: Evidence, start: int, end: int, number: int) -> Citation:
    """The citation of ``evidence.text[start:end]``: pages, section and source ids of just that.

    White space at its ends is left out. An evidence without passages is cited as a whole.

    Raises:
        ValueError: the slice is outside the text, or holds nothing but white space.
    """
    quote = evidence.text[start:end].strip() if 0 <= start < end <= len(evidence.text) else ""
    if not quote:
        raise ValueError(f"{evidence.evidence_id}: no text to cite at {start}:{end}")
    start += evidence.text[start:end].index(quote)
    end = start + len(quote)
    touched = [p for p in evidence.passages if p.start < end and start < p.end]
    return Citation(
        number=number, evidence_id=evidence.evidence_id, doc_id=evidence.doc_id,
        title=evidence.title, source=evidence.source,
        pages=(
            page_span(pages_of(p, max(start, p.start), min(end, p.end)) for p in touched)
            if touched else evidence.pages
        ),
        section_path=touched[0].section_path if touched else evidence.section_path,
        source_ids=tuple(dict.fromkeys(p.source_id for p in touched)) or evidence.source_ids,
        quote=quote, context=evidence.text, at=start,
        markers=tuple(marker for marker in evidence.markers if f"[{marker}]" in quote),
        uri=evidence.uri,
        boxes=tuple(dict.fromkeys(box for p in touched for box in p.boxes)),
        labels=tuple(dict.fromkeys(p.label for p in touched if p.label)),
    )  # fmt: skip
