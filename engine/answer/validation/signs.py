"""What a sentence affirms and what it denies, read from its morphemes.

A statement is a concept with a sign: 납부하지 않는다 denies 납부; 감소 is 증가 turned round; 불가능
denies 가능. Each negation turns the sign, so that a double one restores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.text.kiwi import Morpheme

_OPPOSITES = """
식후 식전|사후 사전|증가 감소|늘 줄|늘리 줄이|늘어나 줄어들|상승 하락|오르 내리|인상 인하
확대 축소|강화 완화|허용 금지|허가 금지|포함 제외|부과 면제|찬성 반대|승리 패배|이기 지
성공 실패|유료 무료|최대 최소|최고 최저|높 낮|높이 낮추|많 적|크 작|길 짧|넓 좁|빠르 느리
강하 약하|수입 수출|흑자 적자|개방 폐쇄|설치 철거|승인 거부|동의 거부|수락 거절|출석 결석
취득 상실|유효 무효|적법 위법|합법 불법|영상 영하|국내 국외|공개 비밀|의무 임의|입학 졸업
전진 후퇴|긍정 부정|이익 손실|열리 닫히|켜 끄|쉽 어렵|안전 위험|밝 어둡|두껍 얇|무겁 가볍
깊 얕|멀 가깝|동일 상이|같 다르|진보 퇴보|호전 악화|좋 나쁘|낙관 비관|가입 탈퇴|연장 단축
채택 기각|인용 기각|유죄 무죄|흑 백|남쪽 북쪽|동쪽 서쪽|남부 북부|동부 서부|위쪽 아래쪽
왼쪽 오른쪽|내부 외부|출발 도착|시작 종료|개시 종료|최초 최후|최초 최종|전방 후방
"""


def _concepts(listed: str) -> dict[str, tuple[str, int]]:
    """Each word's concept and sign; a word in two pairs keeps the first."""
    concepts: dict[str, tuple[str, int]] = {}
    for pair in listed.replace("\n", "|").strip("|").split("|"):
        plus, minus = pair.split()
        name, sign = concepts.setdefault(plus, (plus, 1))
        concepts.setdefault(minus, (name, -sign))
    return concepts


_CONCEPT = _concepts(_OPPOSITES)

_DENYING_PREFIXES = frozenset({"불", "비", "미", "부", "무", "몰"})
_GRANTS = {"가능": 1, "허용": 1, "허가": 1, "불가": -1, "금지": -1, "면제": -1, "불허": -1}
_MAKERS = ("XSV", "XSA")
_LIGHT = frozenset({"하", "되", "시키", "받", "당하", "이루어지", "내리", "주", "드리"})
_TOO_GENERAL = """
하 되 이 보 그렇 이렇 어떻 지나 못하 당하 시키 경우 것 때 때문 예정 곳 정도 편 수
"""
_EMPTY = frozenset(_TOO_GENERAL.split())
_FUNCTIONAL = frozenset({"위하", "대하", "의하", "따르", "통하", "관하", "같", "인하", "비하"})
_OPINIONS = frozenset({"생각", "판단", "간주", "평가", "여기", "믿", "보"})
_DENIALS = frozenset({"안", "못", "아니"})
_PARTICLES = ("JX", "JKO", "JKS", "JKC", "JKB")


@dataclass(frozen=True, slots=True)
class Sign:
    """One concept, affirmed (1) or denied (-1), and where: offsets in the analysed text."""

    concept: str
    sign: int
    start: int
    end: int


def find_signs(morphemes: Sequence[Morpheme]) -> list[Sign]:
    """Statements of a sentence in order. Concepts too general to compare are left out."""
    found: list[Sign] = []
    for at in range(len(morphemes)):
        found.extend(_at(morphemes, at))
    return found


def _at(ms: Sequence[Morpheme], at: int) -> Iterator[Sign]:
    m = ms[at]
    made = at + 1 < len(ms) and ms[at + 1].tag.startswith(_MAKERS)
    verbal = m.tag == "MAG" and made and m.form not in _DENIALS
    if m.tag.startswith("NN") or m.tag == "XR" or verbal:
        yield from _noun(ms, at)
    elif m.tag == "MAG" and m.form in {"없이", "없"}:
        noun = _noun_before(ms, at)
        if noun is not None:
            yield Sign(f"있:{noun.form}", -1, noun.start, m.end)
    elif m.tag.startswith(("VA", "VV")) and m.form in {"있", "없"}:
        yield from _existence(ms, at)
    elif m.tag in {"VCN", "VCP"} and (what := _named_before(ms, at)) is not None:
        yield _sign(ms, f"이:{what}", at, at, 1)
    elif m.form == "되" and m.tag == "VV" and _is(ms, at - 1, "EC", "으면", "면"):
        yield _sign(ms, "면 되", at, at, 1)
    elif m.tag.startswith(("VA", "VV")) and not _says_nothing(ms, at):
        yield _sign(ms, m.form, at, at, 1)


