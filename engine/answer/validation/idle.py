"""Cited evidence that adds nothing to a sentence which other cited evidence holds whole.

A model that cites all it was given, for a sentence from one place, sends its reader to pages where
nothing of it stands. Such a citation is no fault of the sentence: it is taken off, with a warning.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.validation.citing import cited_evidence
from engine.answer.validation.closest import content
from engine.answer.validation.literals import bare
from engine.answer.validation.sources import Analyzer, Sources, is_quotation
from engine.types import Draft, Evidence, Finding

CHECK = "idle"
_WHOLE, _LITTLE = 0.8, 0.5
"""Shares of a sentence's words: what holds it whole, and what may be on another matter."""


def check_idle(
    draft: Draft, evidence: Sequence[Evidence], sources: Sources, korean: Analyzer
) -> list[Finding]:
    """One warning for each citation that a sentence can do without, naming its evidence."""
    findings: list[Finding] = []
    analysed = korean.morphemes([bare(sentence.text) for sentence in draft.sentences])
    for at, (sentence, morphemes) in enumerate(zip(draft.sentences, analysed, strict=True)):
        cited = [e.evidence_id for e in cited_evidence(sentence, evidence)]
        if draft.kind == "answer" and len(cited) > 1:
            for evidence_id in _idle(sentence.text, content(morphemes), cited, sources):
                detail = f"{evidence_id}에는 이 문장에 보탤 내용이 없어 출처에서 뺐습니다."
                findings.append(
                    Finding(CHECK, at, detail, severity="warning", evidence_id=evidence_id)
                )
    return findings


def _idle(text: str, words: frozenset[str], cited: Sequence[str], sources: Sources) -> list[str]:
    """Ids beside one that quotes the sentence, or beside one that holds nearly all its words."""
    quoting = [one for one in cited if is_quotation(text, sources[one])]
    if quoting:
        return [one for one in cited if one not in quoting]
    held = {
        one: words & frozenset().union(*(content(s.morphemes) for s in sources[one]))
        for one in cited
    }
    whole = [one for one in cited if words and len(held[one]) >= _WHOLE * len(words)]
    known = frozenset().union(*(held[one] for one in whole))
    return [
        one
        for one in cited
        if whole and len(held[one]) < _LITTLE * len(words) and held[one] <= known
    ]
