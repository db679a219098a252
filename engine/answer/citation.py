"""From a slice of an evidence to the place in the source that a reader can look up."""

from __future__ import annotations

from engine.pages import page_span
from engine.types import Citation, Evidence


def cite(evidence: Evidence, start: int, end: int, number: int) -> Citation:
    """The citation of ``evidence.text[start:end]``: pages, section and source ids of just that."""
    touched = [p for p in evidence.passages if p.start < end and start < p.end]
    quote = evidence.text[start:end]
    return Citation(
        number=number, evidence_id=evidence.evidence_id, doc_id=evidence.doc_id,
        title=evidence.title, source=evidence.source,
        pages=page_span(p.pages for p in touched),
        section_path=touched[0].section_path if touched else evidence.section_path,
        source_ids=tuple(dict.fromkeys(p.source_id for p in touched)),
        quote=quote, context=evidence.text, at=start,
        markers=tuple(marker for marker in evidence.markers if f"[{marker}]" in quote),
        uri=evidence.uri,
    )  # fmt: skip
