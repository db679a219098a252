"""What the stages ask of Kiwi: morphemes, sentence ends, and whether a line break hides a space.

Building a Kiwi takes seconds, so one `Korean` is made and passed around; it builds on first use.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

_HANGUL = re.compile(r"[가-힣]")
_LETTER = re.compile(r"[ᄀ-ᇿㄱ-ㆎ가-힣]")
_BULLET = re.compile(r"\s*(?:[-*•·∙◦○●◇◆□■▪▶※☞。]\s*|\(?\d{1,3}[.)]\s|[①-⑳]|[가-하][.)]\s|\|)")
_OPENS_NEXT = re.compile(r"(?<=[.!?])(\s+)[『「《〈“‘<][^.!?]*[』」》〉”’>]$")
_FILLED, _NEARLY_FILLED = 0.85, 0.7
_MIN_WRAPPED_WIDTH = 24


def has_hangul(text: str) -> bool:
    """Whether a text has a Korean letter, also a lone or an old one."""
    return bool(_LETTER.search(text))


class Morpheme(NamedTuple):
    """One morpheme; ``start`` and ``end`` are code points; ``tag`` as Kiwi spells it."""

    form: str
    tag: str
    start: int
    end: int


class Korean:
    """One shared Kiwi, with extra proper nouns in its dictionary."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.words = tuple(sorted({word for word in words if " " not in word}))
        self._lock = threading.Lock()

    @cached_property
    def _kiwi(self) -> Any:
        from kiwipiepy import Kiwi

        kiwi = Kiwi()
        for word in self.words:
            kiwi.add_user_word(word, "NNP", 0.0)
        return kiwi

    def _ready(self) -> Any:
        with self._lock:
            return self._kiwi

    def morphemes(self, texts: Sequence[str]) -> Iterator[list[Morpheme]]:
        """Morphemes of each text, in order, analysed on all processors."""
        kiwi = self._ready()
        # One text alone is not worth handing to another thread.
        analysed = [kiwi.tokenize(texts[0])] if len(texts) == 1 else kiwi.tokenize(iter(texts))
        for tokens in analysed:
            yield [Morpheme(t.form, t.tag, t.start, t.end) for t in tokens]

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Spans of the sentences of a text; together they hold all but surrounding white space."""
        spans = [(s.start, s.end) for s in self._ready().split_into_sents(text) if s.end > s.start]
        for at in range(len(spans) - 1):
            (start, end), (_, after) = spans[at], spans[at + 1]
            stray = _OPENS_NEXT.search(text, start, end)
            # Kiwi takes a quoted title that opens a sentence for the close of the one before.
            if stray and text[end : end + 1] not in ("", " ", "\n"):
                spans[at], spans[at + 1] = (start, stray.start()), (stray.end(1), after)
        return spans

    def unwrap(self, text: str) -> str:
        """Undo the line breaks that page layout put inside paragraphs.

        A line is taken for wrapped if it fills the width of its paragraph, or nearly does and ends
        inside a word, and the next line opens no list item; other breaks are kept. Between Hangul,
        Kiwi decides whether a break stood for a space; a hyphen between Latin letters hyphenates.
        """
        lines = [line.strip() for line in text.split("\n")]
        lines = [line for line in lines if line]
        if len(lines) < 2:
            return "\n".join(lines)
        widths = list(map(_width, lines))
        widest = max(widths)
        asked = [w >= _MIN_WRAPPED_WIDTH and w / widest >= _NEARLY_FILLED for w in widths[:-1]]
        joined = lines[0]
        breaks = zip(lines[1:], widths, asked, self._some_spaces(lines, asked), strict=False)
        for line, width, maybe, space in breaks:
            wrapped = maybe and (width / widest >= _FILLED or not space)
            item = space and opens_item(line)
            if wrapped and not item:
                joined = _append(joined, line, space)
            else:
                joined += "\n" + line
        return joined

    def join(self, lines: Sequence[str]) -> str:
        """One line out of several; spaces as in `unwrap`."""
        joined = lines[0]
        for line, space in zip(lines[1:], self._spaces(lines), strict=True):
            joined = _append(joined, line, space)
        return joined

    def _some_spaces(self, lines: Sequence[str], asked: Sequence[bool]) -> Iterator[bool]:
        """`_spaces` where it is asked for; True elsewhere, which costs nothing."""
        at = 0
        for wanted, group in groupby(asked):
            count = sum(1 for _ in group)
            yield from self._spaces(lines[at : at + count + 1]) if wanted else [True] * count
            at += count

    def _spaces(self, lines: Sequence[str]) -> list[bool]:
        """For each break between lines, whether a space belongs there."""
        if len(lines) < 2:
            return []
        _, glued = self._ready().glue(list(lines), return_space_insertions=True)
        return [
            bool(space) if _HANGUL.match(before[-1]) and _HANGUL.match(line[0])
            else _needs_space(before[-1], line[0])
            for before, line, space in zip(lines, lines[1:], glued, strict=False)
        ]  # fmt: skip


def _append(joined: str, line: str, space: bool) -> str:
    if re.search(r"[A-Za-z]-$", joined) and re.match(r"[a-z]", line):
        return joined[:-1] + line
    return joined + (" " if space else "") + line


def opens_item(line: str) -> bool:
    """Whether a line starts like a list item: a bullet, ``1.``, ``(2)``, ``①``, ``가.``."""
    return bool(_BULLET.match(line))


def _needs_space(before: str, after: str) -> bool:
    if after in ",.;:!?)]}%»」』”’" or before in "([{«「『“‘":
        return False
    both_digits = before.isdigit() and after.isdigit()
    return not both_digits


def _width(line: str) -> int:
    """Columns a line takes on paper: full-width characters count two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
