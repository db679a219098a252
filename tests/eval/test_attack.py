import json
import random

import pytest

from engine.answer.validation.sources import read_sources
from engine.config import ValidationSettings
from engine.text.kiwi import Korean
from eval.attack.__main__ import main, run
from eval.attack.cases import make_cases, make_evidence
from eval.attack.faithful import FAITHFUL
from eval.attack.falsehoods import LITERALS, POLARITY, Words
from eval.attack.nli import count_pairs, read_pairs, write_nli_table
from eval.attack.passages import PassageText, read_passages
from eval.attack.table import Tally, write_table

TEXTS = [
    "정원은 30명이며, 신청은 2024년 3월 1일까지 받는다. 외국인은 이 과정에 신청할 수 없다.",
    "수수료는 1인당 35,000원으로 하고, 5일 이내에 납부하여야 한다. 환불은 하지 않는다.",
    "제13조제2항에 따른 신고는 시행 후 30일 이내에 하며, 그 비용은 부담하지 아니한다.",
]


@pytest.fixture(scope="module")
def korean():
    return Korean()


@pytest.fixture(scope="module")
def words():
    from kiwipiepy import Kiwi

    return Words(Kiwi(), ["Geungeo"], ["장부", "우산"], ["철수", "영희"])


def cases(korean, words, seed=1):
    evidence = make_evidence([PassageText("", "", text) for text in TEXTS])
    return list(make_cases(evidence, read_sources(evidence, korean), words, random.Random(seed)))


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("3,000 → 3천", "비용은 35,000원이다.", None),
        ("3,000 → 3천", "비용 3,000원 이하", "비용 3천 원 이하"),
        ("3만 → 삼만", "비용 3만 원 이하", "비용 삼만 원 이하"), ("full width", "3명", "３명"),
        ("endings", "신고한다.", "신고합니다."), ("ranges", "3~5일 걸린다", "3일에서 5일 걸린다"),
        ("brackets left out", "이 성은 정조(正祖) 때 쌓은 수원의 것이다.",
         "이 성은 정조 때 쌓은 수원의 것이다."),
    ],
)  # fmt: skip
def test_faithful_rules_keep_the_meaning(kind, text, expected):
    assert FAITHFUL[kind](text, random.Random(1)) == expected


@pytest.mark.parametrize(
    ("rules", "kind", "text", "expected"),
    [
        (POLARITY, "negation added", "수수료를 납부한다.", "수수료를 납부하지 않는다."),
        (POLARITY, "negation added", "그는 왕이다.", "그는 왕이 아니다."),
        (POLARITY, "negation removed", "신청할 수 없다.", "신청할 수 있다."),
        (POLARITY, "이상 ↔ 이하", "30명 이상", "30명 이하"),
        (POLARITY, "증가 ↔ 감소 …", "소득 증가", "소득 감소"),
        (LITERALS, "unit", "30명이다", "30개이다"), (LITERALS, "number", "제3조에 따라", None),
    ],
)  # fmt: skip
def test_false_rules_change_one_thing(rules, kind, text, expected, words):
    assert rules[kind](text, random.Random(1), words) == expected


def test_the_same_seed_makes_the_same_cases(korean, words):
    first, again = cases(korean, words), cases(korean, words)
    assert [(c.kind, c.draft) for c in first] == [(c.kind, c.draft) for c in again]
    assert {c.family for c in first} == {"faithful", "ids", "literals", "polarity", "beyond"}


def test_nothing_true_is_flagged_and_everything_about_ids_is_caught(korean, words):
    tallies, _ = run(cases(korean, words), korean, ValidationSettings())
    for (family, kind), tally in tallies.items():
        if family == "ids":
            assert (kind, tally.failed, tally.by_check) == (kind, tally.drafts, tally.drafts)
        if family == "faithful":
            assert (kind, tally.failed) == (kind, 0)


def test_the_table_counts_before_it_rates():
    table = write_table(
        {("literals", "number"): Tally(8, 6, 5), ("literals", "date"): Tally(2, 2, 2)}
    )
    assert "| number | 8 | 6 | 75.0% | 5 |" in table
    assert "| **all** | 10 | 8 | 80.0% | 7 |" in table


def row(hypothesis, label):
    return {"premise": "정원은 30명이다.", "hypothesis": hypothesis, "gold_label": label}


def test_pairs_are_counted_by_label_and_check(korean, tmp_path):
    rows = [
        row("정원은 40명이다.", "contradiction"), row("다른 줄이다.", "neutral"),
        row("정원은 서른 명이다.", "entailment"),
    ]  # fmt: skip
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(rows))
    counts = count_pairs(read_pairs(path, "tune"), korean, ValidationSettings())
    assert counts["contradiction"]["literals"] == counts["contradiction"]["pairs"] == 1
    assert (counts["entailment"]["pairs"], counts["entailment"]["any"]) == (1, 0)
    assert "| contradiction | 1 | 100.0% | 100.0% |" in write_nli_table(counts)


def test_passages_come_from_beir_and_squad_and_documents(tmp_path, korean):
    text = "가나다 " * 20
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "1", "title": "제목", "text": text}))
    squad = {"data": [{"title": "글", "paragraphs": [{"context": text}]}]}
    (tmp_path / "squad.json").write_text(json.dumps(squad))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "note.md").write_text(f"# 안내\n\n## 1장\n\n{text}")
    found = [
        read_passages(tmp_path / name, 9, 1, korean)
        for name in ("corpus.jsonl", "squad.json", "docs")
    ]
    assert [[(p.title, p.section) for p in passages] for passages in found] == [
        [("제목", "")], [("글", "")], [("안내", "1장")],
    ]  # fmt: skip


def test_a_path_that_is_not_there_is_one_line(tmp_path, capsys):
    assert main(["--passages", str(tmp_path / "nothing")]) == 1
    assert "no such file or folder" in capsys.readouterr().err
