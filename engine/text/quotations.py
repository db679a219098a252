"""Names in Latin letters, Han characters, and phrases in quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.text.literal import Literal
from engine.text.normalize import squeeze

_LATIN = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ0-9]*(?:[-.&'+/_@:]+[A-Za-zÀ-ÿ0-9]+)*\+*")
_MIXED = re.compile(r"\d+[A-Za-z][A-Za-z0-9]*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_QUOTES = [
    re.compile(pattern)
    for pattern in (
        r'"([^"\n]{1,300}?)"', r"(?<![A-Za-z0-9])'([^'\n]{1,300}?)'(?![A-Za-z0-9])",
        r"「([^」\n]{1,300})」", r"『([^』\n]{1,300})』", r"《([^》\n]{1,300})》",
        r"〈([^〉\n]{1,300})〉", r"<([^<>\n]*[가-힣][^<>\n]*)>",
    )
]  # fmt: skip
_SEPARATORS = re.compile(r"[-.&'+/_@:]+")


def find_latin(text: str) -> Iterator[Literal]:
    """Words with Latin letters in folded text, letter case and inner hyphens aside."""
    for pattern in (_LATIN, _MIXED):
        for match in pattern.finditer(text):
            word = match[0].casefold()
            if word[0].isdigit() and match.start() and text[match.start() - 1].isalnum():
                continue
            whole = "l:" + _SEPARATORS.sub("", word)
            parts = tuple(f"l:{part}" for part in _SEPARATORS.split(word) if part)
            gives = tuple(dict.fromkeys((whole, *parts)))
            yield Literal("latin", match[0], match.start(), match.end(), (whole,), gives)


def find_hanja(text: str) -> Iterator[Literal]:
    """Runs of Han characters; weekdays in parentheses are left to the dates."""
    for match in _HAN.finditer(text):
        yield Literal("hanja", match[0], match.start(), match.end(), (f"h:{match[0]}",), ())


def find_quotes(text: str) -> Iterator[Literal]:
    """Quoted phrases; the part before and after an ellipsis count each for itself."""
    for pattern in _QUOTES:
        for match in pattern.finditer(text):
            for part in re.split(r"\.{3}|…", match[1]):
                key = squeeze(part)
                if key:
                    yield Literal("quote", match[0], match.start(), match.end(), (f"q:{key}",), ())
