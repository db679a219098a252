"""False sentences: a source's own with one thing changed. Every rule is seeded, none is clever."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

Alter = Callable[[str, random.Random, "Words"], str | None]
"""A false form of a sentence; None where the rule finds nothing to change."""

_UNITS = [
    ("년간", "개월간"), ("개월", "년"), ("시간", "분"), ("달러", "원"), ("원", "달러"),
    ("명", "개"), ("%", "명"), ("km", "m"), ("kg", "g"), ("m", "km"), ("퍼센트", "명"),
    ("톤", "kg"), ("일 이내", "개월 이내"), ("점", "위"), ("위", "점"), ("개", "명"), ("회", "년"),
    ("세", "년"),
]  # fmt: skip
_SIDES = {"이상": "이하", "이하": "이상", "초과": "미만", "미만": "초과", "이내": "이상"}
_ORDER = {"전": "후", "후": "전", "이전": "이후", "이후": "이전"}
_PAIRS = """
증가 감소|상승 하락|금지 허용|포함 제외|면제 부과|찬성 반대|승리 패배|성공 실패|높은 낮은|많은 적은
유료 무료|확대 축소|인상 인하
"""
_ONE_WAY = {"최대": "최소", "최초": "최후", "강화": "약화", "가능": "불가능", "공개": "비공개"}


def _both_ways(pairs: str) -> dict[str, str]:
    listed = [pair.split() for pair in pairs.replace("\n", "|").strip("|").split("|")]
    return {a: b for a, b in listed} | {b: a for a, b in listed}


_TURNS = _both_ways(_PAIRS) | _ONE_WAY


class Words:
    """What the rules borrow: Kiwi, and words of other passages."""

    def __init__(self, kiwi: Any, latin: list[str], nouns: list[str], names: list[str]) -> None:
        self.kiwi = kiwi
        self.latin, self.nouns, self.names = latin, nouns, names


def number(text: str, rng: random.Random, words: Words) -> str | None:
    """One digit of a figure, not of a date or an article."""
    return _replace(
        r"(?<![\d.,제A-Za-z\-])\d[\d,]*(?:\.\d+)?(?! ?[년월일시조항호]|[\d.,\-])",
        _other_digit,
        text,
        rng,
    )


def magnitude(text: str, rng: random.Random, words: Words) -> str | None:
    """만 for 천, 억 for 만, or a nought too many."""
    larger = {"천": "만", "만": "억", "억": "조", "백": "천"}
    return _replace(
        r"(?<=\d)[천만억백](?= ?(?:원|명|달러|톤|개|km|년))", lambda m, r: larger[m[0]], text, rng
    ) or _replace(r"(?<![\d.,])\d{1,3}(?:,\d{3})+", lambda m, r: m[0] + ",000", text, rng)


def unit(text: str, rng: random.Random, words: Words) -> str | None:
    """Another unit behind the same figure."""
    for old, new in rng.sample(_UNITS, len(_UNITS)):
        pattern = rf"(?<=\d){re.escape(old)}(?:(?![가-힣A-Za-z²])|(?=[은는이가을를의에]))"
        if re.search(pattern, text):
            return re.sub(pattern, new, text, count=1)
    return None


def date(text: str, rng: random.Random, words: Words) -> str | None:
    """A day, month or year."""
    return _replace(
        r"(?<![\d.,])(\d{4}(?=년)|\d{1,2}(?=월(?! ?간))|(?<=월 )\d{1,2}(?=일))(년|월|일)",
        _shift,
        text,
        rng,
    )


def _shift(m: re.Match[str], rng: random.Random) -> str:
    value = int(m[1]) + rng.choice([-3, -2, -1, 1, 2, 3])
    if m[2] != "년":
        value = (value - 1) % {"월": 12, "일": 28}[m[2]] + 1
    return f"{value}{m[2]}"


def weekday(text: str, rng: random.Random, words: Words) -> str | None:
    """Another day of the week."""

    def other(m: re.Match[str], r: random.Random) -> str:
        return r.choice([d for d in "월화수목금토일" if d != m[1]]) + "요일"

    return _replace(r"([월화수목금토일])요일", other, text, rng)


def time(text: str, rng: random.Random, words: Words) -> str | None:
    """오전 for 오후, or another hour."""

    def other(m: re.Match[str], r: random.Random) -> str:
        if r.random() < 0.5:
            return ("오전" if m[1] == "오후" else "오후") + m[2] + m[3] + "시"
        return m[1] + m[2] + str(int(m[3]) % 12 + 1) + "시"

    return _replace(r"(오전|오후)( ?)(\d{1,2})시", other, text, rng)


def article(text: str, rng: random.Random, words: Words) -> str | None:
    """Another 조, 항 or 호."""

    def other(m: re.Match[str], r: random.Random) -> str:
        value = int(m[1])
        new = r.choice([value + 10, value + 1, value + 2, int(f"1{value}")])
        return f"제{new}{m[2]}"

    return _replace(r"제(\d+)(조|항|호)", other, text, rng)


def latin(text: str, rng: random.Random, words: Words) -> str | None:
    """A Latin name from elsewhere."""
    return _replace(
        r"(?<![A-Za-z0-9])[A-Za-z]{3,}(?![A-Za-z0-9])",
        lambda m, r: r.choice(words.latin),
        text,
        rng,
    )


def quotation(text: str, rng: random.Random, words: Words) -> str | None:
    """One word inside quotation marks."""

    def other(m: re.Match[str], r: random.Random) -> str:
        inside = m[2].split(" ")
        inside[r.randrange(len(inside))] = r.choice(words.nouns)
        return m[1] + " ".join(inside) + m[3]

    return _replace(r"([“‘\"「『《])([^”’\"」』》]{2,80})([”’\"」』》])", other, text, rng)


def name(text: str, rng: random.Random, words: Words) -> str | None:
    """A Korean proper noun from elsewhere."""
    return _other_word(text, "NNP", words.names, rng, words)


def noun(text: str, rng: random.Random, words: Words) -> str | None:
    """A common noun from elsewhere: no literal, no polarity; code cannot see it."""
    return _other_word(text, "NNG", words.nouns, rng, words)


def exchanged(text: str, rng: random.Random, words: Words) -> str | None:
    """Two figures of one sentence exchanged."""
    found = list(re.finditer(r"(?<![\d.,제])\d[\d,]*(?![\d.,])", text))
    pairs = [(a, b) for a, b in zip(found, found[1:], strict=False) if a[0] != b[0]]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


def negated(text: str, rng: random.Random, words: Words) -> str | None:
    """The last predicate denied: 한다 → 하지 않는다, 있다 → 없다, 이다 → 아니다."""
    tokens = words.kiwi.tokenize(text)
    at = max((i for i, t in enumerate(tokens) if t.tag.startswith(_PREDICATE)), default=None)
    if at is None or any(
        t.form in {"않", "없", "못하", "아니", "아니하"} for t in tokens[at - 4 :]
    ):
        return None
    return _deny(text, tokens, at, words)


def negated_inside(text: str, rng: random.Random, words: Words) -> str | None:
    """A predicate before the last denied."""
    tokens = words.kiwi.tokenize(text)
    places = [
        i for i, t in enumerate(tokens[:-4])
        if t.tag in {"XSV", "XSA"} and tokens[i + 1].tag in {"EC", "ETM", "EP"}
        and tokens[i + 1].form not in {"어", "여", "지", "기"}
        and not (tokens[i + 1].tag == "ETM" and tokens[i + 2].form in {"수", "적"})
    ]  # fmt: skip
    return _deny(text, tokens, rng.choice(places), words) if places else None


_PREDICATE = ("VV", "VA", "VCP", "XSV", "XSA")


def _deny(text: str, tokens: list[Any], at: int, words: Words) -> str:
    token = tokens[at]
    before = [(t.form, t.tag) for t in tokens[at - 1 : at]] if token.tag.startswith("XS") else []
    start = tokens[at - 1].start if before else token.start
    rest = [(t.form, t.tag) for t in tokens[at + 1 :]]
    if token.form == "있":
        changed = [("없", "VA"), *rest]
    elif token.tag == "VCP":
        changed = [("아니", "VCN"), *rest]
        noun = text[:start].rstrip()
        particle = "이" if (ord(noun[-1]) - 0xAC00) % 28 else "가"
        return f"{noun}{particle} {_joined(words, changed)}"
    else:
        changed = [(token.form, token.tag), ("지", "EC"), ("않", "VX"), *rest]
    return text[:start] + _joined(words, [*before, *changed])


def affirmed(text: str, rng: random.Random, words: Words) -> str | None:
    """A negation taken away."""
    tokens = words.kiwi.tokenize(text)
    for i, t in enumerate(tokens):
        if (
            t.form in {"않", "아니하", "못하"}
            and t.tag == "VX"
            and i > 1
            and tokens[i - 1].form == "지"
        ):
            verb = i - 2
            head = verb - 1 if tokens[verb].tag.startswith("XS") else verb
            kept = [(x.form, x.tag) for x in (*tokens[head : verb + 1], *tokens[i + 1 :])]
            return text[: tokens[head].start] + _joined(words, kept)
        if t.form == "없" and t.tag == "VA":
            kept = [("있", "VA"), *((x.form, x.tag) for x in tokens[i + 1 :])]
            return text[: t.start] + _joined(words, kept)
    return None


def _joined(words: Words, morphemes: list[tuple[str, str]]) -> str:
    return str(words.kiwi.join(morphemes))


def side(text: str, rng: random.Random, words: Words) -> str | None:
    """이상 for 이하, 초과 for 미만."""
    return _replace(
        r"(?<=[\d명원일년월개세%회급점m]) ?(이상|이하|초과|미만|이내)",
        lambda m, r: m[0].replace(m[1], _SIDES[m[1]]), text, rng,
    )  # fmt: skip


def order(text: str, rng: random.Random, words: Words) -> str | None:
    """Before for after."""
    return _replace(
        r"(?<=[기일월년회] )(전|후)(?=[에의 ])|(?<=[한된은의] )(후)(?=[에의 ])"
        r"|(?<=[료행작청일] )(이전|이후)",
        lambda m, r: _ORDER[m[0]],
        text,
        rng,
    )


def opposite(text: str, rng: random.Random, words: Words) -> str | None:
    """증가 for 감소, 금지 for 허용."""
    listed = "|".join(_TURNS)
    return _replace(rf"(?<![가-힣])(?:{listed})(?!성)", lambda m, r: _TURNS[m[0]], text, rng)


def _other_digit(m: re.Match[str], rng: random.Random) -> str:
    places = [i for i, c in enumerate(m[0]) if c.isdigit()]
    at = rng.choice(places)
    allowed = [d for d in "123456789" if d != m[0][at]]
    return m[0][:at] + rng.choice(allowed) + m[0][at + 1 :]


def _replace(
    pattern: str,
    change: Callable[[re.Match[str], random.Random], str],
    text: str,
    rng: random.Random,
) -> str | None:
    found = list(re.finditer(pattern, text))
    if not found:
        return None
    match = rng.choice(found)
    changed = text[: match.start()] + change(match, rng) + text[match.end() :]
    return changed if changed != text else None


def _other_word(
    text: str, tag: str, others: Sequence[str], rng: random.Random, words: Words
) -> str | None:
    """One word of a kind, longer than a syllable, by another."""
    tokens = [t for t in words.kiwi.tokenize(text) if t.tag == tag and len(t.form) > 1]
    if not tokens:
        return None
    token = rng.choice(tokens)
    new = rng.choice([other for other in others if other != token.form])
    return text[: token.start] + new + text[token.start + token.len :]


LITERALS: dict[str, Alter] = {
    "number": number, "magnitude": magnitude, "unit": unit, "date": date, "weekday": weekday,
    "time": time, "article": article, "Latin name": latin, "quotation": quotation,
}  # fmt: skip
POLARITY: dict[str, Alter] = {
    "negation added": negated, "negation added inside": negated_inside,
    "negation removed": affirmed,
    "이상 ↔ 이하": side, "전 ↔ 후": order, "증가 ↔ 감소 …": opposite,
}  # fmt: skip
BEYOND: dict[str, Alter] = {
    "Korean name": name, "figures exchanged": exchanged, "common noun": noun,
}  # fmt: skip
