"""One spelling for comparison, with a way back to the reader's own text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_SAME = {
    **dict.fromkeys("～〜∼˜∾", "~"),
    **dict.fromkeys("‐‑‒–—―−﹣－ㅡ", "-"),
    **dict.fromkeys("“”„‟〝〞＂", '"'),
    **dict.fromkeys("‘’‚‛＇`´", "'"),
    **dict.fromkeys("·ㆍ‧・•∙⋅･᛫ᆞ", "·"),
    "∶": ":", "：": ":", "⁄": "/", "∕": "/", "₩": "₩", "￦": "₩", "℃": "℃", "℉": "℉", "…": "…",
}  # fmt: skip
_CIRCLED = {chr(0x2460 + i): i + 1 for i in range(20)}
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_LOOSE_PUNCTUATION = re.compile(r"(?<!\d)[.,]|[.,](?!\d)|[\"'·;:!?…]")
_ASIDE = re.compile(r"\([^()]*[\u3400-\u9fffA-Za-z][^()]*\)")


@dataclass(frozen=True, slots=True)
class Folded:
    """Text in its plainest spelling. ``origin[i]`` is where character i came from."""

    text: str
    origin: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The same slice in the text as it was written."""
        return self.origin[start], self.origin[end - 1] + 1


_FIRST_MONTH = re.compile(r"(?<![가-힣])정월(?=[ ,.에~·)]|부터|까지|$)")


@lru_cache(maxsize=4096)
def fold(text: str) -> Folded:
    """Full width, dashes, quotation marks and dots to one form each; ``①`` becomes ``(1)``."""
    characters: list[str] = []
    origin: list[int] = []
    for at, character in enumerate(text):
        plain = _plain(character)
        characters.append(plain)
        origin.extend([at] * len(plain))
    # 정월 is as long as 1월, so that offsets stay.
    return Folded(_FIRST_MONTH.sub("1월", "".join(characters)), tuple(origin))


def _plain(character: str) -> str:
    if character < "\x80":
        return character
    if character in _SAME:
        return _SAME[character]
    if character in _CIRCLED:
        return f"({_CIRCLED[character]})"
    if character in _INVISIBLE:
        return ""
    if character.isspace():
        return character if character == "\n" else " "
    plain = unicodedata.normalize("NFKC", character)
    return "".join(_SAME.get(c, c) for c in plain)


@lru_cache(maxsize=4096)
def compact(text: str) -> str:
    """Folded, in small letters, without white space and the punctuation that ends sentences."""
    text = re.sub(r"[.!?。]+(?=\s|$)", "", fold(text).text)
    return re.sub(r"\s+", "", text).casefold()


def squeeze(text: str) -> str:
    """`compact`, and without the punctuation that quoting changes; figures keep theirs."""
    return _LOOSE_PUNCTUATION.sub("", compact(text))


def without_asides(text: str) -> str:
    """Without ``(武科)`` or ``(NASA)``: the Latin or Han spelling beside a Hangul word."""
    return _ASIDE.sub("", fold(text).text)
