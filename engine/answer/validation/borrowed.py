"""A figure or date of the cited evidence, but of another sentence than the one it is said with.

All of "무덤을 1796년에 옮겼다" may stand in evidence that moves the grave in 1789 and ends a wall
in 1796. What is compared is the company that the literal keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.answer.validation.closest import content
from engine.answer.validation.comparison import compare_with_sources
from engine.answer.validation.literals import bare
from engine.answer.validation.sources import Analyzer, Sources, SourceSentence
from engine.text.facts import Stated, find_literals, read_source
from engine.text.kiwi import Morpheme
from engine.text.literal import Literal
from engine.types import Draft, Evidence, Finding

CHECK = "borrowed"
_KINDS = frozenset({"number", "date", "time", "fraction"})
_MIN_WORDS = 2
_MIN_SHARE = 0.6
"""A source sentence holding less of the other words is no statement of the same thing."""
_FAR = 0.5
"""A literal is borrowed where its surroundings share less than this of what the closest does."""


def check_borrowed(
    draft: Draft, evidence: Sequence[Evidence], sources: Sources, korean: Analyzer
) -> list[Finding]:
    """One finding for each literal taken from a sentence about something else."""
    return compare_with_sources(CHECK, draft, evidence, sources, korean, borrowed)


def borrowed(
    text: str, morphemes: Sequence[Morpheme], sources: Sequence[SourceSentence]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Literals that the closest sentence has otherwise, and that stand far from it, with spans."""
    literals = [x for x in find_literals(text) if x.kind in _KINDS and not x.weak]
    words = content(m for m in morphemes if not any(x.start <= m.start < x.end for x in literals))
    if not literals or len(words) < _MIN_WORDS:
        return
    terms = [content(source.morphemes) for source in sources]
    shares = [len(words & own) / len(words) for own in terms]
    best = max(shares)
    if best < _MIN_SHARE:
        return
    closest = sources[shares.index(best)]
    for literal in literals:
        stating = [at for at, source in enumerate(sources) if _stated(source.text).states(literal)]
        near = [len(words & _around(at, sources, terms)) / len(words) for at in stating]
        rival = next(_rivals(literal, closest), None)
        if near and max(near) < _FAR * best and rival is not None:
            detail = f"근거의 이 내용에는 {rival.text}입니다 ({literal.text}): {closest.text}"
            yield detail, (literal.start, literal.end)


def _around(
    at: int, sources: Sequence[SourceSentence], terms: Sequence[frozenset[str]]
) -> frozenset[str]:
    """Words of a sentence and of the one before it, which may name what it is about."""
    before = at > 0 and sources[at - 1].evidence_id == sources[at].evidence_id
    return terms[at] | terms[at - 1] if before else terms[at]


def _rivals(literal: Literal, closest: SourceSentence) -> Iterator[Literal]:
    """Other literals of the same kind and unit in the closest sentence."""
    for other in find_literals(bare(closest.text)):
        alike = other.kind == literal.kind and not other.weak
        if alike and (literal.kind == "date" or _unit(other) == _unit(literal)):
            yield other


def _unit(literal: Literal) -> str:
    return re.sub(r"[\d\s.,%만천백십억조]+", "", literal.text)


@lru_cache(maxsize=4096)
def _stated(text: str) -> Stated:
    return read_source(bare(text))
