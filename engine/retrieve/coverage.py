"""How much of what a question asks about stands in one place of the corpus.

A question that stops one detail short of the corpus names its people and places, and so shares much
with it. What gives it away is the word for the detail, which stands nowhere near them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.text.kiwi import Morpheme

_NOUN_TAGS = frozenset({"NNG", "NNP", "NR", "SL", "SH", "SN", "XR"})
_RUN_TAGS = _NOUN_TAGS | {"XPN", "XSN"}
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
    """A content morpheme of a question; ``whole`` is the run of nouns that it is written in."""

    form: str
    noun: bool
    whole: str = ""

    @property
    def headword(self) -> str:
        """As a dictionary has it: a verb with its ending, a noun with a syllable cut off it."""
        if not self.noun:
            return f"{self.form}다"
        return self.whole if len(self.whole) == len(self.form) + 1 else self.form

    @property
    def is_piece(self) -> bool:
        """Whether it may be a piece of a word that was cut wrongly."""
        return self.noun and len(self.form) == 1

    def is_written(self, text: str) -> bool:
        """Whether a text without spaces has it, or its whole, as a word or a part of one."""
        return self.noun and any(len(w) > 1 and w in text for w in (self.form, self.whole))


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share, by weight, of a question's words in the place that holds most, and the others.

    ``nouns`` are those ``missing`` that are nouns: a verb is often said otherwise.
    """

    share: float
    missing: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """What ``Evidence.why`` says of it."""
        return {"coverage": {"share": round(self.share, 4), "missing": list(self.missing)}}


def content_words(morphemes: Sequence[Morpheme]) -> tuple[Word, ...]:
    """What a question is about, each word once."""
    tags = [morpheme.tag.split("-", 1)[0] for morpheme in morphemes]
    words = (
        Word(morpheme.form, tag in _NOUN_TAGS, whole if tag in _NOUN_TAGS else "")
        for morpheme, tag, whole in zip(morphemes, tags, _wholes(morphemes, tags), strict=True)
        if tag in _NOUN_TAGS | _VERB_TAGS and morpheme.form not in _ASKING
    )
    return tuple(dict.fromkeys(words))


def _wholes(morphemes: Sequence[Morpheme], tags: Sequence[str]) -> list[str]:
    """The unbroken run of nouns, with their prefixes and suffixes, around each morpheme."""
    runs: list[list[str]] = []
    for at, morpheme in enumerate(morphemes):
        pair = {*tags[max(at - 1, 0) : at + 1]}
        joined = at and pair <= _RUN_TAGS and morphemes[at - 1].end == morpheme.start
        runs.append(runs[-1] if joined else [])
        runs[-1].append(morpheme.form)
    return ["".join(run) for run in runs]


def cover(
    words: Sequence[Word], weights: Sequence[float], held: Sequence[Sequence[bool]], spare: float
) -> Coverage:
    """The best of some places; ``held[p][w]`` says whether place p holds word w.

    Where one of three words or more is missing, ``spare`` is missing too, since it is often the
    word that was asked for; of two, half may well be said otherwise. A one-syllable noun counts
    only if some place holds it. A question without nouns names nothing to look for, and is held: a
    lone verb is often a noun that was misread.
    """
    counted = [
        at for at, word in enumerate(words) if not word.is_piece or any(place[at] for place in held)
    ]
    best = max(held, key=lambda place: sum(weights[at] for at in counted if place[at]), default=())
    missing = [at for at in counted if not (best and best[at])]
    if not missing or not any(word.noun for word in words):
        return Coverage(1.0)
    total = sum(weights[at] for at in counted)
    spare = spare if len(counted) > 2 else 0.0
    share = (total - sum(weights[at] for at in missing)) / (total + spare)
    absent = [words[at] for at in missing]
    nouns = tuple(word.headword for word in absent if word.noun)
    return Coverage(share, tuple(word.headword for word in absent), nouns)
