"""A second wording of a question that names a place; the question itself always stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.config import RewriteSettings
from engine.retrieve.mentions import Mention, find_mentions, without_regions
from engine.retrieve.places import Place
from engine.text.kiwi import Morpheme

_FORMAL_ENDINGS = ("가", "까", "나", "다", "라", "오", "시오")
_SHORT = 40
_NOUN_TAGS = ("NNG", "NNP", "NR", "SL", "SH", "SN", "XR", "XPN", "XSN", "W_")
_LIGHT_VERBS = frozenset({"하", "되", "있", "가", "오", "보", "주", "나", "들"})


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What became of a question: the second wording if there is one, and why or why not."""

    text: str | None = None
    places: tuple[str, ...] = ()
    ambiguous: Mapping[str, tuple[str, ...]] | None = None

    def told(self) -> dict[str, Any]:
        """What ``Evidence.why`` says of it; empty where no place was named."""
        told: dict[str, Any] = {}
        if self.text is not None:
            told["rewrite"] = {"text": self.text, "places": list(self.places)}
        if self.ambiguous:
            told["ambiguous"] = {name: list(ids) for name, ids in self.ambiguous.items()}
        return told


def rewrite(
    question: str,
    morphemes: Sequence[Morpheme],
    names: Mapping[str, tuple[Place, ...]],
    settings: RewriteSettings,
) -> Rewriting:
    """The second wording of a question, if the settings want one.

    ``limited`` wants it for a short spoken question with exactly one place, which must be
    unambiguous; ``all`` for any question with an unambiguous place. An ambiguous name is reported
    and never taken for either of its places.
    """
    if settings.mode == "off":
        return Rewriting()
    mentions = without_regions(find_mentions(question, morphemes, names))
    ambiguous = {m.name: tuple(p.id for p in m.places) for m in mentions if len(m.places) > 1}
    clear = {m.places[0].id: m for m in mentions if len(m.places) == 1}
    wanted = bool(clear) and (
        settings.mode == "all"
        or (len(clear) == 1 and not ambiguous and is_spoken(question, morphemes))
    )
    if not wanted:
        return Rewriting(ambiguous=ambiguous)
    text = _written(question, morphemes, list(clear.values()))
    return Rewriting(text, tuple(clear), ambiguous)


def is_spoken(question: str, morphemes: Sequence[Morpheme]) -> bool:
    """Whether a question is short and ends as one speaks: 했어? 뭐야? and not 인가? 입니까?"""
    endings = [m.form for m in morphemes if m.tag == "EF"]
    spoken = bool(endings) and not endings[-1].endswith(_FORMAL_ENDINGS)
    return spoken and len(question) <= _SHORT


def _written(question: str, morphemes: Sequence[Morpheme], mentions: Sequence[Mention]) -> str:
    """Names and terms of the places, and the content words as a heading would have them."""
    places = [mention.places[0] for mention in mentions]
    named = [word for place in places for word in (*_names(place), *place.terms)]
    rest = [m for m in morphemes if not any(p.start <= m.start < p.end for p in mentions)]
    return " ".join(dict.fromkeys([*named, *_content(question, rest)]))


def _names(place: Place) -> Iterator[str]:
    """The names of a place but for those that are a part of its first."""
    yield place.name
    for name in place.names[1:]:
        if name.replace(" ", "") not in place.name.replace(" ", ""):
            yield name


def _content(question: str, morphemes: Sequence[Morpheme]) -> Iterator[str]:
    """Nouns as written without particles, verbs as a dictionary has them."""
    end = -1
    noun = ""
    for m in morphemes:
        if noun and (m.start != end or not m.tag.startswith(_NOUN_TAGS)):
            yield noun
            noun = ""
        if m.tag.startswith(_NOUN_TAGS):
            noun += question[m.start : m.end]
            end = m.end
        elif m.tag.startswith(("VV", "VA")) and m.form not in _LIGHT_VERBS:
            yield f"{m.form}다"
    if noun:
        yield noun
