import json

import pytest

from eval.__main__ import main
from tests.eval.harness_fakes import write_set

TEXTS = [("수원화성", "정조가 화성을 쌓았다. 정약용이 거중기를 만들었다."),
         ("불국사", "불국사는 경주에 있다. 석가탑이 있다.")]  # fmt: skip
QUERIES = [("q1", "거중기는 누가 만들었나?", "fact"), ("q2", "석가탑은 어느 절에 있나?", "fact"),
           ("u1", "해녀의 수입은?", "unanswerable")]  # fmt: skip
QRELS = [("q1", "수원화성", 1), ("q2", "불국사", 1)]


@pytest.fixture
def folder(tmp_path, monkeypatch, words, korean):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("engine.build.open_korean", lambda config: korean)
    monkeypatch.setattr("engine.engine.open_korean", lambda config: korean)
    return write_set(tmp_path / "palace", QUERIES, QRELS, TEXTS)


def run(*more):
    return main(["run", "--dataset", "palace", "--systems", "bm25", "--latency-sample", "1", *more])


def test_a_run_prints_a_table_and_writes_a_report(folder, capsys):
    assert run("--measures", "R@1", "nDCG@10") == 0
    out = capsys.readouterr().out
    assert "| bm25 | 1.000 [1.000, 1.000] |" in out
    assert (folder.parent / "reports" / "palace" / "report.html").is_file()


def test_a_failed_gate_is_exit_1_and_is_named(folder, capsys):
    assert run("--measures", "nDCG@10", "--gate", "bm25>1:nDCG@10") == 1
    assert "gate failed: bm25>1:nDCG@10: 1.0000 against 1.0000" in capsys.readouterr().err


def test_a_gate_on_an_unknown_system_fails_before_anything_is_built(folder, capsys):
    assert run("--gate", "rerank>=bm25:nDCG@10") == 1
    assert "no system 'rerank'; known: bm25" in capsys.readouterr().err
    assert not (folder.parent / "indexes").exists()


def test_a_users_mistake_is_one_line_and_exit_1(folder, capsys):
    assert main(["run", "--dataset", "nowhere"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("eval: ") and error.count("\n") == 1


def test_bad_usage_is_exit_2():
    with pytest.raises(SystemExit, match="2"):
        main(["run"])


def test_a_missing_package_is_named_with_the_extra_that_brings_it(monkeypatch, capsys):
    monkeypatch.setattr("eval.__main__.find_spec", lambda name: None)
    assert main(["run", "--dataset", "x"]) == 1
    assert "needs ir_measures and matplotlib; install the extra" in capsys.readouterr().err


def test_a_public_report_prints_and_writes_no_id(folder, capsys):
    assert run("--public-safe", "--out", "public") == 0
    captured = capsys.readouterr()
    files = [path.read_text(encoding="utf-8") for path in (folder.parent / "public").iterdir()]
    for text in (*files, captured.out):
        assert not [secret for secret in ("palace", "수원", "불국사", "거중기") if secret in text]


def test_a_run_file_of_another_system_becomes_a_row(folder, capsys):
    (folder.parent / "peer.trec").write_text("q1 Q0 수원화성 1 0.9 t\n", encoding="utf-8")
    assert run("--run", "peer=peer.trec", "--measures", "R@1") == 0
    assert "| peer | 0.500 " in capsys.readouterr().out


def test_compare_and_diff_read_what_run_wrote(folder, capsys):
    run("--measures", "R@1", "nDCG@10", "--out", "one")
    capsys.readouterr()
    assert main(["compare", "one/bm25.trec", "--qrels", "one/qrels.trec", "--measures", "R@1"]) == 0
    assert "| bm25 | 1.000 " in capsys.readouterr().out
    assert main(["diff", "one", "one"]) == 0
    assert "| bm25 | R@1 | 1.0000 | 1.0000 | +0.0000 | 1.000 | 0 | 0 | 2 |" in (
        capsys.readouterr().out
    )


def test_tune_prints_what_it_tried(folder, capsys):
    grid = ["--grid", "fusion.dense_weight=0.1,0.2"]
    assert main(["tune", "--dataset", "palace", *grid, "--measure", "RR", "--out", "t.json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert len(printed["trials"]) == 3
    assert printed["tune_queries"] + printed["test_queries"] == 2
    assert json.loads((folder.parent / "t.json").read_text(encoding="utf-8")) == printed


def test_calibrate_without_enough_unanswerable_questions_says_so(folder, capsys):
    assert main(["calibrate", "--dataset", "palace"]) == 1
    assert "calibrate needs answerable questions and ones of the class" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["bm25", "peer"])
def test_two_rows_of_one_name_are_refused_before_anything_is_built(folder, capsys, name):
    (folder.parent / "peer.trec").write_text("q1 Q0 수원화성 1 0.9 t\n", encoding="utf-8")
    assert run("--run", "peer=peer.trec", "--run", f"{name}=peer.trec") == 1
    assert f"eval: '{name}' names two rows of one table" in capsys.readouterr().err
    assert not (folder.parent / "indexes").exists()


def test_compare_checks_gates_by_the_names_it_shows(tmp_path, capsys):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.trec").write_text("q1 Q0 d 1 0.9 t\n", encoding="utf-8")
    (tmp_path / "qrels.trec").write_text("q1 0 d 1\n", encoding="utf-8")
    files = [str(tmp_path / name / "run.trec") for name in ("a", "b")]
    gate = ["--measures", "R@1", "--gate", "b/run>=run:R@1"]
    assert main(["compare", *files, "--qrels", str(tmp_path / "qrels.trec"), *gate]) == 0


@pytest.mark.parametrize("option", ["--limit=0", "--limit=x", "--latency-sample=-1", "--seed=-1"])
def test_a_number_out_of_range_is_bad_usage(option, capsys):
    with pytest.raises(SystemExit, match="2"):
        run(option)
    assert "expected a whole number from" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_fails_before_anything_is_built(folder, capsys):
    (folder.parent / "taken").write_text("", encoding="utf-8")
    assert run("--out", "taken") == 1
    assert capsys.readouterr().err == "eval: taken: File exists\n"
    assert not (folder.parent / "indexes").exists()


def test_calibrate_leaves_out_questions_that_another_limit_holds_for(folder, capsys):
    foreign = ("e1", "Who built it?", "fact")
    write_set(folder.parent / "more", [*QUERIES, foreign], [*QRELS, ("e1", "불국사", 1)], TEXTS)
    main(["calibrate", "--dataset", "more"])
    assert "1 questions without Hangul are left out" in capsys.readouterr().err
