"""A slice of an evidence is cited by the blocks it touches and by no others."""

import pytest

from engine.answer.citation import cite
from engine.answer.context import core_span
from engine.types import Passage

TEXT = "첫 블록이다.\n둘째 블록이다 [R3].\n셋째 블록이다."


def test_a_quote_has_the_page_and_id_of_its_own_block(evidence):
    start = TEXT.index("둘째")
    citation = cite(evidence(1, TEXT), start, start + len("둘째 블록이다 [R3]."), 4)
    assert (citation.number, citation.quote) == (4, "둘째 블록이다 [R3].")
    assert (citation.pages, citation.source_ids) == ((2, 2), ("S1-P2",))
    assert (citation.context, citation.at, citation.markers) == (TEXT, start, ("R3",))


def test_a_quote_over_two_blocks_has_both(evidence):
    start = TEXT.index("블록이다 [R3]")
    citation = cite(evidence(1, TEXT), start, len(TEXT), 1)
    assert (citation.pages, citation.source_ids) == ((2, 3), ("S1-P2", "S1-P3"))
    assert citation.context[citation.at :] == "블록이다 [R3].\n셋째 블록이다."


def test_white_space_at_the_ends_touches_no_neighbour(evidence):
    start = TEXT.index("\n둘째")
    citation = cite(evidence(1, TEXT), start, TEXT.index("셋째"), 1)
    assert (citation.quote, citation.source_ids) == ("둘째 블록이다 [R3].", ("S1-P2",))
    assert citation.at == start + 1


def test_the_section_is_that_of_the_quoted_block(evidence):
    one, two, three = evidence(1, TEXT).passages
    moved = evidence(1, TEXT, passages=(one, two, type(three)(
        three.block_id, three.source_id, three.start, three.end, None, ("3. 한계",), "paragraph", False
    )))  # fmt: skip
    citation = cite(moved, three.start, three.end, 1)
    assert (citation.section_path, citation.pages) == (("3. 한계",), None)


def test_evidence_without_passages_is_cited_as_a_whole(evidence):
    citation = cite(evidence(1, TEXT, passages=()), 0, 3, 1)
    assert (citation.pages, citation.source_ids) == ((1, 3), ("S1-P1", "S1-P2", "S1-P3"))


@pytest.mark.parametrize("span", [(3, 3), (-1, 2), (0, 999), (7, 8)])
def test_an_empty_or_foreign_slice_is_refused(evidence, span):
    with pytest.raises(ValueError, match=f"DOC_1: no text to cite at {span[0]}:{span[1]}"):
        cite(evidence(1, TEXT), *span, 1)


def test_the_core_is_found_by_passages_then_by_text(evidence):
    core = "둘째 블록이다 [R3]."
    start = TEXT.index(core)
    assert core_span(evidence(1, TEXT, core=core)) == (start, start + len(core))
    assert core_span(evidence(1, TEXT, core=core, passages=())) == (start, start + len(core))
    assert core_span(evidence(1, TEXT, core="없는 글", passages=())) == (0, len(TEXT))


def test_blocks_that_only_border_on_the_quote_are_not_cited(evidence):
    text = "가나다라마바"
    place = [("S1-P1", 0, 2), ("S1-P2", 2, 4), ("S1-P3", 4, 6)]
    passages = tuple(
        Passage(f"성곽1:{name}", name, start, end, None, (), "paragraph", False)
        for name, start, end in place
    )
    assert cite(evidence(1, text, passages=passages), 2, 4, 1).source_ids == ("S1-P2",)
