"""A checked draft becomes an answer: what passed is cited, what failed is listed with reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from engine import messages
from engine.answer import prompts
from engine.answer.citation import cite
from engine.answer.context import body_span
from engine.answer.judgement import Attempt, Judged, judge
from engine.types import Answer, Citation, DraftSentence, Evidence, Finding, Omitted, Sentence

_BRACKETED = re.compile(
    r"\s*[\[［]\s*DOC[\s_-]*\d+(?:\s*[,，]\s*DOC[\s_-]*\d+)*\s*[\]］]", re.IGNORECASE
)


def assemble(
    question: str,
    attempt: Attempt,
    sent: tuple[Evidence, ...],
    unsent: tuple[Evidence, ...],
    policy: Literal["prune", "strict"],
    audit: Mapping[str, Any],
) -> Answer:
    """Apply the policy: the answer's sentences with their citations, or the refusal."""
    if attempt.draft is None or attempt.validation is None:
        raise ValueError("expected an attempt that was checked")
    judged = judge(attempt, sent)
    whole = [f for f in attempt.validation.findings if f.sentence is None]
    reason = _refusal(attempt, judged, whole, policy)
    kind = attempt.draft.kind
    pruned = tuple(_pruned(kind, j) for j in judged if j.reasons)
    if reason:
        return refuse(kind, question, reason, evidence=sent, pruned=pruned, audit=audit)
    kept = [j for j in judged if not j.reasons]
    left_out: list[Evidence] = []
    if kind == "summary":
        kept.sort(key=lambda j: sent.index(j.sources[0]))
        left_out = [e for e in sent if not any(e in j.sources for j in kept)] + list(unsent)
    sentences, citations = _cited(kind, kept)
    notices = [finding.detail for finding in whole]
    notices += [messages.unsent(len(unsent))] if unsent else []
    return Answer(
        question, kind, sentences, citations, _references(kept), sent, pruned,
        tuple(map(_omitted, left_out)), generated=True, notices=tuple(dict.fromkeys(notices)),
        audit=audit,
    )  # fmt: skip


def refuse(
    kind: prompts.Shape,
    question: str,
    reason: str,
    *,
    evidence: tuple[Evidence, ...] = (),
    pruned: tuple[Sentence, ...] = (),
    audit: Mapping[str, Any] | None = None,
) -> Answer:
    """An answer that shows no sentence and says why."""
    return Answer(
        question=question, kind=kind, sentences=(), citations=(), evidence=evidence, pruned=pruned,
        generated=audit is not None, refusal=reason, audit=audit or {},
    )  # fmt: skip


def _refusal(
    attempt: Attempt,
    judged: Sequence[Judged],
    whole: Sequence[Finding],
    policy: Literal["prune", "strict"],
) -> str | None:
    """Why nothing may be shown, if so; ``whole`` are the findings about the draft as a whole."""
    if not judged:
        return messages.EMPTY
    if attempt.uncited:
        return messages.UNCITED
    failed = sum(bool(j.reasons) for j in judged)
    if policy == "strict" and (failed or any(f.severity == "error" for f in whole)):
        return messages.strict_refusal(failed, len(judged))
    return messages.all_failed(len(judged)) if failed == len(judged) else None


def _cited(
    kind: prompts.Shape, kept: Sequence[Judged]
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """Number the citations in order of use; the same quotation keeps its number."""
    numbers: dict[tuple[str, str], int] = {}
    citations: list[Citation] = []
    sentences = []
    for judged in kept:
        used = []
        for source in judged.sources:
            citation = cite(source, *_place(kind, judged, source), len(citations) + 1)
            number = numbers.setdefault((citation.evidence_id, citation.quote), citation.number)
            if number == citation.number:
                citations.append(citation)
            used.append(number)
        sentences.append(_kept(kind, judged, tuple(dict.fromkeys(used))))
    return tuple(sentences), tuple(citations)


def _place(kind: prompts.Shape, judged: Judged, source: Evidence) -> tuple[int, int]:
    """Where a sentence's source is quoted: the closest sentence, else all that was found.

    A summary's item condenses its whole paragraph, so it cites the whole.
    """
    support = judged.support
    if kind == "answer" and support and support.evidence_id == source.evidence_id:
        return support.start, support.end
    return body_span(source)


def _kept(kind: prompts.Shape, judged: Judged, numbers: tuple[int, ...]) -> Sentence:
    section = " > ".join(judged.sources[0].section_path) if kind == "summary" else None
    text = _shown(kind, judged.sentence)
    return Sentence(text, numbers, judged.verdict, judged.warnings, section or None)


def _pruned(kind: prompts.Shape, judged: Judged) -> Sentence:
    section = None
    if kind == "summary" and judged.sources:
        section = " > ".join(judged.sources[0].section_path) or None
    return Sentence(judged.sentence.text, (), judged.verdict, judged.reasons, section)


def _shown(kind: prompts.Shape, sentence: DraftSentence) -> str:
    """The sentence without ids written into it, since numbers are put behind it."""
    return _BRACKETED.sub("", sentence.text).strip() if kind == "answer" else sentence.text


def _references(kept: Sequence[Judged]) -> dict[str, str]:
    """Entries of the markers shown; one that another document uses otherwise is ``DOC_ID:R1``."""
    found: dict[str, str] = {}
    for judged in kept:
        for source in judged.sources:
            for marker, entry in source.references.items():
                if f"[{marker}]" not in judged.sentence.text:
                    continue
                if found.setdefault(marker, entry) != entry:
                    found[f"{source.doc_id}:{marker}"] = entry
    return found


def _omitted(evidence: Evidence) -> Omitted:
    place = cite(evidence, *body_span(evidence), 0)
    source_id = next(iter(place.source_ids), evidence.evidence_id)
    return Omitted(source_id, place.section_path, place.pages, place.quote)
