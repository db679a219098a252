"""The budget: every core whole, then context for the best first."""

import dataclasses

import pytest

from engine.answer.context import body_span, fit, widen

CORE = "핵심 문장이다."
LONG = f"앞의 앞 문장이다.\n앞 문장이다.\n{CORE}\n뒤 문장이다.\n뒤의 뒤 문장이다."


def test_all_is_sent_while_it_fits(evidence, korean):
    sources = (evidence(1, LONG, core=CORE), evidence(2, LONG, core=CORE))
    assert fit(sources, 2 * len(LONG), korean) == (sources, ())


def test_the_best_gets_the_context_and_both_keep_their_cores(evidence, korean):
    sources = (evidence(1, LONG, core=CORE), evidence(2, LONG, core=CORE))
    sent, unsent = fit(sources, len(LONG) + len(CORE), korean)
    assert [e.text for e in sent] == [LONG, CORE] and unsent == ()


def test_the_best_is_the_first_by_rank_not_by_place(evidence, korean):
    sources = (evidence(2, LONG, core=CORE), evidence(1, LONG, core=CORE))
    sent, _ = fit(sources, len(LONG) + len(CORE), korean)
    assert [(e.evidence_id, e.text) for e in sent] == [("DOC_2", CORE), ("DOC_1", LONG)]


def test_what_does_not_fit_with_its_core_is_left_out_and_told(evidence, korean):
    sources = [evidence(n, CORE) for n in (1, 2, 3)]
    sent, unsent = fit(sources, 2 * len(CORE), korean)
    assert [e.evidence_id for e in sent] == ["DOC_1", "DOC_2"]
    assert [e.evidence_id for e in unsent] == ["DOC_3"]


def test_a_core_longer_than_the_budget_is_sent_whole(evidence, korean):
    sent, _ = fit([evidence(1, LONG)], 3, korean)
    assert sent[0].text == LONG


def test_context_grows_by_whole_sentences_after_first(korean):
    start = LONG.index(CORE)
    core = (start, start + len(CORE))
    after = len("\n뒤 문장이다.")
    begin, end = widen(LONG, core, after, korean)
    assert LONG[begin:end] == f"{CORE}\n뒤 문장이다."
    assert widen(LONG, core, after - 1, korean) == core


def test_a_cut_evidence_has_the_provenance_of_its_slice(evidence, korean):
    (source,), _ = fit([evidence(1, LONG, core=CORE)], 20, korean)
    assert source.text == f"{CORE}\n뒤 문장이다."
    assert (source.source_ids, source.pages) == (("S1-P3", "S1-P4"), (3, 4))
    assert [source.text[p.start : p.end] for p in source.passages] == source.text.split("\n")


def test_markers_outside_the_slice_are_dropped(evidence, korean):
    source = evidence(1, "앞이다 [R1].\n핵심이다 [R2].", core="핵심이다 [R2].")
    (cut,), _ = fit([source], 1000, korean, cores_only=True)
    assert (cut.text, cut.markers) == ("핵심이다 [R2].", ("R2",))


def test_a_heading_inside_a_core_is_neither_summarized_nor_quoted(evidence, korean):
    source = evidence(1, "1. 배경\n성을 쌓았다.")
    heading = dataclasses.replace(source.passages[0], kind="heading")
    source = dataclasses.replace(source, passages=(heading, source.passages[1]))
    (sent,), _ = fit([source], 1000, korean, cores_only=True)
    assert (sent.text, sent.source_ids) == ("성을 쌓았다.", ("S1-P2",))
    assert source.text[slice(*body_span(source))] == "성을 쌓았다."


@pytest.mark.parametrize("api", ["responses"], indirect=True)
def test_the_reader_is_told_what_was_not_sent(server, run, evidence):
    server.say(
        {"answerable": True, "sentences": [{"sentence": "성.", "citing_doc_ids": ["DOC_1"]}]}
    )
    answer = run("answer", [evidence(1, "가" * 150), evidence(2, "나" * 150)], context_chars=200)
    assert answer.notices == ("분량 한도 때문에 모델에 보내지 않은 단락이 1개 있습니다.",)
    assert answer.audit["unsent"] == ["DOC_2"] and "나나" not in server.prompt()
