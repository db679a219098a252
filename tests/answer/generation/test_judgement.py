"""A sentence passes only if the checks, the verdict and its source all agree."""

import pytest

from engine.answer.assembly import assemble
from engine.answer.client import Exchange
from engine.answer.judgement import Attempt, best, judge, named_sources
from engine.types import Draft, DraftSentence, Finding, Validation


def attempt(*sentences, verdicts=None, findings=()):
    draft = Draft("answer", tuple(DraftSentence(text, ids) for text, ids in sentences))
    verdicts = verdicts or ("supported",) * len(sentences)
    checked = Validation(tuple(verdicts), (None,) * len(sentences), tuple(findings))
    return Attempt(Exchange("key", "model", {}), draft, checked)


HIGH = ("성은 높다.", ("DOC_1",))


@pytest.mark.parametrize("verdict", ["unsupported", "contradicted"])
def test_a_failing_verdict_fails_even_without_a_finding(evidence, verdict):
    (judged,) = judge(attempt(HIGH, verdicts=[verdict]), [evidence(1, "성은 높다.")])
    assert (judged.verdict, judged.reasons) == (verdict, ("검증을 통과하지 못했습니다.",))


@pytest.mark.parametrize(("contradicts", "shown"), [(True, "contradicted"), (False, "unsupported")])
def test_a_sentence_with_an_error_is_never_called_supported(evidence, contradicts, shown):
    error = Finding("polarity", 0, "부정이 다름", contradicts=contradicts)
    (judged,) = judge(attempt(HIGH, findings=[error]), [evidence(1, "성은 높다.")])
    assert (judged.verdict, judged.reasons) == (shown, ("부정이 다름",))


def test_a_sentence_without_a_known_source_fails_whatever_the_checks_say(evidence):
    (judged,) = judge(attempt(("성은 높다.", ("DOC_2",))), [evidence(1, "성은 높다.")])
    assert judged.reasons == ("인용한 출처를 찾을 수 없습니다.",)


def test_a_warning_is_shown_and_fails_nothing(evidence):
    warning = Finding("literals", 0, "띄어쓰기가 다름", severity="warning")
    tried = attempt(HIGH, verdicts=["unverified"], findings=[warning])
    answer = assemble("질문", tried, (evidence(1, "성은 높다."),), (), "strict", {})
    assert [(s.verdict, s.reasons) for s in answer.sentences] == [
        ("unverified", ("띄어쓰기가 다름",))
    ]


def test_without_a_closest_sentence_the_core_is_quoted(evidence):
    source = evidence(1, "앞이다.\n성은 높다.", core="성은 높다.")
    answer = assemble("질문", attempt(HIGH), (source,), (), "prune", {})
    assert answer.citations[0].quote == "성은 높다."


def test_of_equal_attempts_the_latest_counts(evidence):
    first, second = attempt(HIGH), attempt(("성은 아주 높다.", ("DOC_1",)))
    worse = attempt(("성은 높다.", ("DOC_7",)))
    sent = [evidence(1, "성은 높다.")]
    assert best([first, second, worse], sent) is second
    assert best([Attempt(first.exchange)], sent) is None


@pytest.mark.parametrize("spelled", ["DOC_1", "[DOC_1]", "doc-1", "ＤＯＣ＿１", "DOC_3, DOC_1"])
def test_an_id_is_known_in_its_usual_spellings(evidence, spelled):
    sent = [evidence(1, "성은 높다."), evidence(12, "성은 낮다.")]
    assert named_sources(DraftSentence("글.", (spelled,)), sent) == (sent[0],)


def test_a_marker_that_two_documents_share_keeps_both_entries(evidence):
    one = evidence(1, "성은 높다 [R1].", references={"R1": "김 (1990)"})
    two = evidence(2, "성은 길다 [R1].", references={"R1": "이 (2001)"})
    tried = attempt(("성은 높다 [R1].", ("DOC_1",)), ("성은 길다 [R1].", ("DOC_2",)))
    answer = assemble("질문", tried, (one, two), (), "prune", {})
    assert answer.references == {"R1": "김 (1990)", "성곽2:R1": "이 (2001)"}
