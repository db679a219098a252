"""Words become pieces (what no wide gap parts), pieces become the lines of one column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.ingest.pdf.words import Word

_LEVEL = 0.35
_STEP = 150


@dataclass(slots=True)
class Piece:
    """What is put in reading order: some words of one line, or (without words) a table.

    ``weight`` in lines is what it counts for when columns are looked for; ``table`` is a number.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    words: tuple[Word, ...] = ()
    table: int | None = None
    lines: int = 1

    @property
    def base(self) -> float:
        """Baseline of its main word."""
        return max(self.words, key=lambda w: (w.size, len(w.text))).y if self.words else self.y1

    @property
    def chars(self) -> int:
        """Characters in it."""
        return sum(len(word.text) for word in self.words)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of one column; coordinates as in `Frame`, ``left`` and ``right`` are the column's.

    ``lead`` is the length of a bolder start where the rest is not; ``trail``: white space is drawn
    behind it, so a word ends there; ``column`` numbers the columns of the document.
    """

    page: int
    group: int
    column: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    weight: int
    font: str
    lead: int
    trail: bool
    left: float
    right: float
    first: float

    @property
    def filled(self) -> bool:
        """Whether at most a character's room is left in its column."""
        return self.right - self.x1 <= 1.2 * self.size


def make_pieces(words: Sequence[Word]) -> list[Piece]:
    """Words of one baseline, parted where a gap is wider than a character."""
    pieces: list[Piece] = []
    for row in _rows(words):
        run: list[Word] = []
        for word in sorted(row, key=lambda w: w.x0):
            if run and word.x0 - max(w.x1 for w in run[-3:]) > max(run[-1].size, word.size):
                pieces.append(_piece(run))
                run = []
            run.append(word)
        pieces.append(_piece(run))
    return pieces


def _rows(words: Sequence[Word]) -> list[list[Word]]:
    """Words whose baselines agree; a small raised word joins the row it touches."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.y, w.x0)):
        last = rows[-1] if rows else None
        if last and abs(word.y - last[0].y) <= _LEVEL * max(word.size, last[0].size):
            last.append(word)
        else:
            rows.append([word])
    return rows


def _piece(words: list[Word]) -> Piece:
    return Piece(
        min(w.x0 for w in words), min(w.top for w in words),
        max(w.x1 for w in words), max(w.bottom for w in words), tuple(words),
    )  # fmt: skip


def make_lines(pieces: Sequence[Piece], page: int, group: int, column: int) -> list[Line | Piece]:
    """The lines of one column from top to bottom; tables stay pieces."""
    text = [piece for piece in pieces if piece.words]
    rows = _rows([word for piece in text for word in piece.words])
    left = min((p.x0 for p in text), default=0.0)
    right = max((p.x1 for p in text), default=0.0)
    found: list[Line | Piece] = [piece for piece in pieces if not piece.words]
    for row in rows:
        found.append(_line(sorted(row, key=lambda w: w.x0), page, group, column, left, right))
    return sorted(found, key=lambda item: (item.y0 + item.y1, item.x0))


def _line(words: list[Word], page: int, group: int, column: int, left: float, right: float) -> Line:
    text, weights = words[0].text, [words[0].weight] * len(words[0].text)
    for before, word in zip(words, words[1:], strict=False):
        gap = word.x0 - before.x1 > 0.25 * word.size
        joint = " " if word.space or gap else ""
        text += joint + word.text
        weights += [word.weight] * (len(joint) + len(word.text))
    main = max(words, key=lambda w: (w.size, len(w.text)))
    weight = int(median(weights))
    first = next((w.x1 for w, after in zip(words, words[1:], strict=False) if after.space), None)
    return Line(
        page, group, column, text, words[0].x0, min(w.top for w in words),
        max(w.x1 for w in words), max(w.bottom for w in words), main.y, _size(words), weight,
        main.font, _lead(weights), words[-1].trail, left, right,
        (first if first is not None else words[-1].x1) - words[0].x0,
    )  # fmt: skip


def _size(words: Sequence[Word]) -> float:
    """The size most characters have."""
    counts: dict[float, int] = {}
    for word in words:
        counts[word.size] = counts.get(word.size, 0) + len(word.text)
    return max(counts, key=lambda size: (counts[size], size))


def _lead(weights: list[int]) -> int:
    """Length of the start that is clearly bolder than what follows it."""
    lightest = min(weights)
    lead = next((i for i, w in enumerate(weights) if w < weights[0]), len(weights))
    return lead if lead < len(weights) and weights[0] - lightest >= _STEP else 0
