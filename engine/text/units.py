"""Units and counters: one name each, and a factor where two of them measure the same thing."""

from __future__ import annotations

import re
from decimal import Decimal

JOSA = (
    "으로부터|로부터|에서부터|이라는|이라고|이라면|이라도|까지|부터|에서|에게|마다|보다|처럼|만큼|이나|이며"
    "|이고|으로|로|에는|에도|에|의|을|를|이|가|은|는|과|와|도|만|씩|나|인|일|이다|이었다|였다|입니다|이었"
    "|이었고|였으며|였고|이상|이하|미만|초과|이내|이후|이전|간|동안|당|짜리|가량|정도|쯤|안팎|전|후|내|중"
    "|및|등|째|여|들"
)
"""Particles, and the nouns that lean on a figure like particles."""
BOUNDARY = (
    rf"(?![가-힣])|(?=(?:{JOSA})(?![가-힣]))"
    rf"|(?=(?:{JOSA})(?:{JOSA}|[가-힣]{{0,2}}(?:다|고|며|니)))"
)

_NAMES: dict[str, tuple[str, str]] = {}


def _add(canonical: str, names: str, factor: str = "1") -> None:
    _NAMES.update(dict.fromkeys(names.split(), (canonical, factor)))


_add("%p", "%p %P %포인트 퍼센트포인트 %-포인트 percentage-point")
_add("%", "% 퍼센트 프로 percent")
_add("원", "원 KRW")
_add("달러", "달러 불 USD")
_add("유로", "유로 EUR")
_add("엔", "엔 JPY")
_add("파운드", "파운드")
_add("위안", "위안 CNY")
_add("m", "m 미터")
_add("m", "km 킬로미터", "1000")
_add("m", "cm 센티미터 센티", "0.01")
_add("m", "mm 밀리미터", "0.001")
_add("m2", "m2 제곱미터 평방미터")
_add("m2", "km2 제곱킬로미터 평방킬로미터", "1000000")
_add("m2", "ha 헥타르", "10000")
_add("m3", "m3 세제곱미터 입방미터")
_add("g", "g 그램")
_add("g", "kg 킬로그램 킬로", "1000")
_add("g", "mg 밀리그램", "0.001")
_add("g", "t 톤", "1000000")
_add("l", "L l 리터")
_add("l", "mL ml 밀리리터", "0.001")
_add("l", "kL kl 킬로리터", "1000")
_add("W", "W 와트")
_add("W", "kW 킬로와트", "1000")
_add("W", "MW 메가와트", "1000000")
_add("km/h", "km/h")
_add("kcal", "kcal 킬로칼로리")
_add("도", "도 ℃ °C °")
_add("명", "명 인 사람")
_add("곳", "곳 개소 군데")
_add("종", "종 종류 가지")
_add("세", "세 살")
_add("회", "회 번 차례")
_add("번째", "번째 째")
_add("쪽", "쪽 페이지 면")
_add("일", "일 일간 날")
_add("주", "주 주일 주간")
_add("개월", "개월 개월간 달")
_add("년", "년 년간 해 개년")
_add("시간", "시간")
_add("국", "개국 국")
_add("교", "개교")
_add("사", "개사")
_ALONE = """
루피 페소 프랑 마르크 루블 배럴 갤런 푼 냥 바이트 비트 Hz kHz MHz GHz KB MB GB TB dB ppm bp
분 초 월 시 개 건 권 대 채 척 마리 그루 장 매 편 곡 골 점 표 석 위 등 급 호 번지 층 동 호선 학년
학기 조 항 목 자 획 쌍 팀 경기 승 패 무 세대 가구 필지 평 에이커 볼트 헤르츠 마력 칼로리 세기 년대
분기 반기 주기 주년 기 부 막 절 인치 피트 마일 차 할 배 선 문 줄 칸 병 잔 벌 켤레 통 포기 송이 박
끼 과목 학점 문항 단계 단 량 기통 호기 종목 좌 실 과 관왕 연승 연패 타 홈런 이닝 안타 라운드 세트
인승 년생 년차 년제 집 폭 구 기압 광년 마하 옥타브 차선 차로 포인트 사단 군단 연대 대대 중대 구역 발
"""
for _unit in _ALONE.split():
    _add(_unit, _unit)

_ALTERNATIVES = "|".join(re.escape(name) for name in sorted(_NAMES, key=len, reverse=True))
_ATTACHED = re.compile(rf"(?:{_ALTERNATIVES})(?:(?<![A-Za-z])|(?![A-Za-z]))")
_APART = re.compile(rf" (?!등)(?:{_ALTERNATIVES})(?![A-Za-z])(?:{BOUNDARY})")
_UNIT_OR_PARTICLE = re.compile(rf"(?![가-힣])|(?:{JOSA}|여)|(?:{_ALTERNATIVES})")
_SCALED = rf"(천|백만|억|만)? ?({_ALTERNATIVES})"
_CAPTION = re.compile(rf"단위 ?:? ?{_SCALED}")
_COLUMN = re.compile(rf"\( ?{_SCALED} ?\)")
_PROGRAM = re.compile(r" ?프로(?=[그젝세모필토])")
_SCALES = {"천": 1000, "만": 10_000, "백만": 1_000_000, "억": 100_000_000}


def unit_at(text: str, at: int) -> tuple[str, Decimal, int]:
    """The unit written at an offset, its factor and end; an empty name where there is none.

    ``text`` is folded. A unit behind a space must end its word, or carry a particle.
    """
    if _PROGRAM.match(text, at):
        return "", Decimal(1), at
    match = _ATTACHED.match(text, at) or _APART.match(text, at)
    if match is None:
        return "", Decimal(1), at
    canonical, factor = _NAMES[match[0].strip()]
    return canonical, Decimal(factor), match.end()


def starts_unit(text: str, at: int) -> bool:
    """Whether a unit, a particle or no Hangul at all follows at an offset."""
    return bool(_UNIT_OR_PARTICLE.match(text, at))


def declared_units(text: str) -> dict[str, Decimal]:
    """Units that a table names once for all its figures, ``(단위: 천원)``, with their factors."""
    units: dict[str, Decimal] = {}
    for pattern in (_CAPTION, _COLUMN):
        for match in pattern.finditer(text):
            canonical, factor = _NAMES[match[2]]
            scale = _SCALES.get(match[1] or "", 1)
            units.setdefault(canonical, Decimal(factor) * scale)
    return units
