from hypothesis import given, settings
from hypothesis import strategies as st

from engine.config import Chunking
from engine.ingest.blocks import make_blocks
from engine.ingest.chunks import make_children, make_parents
from engine.types import Element, Reading

SMALL = Chunking(parent_max_chars=300, child_target_chars=40, child_max_chars=60)


def chunk(korean, *elements, chunking=SMALL):
    blocks = make_blocks("d", Reading("t", elements))
    parents = make_parents(blocks, chunking)
    children = [c for p in parents for c in make_children(p, blocks, chunking, korean)]
    return blocks, parents, children


def paragraph(text, page=None):
    return Element("paragraph", text, pages=(page, page) if page else None)


def test_blocks_are_merged_to_the_target_with_one_block_of_overlap(korean):
    texts = ["가" * 15, "나" * 15, "다" * 15, "라" * 15]
    _, _, children = chunk(korean, *map(paragraph, texts))
    assert [child.text for child in children] == [
        "\n".join(texts[0:2]), "\n".join(texts[1:3]), "\n".join(texts[2:4]),
    ]  # fmt: skip


def test_a_heading_stays_with_what_it_heads(korean):
    elements = [paragraph("가" * 30), Element("heading", "제목", level=2), paragraph("나" * 30)]
    _, _, children = chunk(korean, *elements)
    assert [child.text for child in children] == ["가" * 30, "제목\n" + "나" * 30]


def test_a_long_block_is_split_at_sentence_ends(korean):
    text = "첫 문장은 여기에서 끝난다. 둘째 문장은 여기에서 끝난다. 셋째 문장은 여기에서 끝난다. 넷째 문장은 끝난다."
    _, _, children = chunk(korean, paragraph(text))
    assert len(children) > 1
    assert all(child.text.endswith("끝난다.") for child in children)


def test_rows_of_a_long_table_repeat_the_header(korean):
    rows = [f"수표교 {n} | {n}0미터" for n in range(8)]
    text = "\n".join(["이름 | 길이", *rows])
    _, _, children = chunk(korean, Element("table", text, header_chars=len("이름 | 길이")))
    assert all(child.text.startswith("이름 | 길이\n수표교") for child in children)
    assert [row for child in children for row in child.text.split("\n")[1:]] == rows


def test_furniture_is_kept_as_blocks_but_not_searched(korean):
    blocks, _, children = chunk(korean, paragraph("본문"), Element("footer", "- 3 -"))
    assert [block.kind for block in blocks] == ["paragraph", "footer"]
    assert [child.text for child in children] == ["본문"]


def test_a_long_section_is_read_in_parts_of_whole_blocks(korean):
    _, parents, _ = chunk(korean, *[paragraph("가" * 50)] * 10)
    assert [p.parent_id for p in parents] == ["d:S1", "d:S1.2"]
    assert [len(p.block_ids) for p in parents] == [6, 4]


def test_a_child_over_two_pages_says_so(korean):
    _, _, children = chunk(korean, paragraph("첫 쪽의 글", 1), paragraph("둘째 쪽의 글", 2))
    assert [child.pages for child in children] == [(1, 2)]


sentence = st.text("가나다라 ", min_size=3, max_size=60).map(lambda s: s.strip() + "다.")
element = st.one_of(
    st.builds(lambda s, p: paragraph(" ".join(s), p), st.lists(sentence, min_size=1, max_size=6), st.integers(1, 9)),
    st.builds(lambda t, n: Element("heading", t, level=n), st.text("가나", min_size=1, max_size=9), st.integers(1, 4)),
    st.builds(
        lambda rows: Element("table", "\n".join(rows), header_chars=len(rows[0])),
        st.lists(st.text("가1", min_size=1, max_size=9).map(lambda c: f"{c} | {c}"), min_size=1, max_size=30),
    ),
    st.builds(Element, st.just("footer"), st.just("3")),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    elements=st.lists(element, min_size=1, max_size=15),
    target=st.integers(20, 60),
    more=st.integers(20, 60),
    overlap=st.integers(0, 3),
)
def test_children_are_exact_whole_and_within_bounds(korean, elements, target, more, overlap):
    chunking = Chunking(
        parent_max_chars=200,
        child_target_chars=target,
        child_max_chars=target + more,
        overlap_blocks=overlap,
    )
    blocks, parents, children = chunk(korean, *elements, chunking=chunking)
    by_id = {block.block_id: block for block in blocks}
    owner = {block_id: parent.parent_id for parent in parents for block_id in parent.block_ids}
    for child in children:
        assert child.text == "\n".join(by_id[s.block_id].text[s.start : s.end] for s in child.spans)
        assert {owner[block_id] for block_id in child.block_ids} == {child.parent_id}
        assert len(child.text) <= chunking.child_max_chars + 2
        pages = [by_id[i].pages for i in child.block_ids if by_id[i].pages]
        expected = (min(p[0] for p in pages), max(p[1] for p in pages)) if pages else None
        assert child.pages == expected
    covered = {}
    for child in children:
        for span in child.spans:
            covered.setdefault(span.block_id, set()).update(range(span.start, span.end))
    for block in blocks:
        letters = {at for at, c in enumerate(block.text) if not c.isspace()}
        missing = letters - covered.get(block.block_id, set())
        assert not missing or block.kind == "footer"
