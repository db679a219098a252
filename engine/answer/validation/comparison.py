"""What polarity and slots have in common: each sentence beside the sentences it cites."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.answer.validation.literals import bare
from engine.answer.validation.sources import (
    Analyzer,
    Sources,
    SourceSentence,
    cited_sentences,
    is_quotation,
)
from engine.text.kiwi import Morpheme
from engine.types import Draft, Evidence, Finding

Compare = Callable[
    [str, Sequence[Morpheme], Sequence[SourceSentence]], Iterator[tuple[str, tuple[int, int]]]
]
"""From a sentence and its sources to what contradicts them: a detail and a span in the sentence."""


def compare_with_sources(
    check: str,
    draft: Draft,
    evidence: Sequence[Evidence],
    sources: Sources,
    korean: Analyzer,
    compare: Compare,
) -> list[Finding]:
    """Findings of one comparison over all sentences but verbatim quotations."""
    texts = [bare(sentence.text) for sentence in draft.sentences]
    findings: list[Finding] = []
    for at, (text, morphemes) in enumerate(zip(texts, korean.morphemes(texts), strict=True)):
        cited = cited_sentences(draft.sentences[at], evidence, sources)
        if cited and not is_quotation(text, cited):
            for detail, span in compare(text, morphemes, cited):
                findings.append(Finding(check, at, detail, span=span, contradicts=True))
    return findings
