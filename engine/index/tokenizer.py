"""Text to the terms of the lexical index: chosen morphemes, joined words, Hangul bigrams.

Indexing every morpheme is the weakest choice for Korean: particles and endings drown the content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from typing import Any

from engine.config import TokenizerSettings
from engine.text.hanja import in_hangul
from engine.text.kiwi import Korean, Morpheme

CONTENT_TAGS = frozenset(
    {"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XR", "VV", "VA", "MAG", "W_URL", "W_EMAIL",
     "W_HASHTAG", "W_MENTION", "W_SERIAL"}
)  # fmt: skip
NOUN_TAGS = frozenset({"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XR", "XPN", "XSN"})
VERSION = 2
BIGRAM = "#"
"""What a term that is a bigram of surface text starts with."""
_WORD = re.compile(r"[가-힣]{2,}")
_SURFACE = re.compile(r"\w+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLE = re.compile(r"제\s?(\d+)\s?([조항호편장절관])(?:의\s?(\d+))?")
_MIXED = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:[-./_&][a-z0-9]+)*[+#]*(?![a-z0-9])")
_AMOUNT_TAGS = frozenset({"SN", "NR", "NNB"})


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
        if self._settings.wholes:
            terms += [*_articles(text), *_amounts(morphemes), *_mixed(text, {*terms})]
        if self._settings.bigrams:
            terms += _bigrams(text)
        if self._settings.hanja:
            terms += self._read(morphemes)
        return terms

    def _read(self, morphemes: list[Morpheme]) -> Iterator[str]:
        for m in morphemes:
            if m.tag == "SH" and (read := in_hangul(m.form)) != m.form:
                yield read
                if self._settings.bigrams:
                    yield from _bigrams(read)


def fold(text: str) -> str:
    """One spelling for what is written alike: compatibility forms, NFC, small letters, 3000.

    The form the index sees; never shown, so offsets need not survive it.
    """
    return _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).lower())


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


def _articles(text: str) -> Iterator[str]:
    """제12조의2 as one term, however it is spaced."""
    for number, rank, branch in _ARTICLE.findall(text):
        yield f"제{number}{rank}" + (f"의{branch}" if branch else "")


def _amounts(morphemes: list[Morpheme]) -> Iterator[str]:
    """50만원 and 1만2천명 as one term each; shorter runs are compounds."""
    run: list[Morpheme] = []
    for m in morphemes:
        if run and (_tag(m) not in _AMOUNT_TAGS or m.start != run[-1].end):
            yield from _joined(run)
            run = []
        if _tag(m) in _AMOUNT_TAGS and (run or _tag(m) == "SN"):
            run.append(m)
    yield from _joined(run)


def _joined(run: list[Morpheme]) -> Iterator[str]:
    if len(run) > 2:
        yield "".join(m.form for m in run)


def _mixed(text: str, known: Set[str]) -> Iterator[str]:
    """Latin words with digits or marks inside: as written, without the marks, and in parts.

    What is ``known`` as a term already is not repeated.
    """
    for word in _MIXED.findall(text):
        if word.isdecimal() or word.isalpha() or not any(map(str.isalpha, word)):
            continue
        tight = re.sub(r"[^a-z0-9]", "", word)
        parts = [part for part in re.split(r"[^a-z0-9]+", word) if part]
        made = dict.fromkeys([word, tight, *parts] if len(parts) > 1 else [word])
        yield from (term for term in made if term not in known)


def _bigrams(text: str) -> Iterator[str]:
    return (f"{BIGRAM}{pair}" for word in _WORD.findall(text) for pair in _pairs(word))


def _pairs(word: str) -> Iterator[str]:
    return (word[i : i + 2] for i in range(len(word) - 1))


def _surface_bigrams(text: str) -> list[str]:
    words = _SURFACE.findall(text)
    pieces = [pair for word in words for pair in _pairs(word)] or words
    return [f"{BIGRAM}{piece}" for piece in pieces]
