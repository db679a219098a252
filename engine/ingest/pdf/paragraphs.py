"""Lines become paragraphs, within a column, then over the ends of columns and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from engine.ingest.pdf.headings import Body, numbering
from engine.ingest.pdf.lines import Line
from engine.text.kiwi import opens_item

_ARTICLE = re.compile(r"제\s*\d+\s*조(?:의\s*\d+)?\s*\([^()]{1,60}(?:\([^()]*\)[^()]*)?\)")
_OPENS = re.compile(
    r"\s*(?:[-–*•·∙◦○●◇◆□■▪▶▷►※☞✓✔➜❍ㅇ◈◎]\s*\S|\(?\d{1,3}[.)]\s|\(?[가-하][.)]\s"
    r"|[①-⑳⑴-⒇㉠-㉿]|예시?\s?\d*\)|<[^>]{1,30}>$|\[[^\]]{1,60}\]$|【)"
)
_ENDS = re.compile(r"[.?!。:]['\"”’)\]」』]*$")
_LEADERS = re.compile(r"(?:\.{4,}|…{2,}|·{4,}|‥{2,}|(?:\.\s){4,})\s*[\divxl]*\s*$")
_SYLLABLE, _HANGUL_END = re.compile(r"[가-하][.)]"), re.compile(r"[가-힣]$")
_MAX_WORD = 8


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together, as parts: one a column or page."""

    parts: list[tuple[Line, ...]]
    item: bool = False

    @property
    def lines(self) -> list[Line]:
        """All lines in order."""
        return [line for part in self.parts for line in part]

    @property
    def first(self) -> Line:
        """The line it starts with."""
        return self.parts[0][0]

    @property
    def last(self) -> Line:
        """The line it ends with."""
        return self.parts[-1][-1]


def opens(text: str) -> bool:
    """Whether a line starts something new: a list item, an article, a numbered heading."""
    rank = numbering(text)
    return bool(_OPENS.match(text)) or opens_item(text) or (rank is not None and rank < 50)


def split_lead(line: Line) -> list[Line]:
    """An article's title and its text apart where they share a line: ``제5조(목적) ① 회사는 …``."""
    match = _ARTICLE.match(line.text)
    rest = line.text[match.end() :].strip() if match else ""
    bold = match is not None and abs(line.lead - match.end()) <= 2
    spaced = match is not None and line.text[match.end() : match.end() + 1].isspace()
    if not match or not rest or not (bold or spaced and line.x0 - line.left < line.size):
        return [line]
    share = len(match[0]) / len(line.text)
    middle = line.x0 + (line.x1 - line.x0) * share
    title = replace(
        line, text=match[0], x1=middle, lead=0, trail=True, weight=max(line.weight, 700)
    )
    return [title, replace(line, text=rest, x0=middle, lead=0)]


def paragraphs(lines: Sequence[Line], body: Body) -> Iterator[Paragraph]:
    """Paragraphs of one column, from top to bottom."""
    pitch = _pitch(lines)
    current: list[Line] = []
    for line in (part for whole in _set_edges(lines, pitch) for part in split_lead(whole)):
        if current and not _goes_on(current, line, pitch, body):
            yield _paragraph(current)
            current = []
        current.append(line)
    if current:
        yield _paragraph(current)


def _paragraph(lines: list[Line]) -> Paragraph:
    return Paragraph([tuple(lines)], item=bool(_OPENS.match(lines[0].text)))


def _set_edges(lines: Sequence[Line], pitch: float) -> Iterator[Line]:
    """Lines with the right edge of their own block, where most of its lines reach it.

    A column may hold blocks of several widths: an abstract below a title, a column below a header
    that runs across the page.
    """
    for block in _blocks(lines, pitch):
        right = max(line.x1 for line in block)
        reach = sum(right - line.x1 <= 1.5 * line.size for line in block)
        justified = len(block) >= 3 and reach >= 0.6 * len(block)
        yield from (replace(line, right=right) if justified else line for line in block)


