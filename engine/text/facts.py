"""Every literal of a text: one normaliser for drafts and sources alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from engine.text.articles import find_articles, implied_articles
from engine.text.dates import find_dates, find_times, find_weekdays
from engine.text.literal import Literal
from engine.text.normalize import fold, squeeze, without_asides
from engine.text.numbers import Number, read_figures, read_native, read_sino
from engine.text.quotations import find_hanja, find_latin, find_quotes
from engine.text.units import BOUNDARY, declared_units, unit_at

_CURRENCY = re.compile(r"(?P<sign>US\$|\$|₩|€|£|¥|USD|KRW|EUR) ?$")
_SIGNS = {
    "US$": "달러", "$": "달러", "USD": "달러", "₩": "원", "KRW": "원", "€": "유로", "EUR": "유로",
    "£": "파운드", "¥": "엔",
}  # fmt: skip
_NUMBER_START = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z][-.])(?<!\d[.,])\d")
_FRACTION = re.compile(
    r"(?P<below>\d+) ?분의 ?(?P<above>\d+)"
    r"|(?<![\d/])(?P<top>\d+)/(?P<under>\d+)(?![\d/])"
)
_CODE = re.compile(
    r"(?<![\d.\-])\d+(?:-\d+){2,}(?![\d\-])|(?<![\d.])\d+(?:\.\d+){2,}(?!\d)"
    r"|(?<![\d\-])\(?0\d{1,2}[)\-] ?\d{3,4}(?:-\d{4})?(?![\d\-])"
    r"|(?<![\d\-])1[58]\d\d-\d{4}(?![\d\-])"
    r"|(?<=제)\d{4}-\d+(?=호)"
)
_HANGUL_START = re.compile(
    r"(?<![가-힣A-Za-z0-9])"
    r"[일이삼사오육륙칠팔구십백천만억조열스서마쉰예여아한두둘세셋석네넷넉다첫]"
)
_NATIVE_UNITS = """
명 곳 종 세 회 번째 마리 그루 장 권 대 채 척 개월 시간 개 쌍 병 잔 켤레 포기 송이 벌 줄 칸 편 건 박
배 층 단계 과목 주 학기 팀 가구
"""
_JOINED_NATIVE = "명 곳 번 번째 마리 개 시간 달 살 해 주일 가지 사람 그루 배 층"
_JOINED = {
    False: frozenset({"년", "개월"}),
    True: frozenset(_JOINED_NATIVE.split()),
}
"""What one syllable counts without a space, 두명 and 삼년; 세대, 사회 and 네 in 네팀 are words."""
_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8,
    "아흐레": 9, "열흘": 10, "보름": 15,
}  # fmt: skip
_DAYS_START = re.compile(rf"(?<![가-힣])(?:{'|'.join(_DAYS)})(?=째|간|(?:{BOUNDARY}))")
_MINUS = re.compile(r"(?<![^\s(\[|:\"'‘“,])(?:[-−△]|마이너스 ?|영하 ?)$")
_FALLS = re.compile(r"[^.,\d]{0,4}(?:감소|하락|줄|내[려렸리]|떨어|축소|적자|손실|낮아)")
_PLACES = frozenset({"시", "도", "동", "구", "조", "과", "실", "부", "기"})
_COUNTED = frozenset(_NATIVE_UNITS.split())
_BRACKETS = re.compile(r"\([^()]*\)")
_WORD_END = re.compile(BOUNDARY)
_VAGUE = re.compile(r"여(?= ?[가-힣%])")
_RANGE_JOIN = re.compile(r" ?[~\-·,/] ?|에서 ?|내지 ?| ?대 ?")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a source states: facts, its text squeezed for quotations, its Han characters."""

    facts: frozenset[str]
    texts: tuple[str, ...]
    han: str

    def states(self, literal: Literal) -> bool:
        """Whether one of the facts a literal needs is there."""
        return any(self._has(need) for need in literal.needs)

    def _has(self, need: str) -> bool:
        kind, _, key = need.partition(":")
        if kind == "q":
            return any(key in text for text in self.texts)
        if kind == "h":
            return key in self.han
        return need in self.facts


