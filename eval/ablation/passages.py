"""Signs of an answer that are read from the passages found, word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from engine.engine import Engine
from engine.index.tokenizer import fold
from engine.retrieve.concordance import PLACES
from engine.retrieve.coverage import Word, content_words, cover
from engine.retrieve.retriever import Ranking
from engine.text.kiwi import Morpheme

NAMES = (
    "content words in one place",
    "content words in any of the places",
    "content words in one sentence",
    "content words or alike by Kiwi, in one place",
)


def signs(engine: Engine, ranking: Ranking) -> tuple[float, ...]:
    """One value a name; each grows with the chance of an answer."""
    text, found, hits = ranking.asked.text, ranking.found, ranking.hits[:PLACES]
    words = content_words(next(engine.korean.morphemes([fold(text)])))
    ids = engine.store.term_ids(word.form for word in words)
    rarity = engine.legs.children.rarity
    weights, spare = [rarity(ids.get(word.form)) for word in words], rarity(None) / 2
    places = [
        "\n".join(engine.store.child_at(row).text for row in rows)
        for rows in engine.lookup.concordance.places(found, hits)
    ]
    sentences = [p[start:end] for p in places for start, end in engine.korean.sentences(p)]
    held = list(_held(engine, words, places))
    anywhere = [[any(column) for column in zip(*held, strict=True)]]
    alike = [_likeness(text, words, place, own) for place, own in zip(places, held, strict=True)]
    total = sum(weights) + spare
    return (
        engine.lookup.concordance.coverage(text, found, hits).share,
        cover(words, weights, anywhere, spare).share,
        cover(words, weights, list(_held(engine, words, sentences)), spare).share,
        max((float(np.dot(weights, own)) / total for own in alike), default=0.0),
    )


def _held(engine: Engine, words: Sequence[Word], texts: Sequence[str]) -> Iterator[list[bool]]:
    """Which words each text holds, as retrieval sees it."""
    folded = [fold(text) for text in texts]
    for text, morphemes in zip(folded, engine.korean.morphemes(folded), strict=True):
        forms, tight = {m.form for m in morphemes}, "".join(text.split())
        yield [word.form in forms or word.is_written(tight) for word in words]


def _likeness(text: str, words: Sequence[Word], place: str, held: Sequence[bool]) -> list[float]:
    """1 for a word that is held, else the likeness of the nearest morpheme of the place."""
    asked, given = (_numbers(fold(one)) for one in (text, place))
    return [
        1.0 if own else max(
            (_kiwi().morpheme_similarity(asked[word.form, word.noun], other)
             for (_, noun), other in given.items() if noun == word.noun),
            default=0.0,
        ) if (word.form, word.noun) in asked else 0.0
        for word, own in zip(words, held, strict=True)
    ]  # fmt: skip


def _numbers(text: str) -> dict[tuple[str, bool], int]:
    """Content words by form and kind, with their numbers in Kiwi's model."""
    tokens = _kiwi().tokenize(text)
    known = {token.form: token.id for token in tokens}
    morphemes = [Morpheme(t.form, t.tag, t.start, t.end) for t in tokens]
    return {(word.form, word.noun): known[word.form] for word in content_words(morphemes)}


@cache
def _kiwi() -> Any:
    from kiwipiepy import Kiwi

    return Kiwi(model_type="cong")
