import numpy as np
import pytest

from engine.config import DenseSettings
from engine.index import bm25, dense
from eval.bench.__main__ import main
from eval.bench.asking import DEPTH, recall
from eval.bench.building import change
from eval.bench.corpus import write_corpus
from eval.bench.figures import Figure, load, milliseconds, save, table
from eval.bench.growth import growth_table, order
from eval.bench.lexical import texts_of
from eval.bench.vectors import PairEncoder


@pytest.mark.parametrize(
    ("value", "bars", "bar", "verdict"),
    [
        pytest.param(5.0, {"at_most": 5}, "≤ 5 ms", "met", id="at the bar"),
        pytest.param(5.1, {"at_most": 5}, "≤ 5 ms", "missed", id="above"),
        pytest.param(2.9, {"at_least": 3}, "≥ 3 ms", "missed", id="below"),
        pytest.param(2.9, {}, "", "", id="no bar"),
    ],
)
def test_a_bar_is_met_or_missed(value, bars, bar, verdict):
    one = Figure("part", "name", value, "ms", **bars)
    assert (one.bar, one.verdict) == (bar, verdict)


def test_a_table_has_a_row_a_figure():
    shown = table([Figure("ask", "median", 4.256, "ms", at_most=5), Figure("build", "n", 21373)])
    assert shown.splitlines()[2:] == [
        "| ask | median | 4.26 ms | ≤ 5 ms | met |", "| build | n | 21,373 |  |  |",
    ]  # fmt: skip


def test_time_is_that_of_the_clock_given():
    ticks = iter([1.0, 1.5, 4.0, 6.0])
    assert milliseconds(str, ["가", "나"], lambda: next(ticks)) == [500.0, 2000.0]


@pytest.mark.parametrize(
    ("last", "word"), [(1.0, "constant"), (3.0, "below linear"), (10.0, "linear"), (100.0, "quadratic")]
)  # fmt: skip
def test_growth_is_named_by_the_last_step(last, word):
    assert order([(20, 7.0), (200, 1.0), (2000, last)])[1] == word


def test_growth_lists_what_every_size_has():
    small = [Figure("build", "children", 2000), Figure("build", "peak memory", 100.0, "MB")]
    large = [Figure("build", "children", 20000), Figure("build", "peak memory", 1000.0, "MB")]
    shown = growth_table({2000: small, 20000: [*large, Figure("ask", "median (p50)", 3.0, "ms")]})
    assert shown.splitlines()[0].startswith("| figure | 2,000 | 20,000 |")
    assert shown.splitlines()[2:] == ["| build: peak memory | 100 MB | 1,000 MB | 1.00 | linear |"]


def test_growth_of_what_no_two_sizes_have_is_empty():
    assert growth_table({2000: [Figure("build", "children", 2000)], 20000: []}) == ""


def test_a_size_that_was_not_built_stands_where_it_was_asked_for():
    asked = {n: [Figure("ask", "median (p50)", 3.0, "ms")] for n in (2000, 20000)}
    assert growth_table(asked).startswith("| figure | 2,000 | 20,000 |")


def test_measuring_one_part_keeps_what_was_saved_of_the_others(tmp_path):
    build, ask = Figure("build", "children", 2152), Figure("ask", "median (p50)", 4.0, "ms")
    save([build, ask], tmp_path / "2000.json")
    save([Figure("ask", "median (p50)", 3.0, "ms")], tmp_path / "2000.json")
    assert load(tmp_path / "2000.json") == [build, Figure("ask", "median (p50)", 3.0, "ms")]


def test_questions_to_an_index_that_was_not_built_are_one_line(tmp_path, capsys):
    places = ["--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")]
    assert main(["--sizes", "300", "--parts", "ask", *places]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("bench: ")


def test_invented_statutes_are_the_same_each_time_and_enough(tmp_path):
    for name in ("a", "b"):
        write_corpus(tmp_path / name, 300, None)
    files = sorted(p.name for p in (tmp_path / "a").glob("*.md"))
    texts = [[(tmp_path / n / f).read_text(encoding="utf-8") for f in files] for n in ("a", "b")]
    assert texts[0] == texts[1]
    assert sum(map(len, texts[0])) >= 300 * 172


def test_one_document_in_a_hundred_is_changed_and_each_time_otherwise(tmp_path):
    for number in range(200):
        (tmp_path / f"{number:03}.md").write_text("# 법\n", encoding="utf-8")
    seen = []
    for _ in range(2):
        change(tmp_path)
        seen.append([p.read_text(encoding="utf-8") for p in sorted(tmp_path.glob("*.md"))])
        assert [at for at, text in enumerate(seen[-1]) if "고친 조" in text] == [0, 100]
    assert seen[0][0] != seen[1][0]


def test_alike_texts_have_alike_unit_vectors():
    vectors = PairEncoder(64).encode_passages(
        ["허가를 받아야 한다", "허가를 받아야 할 것", "하천의 물", ""]
    )
    assert np.linalg.norm(vectors[:3], axis=1) == pytest.approx(1.0)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_recall_of_the_exact_index_is_whole_even_with_ties():
    rows = np.repeat(PairEncoder(16).encode_passages([f"제{n}조" for n in range(30)]), 3, axis=0)
    assert recall(dense.fit(rows, DenseSettings(index="flat")), rows, rows[:5]) == 1.0
    wrong = dense.fit(rows[::-1][:DEPTH].copy(), DenseSettings(index="flat"))
    assert recall(wrong, rows, rows[:5]) < 1.0


def test_peers_get_the_terms_as_often_as_they_stand():
    index = bm25.fit([[1, 0, 1], [], [2]], 3, 1.5, 0.75)
    assert texts_of(index) == [[0, 1, 1], [], [2]]
