"""Every figure, date, article, name and quotation of a sentence stands in what it cites."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.answer.validation.citing import cited_evidence, claim
from engine.answer.validation.markers import blank_markers
from engine.text.facts import Stated, find_literals, read_source
from engine.text.literal import Literal
from engine.types import Draft, Evidence, Finding

CHECK = "literals"

_NAMES = {
    "number": "수치", "date": "날짜", "weekday": "요일", "time": "시각", "article": "조문",
    "latin": "로마자 이름", "hanja": "한자", "quote": "인용구", "fraction": "분수", "code": "번호",
}  # fmt: skip


def check_literals(draft: Draft, evidence: Sequence[Evidence]) -> list[Finding]:
    """One finding for each literal that no cited evidence states.

    The whole of what was sent counts: title and section names too. Sentences that cite nothing
    that exists are left to the other checks.
    """
    findings: list[Finding] = []
    for at, sentence in enumerate(draft.sentences):
        cited = cited_evidence(sentence, evidence)
        sources = [read_source(bare(source_text(e))) for e in cited]
        if sources:
            findings += [_finding(at, x) for x in missing(bare(sentence.text), sources)]
    return findings


def missing(text: str, sources: Sequence[Stated]) -> list[Literal]:
    """Literals of a text that none of the sources states."""
    return [
        literal
        for literal in find_literals(text)
        if not literal.weak and not any(source.states(literal) for source in sources)
    ]


def source_text(evidence: Evidence) -> str:
    """All that a model was shown of an evidence."""
    return "\n".join((evidence.title, *evidence.section_path, evidence.text))


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """A text without its ids and bibliography markers, offsets kept."""
    return blank_markers(claim(text))


def _finding(at: int, literal: Literal) -> Finding:
    detail = f"인용한 근거에 없는 {_NAMES[literal.kind]}입니다: {literal.text}"
    return Finding(CHECK, at, detail, span=(literal.start, literal.end))
