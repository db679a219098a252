"""Which paragraphs are headings, by size, weight and numbering, and how deep they stand."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.ingest.pdf.lines import Line

_MAX_CHARS, _MAX_LINES, _MAX_LEVEL = 90, 3, 6
_LARGER, _HEAVIER, _BOLD = 1.11, 150, 480
_FAMILIES: tuple[tuple[str, int], ...] = (
    (r"제\s*\d+\s*편(?:\s|$)", 10),
    (r"제\s*\d+\s*장(?:의\s*\d+)?(?:\s|$)|부\s*칙(?:\s|$)|\[?별표\s*\d*\]?(?:\s|$)", 20),
    (r"제\s*\d+\s*절(?:의\s*\d+)?(?:\s|$)", 30),
    (r"제\s*\d+\s*관(?:의\s*\d+)?(?:\s|$)", 35),
    (r"[Ⅰ-Ⅻ]\s*[.．]?\s*(?=\S)|[IVX]{1,5}\s*[.．]\s*(?=\S)", 22),
    (r"제\s*\d+\s*조(?:의\s*\d+)?\s*(?:\(|\s|$)", 50),
    (r"\d{1,2}\s*[.．]\s*(?=[^\d\s])", 60),
    (r"\d{1,2}[.．]\d{1,2}[.．]?\s*(?=[^\d\s.%])", 61),
    (r"\d{1,2}[.．]\d{1,2}[.．]\d{1,2}[.．]?\s*(?=[^\d\s.%])", 62),
    (r"[가-하]\s*[.．]\s*(?=\S)", 70),
    (r"\(?\d{1,2}\)\s*(?=\S)", 75),
    (r"\(?[가-하]\)\s*(?=\S)", 80),
)
_NUMBERING = tuple((re.compile(pattern), rank) for pattern, rank in _FAMILIES)
_STRONG = frozenset({10, 20, 30, 35, 22})
_ARTICLE = 50
_SENTENCE_END = re.compile(r"(?:[,;:]|[가-힣]\.|[^\d][.!])[\"'”’)\]]*$")
_NOTE = re.compile(r"\s*[-–*•·∙◦○●※☞▶▷►✓✔+]|\s*[①-⑳]")
_TELEPHONE = re.compile(r"\d{3,4}-\d{4}")
_UNNUMBERED_LARGE, _UNNUMBERED_BOLD = 65, 90


@dataclass(frozen=True, slots=True)
class Body:
    """What most of a document is set in."""

    size: float
    weight: int
    font: str

    def is_larger(self, line: Line) -> bool:
        """Clearly larger than the body."""
        return line.size >= max(_LARGER * self.size, self.size + 0.8)

    def is_bold(self, line: Line) -> bool:
        """Clearly heavier than the body."""
        return line.weight >= max(self.weight + _HEAVIER, _BOLD)


def find_body(lines: Iterable[Line]) -> Body:
    """The size, weight and font that most characters have."""
    sizes: Counter[float] = Counter()
    weights: Counter[int] = Counter()
    fonts: Counter[str] = Counter()
    for line in lines:
        length = len(line.text)
        sizes[line.size] += length
        weights[line.weight] += length
        fonts[line.font] += length
    if not sizes:
        return Body(10.0, 400, "")
    return Body(
        sizes.most_common(1)[0][0], weights.most_common(1)[0][0], fonts.most_common(1)[0][0]
    )


def numbering(text: str) -> int | None:
    """The rank of the numbering a text opens with: 편 before 장, ``1.`` before ``1.1``."""
    return next((rank for pattern, rank in _NUMBERING if pattern.match(text)), None)


def is_heading(lines: Sequence[Line], text: str, body: Body) -> bool:
    """Whether the lines of a paragraph are a heading."""
    if len(lines) > _MAX_LINES or len(text) > _MAX_CHARS or not _is_wordy(text):
        return False
    if _NOTE.match(text) or _SENTENCE_END.search(text.rstrip()):
        return False
    first = lines[0]
    rank = numbering(text)
    larger = all(body.is_larger(line) for line in lines)
    bold = all(body.is_bold(line) for line in lines) and first.size >= 0.75 * body.size
    if larger or bold or rank in _STRONG:
        return True
    other = first.font != body.font and first.size >= 0.95 * body.size
    return (rank == _ARTICLE and len(lines) == 1 and _titled(text)) or (
        rank is not None and rank < 75 and other and len(lines) == 1 and len(text) <= 40
    )


def _is_wordy(text: str) -> bool:
    """Whether letters rule, as they do not in a figure, a sum, or a telephone number."""
    letters = sum(c.isalpha() for c in text)
    digits = sum(c.isdigit() for c in text)
    return letters >= 2 and digits <= letters and not _TELEPHONE.search(text)


def _titled(text: str) -> bool:
    """Whether an article's number stands before its title and not before a particle."""
    return bool(re.match(r"제\s*\d+\s*조(?:의\s*\d+)?\s*(?:\([^)]*\)\s*$|\s+\S[^.]*$)", text))


@dataclass(frozen=True, slots=True)
class _Class:
    rank: int
    size: float


def levels(headings: Sequence[tuple[str, Line, bool]]) -> list[int]:
    """Depth of each heading (text, first line, whether larger than the body), from 1.

    A heading stands under the last one of a larger size or, at the same size, of a numbering that
    by custom holds its own; a numbering has one size in a document.
    """
    sizes: defaultdict[int, list[float]] = defaultdict(list)
    ranks = [_rank(text, larger) for text, _, larger in headings]
    for rank, (_, line, _) in zip(ranks, headings, strict=True):
        sizes[rank].append(line.size)
    usual = _usual_sizes(sizes)
    classes = [
        _Class(rank, usual.get(rank, round(line.size * 2) / 2))
        for rank, (_, line, _) in zip(ranks, headings, strict=True)
    ]
    order = {c: at for at, c in enumerate(sorted(set(classes), key=lambda c: (-c.size, c.rank)))}
    return list(_nested(order[found] for found in classes))


def _nested(ranks: Iterable[int]) -> Iterator[int]:
    """How many headings each stands under, itself counted."""
    above: list[int] = []
    for rank in ranks:
        while above and above[-1] >= rank:
            above.pop()
        above.append(rank)
        yield min(len(above), _MAX_LEVEL)


def _rank(text: str, larger: bool) -> int:
    rank = numbering(text)
    if rank is not None:
        return rank
    return _UNNUMBERED_LARGE if larger else _UNNUMBERED_BOLD


def _usual_sizes(sizes: dict[int, list[float]]) -> dict[int, float]:
    """One size a numbering, never larger than that of a numbering above it."""
    usual: dict[int, float] = {}
    most = float("inf")
    for rank in sorted(sizes):
        if rank in (_UNNUMBERED_LARGE, _UNNUMBERED_BOLD):
            continue
        size = Counter(round(s * 2) / 2 for s in sizes[rank]).most_common(1)[0][0]
        most = min(most, size)
        usual[rank] = most
    return usual
