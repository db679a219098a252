"""The source affirms what the sentence denies, or the other way; or bounds it on the other side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.answer.validation.bounds import Bound, find_bounds
from engine.answer.validation.citing import cited_evidence
from engine.answer.validation.closest import rank_sources
from engine.answer.validation.literals import bare
from engine.answer.validation.signs import Sign, find_signs
from engine.answer.validation.sources import Analyzer, Sources, SourceSentence, is_quotation
from engine.korean import Morpheme
from engine.types import Draft, Evidence, Finding

CHECK = "polarity"
MIN_COVERAGE = 0.5
_NEARLY_AS_CLOSE = 0.8


def check_polarity(
    draft: Draft, evidence: Sequence[Evidence], sources: Sources, korean: Analyzer
) -> list[Finding]:
    """Compare each sentence with the closest sentences of what it cites."""
    texts = [bare(sentence.text) for sentence in draft.sentences]
    findings: list[Finding] = []
    for at, (text, morphemes) in enumerate(zip(texts, korean.morphemes(texts), strict=True)):
        cited = [
            s
            for e in cited_evidence(draft.sentences[at], evidence)
            for s in sources[e.evidence_id]
        ]
        if cited and not is_quotation(text, cited):
            for detail, span in turned(text, morphemes, cited):
                findings.append(Finding(CHECK, at, detail, span=span, contradicts=True))
    return findings


def turned(
    text: str, morphemes: Sequence[Morpheme], sources: Sequence[SourceSentence]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """What a text turns round, in Korean, with its span."""
    ranked = rank_sources(morphemes, sources)
    if not ranked or ranked[0].coverage < MIN_COVERAGE:
        return
    closest = ranked[0].sentence
    near = [r.sentence for r in ranked if r.coverage >= _NEARLY_AS_CLOSE * ranked[0].coverage]
    for sign in _turned_signs(find_signs(morphemes), near):
        said = "긍정" if sign.sign > 0 else "부정"
        detail = f"근거와 긍정·부정이 반대입니다 ({said}: {text[sign.start : sign.end]}): {closest.text}"
        yield detail, (sign.start, sign.end)
    for bound in _turned_bounds(find_bounds(text, morphemes), closest, sources):
        detail = f"근거와 범위나 앞뒤가 다릅니다 ({text[bound.start : bound.end]}): {closest.text}"
        yield detail, (bound.start, bound.end)


def _turned_signs(own: Sequence[Sign], near: Sequence[SourceSentence]) -> Iterator[Sign]:
    """Concepts that the sentence gives one sign and the closest source only the other.

    An even number of turns may cancel out, as when a condition and its consequence both turn.
    """
    theirs = [find_signs(s.morphemes) for s in near]
    flips = []
    for concept in dict.fromkeys(sign.concept for sign in own):
        mine = {s.sign for s in own if s.concept == concept}
        closest = {s.sign for s in theirs[0] if s.concept == concept}
        elsewhere = {s.sign for signs in theirs for s in signs if s.concept == concept}
        if len(mine) == 1 and closest and not mine & (closest | elsewhere):
            flips.append(next(s for s in own if s.concept == concept))
    if len({flip.end for flip in flips}) % 2:
        yield from flips


def _turned_bounds(
    own: Sequence[Bound], closest: SourceSentence, sources: Sequence[SourceSentence]
) -> Iterator[Bound]:
    here = find_bounds(closest.text, closest.morphemes)
    everywhere = {(b.anchor, b.side) for s in sources for b in find_bounds(s.text, s.morphemes)}
    for bound in own:
        other = any(b.anchor == bound.anchor and b.side != bound.side for b in here)
        if other and (bound.anchor, bound.side) not in everywhere:
            yield bound
