import pytest

from engine.answer.validation.polarity import check_polarity
from engine.answer.validation.signs import find_signs
from engine.answer.validation.sources import read_sources

TURNED = [
    ("신청자는 수수료를 납부하지 않는다.", "신청자는 수수료를 납부한다."),
    ("신청자는 수수료를 안 낸다.", "신청자는 수수료를 낸다."),
    ("보호자는 병실에 출입할 수 없다.", "보호자는 병실에 출입할 수 있다."),
    ("보호자는 병실에 출입하지 못한다.", "보호자는 병실에 출입할 수 있다."),
    ("병실 출입이 허용된다.", "병실 출입이 금지된다."),
    ("병실 출입을 금지한다.", "병실에 출입할 수 있다."),
    ("환불이 불가능하다.", "환불이 가능하다."),
    ("회의록은 비공개한다.", "회의록은 공개한다."),
    ("임금이 미지급되었다.", "임금이 지급되었다."),
    ("소득이 감소하였다.", "소득이 증가하였다."),
    ("수수료를 면제한다.", "수수료를 부과한다."),
    ("이 시설은 유료이다.", "이 시설은 무료이다."),
    ("그는 조합의 학생이 아니다.", "그는 조합의 학생이다."),
    ("이 약은 부작용이 없다.", "이 약은 부작용이 있다."),
    ("외국인은 대상에서 제외한다.", "외국인은 대상에 포함한다."),
    ("정보를 공개하지 아니할 수 있다.", "정보를 공개할 수 있다."),
    ("정보를 공개하여서는 아니 된다.", "정보를 공개하여야 한다."),
    ("가입을 신청한 적이 없다.", "가입을 신청한 적이 있다."),
    ("허가 없이 도로를 점용하였다.", "허가가 있어 도로를 점용하였다."),
    ("정원은 30명 이하로 한다.", "정원은 30명 이상으로 한다."),
    ("정원은 30명 초과로 한다.", "정원은 30명 이상으로 한다."),
    ("정원은 30명 미만으로 한다.", "정원은 30명 이하로 한다."),
    ("시행 전 신고하여야 한다.", "시행 후 신고하여야 한다."),
    ("공사를 시작하기 전에 신고한다.", "공사를 시작한 후에 신고한다."),
    ("3월 1일 이전에 신청한다.", "3월 1일 이후에 신청한다."),
    ("이 약은 식전에 투여한다.", "이 약은 식후에 투여한다."),
    ("이 약을 먹지 마십시오.", "이 약을 드시거나 먹으십시오."),
]
AGREEING = [
    ("신청자는 수수료를 납부하지 않습니다.", "신청자는 수수료를 납부하지 아니한다."),
    ("병실에 출입할 수 없다.", "병실 출입을 금지한다."),
    ("병실 출입이 불가능하다.", "병실에 출입할 수 없다."),
    ("수수료를 납부해야 한다.", "수수료를 납부하지 않으면 안 된다."),
    ("수수료를 납부한다.", "수수료를 납부하지 않을 수 없다."),
    ("수수료를 납부한다.", "수수료를 납부할 수밖에 없다."),
    ("소득이 증가하였다.", "소득이 감소하지 않고 증가하였다."),
    ("출입이 금지되지 않는다.", "출입이 허용된다."),
    ("학생뿐만 아니라 교사도 신청한다.", "학생과 교사가 신청한다."),
    ("정원은 30명 이상이다.", "정원은 30명 이상, 50명 이하이다."),
    ("이용 후 반납한다.", "이용 전 신청하고 이용 후 반납한다."),
    ("그것은 사실이 아니라고 생각한다.", "그것이 사실이라고 생각하지 않는다."),
    ("부작용이 있다.", "부작용이 없지 않다."),
    ("전혀 다른 이야기를 하지 않는다.", "수원 화성은 정조가 쌓았다."),
    ("공개 대상에서 제외된다.", "공개 대상에 포함되지 않는다."),
]


@pytest.mark.parametrize(("text", "source"), TURNED)
def test_a_turned_sentence_contradicts_its_source(text, source, korean, evidence, answer):
    sent = evidence(source)
    findings = check_polarity(answer(text), sent, read_sources(sent, korean), korean)
    assert findings and all(f.contradicts for f in findings)


@pytest.mark.parametrize(("text", "source"), AGREEING)
def test_agreement_in_other_words_is_no_contradiction(text, source, korean, evidence, answer):
    sent = evidence(source)
    assert check_polarity(answer(text), sent, read_sources(sent, korean), korean) == []


@pytest.mark.parametrize(("text", "source"), TURNED + AGREEING)
def test_a_sentence_never_contradicts_itself(text, source, korean, evidence, answer):
    sent = evidence(f"{source} {text}")
    assert check_polarity(answer(text), sent, read_sources(sent, korean), korean) == []


def test_the_finding_shows_the_words_and_the_source(korean, evidence, answer):
    sent = evidence("신청자는 수수료를 납부한다.")
    text = "신청자는 수수료를 납부하지 않는다."
    (finding,) = check_polarity(answer(text), sent, read_sources(sent, korean), korean)
    assert text[slice(*finding.span)] == "납부하지 않"
    assert finding.detail == (
        "근거와 긍정·부정이 반대입니다 (부정: 납부하지 않): 신청자는 수수료를 납부한다."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("납부하지 않는다.", -1), ("납부하지 않을 수 없다.", 1), ("납부하지 못했다.", -1),
        ("납부할 필요가 없다.", -1), ("납부할 수 있다.", 1), ("납부하지 않고 있다.", -1),
        ("납부하고 있지 않다.", -1), ("납부하지 않은 것은 아니다.", 1), ("미납부하였다.", -1),
        ("납부를 하지 않는다.", -1), ("납부한다고 볼 수 없다.", -1), ("납부하면 안 된다.", -1),
    ],
)  # fmt: skip
def test_each_negation_turns_the_sign(text, expected, korean):
    (morphemes,) = korean.morphemes([text])
    assert [s.sign for s in find_signs(morphemes) if s.concept == "납부"] == [expected]
