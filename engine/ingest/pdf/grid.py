"""Ruled tables: edges that touch span a grid, and grid fields with no edge between are one cell.

A field counts where an edge runs above and below it; its sides may be open, as Korean tables
often have them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.ingest.pdf.drawing import Rect

_SNAP, _JOIN, _TOUCH = 2.0, 3.0, 3.0
_MAX_EDGES = 3000
_MAX_FIELDS = 20_000


@dataclass(frozen=True, slots=True)
class Grid:
    """Column edges, row edges, and the cell of each field by (row, column); cells are numbered."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: dict[tuple[int, int], int]

    @property
    def bounds(self) -> Rect:
        """Of the whole table."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def cell_at(self, x: float, y: float) -> int | None:
        """The cell that holds a point."""
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        return self.cells.get((row, column))


@dataclass(frozen=True, slots=True)
class _Edge:
    at: float
    start: float
    end: float


def find_grids(edges: Sequence[Rect]) -> list[Grid]:
    """The grids of a page with at least two rows and two columns, from top to bottom."""
    if len(edges) > _MAX_EDGES:
        return []
    across = _merge(_Edge(y0, x0, x1) for x0, y0, x1, y1 in edges if y0 == y1)
    down = _merge(_Edge(x0, y0, y1) for x0, y0, x1, y1 in edges if x0 == x1)
    grids = [_grid(h, v) for h, v in _connected(across, down)]
    found = [grid for grid in grids if grid is not None]
    return sorted(found, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _merge(edges: Iterable[_Edge]) -> list[_Edge]:
    """Edges on nearly one line, brought onto it and joined where they meet."""
    merged: list[_Edge] = []
    for level, group in _levels(list(edges)):
        current: _Edge | None = None
        for edge in sorted(group, key=lambda e: (e.start, e.end)):
            if current and edge.start <= current.end + _JOIN:
                current = _Edge(level, current.start, max(current.end, edge.end))
                continue
            if current:
                merged.append(current)
            current = _Edge(level, edge.start, edge.end)
        if current:
            merged.append(current)
    return merged


def _levels(edges: list[_Edge]) -> Iterator[tuple[float, list[_Edge]]]:
    group: list[_Edge] = []
    for edge in sorted(edges, key=lambda e: e.at):
        if group and edge.at - group[-1].at > _SNAP:
            yield sum(e.at for e in group) / len(group), group
            group = []
        group.append(edge)
    if group:
        yield sum(e.at for e in group) / len(group), group


def _connected(across: list[_Edge], down: list[_Edge]) -> Iterator[tuple[list[_Edge], list[_Edge]]]:
    """Groups of edges that touch each other."""
    groups = _Groups(len(across) + len(down))
    for at, h in enumerate(across):
        for to, v in enumerate(down, len(across)):
            if _reaches(h, v.at) and _reaches(v, h.at):
                groups.join(at, to)
    members: defaultdict[int, tuple[list[_Edge], list[_Edge]]] = defaultdict(lambda: ([], []))
    for at, edge in enumerate([*across, *down]):
        members[groups.root(at)][at >= len(across)].append(edge)
    for h_edges, v_edges in members.values():
        if len(h_edges) >= 3 and v_edges:
            yield h_edges, v_edges


def _reaches(edge: _Edge, at: float) -> bool:
    return edge.start - _TOUCH <= at <= edge.end + _TOUCH


class _Groups:
    """Disjoint sets of the numbers below ``size``."""

    def __init__(self, size: int) -> None:
        self.above = list(range(size))

    def root(self, at: int) -> int:
        while self.above[at] != at:
            self.above[at] = self.above[self.above[at]]
            at = self.above[at]
        return at

    def join(self, a: int, b: int) -> None:
        self.above[self.root(b)] = self.root(a)


def _grid(across: list[_Edge], down: list[_Edge]) -> Grid | None:
    xs = _lines([*(v.at for v in down), *_ends(across)])
    ys = _lines([h.at for h in across])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > _MAX_FIELDS:
        return None
    groups = _Groups(rows * columns)
    beside, above = _near(down, xs), _near(across, ys)
    for row in range(rows):
        for column in range(columns):
            middle_x, middle_y = _middle(xs, column), _middle(ys, row)
            if column and not _covered(beside[column], middle_y):
                groups.join(row * columns + column - 1, row * columns + column)
            if row and not _covered(above[row], middle_x):
                groups.join((row - 1) * columns + column, row * columns + column)
    cells = _closed(groups, above, xs)
    return _trim(Grid(tuple(xs), tuple(ys), cells))


def _ends(across: list[_Edge]) -> list[float]:
    """Left and right ends that several horizontal edges share: open sides of a table."""
    ends: list[float] = []
    for values in ([h.start for h in across], [h.end for h in across]):
        ends += [v for v in set(values) if sum(abs(v - o) <= _JOIN for o in values) >= 2]
    return ends


def _lines(values: list[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _JOIN:
            kept.append(value)
    return kept


def _middle(values: list[float], at: int) -> float:
    return (values[at] + values[at + 1]) / 2


def _near(edges: list[_Edge], lines: list[float]) -> list[list[_Edge]]:
    """The edges on each line of the grid."""
    return [[e for e in edges if abs(e.at - line) <= _JOIN] for line in lines]


def _covered(edges: list[_Edge], middle: float) -> bool:
    return any(e.start <= middle <= e.end for e in edges)


def _closed(
    groups: _Groups, above: list[list[_Edge]], xs: list[float]
) -> dict[tuple[int, int], int]:
    """Fields of those cells that have an edge above and below all along."""
    columns = len(xs) - 1
    members: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for at in range((len(above) - 1) * columns):
        members[groups.root(at)].append(divmod(at, columns))
    cells: dict[tuple[int, int], int] = {}
    for root, fields in members.items():
        top, bottom = min(r for r, _ in fields), max(r for r, _ in fields) + 1
        wide = {c for _, c in fields}
        if all(_covered(above[edge], _middle(xs, c)) for edge in (top, bottom) for c in wide):
            cells.update(dict.fromkeys(fields, root))
    return cells


def _trim(grid: Grid) -> Grid | None:
    """Without rows and columns that hold no cell or only repeat their neighbour's cells."""
    rows = _distinct([_row(grid, r) for r in range(len(grid.ys) - 1)])
    columns = _distinct([_column(grid, c) for c in range(len(grid.xs) - 1)])
    if len(rows) < 2 or len(columns) < 2:
        return None
    xs = tuple(grid.xs[c] for c in columns) + (grid.xs[_last(grid, 1) + 1],)
    ys = tuple(grid.ys[r] for r in rows) + (grid.ys[_last(grid, 0) + 1],)
    cells = {
        (to_r, to_c): grid.cells[r, c]
        for to_r, r in enumerate(rows)
        for to_c, c in enumerate(columns)
        if (r, c) in grid.cells
    }
    return Grid(xs, ys, cells)


def _row(grid: Grid, row: int) -> tuple[int | None, ...]:
    return tuple(grid.cells.get((row, c)) for c in range(len(grid.xs) - 1))


def _column(grid: Grid, column: int) -> tuple[int | None, ...]:
    return tuple(grid.cells.get((r, column)) for r in range(len(grid.ys) - 1))


def _distinct(lines: list[tuple[int | None, ...]]) -> list[int]:
    kept: list[int] = []
    for at, line in enumerate(lines):
        if any(cell is not None for cell in line) and (not kept or line != lines[kept[-1]]):
            kept.append(at)
    return kept


def _last(grid: Grid, axis: int) -> int:
    return max(field[axis] for field in grid.cells)
