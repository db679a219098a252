"""Stages are told as they begin; a sentence is told only once it is checked."""

import asyncio
import dataclasses
import json
import threading

import pytest

from engine.answer.generation import generate_async, stream, stream_async
from engine.errors import GenerationError

BAD = {"answerable": True, "sentences": [{"sentence": "거짓이다.", "citing_doc_ids": ["DOC_9"]}]}
GOOD = {"answerable": True, "sentences": [{"sentence": "성은 높다.", "citing_doc_ids": ["DOC_1"]}]}
QUESTION = "성은 높은가요?"


@pytest.fixture
def parts(configure, korean, oracle):
    return {"config": configure({"max_regenerations": 1}), "korean": korean, "validate": oracle}


def test_stages_come_in_order_and_only_the_last_holds_sentences(server, parts, evidence):
    server.say(BAD)
    server.say(GOOD)
    sources = [evidence(1, "성은 높다.")]
    events = list(stream("answer", QUESTION, sources, **parts))
    assert [(e.stage, e.attempt) for e in events] == [
        ("evidence", 0), ("drafting", 1), ("checking", 1), ("drafting", 2), ("checking", 2),
        ("final", 2),
    ]  # fmt: skip
    assert events[0].evidence == tuple(sources)
    assert "거짓이다" not in str(events[:-1]) and all(e.answer is None for e in events[:-1])
    assert events[-1].answer.sentences[0].text == "성은 높다."


def test_a_stage_is_told_before_its_work_is_done(server, parts, evidence):
    server.say(GOOD)
    events = stream("answer", QUESTION, [evidence(1, "성은 높다.")], **parts)
    seen = {next(events).stage: len(server.requests) for _ in range(3)}
    assert seen == {"evidence": 0, "drafting": 0, "checking": 1}


def test_a_listener_hears_the_same_stages(server, run, evidence):
    server.say(GOOD)
    heard = []
    run("answer", [evidence(1, "성은 높다.")], on_event=lambda event: heard.append(event.stage))
    assert heard == ["evidence", "drafting", "checking", "final"]


def test_without_evidence_the_stream_ends_at_once(server, parts):
    events = list(stream("answer", QUESTION, [], **parts))
    assert [e.stage for e in events] == ["evidence", "final"]


def test_async_gives_the_same_answer(server, parts, evidence):
    server.say(BAD)
    server.say(GOOD)
    sources = [evidence(1, "성은 높다.")]
    blocking = list(stream("answer", QUESTION, sources, **parts))[-1].answer
    server.script.clear()
    server.say(BAD)
    server.say(GOOD)
    answer = asyncio.run(generate_async("answer", QUESTION, sources, **parts))
    assert json.dumps(dataclasses.asdict(answer)) == json.dumps(dataclasses.asdict(blocking))


def test_async_streams_the_same_stages(server, parts, evidence):
    server.say(GOOD)

    async def stages():
        events = stream_async("answer", QUESTION, [evidence(1, "성은 높다.")], **parts)
        return [event.stage async for event in events]

    assert asyncio.run(stages()) == ["evidence", "drafting", "checking", "final"]


def test_async_questions_run_at_the_same_time(server, parts, evidence):
    """Each of two checks waits for the other, which only works if neither blocks."""
    server.say(GOOD)
    both = asyncio.Barrier(2)

    async def ask():
        events = stream_async("answer", QUESTION, [evidence(1, "성은 높다.")], **parts)
        async for event in events:
            if event.stage == "checking":
                await both.wait()
        return event.answer

    async def ask_both():
        return await asyncio.wait_for(asyncio.gather(ask(), ask()), 10)

    assert all(answer.sentences for answer in asyncio.run(ask_both()))


def test_async_checks_leave_the_event_loop_free(server, parts, evidence, oracle):
    server.say(GOOD)
    threads = []

    def noting(draft, sources):
        threads.append(threading.get_ident())
        return oracle(draft, sources)

    parts["validate"] = noting
    asyncio.run(generate_async("answer", QUESTION, [evidence(1, "성은 높다.")], **parts))
    assert len(threads) == 1 and threading.get_ident() not in threads


def test_async_retries_and_errors_are_the_same(server, parts, evidence, configure):
    server.send(429, {"error": {"message": "slow down"}}, retry_after="0.01")
    server.say({"answerable": True})
    parts["config"] = configure(max_retries=1)
    with pytest.raises(GenerationError, match="wrong shape at 'sentences'") as caught:
        asyncio.run(generate_async("answer", QUESTION, [evidence(1, "성은 높다.")], **parts))
    assert (caught.value.kind, len(server.requests)) == ("shape", 2)


def test_a_slow_server_times_out_in_async_too(server, parts, evidence, configure):
    server.hang()
    parts["config"] = configure(timeout_seconds=0.1)
    with pytest.raises(GenerationError, match=r"silent for 0\.1 s"):
        asyncio.run(generate_async("answer", QUESTION, [evidence(1, "성은 높다.")], **parts))
