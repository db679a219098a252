"""A sentence without a source."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.validation.citing import mentions
from engine.types import Draft, Evidence, Finding

CHECK = "orphan"


def check_orphan(draft: Draft, evidence: Sequence[Evidence]) -> list[Finding]:
    """One finding for each sentence that cites nothing at all, or says nothing."""
    findings: list[Finding] = []
    for at, sentence in enumerate(draft.sentences):
        if not sentence.text.strip():
            findings.append(Finding(CHECK, at, "빈 문장입니다."))
        elif not mentions(sentence, evidence):
            findings.append(
                Finding(CHECK, at, "인용한 근거가 없습니다.", span=(0, len(sentence.text)))
            )
    return findings
