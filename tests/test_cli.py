import io
import json
import shlex
import subprocess
import sys

import pytest

from engine.cli import main
from tests.conftest import PROJECT


@pytest.fixture
def here(demo_folder, monkeypatch):
    monkeypatch.chdir(demo_folder)


def run(capsys, *arguments):
    status = main(arguments)
    return status, *capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["trace", "없음:S1"], "'없음:S1': nothing in the index has this id", id="id"),
        pytest.param(["query", "질문", "--document", "없음"], "no document '없음'", id="document"),
        pytest.param(["query", "질문", "-k", "0"], "k: found 0", id="k"),
        pytest.param(
            ["summarize", "없음.pdf", "질문"], "'없음.pdf': neither a document", id="file"
        ),
        pytest.param(["build", "--config", "없음.yaml"], "no such configuration file", id="config"),
        pytest.param(["inspect", "없음.md"], "없음.md", id="inspect"),
        pytest.param(["query", "질문\udcff"], "question: '질문\\udcff' is not UTF-8", id="bytes"),
    ],
)
def test_a_mistake_is_one_line_on_stderr(arguments, message, here, capsys):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (1, "")
    assert err.startswith("geungeo: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_page_that_the_outputs_encoding_cannot_hold_is_one_line(here, monkeypatch, capsys):
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", output)
    assert main(["query", "석굴암은 누가 세웠나?"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("geungeo: the output's encoding, ascii, has no ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("form", ["html", "json"])
def test_what_names_its_encoding_is_written_in_it(here, monkeypatch, form):
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="cp949"))
    assert main(["answer", "화성 성벽의 둘레는 몇 킬로미터인가?", "--format", form]) == 0
    sys.stdout.flush()
    assert "약 5.7킬로미터" in written.getvalue().decode("utf-8")


def test_bad_usage_is_exit_2(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["query"])
    assert caught.value.code == 2


def test_no_index_says_how_to_build(tmp_path, monkeypatch, capsys):
    (tmp_path / "config.yaml").write_text("index: {path: 없는 색인}")
    monkeypatch.chdir(tmp_path)
    for command in (["query", "질문"], ["doctor"]):
        status, out, err = run(capsys, *command)
        assert status == 1
        assert "no index here; build one with: python -m engine build" in out + err


def test_json_is_data_alone(here, capsys):
    status, out, _ = run(capsys, "query", "거중기", "-k", "2", "--json")
    found = json.loads(out)
    assert status == 0
    assert {"evidence_id", "pages", "block_ids", "why"} <= set(found[0])
    report = json.loads(run(capsys, "build", "--json")[1])
    assert report["unchanged"] is True
    assert json.loads(run(capsys, "trace", "paper:S2-P1", "--json")[1])["pages"] is None


def test_nothing_found_is_an_answer_and_not_an_error(here, capsys):
    for command in ("query", "answer"):
        status, out, _ = run(capsys, command, "항공권")
        assert status == 0
        assert "질문과 겹치는 단락을 찾지 못했습니다." in out


def test_trace_goes_from_any_id_to_its_neighbours(here, capsys):
    for wanted in (
        "heritage/guide",
        "heritage/guide:S4",
        "heritage/guide:S4-P2",
        "heritage/guide:S4-C1",
    ):
        status, out, _ = run(capsys, "trace", wanted)
        assert status == 0
        assert "data/sample/heritage/guide.json" in out
    assert "before" in out
    assert "after" in out


def test_doctor_proves_the_index_whole(here, capsys):
    status, out, _ = run(capsys, "doctor")
    assert status == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["ok", "index:"], ["ok", "files:"], ["ok", "store:"], ["ok", "rows:"],
    ]  # fmt: skip


def test_a_reader_that_stops_reading_is_no_fault(demo_folder):
    config = str(demo_folder / "config.yaml")
    tracing = [sys.executable, "-m", "engine", "trace", "heritage/guide", "--config", config]
    command = f"{shlex.join(tracing)} | head -1"
    result = subprocess.run(
        ["bash", "-c", command], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert result.stderr == ""


def test_importing_the_engine_loads_nothing_heavy():
    code = (
        "import sys, engine; "
        "print(sorted({'torch', 'numpy', 'faiss', 'kiwipiepy', 'openai'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_questions_with_the_bundled_encoder_load_no_torch(demo_folder):
    code = (
        "import sys; from engine import Engine, load_config; "
        f"Engine.open(load_config({str(demo_folder / 'config.yaml')!r})).answer('거중기'); "
        "print('torch' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"