def _blocks(lines: Sequence[Line], pitch: float) -> Iterator[list[Line]]:
    """Runs of lines of one size without a gap between."""
    block: list[Line] = []
    for line in lines:
        if block:
            step = (line.base - block[-1].base) / line.size
            if step > pitch + 0.45 or abs(line.size - block[-1].size) > 0.08 * line.size:
                yield block
                block = []
        block.append(line)
    if block:
        yield block


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance of baselines, in sizes."""
    steps = [
        (b.base - a.base) / a.size
        for a, b in zip(lines, lines[1:], strict=False)
        if abs(a.size - b.size) < 0.1 * a.size and 0.9 <= (b.base - a.base) / a.size <= 2.5
    ]
    return median(steps) if steps else 1.6


def _goes_on(current: list[Line], line: Line, pitch: float, body: Body) -> bool:
    """Whether a line continues the paragraph of the lines before it."""
    before = current[-1]
    if not _follows(before, line, pitch):
        return False
    if body.is_larger(line) and body.is_larger(before):
        return numbering(line.text) is None and not opens(line.text)
    if _ARTICLE.fullmatch(before.text) and len(current) == 1:
        return False
    return not _opens_anew(current, line) and _is_set_alike(current, line)


def _follows(before: Line, line: Line, pitch: float) -> bool:
    """Whether a line stands where the next line of the same text would."""
    step = (line.base - before.base) / before.size
    near = 0.2 <= step <= pitch + 0.45 and _same_style(before, line)
    return near and not is_leader(before.text) and not is_leader(line.text)


def _opens_anew(current: list[Line], line: Line) -> bool:
    """Whether a line looks like a new item and is not the inside of a hanging one."""
    before = current[-1]
    hanging = _OPENS.match(current[0].text) and line.x0 - current[0].x0 > line.size / 2
    inside = hanging and len(current) > 1 and _aligned(before, line) and before.filled
    return opens(line.text) and not inside and not _is_cut_word(before, line)


def _is_set_alike(current: list[Line], line: Line) -> bool:
    """Whether the margins agree: the line before had no room, and the indentation goes on."""
    before, hanging = current[-1], _OPENS.match(current[0].text)
    shift = (line.x0 - before.x0) / line.size
    second = len(current) == 1
    hung = _aligned(before, line) if not second else hanging and 0.3 <= shift <= 3.5
    if not _wraps(before, line) and not (hung and _breaks_off(before)):
        return False
    return shift <= (4.5 if hanging else 0.7) if second else abs(shift) <= 0.7


def _aligned(before: Line, line: Line) -> bool:
    return abs(line.x0 - before.x0) <= 0.5 * line.size


def _same_style(a: Line, b: Line) -> bool:
    heavier = abs(a.weight - b.weight) >= 150
    boundary = heavier and (opens(b.text) or opens(a.text) or not a.filled)
    return abs(a.size - b.size) <= 0.08 * a.size and not boundary


def _wraps(before: Line, line: Line) -> bool:
    """Whether the next line's first word had no room behind this one."""
    room = before.right - before.x1
    return room <= min(line.first, _MAX_WORD * line.size) + 0.6 * line.size


def _is_cut_word(before: Line, line: Line) -> bool:
    """Whether ``다.`` at the start of a line ends the word that the full line before it began."""
    cut = _SYLLABLE.match(line.text) and _HANGUL_END.search(before.text)
    return bool(cut) and before.filled and not before.trail


def _breaks_off(line: Line) -> bool:
    """Whether a line that is not full ends inside a sentence, as designers break lines by sense."""
    full = (line.x1 - line.left) / max(line.right - line.left, 1)
    return full >= 0.7 and not _ENDS.search(line.text.rstrip()) and line.text[-1:] not in "),"


def is_leader(text: str) -> bool:
    """Whether a line of a table of contents leads to its page number with dots."""
    return bool(_LEADERS.search(text))


def continues(before: Paragraph, after: Paragraph, body: Body) -> bool:
    """Whether a paragraph goes on at the top of the next column or page."""
    a, b = before.last, after.first
    new = (opens(b.text) or numbering(b.text) is not None) and not _is_cut_word(a, b)
    if new or _ENDS.search(a.text.rstrip()):
        return False
    if is_leader(a.text) or is_leader(b.text) or a.group != b.group:
        return False
    if abs(a.size - b.size) > 0.08 * a.size or abs(a.weight - b.weight) >= 150:
        return False
    if body.is_larger(a) or (len(before.lines) == 1 and not before.item and body.is_bold(a)):
        return False
    indent = (b.x0 - b.left) / b.size
    return _wraps(a, b) and (before.item or indent <= 0.7 or len(after.lines) == 1)


def by_column(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Neighbouring lines of one column."""
    for _, column in groupby(lines, key=lambda line: (line.page, line.column)):
        yield list(column)
