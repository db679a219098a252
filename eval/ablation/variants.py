"""Analyzers to compare: from every morpheme to all that the engine can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from engine.config import TokenizerSettings
from engine.index.tokenizer import Tokenizer, fold
from engine.text.kiwi import Korean, Morpheme


class Analyzer(Protocol):
    """Text to terms."""

    def terms(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """The terms of each text with repetitions."""
        ...


class Remembering(Korean):
    """Kiwi that analyses each text once, so that a variant is timed without it."""

    def __init__(self, korean: Korean) -> None:
        super().__init__(korean.words)
        self._asked = korean
        self._known: dict[str, list[Morpheme]] = {}

    def morphemes(self, texts: Sequence[str]) -> Iterator[list[Morpheme]]:
        """As `Korean.morphemes`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._asked.morphemes(new), strict=True))
        return iter([self._known[text] for text in texts])


class EveryMorpheme:
    """Particles, endings and marks too: what an index holds if nothing is chosen."""

    def __init__(self, korean: Korean) -> None:
        self._korean = korean

    def terms(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """Every morpheme of each text."""
        for morphemes in self._korean.morphemes([fold(text) for text in texts]):
            yield [m.form for m in morphemes]


_STEPS = {
    "content morphemes": {},
    "+ joined neighbours": {"compounds"},
    "+ bigrams": {"compounds", "bigrams"},
    "+ wholes": {"compounds", "bigrams", "wholes"},
    "+ hanja read": {"compounds", "bigrams", "wholes", "hanja"},
}  # fmt: skip


def analyzers(korean: Korean) -> dict[str, Analyzer]:
    """Every analyzer by what it adds to the one before."""
    made: dict[str, Analyzer] = {"all morphemes": EveryMorpheme(korean)}
    for name, on in _STEPS.items():
        flags = {field: field in on for field in TokenizerSettings.model_fields}
        made[name] = Tokenizer(korean, TokenizerSettings.model_validate(flags))
    return made
