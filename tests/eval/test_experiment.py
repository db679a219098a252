import pytest

from engine.errors import ConfigError
from eval.experiment import Asked, Settings, ask, evaluate
from eval.gates import parse_gates
from eval.matching import to_run
from tests.eval.harness_fakes import Cautious, FakeCatalog, Scripted, make_dataset, passage, ranking

MEASURES = ("R@1", "nDCG@10", "RR")
QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
DATASET = make_dataset(QRELS, {"q1": "fact", "q2": "fact", "q3": "table"}, ["u1"])
GOOD = Scripted("good", {"q1?": ranking("a", "x"), "q2?": ranking("b"), "u1?": ranking("x")})
POOR = Scripted("poor", {"q1?": ranking("x", "a"), "q2?": ranking("x", "y")})


def run(*systems, **options):
    settings = Settings(MEASURES, latency_sample=0, gates=options.pop("gates", ()))
    asked = [ask(system, DATASET, settings) for system in systems]
    return evaluate(DATASET, asked, settings, **options)


def test_means_are_over_all_judged_queries_answered_or_not():
    good = run(GOOD).systems[0]
    assert good.estimates["R@1"].mean == pytest.approx((1 + 1 + 0) / 3)
    assert good.estimates["R@1"].n == 3
    assert good.classes["table"]["R@1"].mean == 0


def test_every_other_system_is_compared_with_the_first_by_measure_and_by_class():
    found = run(POOR, GOOD).comparisons
    assert [(c.measure, c.query_class) for c in found] == [
        ("R@1", ""), ("nDCG@10", ""), ("RR", ""), ("nDCG@10", "fact"), ("nDCG@10", "table"),
    ]  # fmt: skip
    assert {(c.system, c.base) for c in found} == {("good", "poor")}
    assert (found[0].wins, found[0].ties, found[0].losses) == (2, 1, 0)
    assert found[0].warning.startswith("3 queries: too few")


def test_unanswerable_questions_are_scored_apart():
    abstention = run(GOOD).systems[0].abstention
    assert (abstention.abstained, abstention.unanswerable) == (1, 1)
    assert abstention.recall == 0


def test_thresholds_are_measured_apart_from_the_ranking():
    rows = {"q1?": [passage("x", 0.5), passage("a", 0.4)], "q2?": ranking("b")}
    cautious = run(Cautious("careful", rows)).systems[0]
    assert cautious.per_query["RR"]["q1"] == pytest.approx(1 / 2)
    assert cautious.delivered["nDCG@10"].mean == pytest.approx(1 / 3)
    assert cautious.delivered_ranks["q1"] == {}


def test_a_system_silenced_by_its_thresholds_has_abstained():
    low = [passage("a", 0.3)]
    found = run(Cautious("careful", {"q1?": low, "q2?": ranking("b"), "u1?": low})).systems[0]
    assert found.abstention.abstained == 3
    assert found.abstention.recall == 1
    assert found.abstention.precision == pytest.approx(1 / 3)


def test_failures_are_told_for_the_last_system_and_unknown_targets_listed():
    catalog = FakeCatalog({"a": ("a:1", "a"), "b": ("b:1", "b")})
    results = run(GOOD, POOR, catalog=catalog)
    assert {(f.query_id, f.cause) for f in results.failures} == {
        ("q2", "outranked"), ("q3", "not in corpus"),
    }  # fmt: skip
    assert results.unknown_targets == ["c"]


def test_characters_are_summed_down_to_each_rank_and_by_best_passage_of_a_document():
    rows = {"q1?": [passage("a", 1, chars=100), passage("a", 0.9, chars=999),
                    passage("b", 0.8, chars=50)]}  # fmt: skip
    chars = run(Scripted("s", rows)).systems[0].chars
    assert chars[1] == pytest.approx(100 / 3)
    assert chars[2] == pytest.approx(150 / 3)


def test_questions_are_asked_in_batches():
    many = make_dataset({f"q{at}": {"a": 1} for at in range(250)})
    system = Scripted("s", {})
    ask(system, many, Settings(MEASURES, latency_sample=0))
    assert [len(texts) for texts, _ in system.asked] == [100, 100, 50]


def test_a_run_from_a_file_stands_beside_searched_systems():
    settings = Settings(MEASURES, latency_sample=0)
    file = Asked("file", to_run({"q1": ranking("a")}, QRELS, by_document=True, k=10))
    results = evaluate(DATASET, [ask(GOOD, DATASET, settings), file], settings)
    assert results.systems[1].estimates["R@1"].mean == pytest.approx(1 / 3)
    assert results.systems[1].seconds is None


def test_all_invariants_hold_for_sound_systems():
    assert run(GOOD, POOR).broken == []


def test_latencies_are_of_single_questions():
    system = Scripted("s", {})
    asked = ask(system, DATASET, Settings(MEASURES, latency_sample=2))
    assert len(asked.latencies_ms) == 2
    assert [len(texts) for texts, _ in system.asked] == [4, 1, 1]


@pytest.mark.parametrize(
    ("text", "holds"),
    [("good>=poor:R@1", True), ("poor>=good:R@1", False), ("good>good:R@1", False),
     ("good>=0.6:R@1", True), ("good >= 0.7 : R@1", False)],
)  # fmt: skip
def test_a_gate_compares_means(text, holds):
    gates = tuple(parse_gates([text], ["good", "poor"], MEASURES))
    assert [gate.holds for gate in run(GOOD, POOR, gates=gates).gates] == [holds]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("good<poor:R@1", "expected SYSTEM>=SYSTEM:MEASURE"),
        ("best>=poor:R@1", "no system 'best'; known: good, poor"),
        ("good>=best:R@1", "'best' is neither a number nor one of good, poor"),
        ("good>=poor:R@7", "R@7 is not measured; measured: R@1, nDCG@10, RR"),
    ],
)
def test_a_gate_that_cannot_be_checked_is_refused_beforehand(text, message):
    with pytest.raises(ConfigError, match=message):
        parse_gates([text], ["good", "poor"], MEASURES)
