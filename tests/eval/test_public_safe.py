import pytest

from eval.dataset import Dataset, Query
from eval.experiment import Settings, ask, evaluate
from eval.public_safe import KEY_VARIABLE, keyed_hash, redact
from eval.report import write_report
from tests.eval.harness_fakes import Cautious, FakeCatalog, make_dataset, passage

SECRETS = ("비밀 화성행궁", "내부문서", "제목없음", "secret-query", "극비.pdf", "/home/kim")


def build(tmp_path, monkeypatch, key="열쇠"):
    """A report on material that must not get out, small classes included."""
    monkeypatch.setenv(KEY_VARIABLE, key)
    names = [f"secret-query-{at}" for at in range(8)]
    qrels = {name: {f"내부문서-{at}#S1-P1": 1} for at, name in enumerate(names)}
    queries = tuple(
        Query(name, f"비밀 화성행궁 {at}?", "fact" if at < 6 else "rare")
        for at, name in enumerate(names)
    )
    dataset = Dataset("극비.pdf", queries, qrels, notes=("극비.pdf: 제목없음",))
    system = "hybrid:places.catalog=/home/kim/극비.pdf"
    rows = {q.text: [passage(f"내부문서-{at}", 0.5, ["S1-P1"], child_id=f"내부문서-{at}:S1-C1")]
            for at, q in enumerate(queries) if at % 2}  # fmt: skip
    settings = Settings(("R@1", "nDCG@10"), latency_sample=3)
    catalog = FakeCatalog(
        {f"내부문서-{at}#S1-P1": (f"내부문서-{at}:S1-C1", "p") for at in range(7)}
    )
    asked = [ask(Cautious(name, rows), dataset, settings) for name in ("bm25", system)]
    results = evaluate(dataset, asked, settings, catalog).model_copy(
        update={"index": {"path": "/home/kim/극비.pdf", "encoder": "/home/kim/m", "documents": "8"}}
    )
    runs = {one.name: one.run for one in asked}
    hidden = redact(results, runs, qrels, keyed_hash())
    write_report(*hidden, tmp_path)
    return results, hidden


def test_no_file_of_a_public_report_holds_any_text_name_or_id(tmp_path, monkeypatch):
    build(tmp_path, monkeypatch)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 7
    for path in files:
        content = path.name + path.read_text(encoding="utf-8")
        assert [secret for secret in SECRETS if secret in content] == []


def test_the_figures_stay(tmp_path, monkeypatch):
    results, (hidden, _, _) = build(tmp_path, monkeypatch)
    assert hidden.systems[0].estimates == results.systems[0].estimates
    assert hidden.class_sizes == {"fact": 6, "rare": 2}
    assert hidden.systems[0].classes["rare"] == results.systems[0].classes["rare"]


def test_queries_of_a_small_class_appear_in_aggregates_alone(tmp_path, monkeypatch):
    _, (hidden, runs, qrels) = build(tmp_path, monkeypatch)
    assert {query.query_class for query in hidden.queries} == {"fact"}
    assert len(qrels) == len(hidden.systems[0].per_query["R@1"]) == 6
    assert {failure.query_class for failure in hidden.failures} == {"fact"}
    assert len(runs["bm25"]) == 6


def test_the_same_key_gives_the_same_ids_and_another_key_others(tmp_path, monkeypatch):
    first = build(tmp_path, monkeypatch)[1][2]
    assert first == build(tmp_path, monkeypatch)[1][2]
    assert not set(first) & set(build(tmp_path, monkeypatch, "다른 열쇠")[1][2])


def test_without_a_key_ids_cannot_be_joined_across_reports(monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert keyed_hash()("q1") != keyed_hash()("q1")


@pytest.mark.parametrize("count", [4, 5])
def test_five_queries_are_enough_to_be_shown(count):
    dataset = make_dataset({f"q{at}": {"d": 1} for at in range(count)})
    settings = Settings(("R@1",), latency_sample=0)
    asked = [ask(Cautious("s", {}), dataset, settings)]
    hidden, _, _ = redact(evaluate(dataset, asked, settings), {}, dataset.qrels, keyed_hash())
    assert len(hidden.queries) == (5 if count == 5 else 0)
