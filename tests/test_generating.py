"""Generation through the engine and the command line, against a scripted server on loopback."""

from __future__ import annotations

import asyncio
import json

import pytest

from engine.cli import main
from engine.config import load_config, make_config
from engine.engine import Engine
from eval.__main__ import main as evaluate
from tests.answer.generation.conftest import KEY

QUESTION = "수원 화성에서 정조가 뭘 했어?"


@pytest.fixture
def server(scripted):
    return scripted


@pytest.fixture
def engine(demo_folder):
    shipped = load_config(demo_folder / "config.yaml").model_dump()
    shipped["validation"]["max_regenerations"] = 0
    return Engine.open(make_config(shipped, root=demo_folder))


def sentence(text, *ids):
    return {"sentence": text, "citing_doc_ids": list(ids)}


TRUE = "정조는 1789년 아버지 사도세자의 무덤을 양주 배봉산에서 수원의 화산으로 옮기고 현륭원이라 이름하였다."
WRONG_YEAR = "정조는 1796년 아버지 사도세자의 무덤을 수원의 화산으로 옮겼다."


def where(engine, words):
    """Id of the evidence that holds some words."""
    return next(e.evidence_id for e in engine.retrieve(QUESTION) if words in e.text)


def test_true_sentences_are_kept_on_their_page_and_false_ones_are_cut(engine, server):
    one = where(engine, "현륭원")
    server.say({"answerable": True, "sentences": [
        sentence(TRUE, one), sentence(WRONG_YEAR, one), sentence("인용이 없는 문장이다."),
    ]})  # fmt: skip
    answer = engine.answer(QUESTION, generate=True)
    assert [(s.text, s.verdict) for s in answer.sentences] == [(TRUE, "supported")]
    assert answer.citations[0].pages == (3, 3)
    assert answer.citations[0].source_ids == ("S4-P1",)
    assert len(answer.pruned) == 2
    assert "1796년" in "".join(answer.pruned[0].reasons)


def test_a_sentence_keeps_only_the_sources_that_hold_it(engine, server):
    evidence = engine.retrieve(QUESTION)
    one = where(engine, "현륭원이라 이름")
    every = [e.evidence_id for e in evidence]
    assert len(every) == 5
    server.say({"answerable": True, "sentences": [sentence(f"{TRUE} {WRONG_YEAR}", *every)]})
    answer = engine.answer(QUESTION, generate=True)
    assert [(s.text, s.citations, s.verdict) for s in answer.sentences] == [
        (TRUE, (1,), "supported")
    ]
    assert [c.evidence_id for c in answer.citations] == [one]
    assert len(answer.sentences[0].reasons) == 4
    assert [s.text for s in answer.pruned] == [WRONG_YEAR]


def test_strict_refuses_the_whole_answer(demo_folder, server):
    shipped = load_config(demo_folder / "config.yaml").model_dump()
    shipped["validation"] |= {"policy": "strict", "max_regenerations": 0}
    engine = Engine.open(make_config(shipped, root=demo_folder))
    one = where(engine, "현륭원")
    server.say({"answerable": True, "sentences": [sentence(TRUE, one), sentence(WRONG_YEAR, one)]})
    answer = engine.answer(QUESTION, generate=True)
    assert answer.sentences == ()
    assert answer.refusal


def test_nothing_found_makes_no_call(engine, server):
    for answer in (
        engine.answer("항공권", generate=True),
        asyncio.run(engine.answer_async("항공권")),
        list(engine.answer_stream("항공권"))[-1].answer,
    ):
        assert answer.refusal == (
            "질문과 겹치는 단락을 찾지 못했습니다. 가장 가까운 단락에도 없는 말: ‘항공권’."
        )
    assert server.requests == []


def test_async_and_stream_give_the_same_answer(engine, server):
    one = where(engine, "현륭원")
    server.say({"answerable": True, "sentences": [sentence(TRUE, one)]})
    expected = engine.answer(QUESTION, generate=True)
    events = list(engine.answer_stream(QUESTION))
    assert [event.stage for event in events] == ["evidence", "drafting", "checking", "final"]
    assert events[-1].answer.sentences == expected.sentences
    assert asyncio.run(engine.answer_async(QUESTION)).sentences == expected.sentences


def test_a_summary_keeps_source_order_and_names_of_sections(engine, server):
    question = "검색 방식의 결과와 한계"
    found = engine.retrieve(question, 1000, scope="section", document="paper")
    items = []
    for one in reversed(found):
        body = next(p for p in one.passages if p.core and p.kind != "heading")
        items.append({"source_id": body.source_id, "text": one.text[body.start : body.end]})
    server.say({"items": items})
    answer = engine.summarize("paper", question, generate=True)
    assert [s.section for s in answer.sentences] == [e.section_path[0] for e in found]
    assert answer.omitted


def test_the_shell_writes_checks_and_verifies_an_answer(
    demo_folder, server, monkeypatch, capsys, tmp_path
):
    monkeypatch.chdir(demo_folder)
    engine = Engine.open(load_config("config.yaml"))
    one = where(engine, "현륭원")
    server.say({"answerable": True, "sentences": [sentence(TRUE, one), sentence(WRONG_YEAR, one)]})
    assert main(["answer", QUESTION, "--generate", "--show-pruned"]) == 0
    out, err = capsys.readouterr()
    assert TRUE in out
    assert "검증에서 제외된 문장 (1)" in out
    assert "drafting (draft 1)" in err
    assert KEY not in out + err
    assert main(["answer", QUESTION, "--generate", "--format", "json"]) == 0
    saved = tmp_path / "answer.json"
    saved.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["verify", str(saved)]) == 0
    assert "[1] same: heritage/guide:S4-P1" in capsys.readouterr().out
    assert evaluate(["citations", str(saved)]) == 0
    assert "citation recall     1.000" in capsys.readouterr().out
    forged = saved.read_text(encoding="utf-8").replace("1789년", "1788년")
    saved.write_text(forged, encoding="utf-8")
    assert main(["verify", str(saved)]) == 1
    assert "[1] changed: heritage/guide:S4-P1" in capsys.readouterr().out


def test_without_a_key_one_line_says_so(demo_folder, monkeypatch, capsys):
    monkeypatch.chdir(demo_folder)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_CHAT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["answer", QUESTION, "--generate"]) == 1
    assert (
        capsys.readouterr().err.splitlines()[-1].startswith("geungeo: no language model is named")
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not an answer: file: "),
        (json.dumps({"question": "x"}), "not an answer: kind: Field required"),
    ],
)
def test_a_file_that_is_no_answer_is_named(
    content, message, demo_folder, monkeypatch, capsys, tmp_path
):
    monkeypatch.chdir(demo_folder)
    (tmp_path / "a.json").write_text(content)
    assert main(["verify", str(tmp_path / "a.json")]) == 1
    assert message in capsys.readouterr().err
