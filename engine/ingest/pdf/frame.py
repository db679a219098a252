"""Coordinates: the user space of a PDF page, the page as text runs on it, the page as it is seen.

A *quarter* is a turn by 90 degrees clockwise. Layout coordinates are points from the top left
corner after as many quarters as make the text run from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.types import Box

Corners = tuple[float, float, float, float]
"""Left, bottom, right, top in user space."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One page (``page`` counts from 1): its bounds, how it is shown, and how its text runs."""

    page: int
    bounds: Corners
    shown: int
    layout: int

    @property
    def width(self) -> float:
        """Of the page in layout coordinates."""
        left, bottom, right, top = self.bounds
        return right - left if self.layout % 2 == 0 else top - bottom

    @property
    def height(self) -> float:
        """Of the page in layout coordinates."""
        left, bottom, right, top = self.bounds
        return top - bottom if self.layout % 2 == 0 else right - left

    def lay(self, x: float, y: float) -> tuple[float, float]:
        """A point of user space in layout coordinates."""
        return _turn(x, y, self.bounds, self.layout)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A rectangle in layout coordinates as a box on the page as it is seen."""
        corners = [self._seen(x, y) for x, y in ((x0, y0), (x1, y1))]
        (ax, ay), (bx, by) = corners
        xs, ys = sorted((_share(ax), _share(bx))), sorted((_share(ay), _share(by)))
        return Box(self.page, xs[0], ys[0], xs[1], ys[1])

    def _seen(self, x: float, y: float) -> tuple[float, float]:
        user = _turn_back(x, y, self.bounds, self.layout)
        seen_x, seen_y = _turn(*user, self.bounds, self.shown)
        left, bottom, right, top = self.bounds
        wide, high = right - left, top - bottom
        if self.shown % 2:
            wide, high = high, wide
        return seen_x / wide, seen_y / high


def _turn(x: float, y: float, bounds: Corners, quarter: int) -> tuple[float, float]:
    left, bottom, right, top = bounds
    return [(x - left, top - y), (y - bottom, x - left), (right - x, y - bottom),
            (top - y, right - x)][quarter]  # fmt: skip


def _turn_back(x: float, y: float, bounds: Corners, quarter: int) -> tuple[float, float]:
    left, bottom, right, top = bounds
    return [(left + x, top - y), (left + y, bottom + x), (right - x, bottom + y),
            (right - y, top - x)][quarter]  # fmt: skip


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 5)
