from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieve.expansion import Window, merge, read_window, widen
from engine.types import FURNITURE, Block, Child, Extent, Placed, Span, pages_of


def block(number, text, kind="paragraph"):
    return Block(
        f"d:S1-P{number}",
        "d",
        f"S1-P{number}",
        kind,
        text,
        0,
        len(text),
        1,
        ("장",),
        pages=(number, number),
    )


def child(number, *spans):
    return Child(
        f"d:S1-C{number}",
        "d:S1",
        "d",
        tuple(Span(f"d:S1-P{n}", a, b) for n, a, b in spans),
        "글" * 5,
    )


def extents(blocks):
    return [Extent(at, len(b.text)) for at, b in enumerate(blocks) if b.kind not in FURNITURE]


BLOCKS = [block(n, "가나다라마" * 2) for n in range(1, 7)]
EXTENTS = extents(BLOCKS)


def placed(child, around=EXTENTS):
    """As the store places it, where block n stands at position n − 1."""
    numbers = [int(block_id.rpartition("P")[2]) for block_id in child.block_ids]
    return Placed(child, numbers[0] - 1, numbers[-1] - 1, around)


def test_a_neighbour_of_a_better_child_is_read_with_it():
    windows = merge([], placed(child(1, (2, 0, 10))), budget=50, limit=2)
    windows = merge(windows, placed(child(2, (3, 0, 10))), budget=50, limit=2)
    assert [(w.first, w.last, len(w.cores)) for w in windows] == [(1, 2, 2)]


def test_what_would_exceed_the_budget_stands_alone():
    windows = merge([], placed(child(1, (2, 0, 10))), budget=15, limit=2)
    windows = merge(windows, placed(child(2, (3, 0, 10))), budget=15, limit=2)
    assert [(w.first, w.last) for w in windows] == [(1, 1), (2, 2)]


def test_windows_grow_by_whole_blocks_and_never_into_each_other():
    windows = [
        Window("d:S1", (child(1, (2, 0, 10)),), 1, 1),
        Window("d:S1", (child(2, (4, 0, 10)),), 3, 3),
    ]
    wide = widen(windows, {"d:S1": EXTENTS}, budget=33)
    assert [(w.first, w.last) for w in wide] == [(0, 2), (3, 5)]


def test_the_text_says_which_part_came_from_which_block():
    context = read_window([child(1, (2, 2, 6))], BLOCKS[:2], budget=100)
    parts = [(context.text[p.start : p.end], p.source_id, p.core) for p in context.passages]
    assert parts == [
        ("가나다라마가나다라마", "S1-P1", False),
        ("가나", "S1-P2", False), ("다라마가", "S1-P2", True), ("나다라마", "S1-P2", False),
    ]  # fmt: skip
    assert [p.pages for p in context.passages] == [(1, 1), (2, 2), (2, 2), (2, 2)]


def test_a_block_too_long_for_the_budget_is_cut_to_what_matched():
    long = [block(1, "가" * 500)]
    context = read_window([child(1, (1, 100, 150))], long, budget=80)
    assert context.text == "가" * 50


def test_a_passage_knows_where_its_pages_break():
    two = [replace(block(1, "앞쪽 글. 뒤쪽 글."), pages=(4, 5), page_breaks=((6, 5),))]
    context = read_window([child(1, (1, 3, 11))], two, budget=100)
    core = next(p for p in context.passages if p.core)
    assert (core.pages, core.page_breaks) == ((4, 5), ((6, 5),))
    assert [pages_of(core, 3, 5), pages_of(core, 7, 9), pages_of(core, 3, 9)] == [
        (4, 4), (5, 5), (4, 5),
    ]  # fmt: skip


@given(st.data())
def test_every_passage_slices_its_block(data):
    blocks = [
        block(n, data.draw(st.text("가나다\n", min_size=1, max_size=30))) for n in range(1, 6)
    ]
    at = data.draw(st.integers(0, 4))
    start = data.draw(st.integers(0, len(blocks[at].text) - 1))
    end = data.draw(st.integers(start + 1, len(blocks[at].text)))
    core = child(1, (at + 1, start, end))
    budget = data.draw(st.integers(0, 120))
    window = widen([Window("d:S1", (core,), at, at)], {"d:S1": extents(blocks)}, budget)[0]
    context = read_window(window.cores, blocks[window.first : window.last + 1], budget)
    texts = {b.block_id: b.text for b in blocks}
    assert all(context.text[p.start : p.end] in texts[p.block_id] for p in context.passages)
    core_text = "".join(context.text[p.start : p.end] for p in context.passages if p.core)
    assert core_text == blocks[at].text[start:end]
    assert len(context.text) <= max(budget, len(blocks[at].text), len(core.text))


def test_no_budget_gives_the_core_alone():
    wide = widen([Window("d:S1", (child(1, (3, 0, 10)),), 2, 2)], {"d:S1": EXTENTS}, 0)
    assert (wide[0].first, wide[0].last) == (2, 2)


@pytest.mark.parametrize("limit", [1, 2])
def test_no_more_windows_than_asked_for(limit):
    windows: list[Window] = []
    for number in (1, 3, 5):
        windows = merge(windows, placed(child(number, (number, 0, 10))), budget=10, limit=limit)
    assert len(windows) == limit


def test_a_page_header_between_two_blocks_does_not_part_them():
    blocks = [block(1, "가" * 10), block(2, "쪽머리", kind="header"), block(3, "나" * 10)]
    around = extents(blocks)
    windows = merge([], placed(child(1, (1, 0, 10)), around), budget=50, limit=2)
    windows = merge(windows, placed(child(2, (3, 0, 10)), around), budget=50, limit=2)
    assert [(w.first, w.last, len(w.cores)) for w in windows] == [(0, 1, 2)]
