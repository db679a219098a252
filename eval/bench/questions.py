"""Questions to time with: runs of words as they stand in children picked at random."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.engine import Engine


def questions(engine: Engine, number: int, seed: int = 0) -> list[str]:
    """Three to nine words each, from as many different children."""
    draw = random.Random(seed)
    size = engine.legs.dense.size
    rows = draw.sample(range(size), min(number, size))
    return phrases([engine.store.child_at(row).text for row in rows], draw)


def phrases(texts: Sequence[str], draw: random.Random) -> list[str]:
    """A run of words of each text."""
    return [_words(text.split(), draw) for text in texts]


def _words(words: list[str], draw: random.Random) -> str:
    length = draw.randint(3, 9)
    start = draw.randint(0, max(len(words) - length, 0))
    return " ".join(words[start : start + length])
