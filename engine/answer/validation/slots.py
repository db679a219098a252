"""Another figure or name in the same place: 학생 5명이 for the source's 학생 3명이.

The literals check asks whether a figure stands anywhere in the cited evidence; this one asks
whether it stands where the closest sentence has it, between the same two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from engine.answer.validation.closest import rank_sources
from engine.answer.validation.comparison import compare_with_sources
from engine.answer.validation.literals import bare
from engine.answer.validation.sources import (
    Analyzer,
    Sources,
    SourceSentence,
)
from engine.text.facts import find_literals
from engine.text.kiwi import Morpheme
from engine.types import Draft, Evidence, Finding

CHECK = "slots"
MIN_COVERAGE = 0.6

_KINDS = frozenset({"number", "date", "time", "article", "fraction", "latin"})
_BEFORE = re.compile(r"(\S+)\s+$|(\S{1,6})$")
_AFTER = re.compile(r"\S*\s+(\S{1,2})")
_NAME_PARTICLES = ("J", "S", "VCP", "E")

Slot = tuple[str, str, str]
"""Kind, and the beginnings of the words around."""
Filling = tuple[str, tuple[str, ...], str, tuple[int, int]]
"""What a slot holds: the fact it needs, those it gives, its spelling, its span."""


def check_slots(
    draft: Draft, evidence: Sequence[Evidence], sources: Sources, korean: Analyzer
) -> list[Finding]:
    """One finding for each figure or name that the closest sentence replaces by another."""
    return compare_with_sources(CHECK, draft, evidence, sources, korean, replaced)


def replaced(
    text: str, morphemes: Sequence[Morpheme], sources: Sequence[SourceSentence]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Fillings of a text that differ from those of the closest sentence, in Korean, with spans."""
    ranked = rank_sources(morphemes, sources)
    if not ranked or ranked[0].coverage < MIN_COVERAGE:
        return
    closest = ranked[0].sentence
    own, theirs = slots(text, morphemes), slots(bare(closest.text), closest.morphemes)
    for slot, (need, gives, spelled, span) in own.items():
        if slot in theirs and not _agree(need, gives, theirs[slot][1]):
            other = theirs[slot][2]
            yield f"근거의 같은 자리에는 {other}입니다 ({spelled}): {closest.text}", span


def _agree(need: str, own: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a source states what is needed; a bare figure, as in a table, may lack its unit."""
    bare_there = any(fact.startswith("b:") for fact in theirs)
    return need in theirs or (bare_there and any(f in theirs for f in own if f.startswith("v:")))


def slots(text: str, morphemes: Sequence[Morpheme]) -> Mapping[Slot, Filling]:
    """What stands between which words; places that occur twice are left out."""
    found: dict[Slot, Filling | None] = {}
    for kind, need, gives, span in (*_literals(text), *_names(text, morphemes)):
        slot = (kind, *_around(text, span))
        filling = (need, gives, text[slice(*span)], span)
        found[slot] = None if slot in found else filling
    return {slot: filling for slot, filling in found.items() if filling and any(slot[1:])}


Piece = tuple[str, str, tuple[str, ...], tuple[int, int]]


def _literals(text: str) -> Iterator[Piece]:
    for literal in find_literals(text):
        if literal.kind in _KINDS and not literal.weak:
            gives = (*literal.needs, *literal.gives)
            yield literal.kind, literal.needs[0], gives, (literal.start, literal.end)


def _names(text: str, morphemes: Sequence[Morpheme]) -> Iterator[Piece]:
    """Proper nouns that fill a word but for its particle."""
    for at, m in enumerate(morphemes):
        if m.tag != "NNP" or m.end - m.start < 2 or re.search(r"[A-Za-z0-9]", m.form):
            continue
        opens = m.start == 0 or not text[m.start - 1].isalnum()
        follows = morphemes[at + 1] if at + 1 < len(morphemes) else None
        attached = follows is not None and follows.start == m.end
        if opens and (not attached or (follows and follows.tag.startswith(_NAME_PARTICLES))):
            yield "name", m.form, (m.form,), (m.start, m.end)


def _around(text: str, span: tuple[int, int]) -> tuple[str, str]:
    before = _BEFORE.search(text[: span[0]])
    after = _AFTER.match(text[span[1] :])
    word = (before[1] or before[2]) if before else ""
    return word[:2], after[1] if after else ""
