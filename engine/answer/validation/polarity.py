"""The source affirms what the sentence denies, or the other way; or bounds it on the other side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.answer.validation.bounds import Bound, find_bounds
from engine.answer.validation.closest import rank_sources
from engine.answer.validation.comparison import compare_with_sources
from engine.answer.validation.signs import Sign, find_signs
from engine.answer.validation.sources import (
    Analyzer,
    Sources,
    SourceSentence,
)
from engine.text.kiwi import Morpheme
from engine.types import Draft, Evidence, Finding

CHECK = "polarity"
MIN_COVERAGE = 0.5
_NEARLY_AS_CLOSE = 0.8


def check_polarity(
    draft: Draft, evidence: Sequence[Evidence], sources: Sources, korean: Analyzer
) -> list[Finding]:
    """Compare each sentence with the closest sentences of what it cites."""
    return compare_with_sources(CHECK, draft, evidence, sources, korean, turned)


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
        detail = (
            f"근거와 긍정·부정이 반대입니다 ({said}: {text[sign.start : sign.end]}): {closest.text}"
        )
        yield detail, (sign.start, sign.end)
    for bound in _turned_bounds(find_bounds(text, morphemes), closest, sources):
        detail = f"근거와 범위나 앞뒤가 다릅니다 ({text[bound.start : bound.end]}): {closest.text}"
        yield detail, (bound.start, bound.end)


def _turned_signs(own: Sequence[Sign], near: Sequence[SourceSentence]) -> Iterator[Sign]:
    """Statements whose sign the closest source turns round, while no source as close agrees.

    An even number of turns may cancel out, as when a condition and its consequence both turn.
    """
    closest, *others = (find_signs(source.morphemes) for source in near)
    turns = [
        turn
        for concept in dict.fromkeys(sign.concept for sign in own)
        for turn in _turns([s for s in own if s.concept == concept], closest, others)
    ]
    if len({turn.end for turn in turns}) % 2:
        yield from turns


def _turns(
    mine: Sequence[Sign], closest: Sequence[Sign], others: Sequence[Sequence[Sign]]
) -> list[Sign]:
    """Turned statements of one concept: by order where both say it as often, else if all are."""
    concept = mine[0].concept
    theirs = [s.sign for s in closest if s.concept == concept]
    if not theirs:
        return []
    agree = [[s.sign for s in signs if s.concept == concept] for signs in others]
    if len(theirs) == len(mine):
        turned = [own for own, sign in zip(mine, theirs, strict=True) if own.sign != sign]
        return [] if [own.sign for own in mine] in agree else turned
    signs = {own.sign for own in mine}
    if len(signs) > 1 or signs & {sign for found in (theirs, *agree) for sign in found}:
        return []
    return list(mine[:1])


def _turned_bounds(
    own: Sequence[Bound], closest: SourceSentence, sources: Sequence[SourceSentence]
) -> Iterator[Bound]:
    here = find_bounds(closest.text, closest.morphemes)
    everywhere = {(b.anchor, b.side) for s in sources for b in find_bounds(s.text, s.morphemes)}
    for bound in own:
        other = any(b.anchor == bound.anchor and b.side != bound.side for b in here)
        if other and (bound.anchor, bound.side) not in everywhere:
            yield bound
