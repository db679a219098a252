import pytest

from engine.answer.validation.idle import check_idle
from engine.answer.validation.sources import read_sources
from engine.types import Draft, DraftSentence

WALL = "정조는 1796년에 화성을 완성하였다."
CRANE = "정약용은 도르래로 돌을 드는 거중기를 고안하였다."
GRAVE = "정조는 아버지의 무덤을 옮겼다."


def idle(korean, evidence, text, *cited, kind="answer"):
    found = evidence(WALL, CRANE, GRAVE, WALL + " 잔치도 열었다.")
    draft = Draft(kind, (DraftSentence(text, cited),))
    return [
        f.evidence_id for f in check_idle(draft, found, read_sources(found, korean), korean)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cited", "expected"),
    [
        pytest.param(WALL, ("DOC_1", "DOC_2", "DOC_3"), ["DOC_2", "DOC_3"], id="quoted from one"),
        pytest.param(WALL, ("DOC_1", "DOC_4"), [], id="quoted from two"),
        pytest.param("1796년에 정조가 화성을 완성했다.", ("DOC_1", "DOC_2"), ["DOC_2"], id="respelled"),
        pytest.param("정조는 화성을 완성하고 아버지의 무덤을 옮겼다.", ("DOC_1", "DOC_3"), [], id="from two"),
        pytest.param("정조는 성을 지었다.", ("DOC_1", "DOC_2"), [], id="no source holds it whole"),
        pytest.param(WALL, ("DOC_2",), [], id="the only one stays, however wrong"),
        pytest.param(WALL, ("DOC_2", "DOC_3"), [], id="none holds it"),
    ],
)  # fmt: skip
def test_a_citation_that_adds_nothing_is_found(korean, evidence, text, cited, expected):
    assert idle(korean, evidence, text, *cited) == expected


def test_an_item_of_a_summary_has_one_source(korean, evidence):
    assert idle(korean, evidence, WALL, "DOC_1", "DOC_2", kind="summary") == []


def test_it_is_a_warning_and_names_what_was_taken_off(korean, evidence):
    found = evidence(WALL, CRANE)
    draft = Draft("answer", (DraftSentence(WALL, ("DOC_1", "DOC_2")),))
    (finding,) = check_idle(draft, found, read_sources(found, korean), korean)
    assert (finding.severity, finding.sentence) == ("warning", 0)
    assert finding.detail == "DOC_2에는 이 문장에 보탤 내용이 없어 출처에서 뺐습니다."
