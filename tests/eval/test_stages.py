import json

import pytest

from engine.errors import SourceError
from eval.answers import generation, load_answers
from eval.stages import Examined, corpus_and_retrieval, count_causes, failures
from tests.eval.harness_fakes import FakeCatalog, make_dataset, passage, ranking

DATASET = make_dataset({"q1": {"a#S1-P1": 1}, "q2": {"b#S1-P1": 1}})
CATALOG = FakeCatalog({"a#S1-P1": ("a:S1-C1", "a:S1"), "b#S1-P1": ("b:S1-C1", "b:S1")})
FOUND = {"q2": {"b#S1-P1": 1}}


def causes(ranks, catalog=CATALOG, rankings=None, delivered=None):
    system = Examined("hybrid", rankings or {}, delivered or ranks["hybrid"], 10)
    return {f.query_id: f.cause for f in failures(DATASET, catalog, ranks, system)}


def test_a_target_without_a_child_was_never_in_the_corpus():
    catalog = FakeCatalog({"b#S1-P1": ("b:S1-C1", "b:S1")})
    assert causes({"hybrid": FOUND}, catalog) == {"q1": "not in corpus"}


def test_a_target_that_the_thresholds_withhold_is_below_them():
    ranks = {"hybrid": {"q1": {"a#S1-P1": 2}, **FOUND}}
    assert causes(ranks, delivered=FOUND) == {"q1": "below the threshold"}


@pytest.mark.parametrize(
    ("bm25", "dense", "cause"),
    [
        pytest.param(3, None, "found by one leg only", id="bm25"),
        pytest.param(None, 10, "found by one leg only", id="dense"),
        pytest.param(3, 7, "lost in fusion", id="both"),
        pytest.param(11, None, "outranked", id="neither within k"),
    ],
)
def test_what_the_legs_found_tells_what_fusion_lost(bm25, dense, cause):
    ranks = {
        name: {"q1": {"a#S1-P1": rank} if rank else {}, **FOUND}
        for name, rank in (("bm25", bm25), ("dense", dense), ("hybrid", 40))
    }
    assert causes(ranks) == {"q1": cause}


def test_a_target_whose_section_was_shown_is_cut_by_the_budget():
    rankings = {"q1": [passage("a", source_ids=("S1-P7",), parent_id="a:S1")]}
    assert causes({"hybrid": FOUND}, rankings=rankings) == {"q1": "cut by the budget"}


def test_a_question_that_shares_no_term_was_tokenised_away():
    catalog = FakeCatalog({"a#S1-P1": ("a:S1-C1", "a:S1"), "b#S1-P1": ("b", "b")}, ["q1?"])
    assert causes({"hybrid": FOUND}, catalog) == {"q1": "tokenised away"}


def test_a_failure_says_where_the_target_is_and_who_found_it():
    ranks = {"bm25": {"q1": {"a#S1-P1": 4}}, "hybrid": {"q1": {"a#S1-P1": 12}, **FOUND}}
    (failure,) = failures(DATASET, CATALOG, ranks, Examined("hybrid", {}, ranks["hybrid"], 10))
    assert (failure.children, failure.rank) == (["a:S1-C1"], 12)
    assert failure.other_ranks == {"bm25": 4}
    assert count_causes([failure]) == {"found by one leg only": 1}


def test_stages_count_targets_not_queries():
    dataset = make_dataset({"q": {"a#S1-P1": 1, "x": 1, "b#S1-P1": 1, "z": 0}})
    ranks = {"hybrid": {"q": {"a#S1-P1": 2, "b#S1-P1": 30}}}
    rows = corpus_and_retrieval(dataset, CATALOG, ranks, {"hybrid": {}}, (10, 100))
    assert [(s.name, s.passed, s.total) for s in rows] == [
        ("corpus: in a child of the index", 2, 3),
        ("retrieval: hybrid, within 10", 1, 3),
        ("retrieval: hybrid, within 100", 2, 3),
        ("retrieval: hybrid, within 10 and above the thresholds", 0, 3),
    ]


def answer(sentences, pruned, citations, evidence):
    sources = [{"number": n, "doc_id": d, "source_ids": ids} for n, d, ids in citations]
    return {
        "sentences": [{"citations": numbers} for numbers in sentences],
        "pruned": [{"citations": numbers} for numbers in pruned],
        "citations": sources,
        "evidence": [{"doc_id": d, "source_ids": ids} for d, ids in evidence],
    }


def test_the_answer_stage_tells_sent_from_cited_from_kept(tmp_path):
    sent = [("a", ["S1-P1", "S1-P2"]), ("b", ["S1-P1"])]
    cited = [(1, "a", ["S1-P1"]), (2, "b", ["S1-P1"])]
    rows = [
        {"query_id": "q1", "answer": answer([[1]], [], cited, sent)},
        {"query_id": "q2", "answer": answer([[1]], [[2]], cited, sent)},
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    stages = generation(DATASET, load_answers(path))
    assert [(s.name, s.passed, s.total) for s in stages] == [
        ("generation: in the evidence sent", 2, 2),
        ("generation: cited", 2, 2),
        ("generation: kept after checks", 1, 2),
    ]


def test_a_bad_line_of_saved_answers_is_named(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"query_id": "q1"}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="answers.jsonl:1: answer: Field required"):
        load_answers(path)


def test_rankings_helper_numbers_passages_from_the_top():
    assert [p.score for p in ranking("a", "b")] == [1.0, 0.99]
