import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.answer.validation.entailment import Judgement
from engine.answer.validation.oracle import load_entailer, validate
from engine.config import ValidationSettings
from engine.errors import ModelError
from engine.types import Draft, DraftSentence
from tests.answer.validation.conftest import make_answer, make_evidence

SETTINGS = ValidationSettings()
TEXT = (
    "정원은 30명이며 신청은 2024년 3월 1일(금)까지 받는다.\n"
    "외국인은 신청할 수 없다. 수수료는 3만 5천 원을 납부하지 아니하면 안 된다[R2].\n"
    "제13조제2항에 따른 경우에는 ‘특별전형’으로 본다. 홍길동(洪吉童)은 OECD에서 일하였다.\n"
    "그러나 효과가 없지는 않았으며, 오후 3시 30분 이후에는 3~5일 이내로 줄었다."
)
PLAIN = [
    "정원은 30명이며 신청은 2024년 3월 1일(금)까지 받는다.", "외국인은 신청할 수 없다.",
    "수수료는 3만 5천 원을 납부하지 아니하면 안 된다[R2].",
    "제13조제2항에 따른 경우에는 ‘특별전형’으로 본다.", "홍길동(洪吉童)은 OECD에서 일하였다.",
    "그러나 효과가 없지는 않았으며, 오후 3시 30분 이후에는 3~5일 이내로 줄었다.",
]  # fmt: skip


class Judge:
    """Gives one judgement, and remembers what it was asked."""

    windowed = True

    def __init__(self, *judgement):
        self.judgement, self.asked = Judgement(*judgement), []

    def judge(self, pairs):
        self.asked += pairs
        return [self.judgement for _ in pairs]


def one(text, korean, entailer=None, cited="DOC_1"):
    result = validate(make_answer(text, cited), make_evidence(TEXT), korean, SETTINGS, entailer)
    return result.verdicts[0], [f.check for f in result.findings]


@given(st.integers(0, len(PLAIN) - 1), st.integers(1, 3), st.sampled_from(["", " [DOC_1]", "\n"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_verbatim_sentence_of_the_cited_evidence_passes_every_check(korean, first, n, tail):
    text = " ".join(PLAIN[first : first + n]) + tail
    assert one(text, korean) == ("supported", [])
    assert one(text, korean, Judge(0.0, 0.0, 1.0)) == ("supported", [])


def test_what_passed_in_code_only_is_unverified_not_supported(korean):
    assert one("신청을 받는 정원은 서른 명이다.", korean) == ("unverified", [])


def test_an_entailer_makes_it_supported(korean):
    judge = Judge(0.9, 0.1, 0.0)
    assert one("신청을 받는 정원은 서른 명이다.", korean, judge) == ("supported", [])
    assert all(hypothesis == "신청을 받는 정원은 서른 명이다." for _, hypothesis in judge.asked)


@pytest.mark.parametrize(
    ("judgement", "verdict"),
    [((0.2, 0.8, 0.0), "unsupported"), ((0.4, 0.0, 0.6), "contradicted"),
     ((0.5, 0.0, 0.5), "contradicted")],
)  # fmt: skip
def test_the_entailer_may_refuse_and_contradiction_wins(judgement, verdict, korean):
    assert one("신청을 받는 정원은 서른 명이다.", korean, Judge(*judgement)) == (
        verdict,
        ["entailment"],
    )


def test_a_failed_sentence_is_not_sent_to_the_entailer(korean):
    judge = Judge(0.9, 0.1, 0.0)
    assert one("신청을 받는 정원은 마흔 명이다.", korean, judge) == ("unsupported", ["literals"])
    assert judge.asked == []


def test_contradicted_beats_unsupported(korean):
    verdict, checks = one("외국인은 신청할 수 있다 [DOC_7].", korean)
    assert (verdict, sorted(checks)) == ("contradicted", ["existence", "polarity"])


@pytest.mark.parametrize(
    ("text", "cited", "check"),
    [
        ("외국인은 신청할 수 없다.", "DOC_7", "existence"),
        ("외국인은 신청할 수 없다[R9].", "DOC_1", "markers"),
    ],
)
def test_a_wrong_id_or_marker_is_unsupported(text, cited, check, korean):
    assert one(text, korean, cited=cited) == ("unsupported", [check])


def test_findings_keep_their_sentence_and_the_whole_drafts_come_last(korean):
    draft = Draft("summary", (DraftSentence("정원은 90명이다.", (), "S2-P1"),))
    result = validate(draft, make_evidence("가을이다.", "정원은 30명이다."), korean, SETTINGS)
    assert [(f.check, f.sentence) for f in result.findings] == [
        ("slots", 0), ("literals", 0), ("completeness", None),
    ] or [f.check for f in result.findings][-1] == "completeness"  # fmt: skip


def test_supports_place_each_sentence(korean):
    evidence = make_evidence(TEXT)
    result = validate(make_answer("외국인은 신청하지 못한다."), evidence, korean, SETTINGS)
    support = result.supports[0]
    assert TEXT[support.start : support.end] == support.quote == "외국인은 신청할 수 없다."


def test_a_sentence_without_evidence_has_no_support(korean):
    result = validate(
        make_answer("외국인은 신청한다.", "DOC_7"), make_evidence(TEXT), korean, SETTINGS
    )
    assert result.supports == (None,)


def test_an_empty_draft_is_valid(korean):
    result = validate(Draft("answer", ()), make_evidence(TEXT), korean, SETTINGS)
    assert (result.verdicts, result.findings) == ((), ())


@pytest.mark.parametrize(
    "false",
    [
        "정원은 30명이며 탈퇴는 2024년 3월 1일(금)까지 받는다.",
        "외국인은 신청할 수 없고 벌을 받는다.",
    ],
)
def test_the_limit_of_code_a_false_word_passes_and_the_verdict_says_so(false, korean):
    assert one(false, korean) == ("unverified", [])


def test_no_backend_loads_nothing():
    assert load_entailer(SETTINGS) is None


def test_an_llm_backend_needs_a_language_model():
    with pytest.raises(ModelError, match=r"entailment_backend: llm needs a language model"):
        load_entailer(ValidationSettings(entailment_backend="llm"))


ODD = st.text(
    "0123456789.,~-·/:'’\"“”()[]（［ＤDOC_R①②년월일시분제조항호만억천%원 \n가나않없이상前後가A$",
    max_size=60,
)


@given(ODD, ODD, ODD)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_text_however_odd_breaks_a_check(korean, text, cited, source):
    draft = Draft("answer", (DraftSentence(text, (cited, "DOC_1")),))
    result = validate(draft, make_evidence(source), korean, SETTINGS)
    assert len(result.verdicts) == len(result.supports) == 1
    for finding in result.findings:
        start, end = finding.span or (0, 0)
        assert 0 <= start <= end <= len(text)
