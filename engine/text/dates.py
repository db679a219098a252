"""Dates, weekdays and times of day in every usual Korean spelling, as sets of facts.

A date gives every coarser date it implies: 2024년 3월 1일 also states 2024년 3월 and 3월 1일.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from engine.text.literal import Literal

_Y4, _Y2 = r"(?P<y>[12]\d{3})", r"(?:'|(?<![\d.,]))(?P<yy>\d{2})"
_M, _D = r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])"
_START, _STOP = r"(?<![\d.,/\-])", r"(?!\d|,\d|[.\-/]\d|:\d\d)"
_DATES = [
    re.compile(rf"(?<!\d)(?:{_Y4}|'?(?P<yy>\d{{2}})) ?년도? ?{_M} ?월(?!간)(?: ?{_D} ?일(?!간))?"),
    re.compile(rf"{_START}{_M} ?월 ?{_D} ?일(?!간)"),
    re.compile(rf"{_START}{_Y4} ?(?P<sep>[.\-/]) ?{_M} ?(?P=sep) ?{_D}\.?{_STOP}"),
    re.compile(rf"{_START}'?(?P<yy>\d{{2}}) ?(?P<sep>[.]) ?{_M} ?(?P=sep) ?{_D}\.?{_STOP}"),
    re.compile(rf"{_START}(?P<y>(?:19|20)\d{{2}})\. ?{_M}\.(?! ?\d)"),
    re.compile(rf"{_START}{_M}\. ?{_D}\.(?= ?\([월화수목금토일]\)| ?\d{{1,2}}:\d\d)"),
    re.compile(rf"(?<=~)(?<!\d) ?{_M}\. ?{_D}\.?{_STOP}"),
    re.compile(r"(?<![\d.,])(?P<y>[12]\d{3}) ?년(?!간|대|생| ?동안)"),
    re.compile(r"(?<!\d)'(?P<yy>\d{2})(?: ?년|(?= ?~|\.\s|\)))"),
    re.compile(rf"{_START}{_M} ?월(?![가-힣]*요일|간)"),
    re.compile(r"(?<![\d.,\-])(?P<y>[12]\d{3})(?= ?[~-] ?[12]\d{3} ?년)"),
    re.compile(rf"{_START}{_M}(?= ?~ ?(?:1[0-2]|[1-9]) ?월)"),
]
_LAST_DAY = re.compile(rf" ?(?:\([월화수목금토일]\))? ?(?:~|-|부터|에서) ?{_D} ?일(?!간)")
_WEEKDAYS = "월화수목금토일"
_HAN_WEEKDAYS = str.maketrans("月火水木金土日", _WEEKDAYS)
_WEEK = re.compile(
    r"(?P<list>[월화수목금토일](?: ?[·,~/-] ?[월화수목금토일])*)요일"
    r"|(?<=[\d일.월\]])\s?\("
    r"(?P<bare>[월화수목금토일月火水木金土日](?: ?[·,~/-] ?[월화수목금토일])*)\)"
)
_MERIDIEM = r"(?:(?P<half>오전|오후|새벽|아침|저녁|밤|낮|AM|PM|am|pm|a\.m\.|p\.m\.) ?)?"
_TIMES = [
    re.compile(rf"{_MERIDIEM}(?<![\d.,])(?P<h>\d{{1,2}}) ?시(?!간|[가-힣]*청|[ ]?군) ?"
               r"(?:(?P<min>[0-5]?\d) ?분|(?P<thirty>반)(?![가-힣]{2}))?"),
    re.compile(rf"{_MERIDIEM}(?<![\d.,:])(?P<h>[01]?\d|2[0-4]):(?P<min>[0-5]\d)(?![\d:])"
               r"(?: ?(?P<after>AM|PM|am|pm|a\.m\.|p\.m\.))?"),
    re.compile(r"(?P<word>정오|자정)(?![가-힣]*[법표])"),
]  # fmt: skip
_LATE = {"오후", "저녁", "pm", "p.m."}


class Day(NamedTuple):
    """A date as far as it is given."""

    year: int | None
    month: int | None
    day: int | None


def find_dates(text: str) -> Iterator[Literal]:
    """Dates of folded text. A year or month left out is carried over from the date before."""
    taken = [False] * len(text)
    carried = Day(None, None, None)
    for match in sorted(_first_claims(text, taken), key=lambda m: m.start()):
        stated = _day(match)
        full = _carry(stated, carried)
        carried = Day(full.year or carried.year, full.month or carried.month, None)
        gives = tuple(dict.fromkeys((*_facts(stated), *_facts(full))))
        yield Literal("date", match[0].strip(), match.start(), match.end(), (_fact(stated),), gives)
        yield from _last_day(text, match.end(), full)


def _last_day(text: str, at: int, first: Day) -> Iterator[Literal]:
    """The second day of 3월 1일~5일, which leaves its month out."""
    match = _LAST_DAY.match(text, at) if first.day else None
    if match:
        last = first._replace(day=int(match["d"]))
        span = match.span("d")[0], match.end()
        need = (_fact(last._replace(year=None)),)
        yield Literal("date", text[slice(*span)], *span, need, tuple(_facts(last)))


def _first_claims(text: str, taken: list[bool]) -> Iterator[re.Match[str]]:
    for pattern in _DATES:
        for match in pattern.finditer(text):
            start, end = match.span()
            if start < end and not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                yield match


def _day(match: re.Match[str]) -> Day:
    parts = match.groupdict()
    year = int(parts["y"]) if parts.get("y") else None
    if parts.get("yy"):
        short = int(parts["yy"])
        year = 2000 + short if short < 50 else 1900 + short
    month, day = (int(parts[p]) if parts.get(p) else None for p in ("m", "d"))
    return Day(year, month, day)


def _carry(stated: Day, carried: Day) -> Day:
    if stated.year is None and stated.month is not None:
        return stated._replace(year=carried.year)
    return stated


def _fact(day: Day) -> str:
    return "d:" + "-".join("*" if part is None else str(part) for part in day)


def _facts(day: Day) -> Iterator[str]:
    year, month, date = day
    yield _fact(day)
    if month is not None:
        yield _fact(Day(None, month, date))
        yield _fact(Day(None, month, None))
        yield f"n:{month}|월"
    if year is not None:
        yield _fact(Day(year, month, None))
        yield _fact(Day(year, None, None))
        yield from (f"n:{year}|년", f"v:{year}")
    if date is not None:
        yield f"n:{date}|일"


def find_weekdays(text: str) -> Iterator[Literal]:
    """Weekdays: 월요일, 월·수요일, 3월 1일(금)."""
    for match in _WEEK.finditer(text):
        named = (match["list"] or match["bare"]).translate(_HAN_WEEKDAYS)
        days = [c for c in named if c in _WEEKDAYS]
        gives = [f"w:{day}" for day in days]
        if "~" in named or "-" in named:
            first, last = _WEEKDAYS.index(days[0]), _WEEKDAYS.index(days[-1])
            gives += [f"w:{_WEEKDAYS[i]}" for i in range(first, last + 1)]
        for need in dict.fromkeys(f"w:{day}" for day in days):
            yield Literal(
                "weekday", match[0].strip(), match.start(), match.end(), (need,), tuple(gives)
            )


def find_times(text: str) -> Iterator[Literal]:
    """Times of day. A range's second time takes the half of the day from the first."""
    taken = [False] * len(text)
    half, last_end = "", -10
    matches = [m for pattern in _TIMES for m in pattern.finditer(text)]
    for match in sorted(matches, key=lambda m: (m.start(), -m.end())):
        start, end = match.span()
        if any(taken[start:end]):
            continue
        taken[start:end] = [True] * (end - start)
        parts = match.groupdict()
        own = parts.get("half") or parts.get("after") or ""
        inherited = half if not own and _joins(text[last_end:start]) else ""
        half, last_end = own or inherited, end
        yield _time(match, own, inherited)