def _named_before(ms: Sequence[Morpheme], at: int) -> str | None:
    """What is said to be, where it ends in no noun: a figure, a bracket, a quotation."""
    before = at - 1
    if before > 0 and ms[before].tag in {"JKS", "JKC", "JX"}:
        before -= 1
    named = before >= 0 and ms[before].tag.startswith(("S", "W", "NNB", "XSN"))
    return ms[before].form if named else None


def _says_nothing(ms: Sequence[Morpheme], at: int) -> bool:
    """Verbs too general to compare, and those that join nouns (에 따라, 을 위한)."""
    joins = _is(ms, at + 1, "EC", "어", "아", "이", "고", "어서") or _is(
        ms, at + 1, "ETM", "ᆫ", "은"
    )
    functional = ms[at].form in _FUNCTIONAL and joins
    return ms[at].form in _EMPTY or functional or _is_opinion(ms, at)


def _is_opinion(ms: Sequence[Morpheme], at: int) -> bool:
    """Whether a verb of thinking follows its content, which then bears the sign."""
    before = ms[at - 1] if at else None
    if ms[at].form not in _OPINIONS or before is None:
        return False
    return before.tag == "EC" and before.form.endswith(("다고", "라고"))


def _noun(ms: Sequence[Morpheme], at: int) -> Iterator[Sign]:
    noun = ms[at]
    if noun.form in _EMPTY or _is_opinion(ms, at):
        return
    prefix = -1 if at and ms[at - 1].tag == "XPN" and ms[at - 1].form in _DENYING_PREFIXES else 1
    predicate = _predicate_of(ms, at)
    granted = _grant_of(ms, at)
    if granted is not None:
        base = _GRANTS[ms[granted].form] * _prefix_sign(ms, granted)
        end = _predicate_of(ms, granted)
        yield _sign(ms, noun.form, at, end if end is not None else granted, base)
    if predicate is not None:
        yield _sign(ms, noun.form, at, predicate, prefix)
    elif noun.form in _CONCEPT or prefix < 0 or noun.form == "불가":
        concept, sign = _CONCEPT.get(noun.form, (noun.form, 1))
        if noun.form == "불가":
            concept, sign = "가능", -1
        yield Sign(concept, sign * prefix, ms[at - 1].start if prefix < 0 else noun.start, noun.end)


def _prefix_sign(ms: Sequence[Morpheme], at: int) -> int:
    return -1 if at and ms[at - 1].tag == "XPN" and ms[at - 1].form in _DENYING_PREFIXES else 1


def _predicate_of(ms: Sequence[Morpheme], at: int) -> int | None:
    """Where the verb that a noun is part of ends: 신청하, 신청을 하, 신청 안 하, 학생이 아니."""
    nxt = at + 1
    if nxt < len(ms) and ms[nxt].tag.startswith(_MAKERS):
        return nxt
    if nxt < len(ms) and ms[nxt].tag.startswith(_PARTICLES):
        nxt += 1
    if nxt < len(ms) and ms[nxt].tag.startswith(("VCN", "VCP")):
        return nxt
    if nxt < len(ms) and ms[nxt].tag == "MAG" and ms[nxt].form in {"안", "못"}:
        nxt += 1
    if nxt < len(ms) and ms[nxt].tag.startswith("VV") and ms[nxt].form in _LIGHT:
        return nxt
    return None


def _grant_of(ms: Sequence[Morpheme], at: int) -> int | None:
    """The 가능, 금지, 면제 … that a noun is subject to: 출입(을) 금지."""
    nxt = at + 1
    if nxt < len(ms) and ms[nxt].tag in {"JKS", "JKO", "JX"}:
        nxt += 1
    if nxt < len(ms) and ms[nxt].tag == "XPN":
        nxt += 1
    if nxt < len(ms) and ms[nxt].tag == "NNG" and ms[nxt].form in _GRANTS:
        return nxt
    return None


def _existence(ms: Sequence[Morpheme], at: int) -> Iterator[Sign]:
    """있 and 없 said of a noun; 할 수 있 and its kin belong to the verb before."""
    if at and ms[at - 1].form in {"수", "리", "적", "바"} and ms[at - 1].tag == "NNB":
        return
    if at > 1 and ms[at - 1].tag in {"JX", "JKS"} and ms[at - 2].tag == "NNB":
        return
    noun = _noun_before(ms, at)
    if noun is None or ms[at - 1].form in {"밖에", "에", "에서"}:
        return
    start = 1 if ms[at].form == "있" else -1
    yield _sign(ms, f"있:{noun.form}", at, at, start)


def _noun_before(ms: Sequence[Morpheme], at: int) -> Morpheme | None:
    before = at - 1
    if before >= 0 and ms[before].tag in {"JKS", "JX"}:
        before -= 1
    if before >= 0 and ms[before].tag.startswith(("NNG", "NNP", "XSN")):
        return ms[before]
    return None


