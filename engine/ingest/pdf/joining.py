"""Whether the end of a line hides a space.

A document that breaks its lines between words only, as most word processors do, has a space at
every break; one that breaks anywhere leaves it to Kiwi.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.ingest.pdf.lines import Line
from engine.ingest.source import clean
from engine.text.kiwi import Korean

_HANGUL = re.compile(r"[가-힣]")
_END = r"(?=[\s,.)]|$)"
_PARTICLE = (
    r"(?:은|는|이|가|을|를|의|에|와|과|도|로|으로|만"
    r"|에서|에게|라고|이라고|이다|이며|까지|부터|보다)"
)
_UNIT = r"(?:년|월|일|개|명|배|원|조|항|호|차|세|시|분|회|건|층|권|쪽|만|억)"
_SUFFIX = re.compile(
    rf"[0-9A-Za-z)\]}}%’”'\"》」』]\n{_PARTICLE}{_END}|[0-9]\n{_UNIT}{_PARTICLE}?{_END}"
)
_WINDOW = 30
_SAMPLE, _ENOUGH, _BY_WORD = 60, 8, 0.85


@dataclass(frozen=True, slots=True)
class Joiner:
    """Joins lines; ``by_word``: the document breaks them between words only."""

    korean: Korean
    by_word: bool = False

    def append(self, joined: str, text: str, trail: bool) -> str:
        """A line behind what is joined already; ``trail``: a space is drawn between them."""
        hangul = bool(_HANGUL.match(joined[-1]) and _HANGUL.match(text))
        if trail or (hangul and self.by_word):
            return f"{joined} {text}"
        if not self.by_word and _SUFFIX.search(joined[-1] + "\n" + text[:8]):
            return joined + text
        return _glue(joined, text, _WINDOW if hangul else 2, self.korean)

    def join(self, lines: Iterable[Line]) -> str:
        """The text of lines as one."""
        joined, trail = "", False
        for line in lines:
            text = plain(line)
            if text:
                joined = self.append(joined, text, trail) if joined else text
                trail = line.trail
        return joined


def make_joiner(paragraphs: Iterable[Sequence[Line]], korean: Korean) -> Joiner:
    """Decide on a sample of the breaks between Hangul whether the lines break by word."""
    breaks = (
        (plain(a), plain(b))
        for lines in paragraphs
        for a, b in zip(lines, lines[1:], strict=False)
        if not a.trail
    )
    hangul = ((a, b) for a, b in breaks if _HANGUL.match(a[-1:]) and _HANGUL.match(b))
    spaces = [_is_space(a, b, korean) for a, b in islice(hangul, _SAMPLE)]
    by_word = len(spaces) >= _ENOUGH and sum(spaces) >= _BY_WORD * len(spaces)
    return Joiner(korean, by_word)


def plain(line: Line) -> str:
    """The text of a line, NFC, with single spaces."""
    return " ".join(clean(line.text).split())


def _is_space(before: str, after: str, korean: Korean) -> bool:
    return len(_glue(before, after, _WINDOW, korean)) > len(before) + len(after)


def _glue(joined: str, text: str, window: int, korean: Korean) -> str:
    """Kiwi sees some whole words on either side of the break, not all of the text."""
    left, right = joined[-window:], text[:window]
    if len(joined) > window and " " in left[: window // 2]:
        left = left[left.index(" ") + 1 :]
    if len(text) > window and " " in right[window // 2 :]:
        right = right[: right.rindex(" ")]
    return joined[: -len(left)] + korean.join([left, right]) + text[len(right) :]
