"""Which quantity is asked for, and what counts as a figure of it."""

import pytest

from engine.engine import Engine
from engine.messages import nothing_found
from engine.retrieve.answer_type import asked_quantity, states


@pytest.mark.parametrize(
    ("question", "quantity"),
    [
        ("석굴암 본존불의 높이는 몇 미터인가?", "길이"),
        ("덮개돌은 몇 톤인가?", "무게"),
        ("무령왕은 몇 살에 죽었나?", "나이"),
        ("걷는 데 몇 시간 걸려?", "시간"),
        ("얼마나 오래 걸려요?", "기간"),
        ("얼마나 무거운가?", "무게"),
        ("향로의 무게는 얼마인가?", "무게"),
        ("입장료가 얼마예요?", "금액"),
        ("숙박비는 얼마까지 되나?", "금액"),
        ("몇 만 원까지 됩니까?", "금액"),
        ("기금의 이율은 얼마인가?", "비율"),
        ("금강산의 총 면적은?", "넓이"),
        ("체온이 몇 도 이상이면 쉬나요?", "온도"),
        ("그 탑은 몇 미터야?", "길이"),
        ("몇 살이에요?", "나이"),
        ("쌀 한 가마의 값은 얼마인가?", "금액"),
        ("성벽의 둘레는?", "길이"),
        ("고래의 몸길이는?", "길이"),
        ("건물의 연면적은?", "넓이"),
    ],
)
def test_a_question_for_a_figure_names_its_quantity(question, quantity):
    assert asked_quantity(question) == quantity


@pytest.mark.parametrize(
    "question",
    [
        "배 몇 척으로 이겼나?",
        "몇 년에 세웠나?",
        "서원은 몇 곳인가?",
        "몇 분의 몇인가?",
        "왜 그렇게 높이 쌓았나?",
        "한도는 얼마인가?",
        "사람을 얼마나 불렀나?",
        "작은 요새를 세우게 한 임금은?",
        "이 골목의 먹거리는?",
        "성벽의 둘레는 얼마이고 누가 쌓았나?",
        "무령왕의 사망 연도와 나이는?",
        "보조기기 구입 비용",
        "몇 도시를 방문했나?",
        "몇 세력이 다투었나?",
        "몇 원소로 이루어졌나?",
        "설정의 기본값은 얼마인가?",
        "요양급여는?",
        "만족도는 얼마나 높아졌나?",
        "얼마나 무거운 책임을 지나?",
        "높이는 몇 미터이고 무게는 몇 톤인가?",
        "그 사나이는?",
        "아이의 눈높이는?",
        "가격이 얼마나 올랐어?",
        "체중은 얼마나 줄었나?",
        "특수학교도 되나요? 그렇다면 지원금은 얼마인가요?",
        "How much is it?",
        "",
    ],
)
def test_counts_dates_and_open_words_are_not_judged(question):
    assert asked_quantity(question) is None


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("둘레는 약 5.7킬로미터이다.", "길이"),
        ("집에서 20리 떨어져 있다.", "길이"),
        ("무게 2.5t의 돌", "무게"),
        ("삼만 원을 주었다.", "금액"),
        ("| 특별시 | 70,000 |", "금액"),
        ("(단위: 천원) 광역시 70", "금액"),
        ("입장은 무료이다.", "금액"),
        ("수수료는 별표 2와 같다.", "금액"),
        ("수수료는 총리령으로 정하는 금액으로 한다.", "금액"),
        ("예순두 살에 세상을 떠났다.", "나이"),
        ("세 시간이 걸린다.", "시간"),
        ("땅의 3분의 1을 나누었다.", "비율"),
        ("250만 평방 킬로미터", "넓이"),
        ("영하 40도", "온도"),
        ("수수료는 판매가의 3%이다.", "금액"),
        ("보상금은 3분의 2로 한다.", "금액"),
        ("입장료는 받지 않는다.", "금액"),
        ("이용 요금은 없다.", "금액"),
        ("꼬박 3일이 걸린다.", "시간"),
        ("가는 데 이틀이 걸렸다.", "시간"),
        ("고기 세 근을 샀다.", "무게"),
    ],
)
def test_a_figure_of_the_kind_or_where_it_is_laid_down_is_enough(text, quantity):
    assert states(text, quantity)


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("1796년에 37번째 돌을 놓았다.", "무게"),
        ("높이 3미터의 돌 12개", "무게"),
        ("일꾼 1,200명이 49일 일했다.", "나이"),
        ("매우 크고 무겁다.", "무게"),
        ("지원금을 받을 수 있는 사람은 없다.", "금액"),
        ("신청 기한은 1월 3일이다.", "시간"),
        ("배 열세 척이 있었다.", "넓이"),
    ],
)
def test_figures_of_other_kinds_are_not(text, quantity):
    assert not states(text, quantity)


def test_a_question_for_a_figure_that_no_passage_has_is_refused_and_says_which(sample):
    question = "백제금동대향로의 무게는 얼마인가?"
    assert sample.retrieve(question) == []
    assert sample.silence(question).unstated == "무게"
    assert sample.answer(question).refusal == (
        "찾은 단락 가운데 질문에 답하는 것이 없습니다. 질문이 묻는 수(무게)가 가장 가까운 단락에 없습니다."
    )
    settings = sample.config.retrieval.model_copy(update={"quantities": False})
    off = Engine.open(sample.config.model_copy(update={"retrieval": settings}))
    assert off.retrieve(question)


def test_a_question_whose_figure_stands_there_is_not(sample):
    assert sample.retrieve("화성 성벽의 둘레는 몇 킬로미터인가?")
    assert sample.silence("화성 성벽의 둘레는 몇 킬로미터인가?") is None


def test_the_missing_quantity_is_not_told_twice():
    assert nothing_found(("무게", "향로"), "무게") == (
        "찾은 단락 가운데 질문에 답하는 것이 없습니다. 질문이 묻는 수(무게)가 가장 가까운 단락에 없습니다. "
        "가장 가까운 단락에도 없는 말: ‘향로’."
    )
