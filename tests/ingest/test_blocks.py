from hypothesis import given
from hypothesis import strategies as st

from engine.ingest.blocks import SEPARATOR, make_blocks
from engine.types import Element, Reading


def heading(text, level=1):
    return Element("heading", text, level=level)


def paragraph(text):
    return Element("paragraph", text)


def ids(*elements):
    return [block.source_id for block in make_blocks("d", Reading("t", elements))]


def test_sections_count_from_one_and_what_stands_before_is_zero():
    assert ids(paragraph("앞"), heading("가"), paragraph("글"), heading("나"), paragraph("글")) == [
        "S0-P1", "S1-H1", "S1-P1", "S2-H1", "S2-P1",
    ]  # fmt: skip


def test_without_headings_there_is_one_section():
    assert ids(paragraph("하나"), Element("footer", "1"), paragraph("둘")) == [
        "S1-P1",
        "S1-F1",
        "S1-P2",
    ]


def test_a_lone_outermost_heading_is_the_title():
    assert ids(heading("책"), paragraph("앞"), heading("가", 2), heading("나", 2)) == [
        "S0-H1", "S0-P1", "S1-H1", "S2-H1",
    ]  # fmt: skip


def test_a_shallower_heading_later_still_opens_a_section():
    elements = [
        heading("법", 1),
        heading("제1조", 5),
        heading("제2조", 5),
        heading("부칙", 2),
        heading("제1조", 5),
    ]
    blocks = make_blocks("d", Reading("t", elements))
    assert [(b.source_id, b.section_path) for b in blocks] == [
        ("S0-H1", ()), ("S1-H1", ("제1조",)), ("S2-H1", ("제2조",)), ("S3-H1", ("부칙",)),
        ("S3-H2", ("부칙", "제1조")),
    ]  # fmt: skip


def test_a_source_that_numbers_its_sections_keeps_its_numbers():
    elements = [Element("heading", "결과", level=1, section_id=4), paragraph("글")]
    assert ids(*elements) == ["S4-H1", "S4-P1"]


def test_markers_are_listed_once_in_order():
    block = make_blocks("d", Reading("t", [paragraph("가 [R2][R1] 나 [R2].")]))[0]
    assert block.markers == ("R2", "R1")


elements = st.lists(
    st.builds(
        Element,
        st.sampled_from(["heading", "paragraph", "table", "footer"]),
        st.text("가나다 \n|", min_size=1, max_size=30),
        level=st.integers(1, 6),
    ),
    max_size=30,
)


@given(elements)
def test_spans_slice_the_document_and_ids_are_unique(elements):
    blocks = make_blocks("d", Reading("t", elements))
    text = SEPARATOR.join(block.text for block in blocks)
    assert all(text[b.start : b.end] == b.text for b in blocks)
    assert len({block.block_id for block in blocks}) == len(elements)
    assert [b.section for b in blocks] == sorted(b.section for b in blocks)
