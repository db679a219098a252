"""A recorded run can be repeated without a network, byte for byte."""

import dataclasses
import json
from pathlib import Path

import pytest

from engine.config import make_config
from engine.errors import ConfigError, GenerationError

BAD = {
    "answerable": True,
    "sentences": [{"sentence": "거짓\u2028이다.", "citing_doc_ids": ["DOC_9"]}],
}
GOOD = {"answerable": True, "sentences": [{"sentence": "성은 높다.", "citing_doc_ids": ["DOC_1"]}]}
TWO = {"max_regenerations": 1}


def as_bytes(answer):
    return json.dumps(dataclasses.asdict(answer), ensure_ascii=False).encode()


@pytest.fixture
def sources(evidence):
    return [evidence(1, "성은 높다.")]


def test_a_replay_needs_neither_server_nor_key(server, run, sources, monkeypatch):
    server.say(BAD)
    server.say(GOOD)
    first = run("answer", sources, TWO, record="run.jsonl")
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    again = run("answer", sources, TWO, record="run.jsonl", record_mode="replay")
    assert as_bytes(again) == as_bytes(first) and len(server.requests) == 2
    assert len(again.audit["attempts"]) == 2


def test_the_file_holds_requests_and_replies_and_no_key(server, run, sources, tmp_path):
    server.say(GOOD, instructions="echo of the prompt")
    answer = run("answer", sources, record="deep/run.jsonl")
    text = (tmp_path / "deep/run.jsonl").read_text(encoding="utf-8")
    entry = json.loads(text)
    assert entry["request"] == answer.audit["attempts"][0]["request"]
    assert "sk-test" not in text and "127.0.0.1" not in text and "echo" not in text


def test_recording_again_asks_only_for_what_is_new(server, run, sources, evidence, tmp_path):
    server.say(GOOD)
    for texts in (sources, sources, [evidence(1, "성은 낮다.")]):
        run("answer", texts, record="run.jsonl")
    assert len(server.requests) == 2
    assert len((tmp_path / "run.jsonl").read_text(encoding="utf-8").split("\n")) == 2 + 1


def test_a_replay_of_something_new_is_a_clear_error(server, run, sources):
    with pytest.raises(
        GenerationError, match=r"run\.jsonl: no reply recorded for request"
    ) as caught:
        run("answer", sources, record="run.jsonl", record_mode="replay")
    assert caught.value.kind == "unrecorded" and server.requests == []


def test_a_bad_reply_is_repeated_too(server, run, sources):
    server.say("JSON이 아님")
    for mode in ("record", "replay"):
        with pytest.raises(GenerationError, match="not JSON"):
            run("answer", sources, record="run.jsonl", record_mode=mode)
    assert len(server.requests) == 1


def test_a_damaged_line_is_named(server, run, sources, tmp_path):
    (tmp_path / "run.jsonl").write_text('{"request": "a", "reply": {}}\n{"req', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"run\.jsonl, line 2: expected"):
        run("answer", sources, record="run.jsonl")


def test_a_path_that_cannot_be_written_is_named(server, run, sources, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"generation\.record: .* cannot be"):
        run("answer", sources, record="file/run.jsonl")


def test_a_replay_without_a_file_is_refused_at_the_door():
    with pytest.raises(ConfigError, match="record_mode: found replay without generation.record"):
        make_config({"generation": {"record_mode": "replay"}}, root=Path())