@lru_cache(maxsize=256)
def read_source(text: str) -> Stated:
    """The facts of a source, with what its layout implies: table units, numbered clauses."""
    plain = fold(text).text
    facts = {fact for literal in find_literals(text) for fact in literal.gives}
    facts |= implied_articles(plain)
    bare = [Decimal(fact[2:]) for fact in facts if fact.startswith("b:")]
    for unit, factor in declared_units(plain).items():
        facts.update(f"n:{_plain(value * factor)}|{unit}" for value in bare)
    texts = (squeeze(text), squeeze(without_asides(text)), squeeze(_BRACKETS.sub("", text)))
    return Stated(frozenset(facts), texts, plain)


def find_literals(text: str) -> list[Literal]:
    """Literals in order of place; offsets are of the text as given."""
    folded = fold(text)
    plain = folded.text
    taken = [False] * len(plain)
    found: list[Literal] = []
    for finder in (find_articles, _find_codes, find_dates, find_times, _find_fractions,
                   _find_numbers, find_latin, _find_hangul, _find_days):  # fmt: skip
        for literal in finder(plain):
            if not any(taken[literal.start : literal.end]):
                found.append(literal)
        for literal in found:
            taken[literal.start : literal.end] = [True] * (literal.end - literal.start)
    weekdays = list(find_weekdays(plain))
    in_week = {at for literal in weekdays for at in range(literal.start, literal.end)}
    found += weekdays
    found += [h for h in find_hanja(plain) if h.start not in in_week]
    found += find_quotes(plain)
    placed = [_placed(literal, text, folded.span(literal.start, literal.end)) for literal in found]
    return sorted(placed, key=lambda literal: (literal.start, literal.end, literal.needs))


def _placed(literal: Literal, text: str, span: tuple[int, int]) -> Literal:
    return replace(literal, text=text[slice(*span)].strip(), start=span[0], end=span[1])


def _find_codes(text: str) -> Iterator[Literal]:
    """Telephone and file numbers, versions: digits in groups that are no date."""
    dates = [(d.start, d.end) for d in find_dates(text)]
    for match in _CODE.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in dates):
            continue
        key = "k:" + "-".join(re.findall(r"\d+", match[0]))
        yield Literal("code", match[0], match.start(), match.end(), (key,), (key,))


def _find_fractions(text: str) -> Iterator[Literal]:
    for match in _FRACTION.finditer(text):
        above, below = match["above"] or match["top"], match["below"] or match["under"]
        key = f"f:{int(above)}/{int(below)}"
        values = (f"v:{int(above)}", f"v:{int(below)}")
        month_day = (f"d:*-{int(above)}-{int(below)}",) if match["top"] else ()
        needs = (key, *month_day)
        yield Literal("fraction", match[0], match.start(), match.end(), needs, (*needs, *values))


def _find_numbers(text: str) -> Iterator[Literal]:
    """Figures with their units; the first of a range takes the unit of the last."""
    spans = list(_figures(text))
    for at, (start, number, unit, factor, end) in enumerate(spans):
        shared, shared_factor = unit, factor
        if not unit and at + 1 < len(spans) and _RANGE_JOIN.fullmatch(text, end, spans[at + 1][0]):
            shared, shared_factor = spans[at + 1][2], spans[at + 1][3]
            if number.value < 1000 and spans[at + 1][1].value >= 10_000:
                shared = ""
        is_range = text[end : end + 2].strip()[:1] in {"~", "-"}
        gives = _number_facts(number.value, unit, factor)
        if (number.value < 0 and unit != "도") or _FALLS.match(text, end):
            gives = (*gives, *_number_facts(-number.value, unit, factor))
        if shared and not unit:
            gives = (*gives, *_number_facts(number.value, shared, shared_factor))
            if shared in {"년", "년대"} and 1000 <= number.value < 3000:
                gives = (*gives, f"d:{number.value}-*-*")
        need = _need(number.value, unit, factor)
        if shared and not unit and is_range:
            need = _need(number.value, shared, shared_factor)
        gives = tuple(dict.fromkeys((*gives, *_month_and_day(text[start:end]))))
        yield Literal("number", text[start:end], start, end, (need,), gives)


