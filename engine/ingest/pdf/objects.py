"""What a page is made of, forms opened: text, paths and pictures, as PDFium lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_MAX_OBJECTS = 20_000
_MAX_DEPTH = 8

Matrix = tuple[float, float, float, float, float, float]


def objects(pdfium: Any, page: Any) -> Iterator[tuple[Any, int, Matrix]]:
    """Each object with its kind and its container's matrix; of a very busy page only the first."""
    count = pdfium.FPDFPage_CountObjects(page)
    stack = [
        (pdfium.FPDFPage_GetObject(page, at), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 0)
        for at in reversed(range(min(count, _MAX_OBJECTS)))
    ]
    seen = 0
    while stack and seen < _MAX_OBJECTS:
        drawn, matrix, depth = stack.pop()
        seen += 1
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            inner = times(own_matrix(pdfium, drawn), matrix)
            inside = min(pdfium.FPDFFormObj_CountObjects(drawn), _MAX_OBJECTS)
            for at in reversed(range(inside)):
                stack.append((pdfium.FPDFFormObj_GetObject(drawn, at), inner, depth + 1))
        else:
            yield drawn, kind, matrix


def own_matrix(pdfium: Any, drawn: Any) -> Matrix:
    """The matrix that an object was drawn with."""
    m = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 0)
    pdfium.FPDFPageObj_GetMatrix(drawn, m)
    return m.a, m.b, m.c, m.d, m.e, m.f


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies ``inner``, then ``outer``."""
    a, b, c, d, e, f = inner
    o = outer
    return (
        a * o[0] + b * o[2], a * o[1] + b * o[3],
        c * o[0] + d * o[2], c * o[1] + d * o[3],
        e * o[0] + f * o[2] + o[4], e * o[1] + f * o[3] + o[5],
    )  # fmt: skip
