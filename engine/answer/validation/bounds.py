"""Which side of a figure or an event is meant: 3명 이상, 30일 이내, 시행 후."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.text.facts import find_literals
from engine.text.kiwi import Morpheme

_AFTER = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(이상|이하|초과|미만|이내|이전|이후|전|후|뒤)(?![가-힣]*명칭)"
)
_SIDES = {
    "이상": "최소", "초과": "초과", "이하": "최대", "이내": "최대", "미만": "미만",
    "이전": "앞", "전": "앞", "이후": "뒤", "후": "뒤", "뒤": "뒤",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """An anchor (a figure's fact, or the word before) and the side of it."""

    anchor: str
    side: str
    word: str
    start: int
    end: int


def find_bounds(text: str, morphemes: Sequence[Morpheme]) -> list[Bound]:
    """Bounds on figures and dates, then on events."""
    return [*_on_figures(text), *_on_events(morphemes)]


def _on_figures(text: str) -> Iterator[Bound]:
    for literal in find_literals(text):
        match = _AFTER.match(text, literal.end)
        if match and literal.kind in {"number", "date", "time", "fraction"}:
            yield Bound(literal.needs[0], _SIDES[match[1]], match[1], literal.start, match.end())


def _on_events(ms: Sequence[Morpheme]) -> Iterator[Bound]:
    """시행 전, 시행한 후, 시행하기 전: the anchor is the noun or verb."""
    for at, m in enumerate(ms):
        if m.tag in {"NNG", "NNB", "MM"} and m.form in {"전", "후", "뒤", "이전", "이후"}:
            anchor = _event(ms, at - 1)
            if anchor is not None:
                yield Bound(f"e:{anchor.form}", _SIDES[m.form], m.form, anchor.start, m.end)


def _event(ms: Sequence[Morpheme], at: int) -> Morpheme | None:
    """What happens before or after, past an aside in brackets: 출산(예정) 전."""
    if at >= 0 and ms[at].tag == "SSC":
        opening = [i for i in range(at) if ms[i].tag == "SSO"]
        at = opening[-1] - 1 if opening else -1
    if at >= 0 and ms[at].tag in {"ETM", "ETN"}:
        at -= 1
        while at >= 0 and ms[at].tag.startswith(("XS", "EP", "JKO")):
            at -= 1
    if at >= 0 and ms[at].tag.startswith(("NNG", "VV")):
        return ms[at]
    return None
