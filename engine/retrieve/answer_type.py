"""Which quantity a question asks for, and whether a text states one of its kind.

무게는 얼마인가? can be answered by a figure with a unit of weight and by nothing else, whatever
other words of it stand in a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.text.facts import read_source
from engine.text.normalize import fold
from engine.text.units import BOUNDARY, unit_at


@dataclass(frozen=True, slots=True)
class _Kind:
    """What measures it, which nouns name it, which verbs follow 얼마나, and how else it is told."""

    units: frozenset[str]
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    otherwise: re.Pattern[str] | None


def _kind(units: str, nouns: str = "", verbs: str = "", otherwise: str = "") -> _Kind:
    pattern = re.compile(otherwise) if otherwise else None
    return _Kind(frozenset(units.split()), tuple(nouns.split()), tuple(verbs.split()), pattern)


_DAYS = "하루|이틀|사흘|나흘|닷새|열흘|보름|나절|반년"
_KINDS: Mapping[str, _Kind] = {
    "길이": _kind(
        "m 척 인치 피트 마일 광년", "높이 길이 둘레 너비 두께 깊이 지름",
        "멀 두껍 두꺼", rf"\d ?(?:리|자|보|길)(?:{BOUNDARY})",
    ),
    "넓이": _kind("m2 평 필지 에이커 칸", "넓이 면적", "넓", r"\d ?만? ?(?:평방|제곱)"),
    "부피": _kind("l m3 배럴 갤런", "부피"),
    "무게": _kind(
        "g", "무게 중량 체중", "무겁 무거",
        rf"(?:[한두세네열백천만석넉\d섯곱덟홉]|닷|엿) ?(?:근|관|가마|섬)(?:{BOUNDARY})",
    ),
    "금액": _kind(
        "원 달러 유로 엔 파운드 위안 루피 페소 프랑 마르크 루블 냥 푼",
        "가격 요금 비용 금액 수당 급여 연봉 월급 상금 벌금 보증금 지원금 장려금 값 입장료 수수료 "
        "사용료 관람료 과태료 등록금 회비 숙박비 식비 일비",
        "비싸 비싼",
        r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d.]*\d)|무료|\d ?(?:%|퍼센트|할|배|분의 ?\d)|절반|전액"
        r"|(?:료|금|비|비용|값)(?:[은는이가을를도] ?| )(?:따로 )?(?:없|받지 (?:않|아니)|들지 않)",
    ),
    "나이": _kind("세 개월", "나이 연세"),
    "시간": _kind(
        "시간 분 초 주 개월", "", "", rf"{_DAYS}|\d ?일(?:간|(?:[이은]|쯤|정도)? ?(?:걸|소요))"
    ),
    "기간": _kind(
        "시간 분 초 일 주 개월 년 박", "", "걸리 걸려 걸렸 걸릴 오래",
        _DAYS,
    ),
    "비율": _kind(
        "% %p 할", "비율 시청률 득표율 점유율 투표율 이율 세율", "",
        r"\d ?(?:분의|[/:]|대) ?\d|절반|배",
    ),
    "온도": _kind("도", "온도 기온 체온", "", r"영[하상] ?\d"),
}  # fmt: skip
_ASKED_IN = {
    "m": "길이", "m2": "넓이", "l": "부피", "m3": "부피", "g": "무게", "원": "금액", "달러": "금액",
    "세": "나이", "시간": "시간", "%": "비율", "도": "온도",
}  # fmt: skip
"""What is asked by 몇 and a unit; not those that also count things or people, as 척 and 분."""
_HOW_MANY = re.compile(r"몇(?! ?분의) ?(?:[십백천만억]+ ?)?")
_ALSO = re.compile(
    "누구|누가|언제|어디|어느|어떤|무엇|무슨|뭐|뭘|왜|어떻게|이유|까닭|이름|[?].*[?]"
    "|(?:몇|얼마).*(?:몇|얼마)"
)
"""Asks for something else as well, which may be there."""
_HOW_MUCH = re.compile(r"얼마(?:나|만큼)? ?")
_OWN_WORDS = frozenset({"값", "나이", "길이", "높이", "깊이", "넓이"})
_SAID = sorted(
    {n for kind in _KINDS.values() for n in kind.nouns} - _OWN_WORDS, key=len, reverse=True
)
# 기본값 is no price, 사나이 no age, 눈높이 no length; but 몸길이 and 총길이 are.
_NOUN = re.compile(
    rf"(?P<noun>(?<![가-힣])값|(?:(?<![가-힣])|(?<=[몸총]))[나길높깊넓]이|{'|'.join(_SAID)})"
    "(?:은|는|이|가|을|를|도)? ?$"
)
_ALONE = frozenset({"길이", "넓이", "부피", "무게", "나이", "온도"})
"""Their names ask for a figure without 얼마: 높이는? but not 급여는?"""
_ENDS = re.compile(rf"{BOUNDARY}|이?[야에예여었]|인[가지]|일까|입니|때")
_OF_SOMETHING = re.compile(r"\S+[은운싼는] [가-힣]")
_CHANGES = re.compile(
    "올[라랐]|오[르를른]|내[리려렸]|떨어|줄|늘|높아|낮아|커[지졌]|작아|달라|바뀌|변[하화했]|증가|감소|인[상하]"
)
_ELSEWHERE = re.compile(r"별표|별지|정하는 (?:바|금액|기준|비율|기간)|따로 정|고시(?:로|하는|한)")


def asked_quantity(question: str) -> str | None:
    """What a question wants a figure of and nothing else, 무게; None where it asks otherwise."""
    text = fold(question).text.strip()
    if _ALSO.search(text):
        return None
    text = text.strip(" ?.!")
    for match in _HOW_MANY.finditer(text):
        unit, _, end = unit_at(text, match.end())
        # 몇 도시 and 몇 세력 are no 도 and 세.
        if unit in _ASKED_IN and _ENDS.match(text, end):
            return _ASKED_IN[unit]
    much = _HOW_MUCH.search(text)
    if much is None:
        # 둘레 alone is a subject to look up, 둘레는? a question for a figure.
        named = _named(text) if text.endswith(("은", "는")) else None
        return named if named in _ALONE else None
    after = text[much.end() :]
    if _OF_SOMETHING.match(after) or _CHANGES.match(after):  # 얼마나 무거운 책임, 얼마나 올랐나
        return None
    verbs = (name for name, kind in _KINDS.items() if after.startswith(kind.verbs))
    return next(verbs, None) or _named(text[: much.start()])


def _named(text: str) -> str | None:
    """The quantity whose name ends a text, unless it is named beside something else."""
    match = _NOUN.search(text)
    if match is None or text[: match.start()].rstrip().endswith(("와", "과", "및", ",", "·")):
        return None
    return next(name for name, kind in _KINDS.items() if match["noun"] in kind.nouns)


def states(text: str, quantity: str) -> bool:
    """Whether a text has a figure of such a quantity, or says where it is laid down.

    A figure with commas may be an amount of a table whose unit stands elsewhere.
    """
    kind = _KINDS[quantity]
    if _ELSEWHERE.search(text) or (kind.otherwise and kind.otherwise.search(text)):
        return True
    facts = (fact.partition("|")[2] for fact in read_source(text).facts if fact.startswith("n:"))
    return any(unit in kind.units for unit in facts)
