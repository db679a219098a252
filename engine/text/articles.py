"""Places in a statute as wholes: 제13조의2제1항제3호가목 is not 제3조, and not 13."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.text.literal import Literal

_LEVELS = "편장절관조항호목"
_PART = re.compile(
    r" ?(?:제 ?(?P<n>\d+) ?(?P<level>[편장절관조항호목])(?:의 ?(?P<branch>\d+))?"
    r"|(?P<mok>[가-하]) ?목(?![가-힣]{2}))"
)
_BARE = re.compile(r"(?<![\d.,제])(?<!제 )(?P<n>\d+)조(?:의(?P<branch>\d+))? ?(?=제? ?\d+ ?항)")
_BARE_PART = re.compile(r"(?P<n>\d+) ?(?P<level>[항호])")
_ANNEX = re.compile(r"(?P<kind>별표|별지|부칙) ?제? ?(?P<n>\d+)(?:의(?P<branch>\d+))?")
_ITEM = re.compile(
    r"^[ *>\-]*(?:\((?P<clause>\d{1,2})\)|(?P<ho>\d{1,2})(?:의\d+)?\\?\.)(?=[ *])"
    r"|(?<=[ \n*])\((?P<inline>\d{1,2})\)(?=[ *])",
    re.MULTILINE,
)

Path = tuple[str, ...]


def find_articles(text: str) -> Iterator[Literal]:
    """References to a statute's parts in folded text; parts left out carry over in what they give.

    A part that stands alone (제3항) may belong to the article named before it: it gives both.
    """
    before: Path = ()
    at = 0
    while at < len(text):
        path, start, end = _next(text, at)
        if not path:
            return
        whole = _under(before, path)
        gives = tuple(dict.fromkeys((*_facts(path), *_facts(whole))))
        yield Literal("article", text[start:end], start, end, (_fact(path),), gives)
        before, at = whole, end


def implied_articles(text: str) -> set[str]:
    """What the layout of a statute states: ② under the heading 제13조 is 제13조제2항."""
    facts: set[str] = set()
    headings = [(start, path) for path, start in _headings(text)]
    clause: Path = ()
    heading: Path = ()
    for match in _ITEM.finditer(text):
        current = next((path for start, path in reversed(headings) if start < match.start()), ())
        if current != heading:
            heading, clause = current, ()
        number = match["clause"] or match["inline"]
        if number:
            clause = (f"항{int(number)}",)
            facts.update(_facts((*heading, *clause)))
        elif match["ho"]:
            facts.update(_facts((*heading, *clause, f"호{int(match['ho'])}")))
    return facts


def _headings(text: str) -> Iterator[tuple[Path, int]]:
    for match in re.finditer(r"(?:^|(?<=[ \n]))제 ?(\d+)조(?:의 ?(\d+))?(?= ?\(|\n|$)", text):
        yield (_label("조", match[1], match[2]),), match.start()


def _next(text: str, at: int) -> tuple[Path, int, int]:
    """The first path at or after an offset."""
    starts = [m for m in (_first(text, at), _BARE.search(text, at), _ANNEX.search(text, at)) if m]
    if not starts:
        return (), at, at
    first = min(starts, key=lambda m: m.start())
    parts = first.groupdict()
    if "kind" in parts:
        return (_label(parts["kind"], parts["n"], parts["branch"]),), first.start(), first.end()
    path = [_label(parts.get("level") or "조", parts["n"], parts["branch"])]
    rank = _LEVELS.index(path[0][0])
    end = first.end()
    bare = "level" not in parts
    while (part := _PART.match(text, end) or (bare and _BARE_PART.match(text, end))) and (
        _rank(part) > rank
    ):
        rank = _rank(part)
        path.append(_part_label(part))
        end = part.end()
    start = first.start() + (len(first[0]) - len(first[0].lstrip()))
    return tuple(path), start, end


def _first(text: str, at: int) -> re.Match[str] | None:
    """The next part with a number; a lone 가목 is too easily an ordinary word."""
    return next((m for m in _PART.finditer(text, at) if m["n"]), None)


def _rank(part: re.Match[str]) -> int:
    return _LEVELS.index(part.groupdict().get("level") or "목")


def _part_label(part: re.Match[str]) -> str:
    parts = part.groupdict()
    if parts.get("mok"):
        return f"목{parts['mok']}"
    return _label(parts["level"], parts["n"], parts.get("branch"))


def _label(level: str, number: str, branch: str | None) -> str:
    return f"{level}{int(number)}" + (f"-{int(branch)}" if branch else "")


def _under(before: Path, path: Path) -> Path:
    """The path under those levels of an earlier one that stand above it."""
    if path[0][0] not in "항호목":
        return path
    rank = _LEVELS.index(path[0][0])
    above = [p for p in before if p[0] in "조항호" and _LEVELS.index(p[0]) < rank]
    return (*above, *path)


def _fact(path: Path) -> str:
    return "a:" + "/".join(path)


def _facts(path: Path) -> Iterator[str]:
    """Every run of the path: 제13조제2항 also states 제13조 and 제2항."""
    for start in range(len(path)):
        for end in range(start + 1, len(path) + 1):
            yield _fact(path[start:end])
