"""A summary owes one item to every source it was given: no more, no fewer, none empty."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.validation.citing import claim, item_evidence
from engine.types import Draft, Evidence, Finding

CHECK = "completeness"


def check_completeness(draft: Draft, evidence: Sequence[Evidence]) -> list[Finding]:
    """Items that are missing, doubled, empty or of an unknown source; nothing for answers."""
    if draft.kind != "summary":
        return []
    findings: list[Finding] = []
    seen: set[str] = set()
    for at, item in enumerate(draft.sentences):
        source = item_evidence(item, evidence)
        if source is None:
            name = item.source_id or "없음"
            findings.append(Finding(CHECK, at, f"보내지 않은 출처의 항목입니다: {name}"))
            continue
        if source.evidence_id in seen:
            findings.append(Finding(CHECK, at, f"같은 출처를 두 번 요약했습니다: {item.source_id}"))
        seen.add(source.evidence_id)
        if not any(map(str.isalnum, claim(item.text))):
            findings.append(Finding(CHECK, at, f"요약이 비어 있습니다: {item.source_id}"))
    missing = [e for e in evidence if e.evidence_id not in seen]
    return findings + [
        Finding(CHECK, None, f"요약에서 빠진 출처입니다: {_name(e)}") for e in missing
    ]


def _name(e: Evidence) -> str:
    core = next((p.source_id for p in e.passages if p.core), None)
    return core or next(iter(e.source_ids), e.evidence_id)
