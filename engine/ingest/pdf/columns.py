"""Reading order: columns are read one after the other, between what runs across all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from engine.ingest.pdf.lines import Piece

_MAX_DEPTH = 4
_CANDIDATES = 12
_MIN_SHARE = 0.12
_USUAL_SIZE = 10.0


def reading_order(pieces: Sequence[Piece], depth: int = 0) -> list[list[Piece]]:
    """Columns in reading order, each a list of pieces in no order."""
    if depth == _MAX_DEPTH or len(pieces) < 4:
        return [list(pieces)] if pieces else []
    gutter = _best_gutter(pieces)
    if gutter is None:
        return [list(pieces)]
    order: list[list[Piece]] = []
    across: list[Piece] = []
    for band in _bands(pieces, gutter):
        if band.columns:
            order += reading_order(across, depth + 1)
            across = []
            order += reading_order(band.left, depth + 1) + reading_order(band.right, depth + 1)
        else:
            across += [*band.left, *band.right]
        across += band.closing
    return order + reading_order(across, depth + 1)


@dataclass(slots=True)
class _Band:
    """Pieces beside a gutter, and the piece that runs across it and ends the band."""

    left: list[Piece]
    right: list[Piece]
    closing: list[Piece]
    columns: bool = False

    @property
    def lines(self) -> int:
        return min(_lines(self.left), _lines(self.right))


def _best_gutter(pieces: Sequence[Piece]) -> float | None:
    """Where most lines stand side by side, before all where nothing runs across."""
    best, most = None, (False, 0)
    for x in _candidates(pieces):
        bands = _bands(pieces, x)
        lines = sum(band.lines for band in bands if band.columns)
        if lines and (len(bands) == 1, lines) > most:
            best, most = x, (len(bands) == 1, lines)
    return best


def _candidates(pieces: Sequence[Piece]) -> list[float]:
    """Left of where several pieces start; the most frequent first."""
    starts: list[tuple[float, int]] = []
    for piece in sorted(pieces, key=lambda p: p.x0):
        if starts and piece.x0 - starts[-1][0] <= 3:
            starts[-1] = (starts[-1][0], starts[-1][1] + piece.lines)
        else:
            starts.append((piece.x0, piece.lines))
    often = sorted((s for s in starts[1:] if s[1] >= 2), key=lambda s: -s[1])
    return [x - 1 for x, _ in often[:_CANDIDATES]]


def _bands(pieces: Sequence[Piece], x: float) -> list[_Band]:
    bands = [_Band([], [], [])]
    for piece in sorted(pieces, key=lambda p: p.y0 + p.y1):
        if piece.x0 < x - 1 and piece.x1 > x + 1:
            bands[-1].closing.append(piece)
            bands.append(_Band([], [], []))
        elif piece.x1 <= x + 1:
            bands[-1].left.append(piece)
        else:
            bands[-1].right.append(piece)
    span = _width(pieces)
    for band in bands:
        band.columns = _are_columns(band.left, band.right, span)
    return bands


def _are_columns(left: list[Piece], right: list[Piece], span: float) -> bool:
    lines = _lines(left), _lines(right)
    if min(lines) < 2 or max(lines) < 3:
        return False
    if min(_width(left), _width(right)) < _MIN_SHARE * span:
        return False
    gap = min(p.x0 for p in right) - max(p.x1 for p in left)
    size = median([word.size for p in [*left, *right] for word in p.words] or [_USUAL_SIZE])
    return gap >= 0.8 * size and _side_by_side(left, right) and not _tabular(left, right)


def _side_by_side(left: list[Piece], right: list[Piece]) -> bool:
    top = max(min(p.y0 for p in left), min(p.y0 for p in right))
    bottom = min(max(p.y1 for p in left), max(p.y1 for p in right))
    shorter = min(_height(left), _height(right))
    return bottom - top >= 0.5 * shorter


def _tabular(left: list[Piece], right: list[Piece]) -> bool:
    """Whether short pieces stand row by row, as labels and their values do."""
    if any(p.table is not None for p in [*left, *right]):
        return False
    bases = sorted(p.base for p in left)
    level = sum(_has_near(bases, p.base) for p in right) / len(right)
    chars = min(median(p.chars for p in left), median(p.chars for p in right))
    return level > 0.7 and (chars < 6 or chars < 18 and min(_fill(left), _fill(right)) < 0.85)


def _has_near(bases: list[float], base: float) -> bool:
    at = bisect_left(bases, base - 3)
    return at < len(bases) and bases[at] <= base + 3


def _fill(pieces: list[Piece]) -> float:
    """How much of their column's width pieces take up, in the middle."""
    return median(p.x1 - p.x0 for p in pieces) / (_width(pieces) or 1)


def _lines(pieces: Sequence[Piece]) -> int:
    return sum(_distinct(pieces))


def _distinct(pieces: Sequence[Piece]) -> Iterator[int]:
    """Lines of each row of pieces, those side by side counted once."""
    last: float | None = None
    for piece in sorted(pieces, key=lambda p: p.y1):
        if last is None or piece.y1 - last > 3 or piece.table is not None:
            yield piece.lines
            last = piece.y1


def _width(pieces: Sequence[Piece]) -> float:
    return max(p.x1 for p in pieces) - min(p.x0 for p in pieces)


def _height(pieces: Sequence[Piece]) -> float:
    return max(p.y1 for p in pieces) - min(p.y0 for p in pieces)
