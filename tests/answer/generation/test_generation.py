"""Whole runs against a scripted server, through the real SDK, on both interfaces."""

import json
import unicodedata

import pytest

from engine.errors import GenerationError

BUILT = "화성은 1796년에 완성되었다.\n공사에는 34개월이 걸렸다."
GOOD = {
    "answerable": True,
    "sentences": [{"sentence": "화성은 1796년에 완성되었다.", "citing_doc_ids": ["DOC_1"]}],
}


def answer_of(*sentences):
    rows = [{"sentence": text, "citing_doc_ids": ids} for text, ids in sentences]
    return {"answerable": True, "sentences": rows}


def items_of(*items):
    return {"items": [{"source_id": name, "text": text} for name, text in items]}


def test_a_good_answer_is_cited_to_its_line_and_page(server, run, evidence):
    server.say(GOOD)
    answer = run("answer", [evidence(1, BUILT)])
    assert [s.text for s in answer.sentences] == ["화성은 1796년에 완성되었다."]
    assert answer.sentences[0].citations == (1,)
    citation = answer.citations[0]
    assert citation.quote == "화성은 1796년에 완성되었다."
    assert (citation.pages, citation.source_ids) == ((1, 1), ("S1-P1",))
    assert answer.generated and answer.refusal is None and answer.pruned == ()


def test_the_request_is_strict_unstored_and_limited(server, run, evidence, api):
    server.say(GOOD)
    run("answer", [evidence(1, BUILT), evidence(2, "다른 글이다.")], max_output_tokens=321)
    path, headers, body = server.requests[0]
    assert headers["authorization"] == "Bearer sk-test-0123456789abcdef"
    assert (body["model"], body["store"]) == ("asked-model", False)
    if api == "responses":
        assert path == "/v1/responses" and body["max_output_tokens"] == 321
        form = body["text"]["format"]
    else:
        assert path == "/v1/chat/completions" and body["max_tokens"] == 321
        form = body["response_format"]["json_schema"]
    assert form["strict"] is True
    cited = form["schema"]["properties"]["sentences"]["items"]["properties"]["citing_doc_ids"]
    assert cited["items"]["enum"] == ["DOC_1", "DOC_2"]


