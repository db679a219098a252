import pytest

from engine.answer.validation.completeness import check_completeness
from engine.types import Draft, DraftSentence


def summary(*items):
    return Draft("summary", tuple(DraftSentence(text, (), source_id) for source_id, text in items))


def test_one_item_a_source_is_complete(evidence):
    assert (
        check_completeness(summary(("S1-P1", "가."), ("S2-P1", "나.")), evidence("가", "나")) == []
    )


@pytest.mark.parametrize("name", ["S1-P1", "d:S1-P1", "DOC_1", "doc_1"])
def test_a_source_is_named_by_source_block_or_evidence_id(name, evidence):
    assert check_completeness(summary((name, "가.")), evidence("가")) == []


@pytest.mark.parametrize(
    ("items", "at", "detail"),
    [
        pytest.param([("S1-P1", "가.")], None, "요약에서 빠진 출처입니다: S2-P1", id="missing"),
        pytest.param(
            [("S1-P1", "가."), ("S2-P1", "나."), ("S1-P1", "다.")], 2,
            "같은 출처를 두 번 요약했습니다: S1-P1", id="doubled",
        ),
        pytest.param(
            [("S1-P1", " - "), ("S2-P1", "나.")], 0, "요약이 비어 있습니다: S1-P1", id="empty"
        ),
        pytest.param(
            [("S1-P1", "[DOC_1]"), ("S2-P1", "나.")], 0, "요약이 비어 있습니다: S1-P1",
            id="only-an-id",
        ),
        pytest.param(
            [("S1-P1", "가."), ("S2-P1", "나."), ("S9-P1", "다.")], 2,
            "보내지 않은 출처의 항목입니다: S9-P1", id="unknown",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_summary_is_named(items, at, detail, evidence):
    (finding,) = check_completeness(summary(*items), evidence("가", "나"))
    assert (finding.sentence, finding.detail) == (at, detail)


def test_an_answer_owes_no_source_anything(evidence, answer):
    assert check_completeness(answer("가."), evidence("가", "나")) == []
