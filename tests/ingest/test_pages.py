from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import Chunking
from engine.ingest.blocks import make_blocks
from engine.ingest.chunks import make_children, make_parents
from engine.types import Element, Reading, pages_of

TEXT = "첫째 문장이다. 둘째 문장이다. 셋째 문장이다."
PAGES = 9


def block_of(element):
    (block,) = make_blocks("d", Reading("t", [element]))
    return block


def test_a_slice_stands_on_the_pages_of_its_own_characters():
    at, to = TEXT.index("둘째"), TEXT.index("셋째")
    block = block_of(Element("paragraph", TEXT, pages=(4, 6), page_breaks=((at, 5), (to, 6))))
    assert pages_of(block, 0, at) == (4, 4)
    assert pages_of(block, at, to) == (5, 5)
    assert pages_of(block, to, len(TEXT)) == (6, 6)
    assert pages_of(block, at - 1, to + 1) == (4, 6)
    assert pages_of(block, at, at) == (5, 5)


def test_without_breaks_a_slice_stands_where_its_block_does():
    assert pages_of(block_of(Element("paragraph", TEXT, pages=(2, 3))), 0, 4) == (2, 3)
    assert pages_of(block_of(Element("paragraph", TEXT)), 0, 4) is None


def test_a_child_from_the_second_page_is_cited_on_the_second_page(korean):
    first, second = "화성은 수원에 있는 성곽이다. " * 3, "장안문은 화성의 북쪽 문이다. " * 3
    text = (first + second).strip()
    element = Element("paragraph", text, pages=(1, 2), page_breaks=((len(first), 2),))
    blocks = make_blocks("d", Reading("t", [element], page_count=2))
    chunking = Chunking(child_target_chars=40, child_max_chars=60)
    (parent,) = make_parents(blocks, chunking)
    children = make_children(parent, blocks, chunking, korean)
    assert parent.pages == (1, 2)
    assert children[0].pages == (1, 1) and children[-1].pages == (2, 2)


@st.composite
def elements(draw):
    """Blocks in the order of their pages, some running over several."""
    found, page = [], 1
    for number in range(draw(st.integers(1, 8))):
        last = draw(st.integers(page, min(page + 2, PAGES)))
        parts = [f"{number}번 문단의 {at}쪽 글이다." * draw(st.integers(1, 4))
                 for at in range(page, last + 1)]  # fmt: skip
        breaks, text = [], ""
        for at, part in enumerate(parts, page):
            text += " " * bool(text)
            breaks += [(len(text), at)] if at > page else []
            text += part
        kind = draw(st.sampled_from(["paragraph", "list", "heading"]))
        level = 1 if kind == "heading" else 0
        found.append(Element(kind, text, level, pages=(page, last), page_breaks=tuple(breaks)))
        page = last
    return found


@settings(max_examples=60, deadline=None)
@given(elements(), st.integers(0, 3), st.integers(20, 80))
def test_pages_stay_inside_the_document_and_the_blocks_for_any_overlap(
    korean, found, overlap, target
):
    chunking = Chunking(
        parent_max_chars=200, child_target_chars=target, child_max_chars=2 * target,
        overlap_blocks=overlap,
    )  # fmt: skip
    blocks = make_blocks("d", Reading("t", found, page_count=PAGES))
    by_id = {block.block_id: block for block in blocks}
    for parent in make_parents(blocks, chunking):
        for child in make_children(parent, blocks, chunking, korean):
            own = [pages_of(by_id[s.block_id], s.start, s.end) for s in child.spans]
            assert child.pages == (min(a for a, _ in own), max(b for _, b in own))
            for (first, last), span in zip(own, child.spans, strict=True):
                block = by_id[span.block_id]
                assert block.pages[0] <= first <= last <= block.pages[1] <= PAGES
                shown = {int(n) for n in _numbers(block.text[span.start : span.end])}
                assert shown <= set(range(first, last + 1))


def _numbers(text):
    return [part[-1] for part in text.split("쪽")[:-1] if part[-1:].isdigit()]