def _joins(between: str) -> bool:
    return bool(re.fullmatch(r" ?(?:~|-|부터|에서|까지)[^가-힣\d]*", between))


def _time(match: re.Match[str], own: str, inherited: str) -> Literal:
    if match.groupdict().get("word"):
        minute = 720 if match["word"] == "정오" else 0
        gives: tuple[str, ...] = (f"t:{minute}", f"c:{minute % 720}")
        return Literal("time", match[0], *match.span(), gives[:1], gives)
    parts = match.groupdict()
    hour = int(parts["h"])
    minutes = 30 if parts.get("thirty") else int(parts.get("min") or 0)
    clock = f"c:{hour % 12 * 60 + minutes}"
    if own or hour > 12 or parts["h"].startswith("0") or ":" in match[0]:
        exact = f"t:{_hour(hour, own) % 24 * 60 + minutes}"
        return Literal("time", match[0].strip(), *match.span(), (exact,), (exact, clock))
    guess = f"t:{_hour(hour, inherited) % 24 * 60 + minutes}"
    gives = (clock, guess) if inherited else (clock,)
    return Literal("time", match[0].strip(), *match.span(), (clock,), gives)


def _hour(hour: int, half: str) -> int:
    half = half.casefold()
    late = half in _LATE or (half == "밤" and 6 <= hour < 12) or (half == "낮" and hour < 6)
    if late:
        return hour % 12 + 12
    if hour == 12 and half in {"오전", "밤", "새벽", "am", "a.m."}:
        return 0
    return hour
