"""The fake citation: an id that was never sent."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.validation.citing import mentions
from engine.types import Draft, Evidence, Finding

CHECK = "existence"


def check_existence(draft: Draft, evidence: Sequence[Evidence]) -> list[Finding]:
    """One finding for each cited id that names no evidence."""
    return [
        Finding(CHECK, at, f"보내지 않은 근거를 인용했습니다: {mention.spelled}", span=mention.span)
        for at, sentence in enumerate(draft.sentences)
        for mention in dict.fromkeys(mentions(sentence, evidence))
        if mention.evidence_id is None
    ]
