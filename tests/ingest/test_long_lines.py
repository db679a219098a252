from engine.config import Chunking
from engine.ingest.blocks import make_blocks
from engine.ingest.chunks import make_children, make_parents
from engine.text.kiwi import Korean
from engine.types import Element, Reading


class Watched(Korean):
    """Splits nothing; remembers how much text it was asked about at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0

    def sentences(self, text: str) -> list[tuple[int, int]]:
        self.longest = max(self.longest, len(text))
        return [(0, len(text))]


def test_a_line_of_any_length_is_asked_about_in_windows() -> None:
    text = "가나다 라마바 " * 20_000
    blocks = make_blocks("글", Reading("글", [Element("paragraph", text.strip())]))
    (parent,) = make_parents(blocks, Chunking())
    korean = Watched()
    children = make_children(parent, blocks, Chunking(), korean)
    assert korean.longest <= 20_000 < len(text)
    covered = sum(span.end - span.start for child in children for span in child.spans)
    assert covered >= len(text) * 0.85
    assert max(len(child.text) for child in children) <= Chunking().child_max_chars


def test_breaks_of_short_lines_are_kept_without_asking() -> None:
    class Silent(Korean):
        def _spaces(self, lines):
            raise AssertionError("asked")

    lines = "\n".join(["짧은 줄"] * 1000)
    assert Silent().unwrap(lines) == lines
