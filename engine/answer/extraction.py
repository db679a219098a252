"""Answers and summaries without a model: sentences and paragraphs of the sources, verbatim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine import messages
from engine.answer.citation import cite
from engine.config import ExtractionSettings
from engine.types import (
    FURNITURE,
    Answer,
    Block,
    Citation,
    Evidence,
    Omitted,
    Passage,
    Sentence,
)

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_SENTENCE = re.compile(r"\S\s+\S+\s+\S.*[.!?]\s*$", re.DOTALL)
_BY_LINE = frozenset({"table", "code", "list"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """What extraction needs to know of language.

    ``weigh(question, sentences, headings)`` says how well each sentence, under the heading beside
    it, answers, None of one that tells nothing new; ``sentences(text)`` gives spans.
    """

    weigh: Callable[[str, Sequence[str], Sequence[str]], list[float | None]]
    sentences: Callable[[str], list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class _Quote:
    """A slice of an evidence, and the words by which it is weighed.

    A ``label`` names a picture or a table and says nothing.
    """

    evidence: Evidence
    start: int
    end: int
    header: str
    heading: str
    label: bool = False

    @property
    def text(self) -> str:
        return self.evidence.text[self.start : self.end]

    @property
    def shown(self) -> str:
        """A table's row under its header, anything else as it stands."""
        return f"{self.header}\n{self.text}" if self.header else self.text


def no_evidence(
    question: str, kind: Literal["answer", "summary"], reason: str = messages.NOTHING_FOUND
) -> Answer:
    """What is said when nothing in the corpus counts as evidence."""
    return Answer(question, kind, (), (), refusal=reason)


def extract_answer(
    question: str,
    evidence: Sequence[Evidence],
    analysis: Analysis,
    settings: ExtractionSettings,
) -> Answer:
    """The sentences of the evidence that weigh most, best first, each with its citation."""
    quotes = [q for one in evidence for q in _quotes(one, analysis.sentences)]
    weights = _weigh(question, quotes, analysis)
    prior = _priors(evidence, settings.evidence_weight)
    weighed = [
        (weight + prior[quote.evidence.evidence_id], quote)
        for weight, quote in zip(weights, quotes, strict=True)
        if weight is not None and not quote.label
    ] or [(prior[quote.evidence.evidence_id], quote) for quote in quotes]
    best = max((weight for weight, _ in weighed), default=0.0)
    # Of a weight below zero no share is less.
    least = settings.least * best if best > 0 else best
    chosen: list[tuple[float, _Quote]] = []
    for one in evidence:
        own = sorted((w for w in weighed if w[1].evidence is one), key=lambda w: -w[0])
        chosen += [w for w in own[: settings.sentences_per_evidence] if w[0] >= least]
    chosen.sort(key=lambda w: -w[0])
    items = [(quote, None) for _, quote in chosen[: settings.sentences]]
    return _answer(question, "answer", items, evidence)


def _weigh(question: str, quotes: Sequence[_Quote], analysis: Analysis) -> list[float | None]:
    return analysis.weigh(question, [q.shown for q in quotes], [q.heading for q in quotes])


def _heading(passage: Passage) -> str:
    """The heading a passage stands under."""
    return passage.section_path[-1] if passage.section_path else ""


def _priors(evidence: Sequence[Evidence], weight: float) -> dict[str, float]:
    """What a sentence gains by its evidence: a share of the best score."""
    best = max((one.score for one in evidence), default=0.0)
    if best <= 0:
        return {one.evidence_id: 0.0 for one in evidence}
    return {one.evidence_id: weight * max(one.score, 0.0) / best for one in evidence}


def extract_summary(
    question: str, evidence: Sequence[Evidence], analysis: Analysis, blocks: Sequence[Block]
) -> Answer:
    """One paragraph a section, in source order; what was left out is listed beside it."""
    items: list[tuple[_Quote, str | None]] = []
    for one in evidence:
        paragraphs = [
            _Quote(one, p.start, p.end, p.header if p.kind == "table" else "", _heading(p))
            for p in _bodies(one)
            if one.text[p.start : p.end] != p.header
        ]
        if paragraphs:
            told = _weigh(question, paragraphs, analysis)
            weights = [float("-inf") if weight is None else weight for weight in told]
            best = max(range(len(paragraphs)), key=weights.__getitem__)
            items.append((paragraphs[best], " > ".join(one.section_path) or None))
    return with_omitted(_answer(question, "summary", items, evidence), blocks)


def with_omitted(answer: Answer, blocks: Sequence[Block]) -> Answer:
    """The answer with every body block of the document that it does not cite."""
    shown = {source_id for citation in answer.citations for source_id in citation.source_ids}
    omitted = tuple(
        Omitted(block.source_id, block.section_path, block.pages, block.text)
        for block in blocks
        if block.kind not in FURNITURE and block.kind != "heading" and block.source_id not in shown
    )
    return replace(answer, omitted=omitted)


def _answer(
    question: str,
    kind: Literal["answer", "summary"],
    items: Sequence[tuple[_Quote, str | None]],
    evidence: Sequence[Evidence],
) -> Answer:
    """Sentences in the order given; a text found twice is one sentence with two citations."""
    sentences: dict[str, Sentence] = {}
    citations: list[Citation] = []
    for number, (quote, section) in enumerate(items, 1):
        citations.append(cite(quote.evidence, quote.start, quote.end, number))
        earlier = sentences.get(quote.shown)
        numbers = (*(earlier.citations if earlier else ()), number)
        sentences[quote.shown] = Sentence(quote.shown, numbers, "supported", section=section)
    references = {
        marker: quote.evidence.references[marker]
        for (quote, _), citation in zip(items, citations, strict=True)
        for marker in citation.markers
        if marker in quote.evidence.references
    }
    return Answer(
        question, kind, tuple(sentences.values()), tuple(citations), references, tuple(evidence)
    )


def _bodies(evidence: Evidence) -> list[Passage]:
    """What matched, without headings; all of the evidence where only a heading did."""
    bodies = [p for p in evidence.passages if p.kind != "heading"]
    return [p for p in bodies if p.core] or bodies


def _quotes(
    evidence: Evidence, sentences: Callable[[str], list[tuple[int, int]]]
) -> Iterator[_Quote]:
    for passage in _bodies(evidence):
        header = passage.header if passage.kind == "table" else ""
        for line in _LINE.finditer(evidence.text, passage.start, passage.end):
            if header and line[0] in header.split("\n"):
                continue
            spans = [(0, len(line[0]))] if passage.kind in _BY_LINE else sentences(line[0])
            for start, end in spans:
                label = passage.kind == "caption" and not _SENTENCE.search(line[0], start, end)
                at = line.start()
                yield _Quote(evidence, at + start, at + end, header, _heading(passage), label)
