"""Which places of the catalog a question names, and which of its names are anyone's guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.retrieve.places import Place
from engine.text.kiwi import Morpheme

_ADMINISTRATIVE = re.compile(r"(?<=..)(?:특별자치|특별|광역)?[시도군구]$")
_CLOSING_TAGS = ("J", "E", "VCP", "S")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it stands in ``text[start:end]`` and the places so called; several: ambiguous."""

    name: str
    start: int
    end: int
    places: tuple[Place, ...]


def names_of(places: Sequence[Place]) -> dict[str, tuple[Place, ...]]:
    """Each name, without spaces, and every place that bears it."""
    table: dict[str, dict[str, Place]] = {}
    for place in places:
        for name in place.names:
            table.setdefault(_tight(name), {})[place.id] = place
    return {name: tuple(bearers.values()) for name, bearers in table.items()}


def find_mentions(
    text: str, morphemes: Sequence[Morpheme], names: Mapping[str, tuple[Place, ...]]
) -> list[Mention]:
    """The longest names in a text, left to right, none inside another.

    A name starts a word, and what follows it in its last word is a particle, an ending or a mark:
    화성 is found in 화성에서 and not in 화성학. A homonym is settled if the text itself names the
    region of exactly one of its places.
    """
    found: list[Mention] = []
    at = 0
    while at < len(morphemes):
        end = _longest(text, morphemes, at, names)
        if end is None:
            at += 1
            continue
        start, stop = morphemes[at].start, morphemes[end].end
        places = names[_tight(text[start:stop])]
        found.append(Mention(text[start:stop], start, stop, places))
        at = end + 1
    return [_settled(mention, text) for mention in found]


def without_regions(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions that are not merely the region of another: 경주 in 경주 불국사."""
    regions = {(m.start, stem) for m in mentions for p in m.places for stem in _region_stems(p)}
    return [
        mention
        for mention in mentions
        if not any(
            stem == _stem(_tight(mention.name)) and start != mention.start
            for start, stem in regions
        )
    ]


def _longest(
    text: str, morphemes: Sequence[Morpheme], at: int, names: Mapping[str, tuple[Place, ...]]
) -> int | None:
    """Position of the last morpheme of the longest name that starts at a morpheme."""
    start = morphemes[at].start
    if start and not text[start - 1].isspace() and text[start - 1].isalnum():
        return None
    limit = max(map(len, names), default=0)
    best: int | None = None
    for end in range(at, len(morphemes)):
        name = _tight(text[start : morphemes[end].end])
        if len(name) > limit:
            break
        if name in names and _closes(text, morphemes, end):
            best = end
    return best


def _closes(text: str, morphemes: Sequence[Morpheme], end: int) -> bool:
    """Whether a word may end here: at a space, or before particles, endings and marks."""
    stop = morphemes[end].end
    if stop >= len(text) or not text[stop].isalnum():
        return True
    return end + 1 < len(morphemes) and morphemes[end + 1].tag.startswith(_CLOSING_TAGS)


def _settled(mention: Mention, text: str) -> Mention:
    if len(mention.places) < 2:
        return mention
    rest = text[: mention.start] + " " + text[mention.end :]
    words = {stem for word in rest.split() for stem in (word, _stem(word))}
    own = [
        place
        for place in mention.places
        if any(
            any(word.startswith(stem) for word in words)
            for stem in _region_stems(place)
            if stem != _stem(_tight(place.name))
        )
    ]
    places = tuple(own) if len(own) == 1 else mention.places
    return Mention(mention.name, mention.start, mention.end, places)


def _region_stems(place: Place) -> set[str]:
    return {_stem(part) for part in re.split(r"[\s·]+", place.region) if part}


def _stem(word: str) -> str:
    """A region without its rank: 경주시 → 경주."""
    return _ADMINISTRATIVE.sub("", word)


def _tight(name: str) -> str:
    return "".join(unicodedata.normalize("NFC", name).split())
