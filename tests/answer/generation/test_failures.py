"""Everything a server can do wrong is an error of its own, and nothing partial is shown."""

import logging

import pytest

from engine.errors import GenerationError

GOOD = {"answerable": True, "sentences": [{"sentence": "성은 높다.", "citing_doc_ids": ["DOC_1"]}]}
SOON = {"retry_after": "0.01"}


@pytest.fixture
def fail(server, run, evidence):
    """Run against the script and give back the error."""

    def go(**settings):
        with pytest.raises(GenerationError) as caught:
            run("answer", [evidence(1, "성은 높다.")], **settings)
        error = caught.value
        assert "\n" not in str(error) and "sk-test" not in str(error)
        return error

    return go


def test_a_refusal_is_told_apart(server, fail, api):
    if api == "responses":
        parts = [{"type": "refusal", "refusal": "도울 수 없습니다."}]
        item = {"type": "message", "status": "completed", "content": parts}
        server.say("", output=[item])
    else:
        choice = {"finish_reason": "stop", "message": {"content": None, "refusal": "안 됩니다."}}
        server.say("", choices=[choice])
    error = fail()
    assert (error.kind, error.retryable) == ("refused", False)


@pytest.mark.parametrize(
    ("reason", "finish", "kind", "retryable"),
    [
        ("max_output_tokens", "length", "incomplete", True),
        ("content_filter", "content_filter", "filtered", False),
    ],
)
def test_an_unfinished_reply_is_not_shown(server, fail, api, reason, finish, kind, retryable):
    if api == "responses":
        server.say(GOOD, status="incomplete", incomplete_details={"reason": reason})
    else:
        server.say(GOOD, choices=[{"finish_reason": finish, "message": {"content": "{}"}}])
    error = fail()
    assert (error.kind, error.retryable) == (kind, retryable)


def test_a_failed_run_is_told_with_its_code(server, fail, api):
    if api == "responses":
        server.say("", status="failed", error={"code": "server_error", "message": "x"})
        assert fail().retryable is True
    else:
        server.say("", choices=[{"finish_reason": "tool_calls", "message": {"content": None}}])
        assert fail().kind == "failed"


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_reply_is_an_error(server, fail, text):
    server.say(text)
    assert fail().kind == "empty"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param('{"answerable": true, "sent', "garbled", id="cut JSON"),
        pytest.param("```json\n{}\n```", "garbled", id="fenced"),
        pytest.param("[" * 100_000, "garbled", id="deep"),
        pytest.param("[]", "shape", id="list"),
        pytest.param('{"answerable": "yes", "sentences": []}', "shape", id="text for bool"),
        pytest.param('{"answerable": true}', "shape", id="field missing"),
        pytest.param('{"answerable": true, "sentences": [], "note": 1}', "shape", id="extra"),
        pytest.param(
            '{"answerable": true, "sentences": [{"sentence": " ", "citing_doc_ids": []}]}',
            "shape",
            id="blank sentence",
        ),
    ],
)
def test_a_reply_of_another_shape_is_an_error(server, fail, text, kind):
    server.say(text)
    error = fail()
    assert (error.kind, error.retryable) == (kind, True)


def test_a_wrong_shape_names_the_field(server, fail):
    server.say({"answerable": True, "sentences": [{"sentence": 3, "citing_doc_ids": []}]})
    assert "at 'sentences.0.sentence'" in str(fail())


def test_a_page_that_is_no_json_points_at_the_address(server, fail):
    server.send(200, b"<html>proxy</html>", content_type="text/html")
    error = fail()
    assert error.kind == "garbled" and "check OPENAI_BASE_URL" in str(error)


def test_a_json_object_that_is_no_reply_points_at_the_interface(server, fail):
    server.send(200, {"error": "unknown endpoint"})
    error = fail()
    assert error.kind == "shape" and "check generation.api" in str(error)


def test_too_many_requests_are_retried_and_logged(server, run, evidence, caplog):
    server.send(429, {"error": {"message": "slow down"}}, **SOON)
    server.say(GOOD)
    with caplog.at_level(logging.WARNING, "engine.answer.client"):
        answer = run("answer", [evidence(1, "성은 높다.")], max_retries=2)
    assert len(answer.sentences) == 1 and len(server.requests) == 2
    assert [record.message for record in caplog.records] == [
        "the language model's server answered 429 and asks to wait 0.01 s",
        "asking the language model again: retry 1 of 2",
    ]


@pytest.mark.parametrize(
    ("status", "kind"), [(429, "rate-limited"), (503, "unavailable"), (408, "unavailable")]
)
def test_retries_have_a_cap(server, fail, status, kind):
    server.send(status, {"error": {"message": "busy"}}, **SOON)
    error = fail(max_retries=2)
    assert (error.kind, error.retryable) == (kind, True)
    assert len(server.requests) == 1 + 2


def test_a_spent_quota_is_not_worth_asking_again(server, fail):
    server.send(429, {"error": {"message": "quota", "code": "insufficient_quota"}}, **SOON)
    assert fail().retryable is False


def test_a_slow_server_times_out(server, fail):
    server.hang()
    error = fail(timeout_seconds=0.1)
    assert (error.kind, error.retryable) == ("timeout", True)
    assert "silent for 0.1 s in each of 1 tries" in str(error)


def test_a_cut_connection_shows_nothing(server, fail):
    server.hang_up()
    error = fail()
    assert (error.kind, error.retryable) == ("connection", True)


def test_a_server_that_is_not_there(server, fail, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert fail().kind == "connection"


def test_a_refused_key_is_named_but_not_shown(server, fail):
    server.send(401, {"error": {"message": "Incorrect API key provided: sk-test-0123456789abcdef"}})
    error = fail()
    assert error.kind == "denied" and "check OPENAI_API_KEY" in str(error)


def test_what_the_server_says_is_passed_on_without_the_key(server, fail):
    said = "no model 'asked-model'\nfor key sk-test-0123456789abcdef"
    server.send(404, {"error": {"message": said}})
    error = fail()
    assert error.kind == "rejected"
    assert "(404): no model 'asked-model' for key ***; check the model's name" in str(error)


@pytest.mark.parametrize("api", ["responses"], indirect=True)
def test_only_output_text_of_final_messages_is_joined(server, run, evidence):
    head, tail = (
        '{"answerable": true, "sentences": [',
        ('{"sentence": "성은 높다.", "citing_doc_ids": ["DOC_1"]}]}'),
    )
    thinking = {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "생각"}]}
    aside = {
        "type": "message",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "잠깐"}],
    }
    parts = [{"type": "output_text", "text": head}, {"type": "output_text", "text": tail}]
    final = {"type": "message", "status": "completed", "content": parts}
    server.say("", output=[thinking, aside, final])
    assert len(run("answer", [evidence(1, "성은 높다.")]).sentences) == 1


@pytest.mark.parametrize("api", ["responses"], indirect=True)
def test_a_message_cut_inside_a_completed_reply_is_not_shown(server, fail):
    part = {"type": "output_text", "text": '{"answerable": false, "sentences": []}'}
    server.say("", output=[{"type": "message", "status": "incomplete", "content": [part]}])
    assert fail().kind == "incomplete"
