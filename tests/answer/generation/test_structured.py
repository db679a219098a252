"""The checks may ask the same model, in a schema of their own."""

import pytest

from engine.answer.structured import make_ask
from engine.errors import ConfigError, GenerationError

SCHEMA = {"type": "object", "properties": {"label": {"type": "string"}}}


def test_a_question_goes_out_in_its_own_schema(server, configure, api):
    server.say({"label": "entailed"})
    assert make_ask(configure())("근거와 문장", SCHEMA) == {"label": "entailed"}
    body = server.bodies[0]
    if api == "responses":
        assert "instructions" not in body and body["text"]["format"]["schema"] == SCHEMA
    else:
        assert [m["role"] for m in body["messages"]] == ["user"]
    assert server.prompt() == "근거와 문장"


@pytest.mark.parametrize("reply", ["아니오", "[1]"])
def test_a_reply_that_is_no_object_is_an_error(server, configure, reply):
    server.say(reply)
    with pytest.raises(GenerationError, match="no JSON object") as caught:
        make_ask(configure())("근거와 문장", SCHEMA)
    assert caught.value.retryable


def test_judgements_are_replayed_too(server, configure):
    server.say({"label": "neutral"})
    for mode in ("record", "replay"):
        ask = make_ask(configure(record="r.jsonl", record_mode=mode))
        assert ask("근거와 문장", SCHEMA) == {"label": "neutral"}
    assert len(server.requests) == 1


def test_a_missing_key_is_told_before_any_question(server, configure, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    with pytest.raises(ConfigError, match="no key for the language model"):
        make_ask(configure())
