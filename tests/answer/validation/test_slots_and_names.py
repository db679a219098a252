import pytest

from engine.answer.validation.names import check_names
from engine.answer.validation.slots import check_slots
from engine.answer.validation.sources import read_sources


def check(text, source, korean, evidence, answer):
    sent = evidence(source)
    return check_slots(answer(text), sent, read_sources(sent, korean), korean)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("남학생은 50명이고 여학생은 30명이다.", "남학생은 30명이고 여학생은 50명이다."),
        ("신청 기간은 5일 이내로 한다.", "신청 기간은 3일 이내로 한다. 심사는 5일 걸린다."),
        ("단기 쉼터는 3년 이내 머문다.", "단기 쉼터는 3개월 이내 머문다. 중장기는 3년이다."),
        ("이 법은 제5조를 준용한다.", "이 법은 제3조를 준용한다. 다만 제5조는 제외한다."),
        ("그 성은 영조가 쌓았다.", "그 성은 정조가 쌓았다. 영조는 그의 할아버지이다."),
    ],
)
def test_another_value_in_the_same_place_is_found(text, source, korean, evidence, answer):
    assert check(text, source, korean, evidence, answer)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("남학생은 30명, 여학생은 50명입니다.", "남학생은 30명이고 여학생은 50명이다."),
        ("신청 기간은 사흘이 아니라 3일 이내이다.", "신청 기간은 3일 이내로 한다."),
        ("비용은 3만 5천 원 정도이다.", "비용은 35,000원 정도이다."),
        ("비용은 35,000원 정도이다.", "비용은 35,000 정도이다. (단위: 원)"),
    ],
)
def test_the_same_value_in_other_words_passes(text, source, korean, evidence, answer):
    assert check(text, source, korean, evidence, answer) == []


def test_the_finding_shows_both_values(korean, evidence, answer):
    (finding,) = check(
        "신청 기간은 5일 이내로 한다.", "신청 기간은 3일 이내로 한다.", korean, evidence, answer
    )
    assert finding.detail == "근거의 같은 자리에는 3일입니다 (5일): 신청 기간은 3일 이내로 한다."
    assert (finding.span, finding.contradicts) == ((7, 9), True)


def test_an_unknown_name_is_found(korean, evidence, answer):
    (finding,) = check_names(
        answer("그 성은 영조이 쌓았다."), evidence("그 성은 정조가 쌓았다."), korean
    )
    assert finding.detail == "인용한 근거에 없는 이름입니다: 영조"


@pytest.mark.parametrize(
    ("text", "source"),
    [("전북에서 열린다.", "전라북도에서 열린다."), ("서울에서 열린다.", "서울특별시에서 열린다.")],
)
def test_a_shortened_name_is_known(text, source, korean, evidence, answer):
    assert check_names(answer(text), evidence(source), korean) == []


def test_a_name_is_not_put_together_from_the_end_of_a_word(korean, evidence, answer):
    (finding,) = check_names(
        answer("그는 부산에 갔다."), evidence("사람들은 전부 산에 갔다."), korean
    )
    assert "부산" in finding.detail


def test_a_name_written_apart_is_known(korean, evidence, answer):
    assert (
        check_names(answer("수원화성을 보았다."), evidence("그는 수원 화성을 보았다."), korean)
        == []
    )