def _month_and_day(figures: str) -> tuple[str, ...]:
    """8.15 may be a date as well."""
    match = re.fullmatch(r"(1[0-2]|[1-9])\.(3[01]|[12]\d|[1-9])", figures)
    return (f"d:*-{match[1]}-{match[2]}",) if match else ()


def _figures(text: str) -> Iterator[tuple[int, Number, str, Decimal, int]]:
    at = 0
    while match := _NUMBER_START.search(text, at):
        start = match.start()
        number = read_figures(text, start)
        if number is None:
            return
        unit, factor, end = unit_at(text, _past_vague(text, number.end))
        if not unit:
            end = number.end
        sign = _sign_before(text, start)
        if sign:
            unit, factor = _SIGNS[sign["sign"]], Decimal(1)
            start = sign.start()
        minus = _MINUS.search(text, max(0, start - 6), start)
        if minus and not (at and minus.start() - at < 2):
            number, start = number._replace(value=-number.value), minus.start()
        yield start, number, unit, factor, end
        at = max(end, number.end)


def _past_vague(text: str, at: int) -> int:
    """Past the 여 of 3만여 명."""
    match = _VAGUE.match(text, at)
    return match.end() if match and unit_at(text, match.end())[0] else at


def _sign_before(text: str, start: int) -> re.Match[str] | None:
    return _CURRENCY.search(text, max(0, start - 5), start)


def _find_hangul(text: str) -> Iterator[Literal]:
    """Numbers in Hangul before a unit: 삼만 원, 스물다섯 살. Single syllables are weak."""
    for match in _HANGUL_START.finditer(text):
        start = match.start()
        for read, native in ((read_sino, False), (read_native, True)):
            number = read(text, start)
            if number is None:
                continue
            unit, factor, end = unit_at(text, _past_vague(text, number.end))
            if not unit or not _ends_word(text, end) or (native and unit not in _COUNTED):
                continue
            spelled = text[start : number.end]
            if not native and unit in _PLACES:
                continue
            if spelled == "만" and unit in {"세", "년", "일", "개월"}:
                continue
            counted = text[number.end : end]
            a_word = len(spelled) == 1 and counted[0] != " " and counted not in _JOINED[native]
            weak = a_word or (len(spelled) == 1 and spelled not in "두세네")
            gives = () if a_word else _number_facts(number.value, unit, factor)
            need = _need(number.value, unit, factor)
            yield Literal("number", text[start:end], start, end, (need,), gives, weak)
            break


def _find_days(text: str) -> Iterator[Literal]:
    """이틀, 열흘; 하루 and 보름 are turns of phrase as well."""
    for match in _DAYS_START.finditer(text):
        value = Decimal(_DAYS[match[0]])
        gives = _number_facts(value, "일", Decimal(1))
        weak = match[0] in {"하루", "보름"}
        yield Literal("number", match[0], match.start(), match.end(), gives[:1], gives, weak)


def _ends_word(text: str, at: int) -> bool:
    return bool(_WORD_END.match(text, at))


def _need(value: Decimal, unit: str, factor: Decimal) -> str:
    return f"n:{_plain(value * factor)}|{unit}" if unit else f"v:{_plain(value)}"


def _number_facts(value: Decimal, unit: str, factor: Decimal) -> tuple[str, ...]:
    if not unit:
        return f"v:{_plain(value)}", f"b:{_plain(value)}"
    return f"n:{_plain(value * factor)}|{unit}", f"v:{_plain(value)}"


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
