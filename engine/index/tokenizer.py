"""Text to the terms of the lexical index: chosen morphemes, joined neighbours, Hangul bigrams.

Indexing every morpheme is the weakest choice for Korean: particles and endings drown the content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from engine.config import TokenizerSettings
from engine.korean import Korean, Morpheme

CONTENT_TAGS = frozenset(
    {"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XR", "VV", "VA", "MAG", "W_URL", "W_EMAIL",
     "W_HASHTAG", "W_MENTION", "W_SERIAL"}
)  # fmt: skip
NOUN_TAGS = frozenset({"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XR", "XPN", "XSN"})
VERSION = 1
BIGRAM = "#"
"""What a term that is a bigram of surface text starts with."""
_WORD = re.compile(r"[가-힣]{2,}")
_SURFACE = re.compile(r"\w+")


class Tokenizer:
    """Terms of texts; the same on the side of documents and of questions."""

    def __init__(self, korean: Korean, settings: TokenizerSettings) -> None:
        self._korean = korean
        self._settings = settings

    @property
    def fingerprint(self) -> dict[str, Any]:
        """Everything that terms depend on."""
        from importlib.metadata import version

        return {
            "version": VERSION,
            "kiwipiepy": version("kiwipiepy"),
            "kiwipiepy_model": version("kiwipiepy_model"),
            "words": list(self._korean.words),
            **self._settings.model_dump(),
        }

    def terms(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """The terms of each text with repetitions; some, if it has a letter or a digit."""
        folded = [fold(text) for text in texts]
        for text, morphemes in zip(folded, self._korean.morphemes(folded), strict=True):
            yield self._terms(text, morphemes) or _surface_bigrams(text)

    def _terms(self, text: str, morphemes: list[Morpheme]) -> list[str]:
        terms = [m.form for m in morphemes if _tag(m) in CONTENT_TAGS]
        if self._settings.compounds:
            terms += _compounds(text, morphemes)
        if self._settings.bigrams:
            terms += [f"{BIGRAM}{pair}" for word in _WORD.findall(text) for pair in _pairs(word)]
        return terms


def fold(text: str) -> str:
    """One spelling for what is written alike: compatibility forms, NFC, small letters.

    The form the index sees; never shown, so offsets need not survive it.
    """
    return unicodedata.normalize("NFKC", text).lower()


def _tag(morpheme: Morpheme) -> str:
    """The tag without its irregularity mark (``VV-I``)."""
    return morpheme.tag.split("-", 1)[0]


def _compounds(text: str, morphemes: list[Morpheme]) -> Iterator[str]:
    """Neighbouring nouns as one term, whether or not a space parts them."""
    for left, right in zip(morphemes, morphemes[1:], strict=False):
        if _tag(left) in NOUN_TAGS and _tag(right) in NOUN_TAGS:
            gap = text[left.end : right.start]
            if gap in ("", " "):
                yield left.form + right.form


def _pairs(word: str) -> Iterator[str]:
    return (word[i : i + 2] for i in range(len(word) - 1))


def _surface_bigrams(text: str) -> list[str]:
    words = _SURFACE.findall(text)
    pieces = [pair for word in words for pair in _pairs(word)] or words
    return [f"{BIGRAM}{piece}" for piece in pieces]
