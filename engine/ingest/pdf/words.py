"""The words of a page: runs of characters of one style, with their place, as PDFium reads them."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from typing import Any

from engine.ingest.pdf.frame import Corners, Frame
from engine.ingest.pdf.objects import objects

ASCENT, DESCENT = 0.86, 0.16
"""Extent of a Korean glyph above and below its baseline, in sizes."""

_BOLD = re.compile(
    r"bold|black|heavy|extra|headline|견고딕|헤드라인|[-_](?:EB|B|H)$", re.IGNORECASE
)
_FILL_AND_STROKE = 2
_NO_WIDTH = 0.01
_REPLACEMENT, _LINE_END_HYPHEN = "\ufffd", 2


@dataclass(slots=True)
class Word:
    """A run of one style between spaces.

    ``space``: white space stands before it; ``trail``: behind it, drawn and not inferred.
    ``y`` is the baseline.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    weight: int
    font: str
    space: bool
    trail: bool = False

    @property
    def top(self) -> float:
        """Upper edge."""
        return self.y - ASCENT * self.size

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.y + DESCENT * self.size


@dataclass(frozen=True, slots=True)
class PageWords:
    """Words by the direction they run in, the main one first; ``slanted`` characters are left out.

    ``unmapped`` counts characters whose font says nothing about what they mean.
    """

    groups: tuple[tuple[Frame, list[Word]], ...]
    slanted: int
    unmapped: int


def read_words(page: Any, number: int, bounds: Corners, shown: int) -> PageWords:
    """The words of a ``pypdfium2.PdfPage``, in the order of the file."""
    _widen_missing_glyphs(page)
    textpage = page.get_textpage()
    try:
        reader = _Reader(textpage.raw, Frame(number, bounds, shown, 0))
        reader.run(textpage.count_chars())
    finally:
        textpage.close()
    main = [quarter for quarter, _ in reader.count.most_common()]
    groups = tuple((reader.frames[quarter], reader.words[quarter]) for quarter in main)
    return PageWords(groups, reader.slanted, reader.unmapped)


def _widen_missing_glyphs(page: Any) -> None:
    """Outline each text whose glyphs are not to be had, so that PDFium reads it.

    It leaves out a text object without width, as a lone character is when the file embeds no font
    and the machine has none for it; an outline's width counts. The file is not written.
    """
    from pypdfium2 import raw as pdfium

    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for drawn, kind, _ in objects(pdfium, page.raw):
        if kind != pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top)
        font = pdfium.FPDFTextObj_GetFont(drawn)
        if right.value - left.value < _NO_WIDTH and not pdfium.FPDFFont_GetIsEmbedded(font):
            pdfium.FPDFPageObj_SetStrokeWidth(drawn, 1)
            pdfium.FPDFTextObj_SetTextRenderMode(drawn, pdfium.FPDF_TEXTRENDERMODE_STROKE)
            pdfium.FPDFPageObj_Transform(drawn, 1, 0, 0, 1, 0, 0)  # measures it anew


@dataclass(frozen=True, slots=True)
class _Style:
    size: float
    weight: int
    font: str
    quarter: int | None


