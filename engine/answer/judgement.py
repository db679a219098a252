"""Which sentences of a draft passed, and why the others did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import messages
from engine.answer.client import Exchange
from engine.answer.validation.citing import cited_evidence, item_evidence
from engine.answer.validation.idle import CHECK as IDLE
from engine.errors import GenerationError
from engine.types import Draft, DraftSentence, Evidence, Finding, Support, Validation, Verdict

_FAILING: frozenset[Verdict] = frozenset({"unsupported", "contradicted"})


@dataclass(frozen=True, slots=True)
class Attempt:
    """One draft and its checks, or the reason why there is none."""

    exchange: Exchange
    draft: Draft | None = None
    validation: Validation | None = None
    error: GenerationError | None = None

    @property
    def clean(self) -> bool:
        """Whether something was written and no check found fault with it."""
        if not (self.draft and self.draft.sentences and self.validation):
            return False
        errors = any(finding.severity == "error" for finding in self.validation.findings)
        return not errors and not _FAILING & set(self.validation.verdicts)

    @property
    def uncited(self) -> bool:
        """Whether a draft names no source at all."""
        return self.draft is not None and not any(
            sentence.cited or sentence.source_id for sentence in self.draft.sentences
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """One drafted sentence and all that is known about it. Without ``reasons``, it passed.

    ``sources`` leaves out the evidence that was cited and adds nothing.
    """

    sentence: DraftSentence
    sources: tuple[Evidence, ...]
    verdict: Verdict
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    support: Support | None


def judge(attempt: Attempt, sent: Sequence[Evidence]) -> list[Judged]:
    """Judge every sentence; a failing verdict, or a source never sent, is a reason in itself."""
    if not (attempt.draft and attempt.validation):
        return []
    checked = attempt.validation
    rows = zip(attempt.draft.sentences, checked.verdicts, checked.supports, strict=True)
    return [
        _judged(sentence, verdict, support, [f for f in checked.findings if f.sentence == at], sent)
        for at, (sentence, verdict, support) in enumerate(rows)
    ]


def _judged(
    sentence: DraftSentence,
    verdict: Verdict,
    support: Support | None,
    findings: Sequence[Finding],
    sent: Sequence[Evidence],
) -> Judged:
    idle = {f.evidence_id for f in findings if f.check == IDLE}
    sources = tuple(e for e in named_sources(sentence, sent) if e.evidence_id not in idle)
    reasons = [f.detail for f in findings if f.severity == "error"]
    if not reasons and verdict in _FAILING:
        reasons = [messages.FAILED]
    if not sources and not reasons:
        reasons = [messages.NO_SOURCE]
    if reasons and verdict not in _FAILING:
        contradicts = any(f.contradicts for f in findings)
        verdict = "contradicted" if contradicts else "unsupported"
    warnings = tuple(f.detail for f in findings if f.severity == "warning")
    return Judged(sentence, sources, verdict, tuple(dict.fromkeys(reasons)), warnings, support)


def named_sources(sentence: DraftSentence, sent: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence a sentence names, in the order sent; ids that were not sent name none."""
    if sentence.source_id is None:
        return tuple(cited_evidence(sentence, sent))
    item = item_evidence(sentence, sent)
    return (item,) if item else ()


def best(attempts: Sequence[Attempt], sent: Sequence[Evidence]) -> Attempt | None:
    """The checked attempt of which most sentences passed, the latest of equals."""
    checked = [attempt for attempt in attempts if attempt.validation]
    return max(
        reversed(checked),
        key=lambda attempt: sum(not judged.reasons for judged in judge(attempt, sent)),
        default=None,
    )
