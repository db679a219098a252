"""What is drawn on a page beside text: straight edges that may rule a table, and pictures."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.ingest.pdf.frame import Frame
from engine.ingest.pdf.objects import Matrix, objects, own_matrix, times

_THIN = 3.0
_BORDER = 3.0

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom in layout coordinates."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Edges are rectangles without width or height; ``paths`` counts all that was drawn."""

    edges: tuple[Rect, ...]
    images: tuple[Rect, ...]
    paths: int


def read_drawing(page: Any, frame: Frame) -> Drawing:
    """The edges and pictures of a ``pypdfium2.PdfPage``; of a very busy page only the first."""
    from pypdfium2 import raw as pdfium

    edges: list[Rect] = []
    images: list[Rect] = []
    paths = 0
    for drawn, kind, matrix in objects(pdfium, page.raw):
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            paths += 1
            edges += _edges(pdfium, drawn, matrix, frame)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            images.append(_bounds(_corners(own_matrix(pdfium, drawn), matrix), frame))
    inside = [edge for edge in dict.fromkeys(edges) if _is_inside(edge, frame)]
    return Drawing(tuple(inside), tuple(images), paths)


def _is_inside(edge: Rect, frame: Frame) -> bool:
    """Whether an edge is more than the border of a page or of its background."""
    x0, y0, x1, y1 = edge
    across = _BORDER < y0 < frame.height - _BORDER and x1 > 0 and x0 < frame.width
    down = _BORDER < x0 < frame.width - _BORDER and y1 > 0 and y0 < frame.height
    return across if y0 == y1 else down


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _corners(own: Matrix, outer: Matrix) -> list[tuple[float, float]]:
    matrix = times(own, outer)
    return [_apply(matrix, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]


def _bounds(points: list[tuple[float, float]], frame: Frame) -> Rect:
    laid = [frame.lay(x, y) for x, y in points]
    xs, ys = [x for x, _ in laid], [y for _, y in laid]
    return (
        min(max(min(xs), 0), frame.width), min(max(min(ys), 0), frame.height),
        max(min(max(xs), frame.width), 0), max(min(max(ys), frame.height), 0),
    )  # fmt: skip


def _edges(pdfium: Any, path: Any, outer: Matrix, frame: Frame) -> Iterator[Rect]:
    """The edges of a path; a thin filled one is a rule, a filled rectangle gives its four sides."""
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, mode, stroke)
    if not mode.value and not stroke.value:
        return
    matrix = times(own_matrix(pdfium, path), outer)
    for points in _outlines(pdfium, path):
        laid = [frame.lay(*_apply(matrix, x, y)) for x, y in points]
        xs, ys = [x for x, _ in laid], [y for _, y in laid]
        x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
        if min(x1 - x0, y1 - y0) <= _THIN:
            yield from _rule(x0, y0, x1, y1)
        else:
            for a, b in zip(laid, laid[1:], strict=False):
                yield from _rule(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))


def _rule(x0: float, y0: float, x1: float, y1: float) -> Iterator[Rect]:
    """A straight stroke as one edge on its middle; a slanted one gives none."""
    if y1 - y0 <= _THIN and x1 - x0 > max(_THIN, y1 - y0):
        yield round(x0, 1), round((y0 + y1) / 2, 1), round(x1, 1), round((y0 + y1) / 2, 1)
    elif x1 - x0 <= _THIN and y1 - y0 > max(_THIN, x1 - x0):
        yield round((x0 + x1) / 2, 1), round(y0, 1), round((x0 + x1) / 2, 1), round(y1, 1)


def _outlines(pdfium: Any, path: Any) -> Iterator[list[tuple[float, float]]]:
    """Each subpath made of straight segments only, closed where the file closes it."""
    points: list[tuple[float, float]] = []
    straight = True
    for at in range(min(pdfium.FPDFPath_CountSegments(path), 4096)):
        segment = pdfium.FPDFPath_GetPathSegment(path, at)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            if straight and len(points) > 1:
                yield points
            points, straight = [], True
        straight = straight and kind != pdfium.FPDF_SEGMENT_BEZIERTO
        x, y = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        points.append((x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if straight and len(points) > 1:
        yield points
