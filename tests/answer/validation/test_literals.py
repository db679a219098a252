from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answer.validation.literals import check_literals, missing
from engine.text.facts import find_literals, read_source
from tests.answer.validation.conftest import make_answer, make_evidence

SAME = [
    ("3만 5천 원", "35,000원"),
    ("35,000원", "３５，０００원"),
    ("35000 원", "3만5천원"),
    ("삼만 원", "30000원"),
    ("삼만오천 원", "35,000원"),
    ("1.5억 원", "1억 5천만 원"),
    ("150,000,000원", "1.5억 원"),
    ("3억 2,500만 원", "325,000,000원"),
    ("35백만원", "3,500만 원"),
    ("1조 2천억 원", "1조2,000억원"),
    ("$300", "300달러"),
    ("₩35,000", "3만5천원"),
    ("12.5퍼센트", "12.5%"),
    ("3%p", "3퍼센트포인트"),
    ("3%p", "3%포인트"),
    ("5㎏", "5킬로그램"),
    ("1,500m", "1.5km"),
    ("3만여 명", "3만 명"),
    ("스물다섯 명", "25명"),
    ("25인", "스물다섯 사람"),
    ("석 달", "3개월"),
    ("3개월", "석 달"),
    ("세 번째", "3번째"),
    ("제3회", "3회 대회"),
    ("10일 이내", "10일이내"),
    ("3일간", "3일 동안"),
    ("3분의 1", "1/3"),
    ("2만 명", "20,000명이"),
    ("만 18세", "18세"),
    ("열두 시간", "12시간"),
    ("3,500만 원", "(단위: 천원)\n금액 | 35,000"),
    ("30명", "인원(명) | 30"),
    ("2024년 3월 1일", "2024.3.1."),
    ("2024. 3. 1.", "2024년 3월 1일"),
    ("2024-03-01", "2024년 3월 1일"),
    ("2024/3/1", "2024년 3월 1일"),
    ("’24.3.1", "2024년 3월 1일"),
    ("24년 3월 1일", "2024년 3월 1일"),
    ("2024년 3월", "2024년 3월 1일"),
    ("3월 1일", "2024-03-01"),
    ("2024년", "2024. 3. 1."),
    ("5월 2일", "2024.3.1.~5.2."),
    ("2024년 5월 2일", "2024년 3월 1일부터 5월 2일까지"),
    ("3월 5일", "3월 1일~5일"),
    ("8월 15일", "8.15."),
    ("2019~2021년", "2019년부터 2021년까지"),
    ("월요일", "3일(월)"),
    ("2024. 3. 1.(금)", "2024년 3월 1일 금요일"),
    ("수요일", "월·수·금요일"),
    ("화요일", "월~금요일"),
    ("오후 3시 30분", "15:30"),
    ("15시 30분", "오후 3시 반"),
    ("정오", "낮 12시"),
    ("오후 5시", "오후 2시~5시"),
    ("3시 30분", "오후 3시 30분"),
    ("09:00", "오전 9시"),
    ("3 PM", "3 pm"),
    ("3~5일", "3일부터 5일까지"),
    ("1901년", "1901~1902년"),
    ("1920년", "1920~40년대"),
    ("3일~5일", "3∼5일"),
    ("제3조", "제3조(목적)"),
    ("제13조제2항", "제13조 제2항"),
    ("제13조", "제13조제2항"),
    ("제2항", "제13조제2항"),
    ("제13조의2제1항", "제13조의2 제1항"),
    ("제13조 제2항", "제13조(벌칙)\n① 가나\n② 다라"),
    ("제13조제1항제3호", "제13조(벌칙)\n① 다음과 같다.\n 3. 가나"),
    ("제13조제3항", "제13조제2항 및 제3항"),
    ("COVID-19", "covid19"),
    ("OECD", "OECD(경제협력개발기구)"),
    ("e-mail", "email"),
    ("‘무과에 급제’", "무과(武科)에 급제하였다"),
    ("「민법」", "『민법』 제3조"),
    ("'가 나'", "“가나”"),
    ("洪吉童", "홍길동(洪吉童)"),
    ("02-123-4567", "02)123-4567"),
    ("제2024-15호", "공고 제2024-15호"),
    ("두 배", "2배"),
    ("세 단계", "3단계"),
    ("네 과목", "4과목"),
    ("이틀", "2일"),
    ("10일", "열흘간"),
    ("-3.2%", "△3.2%"),
    ("3월 4일", "3. 4.(월) 10:00"),
    ("3. 4.(월)", "3월 4일 월요일"),
    ("10월 10일", "10. 10. 18:00까지"),
    ("18:00", "10. 10. 18:00까지"),
    ("마이너스 3.2%", "(-3.2%)"),
    ("-3.2%", "3.2% 감소"),
    ("3.2% 감소", "△3.2%"),
    ("영하 40도", "-40℃"),
    ("20%", "10%-20%"),
    ("10~20%", "10% -20%"),
    ("-5달러", "-$5"),
    ("세대 간 사회 갈등", "다음 세대"),
]
DIFFERENT = [
    ("3개월", "3년"),
    ("35,000원", "35,000명"),
    ("3만 원", "3천 원"),
    ("3명", "13명"),
    ("13명", "3명"),
    ("1.5억 원", "15억 원"),
    ("12%", "12명"),
    ("12%p", "12%"),
    ("5킬로미터", "5미터"),
    ("스물네 명", "25명"),
    ("1/3", "2/3"),
    ("두 번째", "3번째"),
    ("2024년 3월 1일", "2024년 3월 2일"),
    ("2023년 3월", "2024년 3월"),
    ("2024년 4월 1일", "2024.3.1.~5.2."),
    ("2024-03-01", "2024-03-10"),
    ("월요일", "화요일"),
    ("오후 3시", "오전 3시"),
    ("오후 3시 30분", "15:40"),
    ("오전 9시", "오후 9시~10시"),
    ("제3조", "제13조"),
    ("제13조", "제3조"),
    ("제3조", "제13조제3항"),
    ("제3조의2", "제3조"),
    ("제3조", "제3조의2 및 3조 원"),
    ("제13조제2항", "제13조제1항"),
    ("3조 원", "제3조"),
    ("ABC", "ABCD"),
    ("A형", "B형"),
    ("'가나다'", "'가나 라'"),
    ("洪吉童", "홍길동(洪吉同)"),
    ("02-123-4567", "02-123-4568"),
    ("제2024-15호", "공고 제2024-16호"),
    ("3~5일", "3일 이내"),
    ("두 배", "3배"),
    ("세 단계", "네 단계"),
    ("이틀", "3일"),
    ("3월 5일", "3. 4.(월) 10:00"),
    ("2010년", "10. 10. 18:00까지"),
    ("열흘", "11일"),
    ("-3.2%", "3.2% 증가"),
    ("40도", "영하 40도"),
    ("영하 40도", "40도"),
    ("4회", "사회 문제"),
    ("3대", "다음 세대"),
]


