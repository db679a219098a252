import math

import numpy as np
import pytest

from eval.ablation.__main__ import main
from eval.ablation.articles import article_rows
from eval.ablation.labelled import Question, halves, interval, ndcg, ranked_targets, recall
from eval.ablation.silence import separation, threshold_of
from eval.ablation.table import figure, markdown
from eval.ablation.variants import Remembering, analyzers
from tests.conftest import SpacedKorean


def test_ndcg_is_the_discounted_gain_over_the_best_possible():
    grades = {"a": 2, "b": 1}
    best = 2 / math.log2(2) + 1 / math.log2(3)
    assert ndcg(["", "a", "b"], grades, 10) == pytest.approx(
        (2 / math.log2(3) + 1 / math.log2(4)) / best
    )
    assert ndcg(["a", "b"], grades, 10) == 1
    assert ndcg(["", "a"], grades, 1) == 0


def test_recall_counts_targets():
    assert recall(["", "a"], {"a": 2, "b": 1}) == 1 / 2


def test_a_document_takes_one_rank_however_many_of_its_children_are_found():
    held = [frozenset({"d1"}), frozenset({"d1"}), frozenset({"d2"})]
    assert ranked_targets([0, 1, 2], held, {"d2": 1}, 10) == ["", "d2"]


def test_a_child_with_two_targets_takes_two_ranks_and_each_target_counts_once():
    held = [frozenset({"d#S1-P1"}), frozenset({"d#S1-P1", "d#S1-P2", "d#S1-P3"})]
    grades = {"d#S1-P1": 1, "d#S1-P2": 1, "d#S1-P3": 2}
    assert ranked_targets([0, 1], held, grades, 10) == ["d#S1-P1", "d#S1-P3", "d#S1-P2"]
    assert ranked_targets([0, 1], held, grades, 2) == ["d#S1-P1", "d#S1-P3"]


def test_halves_part_each_class_and_repeat():
    questions = [Question(str(n), "?", "xy"[n % 2], {"d": 1}) for n in range(20)]
    tune, test = halves(questions)
    assert sorted(tune + test) == list(range(20))
    assert sum(at % 2 for at in tune) == sum(at % 2 for at in test) == 5
    assert halves(questions) == (tune, test)
    assert halves(questions, seed=1) != (tune, test)


def test_an_interval_holds_the_mean_and_of_equal_values_is_a_point():
    low, high = interval([0.0, 1.0] * 50)
    assert low < 0.5 < high
    assert interval([0.5] * 9) == (0.5, 0.5)


def test_separation_is_the_chance_that_the_answerable_has_more():
    sign, answerable = np.array([3.0, 1.0, 2.0, 1.0]), np.array([True, True, False, False])
    assert separation(sign, answerable) == (1 + 1 + 0 + 0.5) / 4


def test_a_threshold_keeps_what_it_must():
    sign = np.arange(100.0)
    assert threshold_of(sign, np.ones(100, bool)) == 3


def test_figures_and_tables():
    assert (figure(0.25), figure(1.0)) == (".2500", "1.0000")
    assert markdown(("a", "b", "c"), [("1", "2", "3")]).splitlines() == [
        "| a | b | c |",
        "| --- | --- | ---: |",
        "| 1 | 2 | 3 |",
    ]


def test_each_analyzer_adds_terms_to_the_one_before(korean):
    remembering = Remembering(korean)
    text = "수원 화성에 제3조의2를 따르고 鐵筋으로 고친다."
    made = [next(a.terms([text])) for a in analyzers(remembering).values()]
    content = made[1]
    assert "에" in made[0] and "에" not in content
    assert [len(terms) for terms in made[1:]] == sorted(len(terms) for terms in made[1:])
    assert "수원화성" in made[2] and "#화성" in made[3]
    assert "제3조의2" in made[4] and "철근" in made[5]


def test_kiwi_is_asked_once_a_text():
    class Counting(SpacedKorean):
        asked: list[str] = []

        def morphemes(self, texts):
            self.asked += texts
            return super().morphemes(texts)

    counting = Counting()
    remembering = Remembering(counting)
    for texts in (["가 나", "다"], ["다", "라"]):
        assert len(list(remembering.morphemes(texts))) == 2
    assert counting.asked == ["가 나", "다", "라"]


def test_all_tables_of_the_sample(demo_folder, capsys, monkeypatch):
    monkeypatch.chdir(demo_folder)
    assert main([]) == 0
    printed = capsys.readouterr().out
    for words in ("+ hanja read", "query-max (default)", "| place-spoken | limited |",
                  "| hybrid | 2,000 characters |", "AUC test"):  # fmt: skip
        assert words in printed


def test_a_mistake_is_one_line(tmp_path, capsys):
    assert main([str(tmp_path), "--config", str(tmp_path / "none.yaml")]) == 1
    assert "none.yaml: no such configuration file" in capsys.readouterr().err


def test_articles_are_found_by_number(shared_data, demo_folder):
    from engine.config import load_config

    config = load_config(demo_folder / "config.yaml")
    rows = list(article_rows(shared_data / "laws-ko" / "laws.jsonl.gz", config))
    first = {(name, wholes): float(rr) for name, wholes, _, rr, _ in rows}
    for name in ("all", "branches: 제3조의2"):
        assert first[name, "yes"] > first[name, "no"] + 0.05