@dataclass
class _Reader:
    raw: Any
    frame: Frame
    frames: dict[int, Frame] = field(default_factory=dict)
    words: dict[int, list[Word]] = field(default_factory=dict)
    count: Counter[int] = field(default_factory=Counter)
    styles: dict[int, _Style] = field(default_factory=dict)
    slanted: int = 0
    unmapped: int = 0
    open: Word | None = None
    space: bool = True

    def run(self, chars: int) -> None:
        from pypdfium2 import raw as pdfium

        for at in range(chars):
            code = pdfium.FPDFText_GetUnicode(self.raw, at)
            text = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
            if text and (text.isspace() or text == "\xa0"):
                if (
                    self.open
                    and text not in "\r\n"
                    and not pdfium.FPDFText_IsGenerated(self.raw, at)
                ):
                    self.open.trail = True
                self.open, self.space = None, True
            else:
                self._add(pdfium, at, "-" if code == _LINE_END_HYPHEN else text)

    def _add(self, pdfium: Any, at: int, text: str) -> None:
        if not text or pdfium.FPDFText_HasUnicodeMapError(self.raw, at) == 1:
            self.unmapped += 1
            text = text if text and text.isprintable() else _REPLACEMENT
        style = self._style(pdfium, at)
        if style.quarter is None:
            self.slanted += 1
            return
        frame = self._frame(style.quarter)
        x0, x1, y = _place(pdfium, self.raw, at, frame)
        self.count[style.quarter] += 1
        word = self.open
        if word and _runs_on(word, style, x0, y):
            word.text += text
            word.x1 = max(word.x1, x1)
            return
        self.space = self.space or not word or not _touches(word, x0, y)
        self.open = Word(text, x0, x1, y, style.size, style.weight, style.font, self.space)
        self.words[style.quarter].append(self.open)
        self.space = False

    def _frame(self, quarter: int) -> Frame:
        if quarter not in self.frames:
            base = self.frame
            self.frames[quarter] = Frame(base.page, base.bounds, base.shown, quarter)
            self.words[quarter] = []
        return self.frames[quarter]

    def _style(self, pdfium: Any, at: int) -> _Style:
        drawn = pdfium.FPDFText_GetTextObject(self.raw, at)
        key = ctypes.cast(drawn, ctypes.c_void_p).value or 0
        if key not in self.styles:
            self.styles[key] = _read_style(pdfium, self.raw, at, drawn)
        return self.styles[key]


def _read_style(pdfium: Any, raw: Any, at: int, drawn: Any) -> _Style:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, at, matrix)
    size = pdfium.FPDFText_GetFontSize(raw, at) * hypot(matrix.c, matrix.d)
    name = _font_name(pdfium, drawn)
    weight = pdfium.FPDFText_GetFontWeight(raw, at)
    stroked = drawn and pdfium.FPDFTextObj_GetTextRenderMode(drawn) == _FILL_AND_STROKE
    if stroked or _BOLD.search(name):
        weight = max(weight, 700)
    quarter = _quarter(matrix.a, matrix.b)
    return _Style(round(abs(size), 1) or 1.0, max(weight, 0) or 400, name, quarter)


def _font_name(pdfium: Any, drawn: Any) -> str:
    font = drawn and pdfium.FPDFTextObj_GetFont(drawn)
    if not font:
        return ""
    buffer = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 128)
    return buffer.value.decode("utf-8", "replace")


def _quarter(a: float, b: float) -> int | None:
    """Turns that bring a text direction to the right, None if it is slanted."""
    if abs(b) <= 0.06 * abs(a) or (a == 0 and b == 0):
        return 2 if a < 0 else 0
    if abs(a) <= 0.06 * abs(b):
        return 1 if b > 0 else 3
    return None


def _place(pdfium: Any, raw: Any, at: int, frame: Frame) -> tuple[float, float, float]:
    """Left, right and baseline of a character in layout coordinates."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(raw, at, x, y)
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(raw, at, box)
    left, _ = frame.lay(box.left, box.bottom)
    right, _ = frame.lay(box.right, box.top)
    origin, baseline = frame.lay(x.value, y.value)
    x0, x1 = min(left, right), max(left, right)
    return (x0, x1, baseline) if x1 > x0 else (origin, origin, baseline)


def _runs_on(word: Word, style: _Style, x0: float, y: float) -> bool:
    same = word.weight == style.weight and abs(word.size - style.size) <= 0.05 * word.size
    return same and _touches(word, x0, y)


def _touches(word: Word, x0: float, y: float) -> bool:
    level = abs(word.y - y) <= 0.45 * word.size
    return level and -1.1 * word.size <= x0 - word.x1 <= 0.35 * word.size


def visible(groups: tuple[tuple[Frame, list[Word]], ...]) -> Iterator[str]:
    """The texts of all words."""
    for _, words in groups:
        for word in words:
            yield word.text