def test_a_fake_id_is_pruned_with_its_reason(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다.", ["DOC_1"]), ("거짓이다.", ["DOC_9"])))
    answer = run("answer", [evidence(1, BUILT)])
    assert [s.text for s in answer.sentences] == ["화성은 1796년에 완성되었다."]
    assert [(s.text, s.verdict, s.reasons) for s in answer.pruned] == [
        ("거짓이다.", "unsupported", ("보내지 않은 근거: DOC_9",))
    ]


def test_the_strict_policy_refuses_the_whole_answer(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다.", ["DOC_1"]), ("거짓이다.", ["DOC_9"])))
    answer = run("answer", [evidence(1, BUILT)], {"policy": "strict"})
    assert answer.sentences == () and answer.citations == ()
    assert answer.refusal == (
        "초안의 2문장 가운데 1문장이 검증을 통과하지 못해 답 전체를 제시하지 않습니다."
    )
    assert [s.text for s in answer.pruned] == ["거짓이다."]


def test_findings_go_back_to_the_model_and_the_mended_draft_is_shown(server, run, evidence):
    server.say(answer_of(("완성은 1796년이다.", ["DOC_9"])))
    server.say(GOOD)
    answer = run("answer", [evidence(1, BUILT)], {"max_regenerations": 1})
    assert [s.text for s in answer.sentences] == ["화성은 1796년에 완성되었다."]
    assert "- 1번 문장: 보내지 않은 근거: DOC_9" in server.prompt(1)
    assert "완성은 1796년이다. (DOC_9)" in server.prompt(1)
    assert [len(a["findings"]) for a in answer.audit["attempts"]] == [1, 0]
    assert answer.audit["shown"] == 2


def test_regeneration_stops_at_its_limit(server, run, evidence):
    server.say(answer_of(("거짓이다.", ["DOC_9"])))
    answer = run("answer", [evidence(1, BUILT)], {"max_regenerations": 2})
    assert len(server.requests) == 1 + 2
    assert answer.refusal == "초안의 1문장이 모두 검증을 통과하지 못해 답을 제시하지 않습니다."
    assert answer.sentences == ()


def test_a_draft_without_any_citation_gets_one_repair_then_a_refusal(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다.", [])))
    answer = run("answer", [evidence(1, BUILT)], {"max_regenerations": 0})
    assert len(server.requests) == 1 + 1
    assert answer.refusal == "문장에 인용이 없어 답을 제시하지 않습니다."
    assert answer.pruned[0].reasons == ("인용이 없는 문장",)


def test_an_orphan_among_cited_sentences_is_pruned(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다.", ["DOC_1"]), ("그렇다.", [])))
    answer = run("answer", [evidence(1, BUILT)])
    assert [s.text for s in answer.pruned] == ["그렇다."]
    assert len(answer.sentences) == 1


def test_a_worse_second_draft_does_not_replace_a_better_first(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다.", ["DOC_1"]), ("거짓.", ["DOC_9"])))
    server.say(answer_of(("모두 거짓.", ["DOC_8"])))
    answer = run("answer", [evidence(1, BUILT)], {"max_regenerations": 1})
    assert [s.text for s in answer.sentences] == ["화성은 1796년에 완성되었다."]
    assert answer.audit["shown"] == 1


def test_an_unanswerable_question_is_refused_without_sentences(server, run, evidence):
    server.say({"answerable": False, "sentences": GOOD["sentences"]})
    answer = run("answer", [evidence(1, BUILT)], {"max_regenerations": 1})
    assert answer.refusal == "찾은 근거만으로는 답할 수 없습니다."
    assert answer.sentences == () and len(server.requests) == 1


def test_an_empty_draft_is_never_a_success(server, run, evidence):
    server.say({"answerable": True, "sentences": []})
    answer = run("answer", [evidence(1, BUILT)])
    assert answer.refusal == "모델이 문장을 하나도 쓰지 않아 답을 제시하지 않습니다."


def test_without_evidence_nothing_is_sent_and_no_key_is_needed(server, run, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    answer = run("answer", [])
    assert answer.refusal == "질문과 겹치는 단락을 찾지 못했습니다."
    assert not answer.generated and server.requests == []


def test_citations_are_numbered_in_order_of_use_and_shared(server, run, evidence):
    server.say(
        answer_of(
            ("공사에는 34개월이 걸렸다.", ["DOC_2"]),
            ("화성은 1796년에 완성되었다.", ["DOC_1", "DOC_2"]),
            ("공사에는 34개월이 걸렸다.", ["DOC_2"]),
        )
    )
    answer = run("answer", [evidence(1, BUILT), evidence(2, "공사에는 34개월이 걸렸다.")])
    assert [s.citations for s in answer.sentences] == [(1,), (2, 1), (1,)]
    assert [(c.number, c.evidence_id) for c in answer.citations] == [(1, "DOC_2"), (2, "DOC_1")]


def test_a_paragraph_given_as_one_sentence_stands_sentence_by_sentence(server, run, evidence):
    first, second = "화성은 1796년에 완성되었다.", "공사에는 34개월이 걸렸다."
    server.say(answer_of((f"{first} {second}", ["DOC_1"])))
    answer = run("answer", [evidence(1, BUILT)])
    assert [s.text for s in answer.sentences] == [first, second]
    assert [c.quote for c in answer.citations] == [first, second]


def test_ids_written_into_a_sentence_count_and_are_not_shown(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다 [DOC_1].", ["DOC_1"])))
    answer = run("answer", [evidence(1, BUILT)])
    assert answer.sentences[0].text == "화성은 1796년에 완성되었다."


def test_a_decomposed_reply_is_composed(server, run, evidence):
    text = "화성은 1796년에 완성되었다."
    server.say(answer_of((unicodedata.normalize("NFD", text), ["DOC_1"])))
    assert run("answer", [evidence(1, BUILT)]).sentences[0].text == text


def test_a_summary_keeps_source_order_sections_and_markers(server, run, evidence):
    first = evidence(1, "성을 쌓았다 [R1].", section="1. 배경")
    second = evidence(
        2, "거중기를 썼다 [R2].", section="2. 방법", references={"R2": "정약용 (1792)"}
    )
    server.say(items_of(("S2-P1", "거중기 사용 [R2]."), ("S1-P1", "축성 [R1].")))
    answer = run("summary", [first, second])
    assert [(s.section, s.text) for s in answer.sentences] == [
        ("1. 배경", "축성 [R1]."), ("2. 방법", "거중기 사용 [R2]."),
    ]  # fmt: skip
    assert answer.references == {"R2": "정약용 (1792)"}
    assert answer.citations[1].quote == "거중기를 썼다 [R2]."


def test_a_moved_marker_fails_both_items_and_they_are_listed_as_left_out(server, run, evidence):
    sources = [evidence(n, f"단락 {n}이다 [R{n}].", section=f"{n}절") for n in (1, 2, 3)]
    server.say(items_of(("S1-P1", "하나 [R2]."), ("S2-P1", "둘 [R1]."), ("S3-P1", "셋 [R3].")))
    answer = run("summary", sources)
    assert [s.text for s in answer.sentences] == ["셋 [R3]."]
    assert [s.reasons for s in answer.pruned] == [("참고문헌 표시가 다름",)] * 2
    assert [(o.source_id, o.section_path) for o in answer.omitted] == [
        ("S1-P1", ("1절",)), ("S2-P1", ("2절",)),
    ]  # fmt: skip


def test_a_missing_item_is_told_and_listed(server, run, evidence):
    server.say(items_of(("S1-P1", "하나.")))
    answer = run("summary", [evidence(1, "단락 하나이다."), evidence(2, "단락 둘이다.")])
    assert answer.notices == ("빠진 출처: S2-P1",)
    assert [o.text for o in answer.omitted] == ["단락 둘이다."]


def test_a_missing_item_refuses_a_strict_summary(server, run, evidence):
    server.say(items_of(("S1-P1", "하나.")))
    sources = [evidence(1, "단락 하나이다."), evidence(2, "단락 둘이다.")]
    answer = run("summary", sources, {"policy": "strict"})
    assert answer.refusal == "초안 전체가 검증을 통과하지 못해 답을 제시하지 않습니다."


def test_a_summary_is_sent_one_core_a_section(server, run, evidence):
    server.say(items_of(("S1-P2", "요약.")))
    run("summary", [evidence(1, "앞 단락이다.\n맞은 단락이다.", core="맞은 단락이다.")])
    assert "맞은 단락이다." in server.prompt() and "앞 단락이다." not in server.prompt()


def test_the_audit_can_be_written_as_json_and_holds_no_key(server, run, evidence):
    server.say(answer_of(("화성은 1796년에 완성되었다.", ["DOC_1"]), ("거짓.", ["DOC_9"])))
    answer = run("answer", [evidence(1, BUILT)])
    text = json.dumps(answer.audit, ensure_ascii=False)
    assert "sk-test" not in text and "127.0.0.1" not in text
    attempt = answer.audit["attempts"][0]
    assert (attempt["model"], attempt["answered_by"]) == ("asked-model", "served-model")
    assert attempt["usage"] == {"total_tokens": 7} and len(attempt["request"]) == 64
    assert attempt["draft"]["sentences"][1]["cited"] == ("DOC_9",)


def test_an_unusable_reply_is_asked_for_again_and_said_so(server, run, evidence):
    server.say("이것은 JSON이 아닙니다")
    server.say(GOOD)
    answer = run("answer", [evidence(1, BUILT)], {"max_regenerations": 1})
    assert len(answer.sentences) == 1
    assert "이전 답은 쓸 수 없었다(garbled)" in server.prompt(1)
    assert answer.audit["attempts"][0]["error"]["kind"] == "garbled"


def test_a_reply_that_stays_unusable_is_an_error(server, run, evidence):
    server.say("이것은 JSON이 아닙니다")
    with pytest.raises(GenerationError, match="reply is not JSON") as caught:
        run("answer", [evidence(1, BUILT)], {"max_regenerations": 1})
    assert (caught.value.kind, len(server.requests)) == ("garbled", 1 + 1)