@pytest.mark.parametrize(("text", "source"), SAME)
def test_another_spelling_is_stated(text, source):
    assert missing(f"값은 {text}", [read_source(f"값은 {source}\n끝.")]) == []


@pytest.mark.parametrize(("text", "source"), DIFFERENT)
def test_another_value_is_not_stated(text, source):
    assert missing(f"값은 {text}", [read_source(f"값은 {source}\n끝.")])


def test_a_weekday_beside_a_date_counts():
    assert [x.text for x in missing("3월 1일(토)", [read_source("3월 1일(금)")])] == ["(토)"]


@pytest.mark.parametrize(
    "text",
    [
        "다시 한 번 읽는다.",
        "만 하루가 걸린다.",
        "일 년 내내",
        "천만다행이다.",
        "이천시는 쌀로 이름났다.",
    ],
)
def test_common_words_demand_nothing(text):
    assert missing(text, [read_source("아무 수치도 없다.")]) == []


def test_a_literal_must_stand_in_the_cited_evidence(evidence, answer):
    sent = evidence("정원은 30명이다.", "정원은 50명이다.")
    assert check_literals(answer("정원은 50명이다.", "DOC_2"), sent) == []
    (finding,) = check_literals(answer("정원은 50명이다.", "DOC_1"), sent)
    assert finding.detail == "인용한 근거에 없는 수치입니다: 50명"
    assert finding.span == (4, 7)


def test_titles_and_sections_were_sent_too(evidence, answer):
    sent = evidence("① 이 법은 다음과 같다.", title="2024년 계획", section=("제13조 (벌칙)",))
    assert check_literals(answer("2024년 계획의 제13조제1항은 다음과 같다."), sent) == []


def test_ids_and_markers_are_no_literals(evidence, answer):
    assert check_literals(answer("정원이 있다[R3] [DOC_1]."), evidence("정원이 있다.")) == []


def test_a_finding_quotes_the_sentence_as_written(evidence, answer):
    (finding,) = check_literals(answer("１회에 500㎎을 먹는다."), evidence("1회에 먹는다."))
    assert finding.detail == "인용한 근거에 없는 수치입니다: 500㎎"


def test_spans_are_of_the_text_as_written():
    text = "정원은 ３０명, 5㎏이다."
    assert [text[x.start : x.end] for x in find_literals(text)] == ["３０명", "5㎏"]


PHRASES = st.sampled_from([spelled for pair in SAME + DIFFERENT for spelled in pair])


@given(PHRASES, PHRASES, PHRASES)
def test_more_evidence_never_takes_support_away(text, first, second):
    few = make_evidence(f"값은 {first}\n끝.")
    more = (*few, replace(make_evidence("", f"값은 {second}\n끝.")[1]))
    draft = make_answer(f"값은 {text}", "DOC_1", "DOC_2")
    alone = check_literals(make_answer(f"값은 {text}", "DOC_1"), few)
    together = check_literals(draft, more)
    assert {f.span for f in together} <= {f.span for f in alone}


@given(PHRASES)
def test_a_text_states_its_own_literals(phrase):
    assert missing(f"값은 {phrase}", [read_source(f"값은 {phrase}\n끝.")]) == []
