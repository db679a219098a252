"""All checks of a draft, cheap first, and what they come to for each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.answer.validation.borrowed import check_borrowed
from engine.answer.validation.closest import find_support
from engine.answer.validation.completeness import check_completeness
from engine.answer.validation.cross_encoder import load_cross_encoder
from engine.answer.validation.entailment import Entailer, check_entailment
from engine.answer.validation.existence import check_existence
from engine.answer.validation.idle import check_idle
from engine.answer.validation.judge import Ask, LanguageModelEntailer
from engine.answer.validation.literals import bare, check_literals
from engine.answer.validation.markers import check_markers
from engine.answer.validation.names import check_names
from engine.answer.validation.orphan import check_orphan
from engine.answer.validation.polarity import check_polarity
from engine.answer.validation.slots import check_slots
from engine.answer.validation.sources import (
    Analyzer,
    Sources,
    cited_sentences,
    is_quotation,
    read_sources,
)
from engine.config import ValidationSettings
from engine.errors import ModelError
from engine.types import Draft, Evidence, Finding, Support, Validation, Verdict


def validate(
    draft: Draft,
    evidence: Sequence[Evidence],
    korean: Analyzer,
    settings: ValidationSettings,
    entailer: Entailer | None = None,
) -> Validation:
    """Check a draft against the evidence it was written from.

    A sentence is ``contradicted`` or ``unsupported`` by any error found, ``supported`` where its
    meaning was established (it is a whole sentence of the cited evidence, or the entailer says that
    it follows), and otherwise ``unverified``: every check in code passed, but nothing compared the
    meaning. The entailer is asked only about sentences that no other check failed.
    """
    sources = read_sources(evidence, korean)
    findings = [
        *check_existence(draft, evidence),
        *check_orphan(draft, evidence),
        *check_completeness(draft, evidence),
        *check_markers(draft, evidence),
        *check_literals(draft, evidence),
        *check_names(draft, evidence, korean),
        *check_slots(draft, evidence, sources, korean),
        *check_borrowed(draft, evidence, sources, korean),
        *check_polarity(draft, evidence, sources, korean),
        *check_idle(draft, evidence, sources, korean),
    ]
    if entailer is not None:
        failed = {f.sentence for f in findings if f.severity == "error"}
        findings += _ask(draft, evidence, sources, korean, entailer, settings, failed)
    return Validation(
        verdicts=tuple(
            _verdict(at, draft, evidence, sources, findings, entailer is not None)
            for at in range(len(draft.sentences))
        ),
        supports=_supports(draft, evidence, sources, korean),
        findings=tuple(sorted(findings, key=_place)),
    )


def load_entailer(settings: ValidationSettings, ask: Ask | None = None) -> Entailer | None:
    """The judge of meaning that the settings name; None for ``none``.

    Raises:
        ModelError: the model cannot be used, or ``llm`` is set where no language model is.
    """
    if settings.entailment_backend == "cross-encoder":
        return load_cross_encoder(settings)
    if settings.entailment_backend == "llm":
        if ask is None:
            raise ModelError(
                "validation.entailment_backend: llm needs a language model, found none; "
                "set generation.model, or entailment_backend: none"
            )
        return LanguageModelEntailer(ask)
    return None


def _ask(
    draft: Draft,
    evidence: Sequence[Evidence],
    sources: Sources,
    korean: Analyzer,
    entailer: Entailer,
    settings: ValidationSettings,
    failed: set[int | None],
) -> list[Finding]:
    """Entailment of the sentences that are still standing, at their places in the draft."""
    standing = [at for at in range(len(draft.sentences)) if at not in failed]
    rest = Draft(draft.kind, tuple(draft.sentences[at] for at in standing), draft.answerable)
    found = check_entailment(rest, evidence, sources, korean, entailer, settings)
    return [replace(f, sentence=standing[f.sentence or 0]) for f in found]


def _verdict(
    at: int,
    draft: Draft,
    evidence: Sequence[Evidence],
    sources: Sources,
    findings: Sequence[Finding],
    judged: bool,
) -> Verdict:
    errors = [f for f in findings if f.sentence == at and f.severity == "error"]
    if any(f.contradicts for f in errors):
        return "contradicted"
    if errors:
        return "unsupported"
    sentence = draft.sentences[at]
    cited = cited_sentences(sentence, evidence, sources)
    return "supported" if judged or is_quotation(sentence.text, cited) else "unverified"


def _supports(
    draft: Draft, evidence: Sequence[Evidence], sources: Sources, korean: Analyzer
) -> tuple[Support | None, ...]:
    analysed = korean.morphemes([bare(sentence.text) for sentence in draft.sentences])
    return tuple(
        find_support(morphemes, cited_sentences(sentence, evidence, sources))
        for sentence, morphemes in zip(draft.sentences, analysed, strict=True)
    )


def _place(finding: Finding) -> tuple[bool, int, tuple[int, int]]:
    """By sentence, then by place in it; what concerns the whole draft comes last."""
    at = finding.sentence
    return at is None, at or 0, finding.span or (0, 0)
