import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from engine.errors import SourceError
from eval.ablation import quantities
from eval.ablation.__main__ import TABLES, main
from eval.ablation.articles import article_rows
from eval.ablation.lab import Lab, measure
from eval.ablation.labelled import Question, halves, questions_of
from eval.ablation.silence import separation, threshold_of
from eval.ablation.table import figure, markdown
from eval.ablation.variants import Remembering, analyzers
from tests.conftest import SpacedKorean
from tests.eval.harness_fakes import make_dataset, passage


def lab_of(dataset, *passages, by_document=False):
    questions = tuple(questions_of(dataset))
    return Lab("set", None, questions, (), passages, by_document, None)


def test_questions_without_relevant_targets_are_asked_only_if_unanswerable():
    dataset = make_dataset(
        {"q1": {"d#S1-P1": 2, "d#S1-P2": 0}, "q2": {"d#S1-P1": 0}},
        classes={"q1": "fact"}, unanswerable=["q3"],
    )  # fmt: skip
    assert questions_of(dataset) == [
        Question("q1", "q1?", "fact", {"d#S1-P1": 2}),
        Question("q3", "q3?", "unanswerable", {}),
    ]


def test_a_variant_is_measured_by_the_order_of_its_scores():
    dataset = make_dataset({"q1": {"d#S1-P1": 2, "d#S1-P9": 1}}, unanswerable=["q2"])
    lab = lab_of(dataset, passage("d", source_ids=("S1-P1",)), passage("d", source_ids=("S1-P2",)))
    found = [SimpleNamespace(rows=np.array([0, 1]))] * 2
    ndcg, recall = measure(lab, found, [np.array([0.1, 0.2]), np.array([0.2, 0.1])])
    best = 2 / math.log2(2) + 1 / math.log2(3)
    assert ndcg[0] == pytest.approx(2 / math.log2(3) / best) and recall[0] == 1 / 2
    assert np.isnan(ndcg[1]) and np.isnan(recall[1])


def test_a_document_takes_one_rank_however_many_of_its_children_are_found():
    dataset = make_dataset({"q1": {"d2": 1}})
    lab = lab_of(dataset, passage("d1"), passage("d1"), passage("d2"), by_document=True)
    found = [SimpleNamespace(rows=np.array([0, 1, 2]))]
    ndcg, recall = measure(lab, found, [np.array([3.0, 2.0, 1.0])])
    assert (ndcg[0], recall[0]) == (pytest.approx(1 / math.log2(3)), 1)


def test_halves_part_each_class_and_repeat():
    questions = [Question(str(n), "?", "xy"[n % 2], {"d": 1}) for n in range(20)]
    tune, test = halves(questions)
    assert sorted(tune + test) == list(range(20))
    assert sum(at % 2 for at in tune) == sum(at % 2 for at in test) == 5
    assert halves(questions) == (tune, test)
    assert halves(questions, seed=1) != (tune, test)


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
    assert main(["--tables", *TABLES[:-1]]) == 0  # the last reads every sentence
    printed = capsys.readouterr().out
    for words in ("+ hanja read", "query-max (default)", "| place-spoken | limited |",
                  "| hybrid | 2,000 characters |", "AUC test"):  # fmt: skip
        assert words in printed


def test_a_mistake_is_one_line(tmp_path, capsys):
    assert main([str(tmp_path), "--config", str(tmp_path / "none.yaml")]) == 1
    assert "none.yaml: no such configuration file" in capsys.readouterr().err


def test_a_figure_of_the_kind_goes_with_the_sentence_that_has_it(tmp_path, korean):
    asked = [
        ("탑의 높이는?", "약 8미터"), ("탑의 무게는 얼마인가?", "20톤"), ("탑은 누가 세웠나?", "김대성"),
    ]  # fmt: skip
    text = (
        "김대성이 탑을 세웠다. 탑의 높이는 약 8미터이다. 탑의 무게는 20톤이다. 돌 하나는 2톤이다."
    )
    content = {
        "data": [{"paragraphs": [{"context": text, "qas": [
            {"question": question, "answers": [{"text": answer}]} for question, answer in asked
        ]}]}]
    }  # fmt: skip
    path = tmp_path / "squad.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    assert list(quantities.quantity_rows(path, korean)) == [
        ("길이", "1", "0", "1"), ("무게", "1", "0", "0"), ("all", "2", "0", "1"),
    ]  # fmt: skip
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(SourceError, match=r"squad\.json: expected questions in SQuAD's JSON"):
        list(quantities.quantity_rows(path, korean))


def test_articles_are_found_by_number(shared_data, demo_folder):
    from engine.config import load_config

    config = load_config(demo_folder / "config.yaml")
    rows = list(article_rows(shared_data / "laws-ko" / "laws.jsonl.gz", config))
    first = {(name, wholes): float(rr) for name, wholes, _, rr, _ in rows}
    for name in ("all", "branches: 제3조의2"):
        assert first[name, "yes"] > first[name, "no"] + 0.05
