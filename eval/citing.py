"""Citation recall and precision of an answer, after ALCE (Gao et al., 2023).

Recall: the share of sentences that all they cite, taken together, supports. Precision: the share of
citations that are needed: of a supported sentence, and either enough alone or missed when dropped.
What "supports" means is the caller's: an entailment model, or only that no check failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from engine.answer.validation.citing import cited_evidence
from engine.answer.validation.entailment import Entailer
from engine.answer.validation.oracle import validate
from engine.answer.validation.sources import Analyzer
from engine.config import ValidationSettings
from engine.types import Draft, DraftSentence, Evidence

Supports = Callable[[DraftSentence, Sequence[Evidence]], bool]
"""Whether a sentence, citing just these, is supported."""


@dataclass(frozen=True, slots=True)
class CitationScores:
    """Counts behind both rates, so that answers can be added up."""

    sentences: int = 0
    supported: int = 0
    citations: int = 0
    needed: int = 0

    @property
    def recall(self) -> float:
        """Supported sentences of all; 0 where there are none."""
        return self.supported / self.sentences if self.sentences else 0.0

    @property
    def precision(self) -> float:
        """Needed citations of all; 0 where there are none."""
        return self.needed / self.citations if self.citations else 0.0

    def __add__(self, other: CitationScores) -> CitationScores:
        return CitationScores(
            self.sentences + other.sentences, self.supported + other.supported,
            self.citations + other.citations, self.needed + other.needed,
        )  # fmt: skip


def score_citations(
    answers: Iterable[tuple[Draft, Sequence[Evidence]]], supports: Supports
) -> CitationScores:
    """Both measures over many answers, every sentence weighing the same."""
    total = CitationScores()
    for draft, evidence in answers:
        for sentence in draft.sentences:
            total += _score(sentence, cited_evidence(sentence, evidence), supports)
    return total


def _score(
    sentence: DraftSentence, cited: Sequence[Evidence], supports: Supports
) -> CitationScores:
    if not cited or not supports(sentence, cited):
        return CitationScores(1, 0, len(cited), 0)
    needed = sum(_needed(one, sentence, cited, supports) for one in cited)
    return CitationScores(1, 1, len(cited), needed)


def _needed(
    one: Evidence, sentence: DraftSentence, cited: Sequence[Evidence], supports: Supports
) -> bool:
    rest = [other for other in cited if other is not one]
    return supports(sentence, [one]) or not rest or not supports(sentence, rest)


def supports_by_oracle(
    korean: Analyzer, settings: ValidationSettings, entailer: Entailer | None = None
) -> Supports:
    """The oracle's word: ``supported``, or without an entailer that no check failed."""
    enough = {"supported"} if entailer else {"supported", "unverified"}

    def supports(sentence: DraftSentence, cited: Sequence[Evidence]) -> bool:
        ids = tuple(e.evidence_id for e in cited)
        draft = Draft("answer", (replace(sentence, cited=ids, source_id=None),))
        return validate(draft, cited, korean, settings, entailer).verdicts[0] in enough

    return supports
