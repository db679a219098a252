"""PDFs drawn for a test: A4, points from the top left corner, a Korean font that PyPI brings."""

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from engine.ingest.readers import pdf
from engine.ingest.source import Source

WIDTH, HEIGHT = A4
FONT = "HYSMyeongJo-Medium"
pdfmetrics.registerFont(UnicodeCIDFont(FONT))


class Sheets:
    """Draws pages; lines are (text, x, y of the baseline from the top)."""

    def __init__(self, path: Path, **options):
        self.path = path
        self.canvas = Canvas(str(path), pagesize=A4, **options)

    def text(self, text, x, y, size=10, bold=False, font=FONT):
        line = self.canvas.beginText(x, HEIGHT - y)
        line.setFont(font, size)
        line.setTextRenderMode(2 if bold else 0)
        line.textOut(text)
        self.canvas.saveState()
        self.canvas.drawText(line)
        self.canvas.restoreState()
        return self

    def lines(self, texts, x, y, size=10, step=16):
        for at, text in enumerate(texts):
            self.text(text, x, y + at * step, size)
        return self

    def grid(self, xs, ys, rows, size=9):
        """A ruled table; the text of each cell stands on the lower edge of its row."""
        self.canvas.grid(xs, [HEIGHT - y for y in ys])
        for row, low in zip(rows, ys[1:], strict=True):
            for text, left in zip(row, xs, strict=False):
                self.text(text, left + 4, low - 5, size)
        return self

    def page(self):
        self.canvas.showPage()
        return self

    def save(self):
        self.canvas.save()
        return self.path


def source(path: Path) -> Source:
    return Source(path.stem, path.name, (path,))


def read(path: Path, korean):
    (reading,) = pdf.read(source(path), korean)
    return reading


def of_kind(reading, kind):
    return [element for element in reading.elements if element.kind == kind]
