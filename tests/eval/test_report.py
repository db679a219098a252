import csv
import re

import pytest

from engine.errors import ConfigError, SourceError
from eval.compare import compare_runs, diff, diff_lines, named_runs
from eval.experiment import Settings, ask, evaluate
from eval.report import (
    delivered_rows,
    file_name,
    headline,
    html,
    markdown,
    p_value,
    pipes,
    write_report,
)
from eval.results import load_results
from eval.runs import read_run, write_qrels
from tests.eval.harness_fakes import Cautious, FakeCatalog, Scripted, make_dataset, ranking

MEASURES = ("R@1", "nDCG@10")
QRELS = {f"q{at}": {f"d{at}": 1} for at in range(12)}
DATASET = make_dataset(QRELS, {f"q{at}": "fact" for at in range(12)}, ["u"])
SETTINGS = Settings(MEASURES, latency_sample=2)
GOOD = Scripted("good", {f"q{at}?": ranking(f"d{at}", "x") for at in range(12)})
POOR = Scripted("poor", {f"q{at}?": ranking("x", f"d{at}", "y") for at in range(10)})
CATALOG = FakeCatalog({f"d{at}": (f"d{at}:1", "p") for at in range(11)})


@pytest.fixture(scope="module")
def asked():
    return [ask(system, DATASET, SETTINGS) for system in (POOR, GOOD)]


@pytest.fixture(scope="module")
def results(asked):
    return evaluate(DATASET, asked, SETTINGS, CATALOG)


def test_every_file_of_a_report_is_written(tmp_path, asked, results):
    write_report(results, {one.name: one.run for one in asked}, QRELS, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "good.trec", "per_query.csv", "poor.trec", "qrels.trec", "report.html", "report.md",
        "results.json",
    ]  # fmt: skip
    assert load_results(tmp_path) == results
    assert list(read_run(tmp_path / "poor.trec")["q1"]) == ["x", "d1", "y"]


def test_every_table_goes_by_the_rank_of_the_main_measure():
    cautious = Cautious("cautious", GOOD.answers)
    settings = Settings(("nDCG@15",), latency_sample=0)
    found = evaluate(DATASET, [ask(cautious, DATASET, settings)], settings, CATALOG)
    assert delivered_rows(found)[0][3:] == ["R@15, ranking", "R@15, delivered"]
    assert found.systems[0].curve[15] == 1.0
    assert 15 in found.systems[0].chars


def test_the_table_of_queries_has_a_row_a_query_and_system(tmp_path, asked, results):
    write_report(results, {}, QRELS, tmp_path)
    with (tmp_path / "per_query.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 12
    assert rows[1] == {
        "query_id": "q1", "class": "fact", "text": "q1?", "system": "poor", "R@1": "0",
        "nDCG@10": "0.63093", "first_rank": "2",
    }  # fmt: skip


def test_the_page_fetches_nothing_and_holds_its_drawings(results):
    page = html(results)
    assert page.count("<svg") == 5
    links = re.findall(r'(?:src|href)="(?!#)[^"]*"', page)
    assert links == []
    assert "url(http" not in page and "@import" not in page


def test_what_a_set_says_cannot_become_markup():
    dataset = make_dataset({"<b>": {"<script>alert(1)</script>": 1}})
    settings = Settings(MEASURES, latency_sample=0)
    asked = [ask(Scripted("s", {"<b>?": ranking("x")}), dataset, settings)]
    page = html(evaluate(dataset, asked, settings, FakeCatalog({})))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_headline_is_as_careful_as_the_test(results):
    assert headline(results).startswith("good has the highest nDCG@10: 1.000 over 12 questions.")
    assert "beyond chance (p < .001): better on 12 questions, worse on 0." in headline(results)
    assert "12 queries: too few" in headline(results)


def test_the_summary_lists_what_is_not_in_the_index(results):
    assert "1 targets are not in the index: `d11`" in markdown(results)


def test_a_table_keeps_its_columns_whatever_is_in_a_cell():
    assert pipes([["a", "b"], ["x|y", "1"]]).splitlines()[2] == "| x\\|y | 1 |"


def test_p_values_are_never_zero():
    assert p_value(0.0002) == "< .001"
    assert p_value(0.0312) == ".031"


def test_a_systems_name_becomes_one_file_name():
    assert file_name("hybrid:fusion.method=rrf") == "hybrid_fusion.method=rrf"
    assert "/" not in file_name("dense:encoder.model=a/b")


def test_runs_from_anywhere_are_compared(tmp_path):
    for name, line in (("mine", "d0"), ("theirs", "x")):
        text = f"q0 Q0 {line} 1 0.9 t\nq99 Q0 d 1 0.5 t\n"
        (tmp_path / f"{name}.trec").write_text(text, encoding="utf-8")
    write_qrels(tmp_path / "qrels.txt", QRELS)
    paths = [tmp_path / "mine.trec", tmp_path / "theirs.trec"]
    results = compare_runs(paths, tmp_path / "qrels.txt", SETTINGS)
    assert [s.estimates["R@1"].mean for s in results.systems] == [pytest.approx(1 / 12), 0]
    assert "mine: 1 queries are not in the qrels" in results.notes


def test_two_runs_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run.trec").write_text("q Q0 d 1 0.9 t\n", encoding="utf-8")
    files = [tmp_path / folder / "run.trec" for folder in "ab"]
    assert list(named_runs(files)) == ["run", "b/run"]


def test_a_diff_tells_means_and_each_query_that_moved(asked, results):
    better = Scripted("poor", {**POOR.answers, "q0?": ranking("d0"), "q1?": []})
    after = evaluate(DATASET, [ask(better, DATASET, SETTINGS)], SETTINGS)
    (recall, gain) = diff(results, after)
    assert (recall.before, recall.after) == (0, pytest.approx(1 / 12))
    assert (gain.wins, gain.losses, gain.n) == (1, 1, 12)
    assert [row[0] for row in gain.moved] == ["q1", "q0"]
    lines = diff_lines([gain], "nDCG@10", {"q1": "왜?"})
    assert "  -0.631  0.631 -> 0.000  q1  왜?" in lines


def test_a_diff_of_reports_on_other_questions_says_what_they_lack(results):
    other = make_dataset({"z": {"d": 1}})
    after = evaluate(other, [ask(POOR, other, SETTINGS)], SETTINGS)
    with pytest.raises(ConfigError, match="the reports have no question in common"):
        diff(results, after)


def test_results_of_another_shape_are_refused(tmp_path):
    (tmp_path / "results.json").write_text('{"dataset": 1}', encoding="utf-8")
    with pytest.raises(SourceError, match="no results of this harness: dataset"):
        load_results(tmp_path)
