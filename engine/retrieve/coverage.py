"""How much of what a question asks about stands in one place of the corpus.

A question that stops one detail short of the corpus names its people and places, and so shares much
with it. What gives it away is the word for the detail, which stands nowhere near them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.korean import Morpheme

_NOUN_TAGS = frozenset({"NNG", "NNP", "NR", "SL", "SH", "SN", "XR"})
_VERB_TAGS = frozenset({"VV", "VA"})
_ASKING = frozenset(
    {"하", "되", "있", "없", "이", "알", "말하", "말", "보", "주", "가", "오",
     "나오", "들", "받", "가지", "대하", "따르", "부르", "알리", "어떻", "그렇", "이렇", "같",
     "많", "뭐", "무엇", "언제", "어디", "얼마", "일", "곳", "때", "해", "중", "뒤",
     "전", "후", "처음", "사람", "이름", "설명", "까닭", "이유", "위하"}
)  # fmt: skip
"""What a question is put together with, whatever it is about."""


@dataclass(frozen=True, slots=True)
class Word:
    """A content morpheme of a question."""

    form: str
    noun: bool

    @property
    def is_piece(self) -> bool:
        """Whether it may be a piece of a word that was cut wrongly."""
        return self.noun and len(self.form) == 1


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share, by weight, of a question's words in the place that holds most, and the others."""

    share: float
    missing: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """What ``Evidence.why`` says of it."""
        return {"coverage": {"share": round(self.share, 4), "missing": list(self.missing)}}


def content_words(morphemes: Sequence[Morpheme]) -> tuple[Word, ...]:
    """What a question is about, each word once."""
    tags = [morpheme.tag.split("-", 1)[0] for morpheme in morphemes]
    words = (
        Word(morpheme.form, tag in _NOUN_TAGS)
        for morpheme, tag in zip(morphemes, tags, strict=True)
        if tag in _NOUN_TAGS | _VERB_TAGS and morpheme.form not in _ASKING
    )
    return tuple(dict.fromkeys(words))


def cover(
    words: Sequence[Word], weights: Sequence[float], held: Sequence[Sequence[bool]], spare: float
) -> Coverage:
    """The best of some places; ``held[p][w]`` says whether place p holds word w.

    ``spare`` is the weight of one word more that nothing holds: without it, a question of one or
    two words is held too easily. A one-syllable noun counts only if some place holds it. A question
    without content words is held.
    """
    counted = [
        at for at, word in enumerate(words) if not word.is_piece or any(place[at] for place in held)
    ]
    total = sum(weights[at] for at in counted) + spare
    if not counted or not held:
        return Coverage(0.0 if counted else 1.0, tuple(words[at].form for at in counted))
    best = max(held, key=lambda place: sum(weights[at] for at in counted if place[at]))
    share = sum(weights[at] for at in counted if best[at]) / total
    return Coverage(share, tuple(words[at].form for at in counted if not best[at]))
