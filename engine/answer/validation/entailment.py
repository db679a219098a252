"""Does the source's meaning carry the sentence's? Asked of a model, decided here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.answer.validation.citing import cited_evidence
from engine.answer.validation.closest import rank_sources
from engine.answer.validation.literals import bare
from engine.answer.validation.sources import Analyzer, Sources, SourceSentence, is_quotation
from engine.config import ValidationSettings
from engine.text.normalize import squeeze
from engine.types import Draft, Evidence, Finding

CHECK = "entailment"

Pair = tuple[str, str]
"""Premise and hypothesis: a piece of the source, and the drafted sentence."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Probabilities of the three labels.

    Attributes:
        quote: what the judge quoted from the premise as its reason; None where it quotes nothing.
    """

    entailment: float
    neutral: float
    contradiction: float
    quote: str | None = None


class Entailer(Protocol):
    """A judge of pairs. ``windowed``: it reads a few sentences at a time, not a whole evidence."""

    windowed: bool

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair, in order."""
        ...


def check_entailment(
    draft: Draft,
    evidence: Sequence[Evidence],
    sources: Sources,
    korean: Analyzer,
    entailer: Entailer,
    settings: ValidationSettings,
) -> list[Finding]:
    """Findings for sentences that the cited evidence contradicts or does not entail.

    Whole quoted sentences are not asked about. All pairs go to the judge at once.
    """
    texts = [bare(sentence.text).strip() for sentence in draft.sentences]
    asked: list[tuple[int, Pair]] = []
    for at, text in enumerate(texts):
        cited = cited_evidence(draft.sentences[at], evidence)
        own = [s for e in cited for s in sources[e.evidence_id]]
        if not text or not own or is_quotation(text, own):
            continue
        if entailer.windowed:
            premises = _windows(text, own, korean, settings)
        else:
            premises = ["\n\n".join(e.text for e in cited)]
        asked += [(at, (premise, text)) for premise in premises]
    judged = entailer.judge([pair for _, pair in asked]) if asked else []
    by_sentence: dict[int, list[tuple[Pair, Judgement]]] = {}
    for (at, pair), judgement in zip(asked, judged, strict=True):
        by_sentence.setdefault(at, []).append((pair, judgement))
    return [f for at, given in by_sentence.items() if (f := _decide(at, given, settings))]


def _decide(
    at: int, given: Sequence[tuple[Pair, Judgement]], settings: ValidationSettings
) -> Finding | None:
    """The best window decides; a contradiction in any window wins over it."""
    against = max(given, key=lambda g: g[1].contradiction)
    if against[1].contradiction >= settings.contradiction_threshold:
        share = f"{against[1].contradiction:.2f}"
        return Finding(CHECK, at, f"근거와 모순된다는 판정입니다 ({share}).", contradicts=True)
    pair, best = max(given, key=lambda g: g[1].entailment)
    if best.entailment < settings.entailment_threshold:
        detail = f"근거에서 따라 나오지 않는다는 판정입니다 ({best.entailment:.2f})."
        return Finding(CHECK, at, detail)
    if best.quote is not None and not _stands_in(best.quote, pair[0]):
        return Finding(CHECK, at, f"판정이 인용한 구절이 근거에 없습니다: {best.quote}")
    return None


def _stands_in(quote: str, premise: str) -> bool:
    wanted = squeeze(quote)
    return bool(wanted) and wanted in squeeze(premise)


def _windows(
    text: str,
    sources: Sequence[SourceSentence],
    korean: Analyzer,
    settings: ValidationSettings,
) -> list[str]:
    """Runs of sentences around the closest ones, and the closest of each evidence together."""
    morphemes = next(iter(korean.morphemes([text])))
    ranked = rank_sources(morphemes, sources) or rank_sources(
        [m for s in sources for m in s.morphemes], sources
    )
    around = [_around(r.sentence, sources, settings.window_sentences) for r in ranked]
    windows = list(dict.fromkeys(around))[: settings.max_windows]
    best_of_each = list(
        {r.sentence.evidence_id: r.sentence.text for r in reversed(ranked)}.values()
    )
    if len(best_of_each) > 1:
        windows.append(" ".join(reversed(best_of_each)))
    return list(dict.fromkeys(windows))


def _around(centre: SourceSentence, sources: Sequence[SourceSentence], size: int) -> str:
    own = [s for s in sources if s.evidence_id == centre.evidence_id]
    at = own.index(centre)
    first = max(0, min(at - size // 2, len(own) - size))
    return " ".join(s.text for s in own[first : first + size])
