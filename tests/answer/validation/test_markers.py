import pytest

from engine.answer.validation.markers import blank_markers, check_markers, find_markers
from engine.types import Draft, DraftSentence


def item(text):
    return Draft("summary", (DraftSentence(text, (), "S1-P1"),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[R1]", ["R1"]), ("[R1][R3]", ["R1", "R3"]), ("[R1, R3]", ["R1", "R3"]),
        ("[R1-R3]", ["R1", "R2", "R3"]), ("[R1~3]", ["R1", "R2", "R3"]), ("［Ｒ１］", ["R1"]),
        ("[r2]", ["R2"]), ("[ R 2 ]", ["R2"]), ("[R1·R2]", ["R1", "R2"]), ("R1", []), ("[1]", []),
        ("[RX1]", []),
    ],
)  # fmt: skip
def test_markers_are_read_in_any_spelling(text, expected):
    assert [marker for marker, _ in find_markers(text)] == expected


def test_a_summary_keeps_its_sources_markers(evidence):
    sent = evidence("효과가 있었다[R1]. 다만 작았다[R2].")
    assert check_markers(item("작은 효과가 있었다[R1, R2]."), sent) == []


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("효과가 있었다[R1].", "빠진 참고문헌 표시입니다: [R2]"),
        ("효과가 있었다[R1][R2][R3].", "인용한 근거에 없는 참고문헌 표시입니다: [R3]"),
    ],
)
def test_a_summary_may_lose_or_gain_no_marker(text, detail, evidence):
    sent = evidence("효과가 있었다[R1]. 다만 작았다[R2].")
    assert [f.detail for f in check_markers(item(text), sent)] == [detail]


def test_an_answer_may_drop_markers_but_not_invent_them(evidence, answer):
    sent = evidence("효과가 있었다[R1].", "비용이 들었다[R4].")
    assert check_markers(answer("효과가 있었다."), sent) == []
    (finding,) = check_markers(answer("효과가 있었다[R4]."), sent)
    assert finding.detail == "인용한 근거에 없는 참고문헌 표시입니다: [R4]"
    assert finding.span == (7, 11)
    assert check_markers(answer("비용이 들었다[R4].", "DOC_2"), sent) == []


def test_blanking_keeps_the_length():
    assert blank_markers("효과[R1]가") == "효과    가"