def _sign(ms: Sequence[Morpheme], concept: str, first: int, last: int, sign: int) -> Sign:
    """The sign after all negations around a predicate that spans two morphemes."""
    if ms[last].tag.startswith("VCN") and not _is_not_only(ms, last):
        sign = -sign
    adverbs = {i for i in (first - 1, last - 1) if i >= 0}
    for i in adverbs:
        if ms[i].tag == "MAG" and ms[i].form in _DENIALS:
            sign = -sign
    end = last
    while (turn := _turn(ms, end + 1)) is not None:
        flips, end = turn
        sign = -sign if flips else sign
    stem = concept.removesuffix("하") if len(concept) > 2 else concept
    name, own = _CONCEPT.get(concept, (stem, 1))
    return Sign(name, sign * own, ms[first].start, ms[end].end)


def _is_not_only(ms: Sequence[Morpheme], at: int) -> bool:
    before = ms[max(0, at - 3) : at]
    return any(m.form == "뿐" or (m.form, m.tag) == ("만", "JX") for m in before)


def _turn(ms: Sequence[Morpheme], at: int) -> tuple[bool, int] | None:
    """A construction at an offset that keeps or turns the sign, and its last morpheme."""
    at = _past(ms, at, "EP", "JX")
    if _is(ms, at, "EC", "지"):
        verb = _past(ms, at + 1, "JX", "JKO", "JKS", "JKC")
        if _is(ms, verb, "VX", "않", "못하", "말", "아니하") or _is(ms, verb, "VV", "못하", "말"):
            return True, verb
        if (_is(ms, verb, "MAG", "못", "아니", "안") or _is(ms, verb, "IC", "아니")) and (
            _is(ms, verb + 1, "XS", "하", "되") or _is(ms, verb + 1, "V", "하", "되")
        ):
            return True, verb + 1
    if _is(ms, at, "EC", "으면", "면", "어서", "아서", "고서", "어"):
        adverb = _past(ms, at + 1, "JX")
        if _is(ms, adverb, "MAG", "안", "아니") and _is(ms, adverb + 1, "VV", "되"):
            return True, adverb + 1
    if (auxiliary := _auxiliary(ms, at)) is not None:
        return False, auxiliary
    if at < len(ms) and ms[at].tag.startswith("E") and ms[at].form.endswith(("다고", "라고")):
        return _turn_opinion(ms, at + 1)
    if at < len(ms) and ms[at].tag in {"ETM", "ETN"}:
        return _turn_noun(ms, at + 1)
    return None


def _auxiliary(ms: Sequence[Morpheme], at: int) -> int | None:
    """가르쳐 주, 말하고 있, 알게 되: the chain of negations goes on behind them."""
    if not _is(ms, at, "EC", "어", "아", "고", "게", "어야", "아야"):
        return None
    verb = _past(ms, at + 1, "JX")
    if verb < len(ms) and ms[verb].tag.startswith("VX"):
        return verb
    return verb if _is(ms, verb, "VV", "되") and _is(ms, at, "EC", "게") else None


def _turn_opinion(ms: Sequence[Morpheme], at: int) -> tuple[bool, int] | None:
    """그렇다고 볼 수 없다 denies the opinion's content; here it only carries the chain on."""
    at = _past(ms, at, "JX")
    if _is(ms, at, "VV", "보", "여기", "믿"):
        return False, at
    if _is(ms, at, "NNG", "생각", "판단", "간주", "평가") and _is(ms, at + 1, "XSV", "하", "되"):
        return False, at + 1
    return None


def _turn_noun(ms: Sequence[Morpheme], at: int) -> tuple[bool, int] | None:
    """할 수 없다, 한 적이 없다, 할 필요가 없다, 한 것은 아니다, 중요한 사항이 아니다."""
    if _is_noun(ms, at):
        verb = _past(ms, at + 1, "JX", "JKC", "JKS")
        if verb > at + 1 and verb < len(ms) and ms[verb].tag == "VCN":
            return True, verb
    if not _is(ms, at, "NN", "수", "리", "적", "필요", "것", "바", "일", "거"):
        return None
    only = any(m.form == "밖에" for m in ms[at + 1 : at + 2])
    verb = _past(ms, at + 1, "JX", "JKS", "JKC", "JKB")
    if _is(ms, at + 1, "JKB", "으로", "로") and verb < len(ms) and ms[verb].form in _OPINIONS:
        return False, verb + _is(ms, verb + 1, "XSV", "하", "되")
    if _is(ms, verb, "V", "없", "아니"):
        return not only, verb
    if _is(ms, verb, "V", "있"):
        return False, verb
    return None


def _is_noun(ms: Sequence[Morpheme], at: int) -> bool:
    return at < len(ms) and ms[at].tag == "NNG"


def _past(ms: Sequence[Morpheme], at: int, *tags: str) -> int:
    while at < len(ms) and ms[at].tag.startswith(tags):
        at += 1
    return at


def _is(ms: Sequence[Morpheme], at: int, tag: str, *forms: str) -> bool:
    return 0 <= at < len(ms) and ms[at].tag.startswith(tag) and ms[at].form in forms
