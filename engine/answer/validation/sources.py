"""The sentences of the evidence, read once for all checks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.answer.validation.citing import cited_evidence
from engine.answer.validation.literals import bare
from engine.text.kiwi import Morpheme
from engine.text.normalize import compact
from engine.types import DraftSentence, Evidence

_LONGEST_QUOTATION = 3


class Analyzer(Protocol):
    """What the checks ask of Kiwi; `engine.text.kiwi.Korean` is one."""

    def morphemes(self, texts: Sequence[str]) -> Iterable[list[Morpheme]]:
        """Morphemes of each text, in order."""
        ...

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Spans of sentences."""
        ...


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of an evidence: ``evidence.text[start:end]``."""

    evidence_id: str
    start: int
    end: int
    text: str
    morphemes: tuple[Morpheme, ...]


Sources = Mapping[str, Sequence[SourceSentence]]
"""Sentences of each evidence, by its id, in source order."""


def read_sources(evidence: Sequence[Evidence], korean: Analyzer) -> Sources:
    """Split all evidence into sentences; a line break always ends one."""
    places = [
        (e.evidence_id, start, end, e.text[start:end])
        for e in evidence
        for start, end in _sentences(e.text, korean)
    ]
    analysed = korean.morphemes([text for *_, text in places])
    sources: dict[str, list[SourceSentence]] = {e.evidence_id: [] for e in evidence}
    for (evidence_id, start, end, text), morphemes in zip(places, analysed, strict=True):
        sources[evidence_id].append(SourceSentence(evidence_id, start, end, text, tuple(morphemes)))
    return sources


def _sentences(text: str, korean: Analyzer) -> list[tuple[int, int]]:
    return [
        (line.start() + start, line.start() + end)
        for line in re.finditer(r"[^\n]+", text)
        for start, end in korean.sentences(line[0])
    ]


def cited_sentences(
    sentence: DraftSentence, evidence: Sequence[Evidence], sources: Sources
) -> list[SourceSentence]:
    """Sentences of all that a drafted sentence cites."""
    return [s for e in cited_evidence(sentence, evidence) for s in sources[e.evidence_id]]


def is_quotation(text: str, sources: Sequence[SourceSentence]) -> bool:
    """Whether a text is one whole sentence of a source, or up to three in a row.

    A part of a sentence is no quotation in this sense: what surrounds it may turn its meaning.
    """
    wanted = compact(bare(text))
    spelled = [compact(bare(source.text)) for source in sources]
    for first in range(len(sources)) if wanted else ():
        joined = ""
        for at in range(first, min(first + _LONGEST_QUOTATION, len(sources))):
            if sources[at].evidence_id != sources[first].evidence_id:
                break
            joined += spelled[at]
            if joined == wanted:
                return True
    return False
