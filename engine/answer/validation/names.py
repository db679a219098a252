"""A proper noun that the cited evidence does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.answer.validation.citing import cited_evidence
from engine.answer.validation.literals import bare, source_text
from engine.answer.validation.sources import Analyzer
from engine.text.kiwi import Morpheme
from engine.types import Draft, Evidence, Finding

CHECK = "names"

_HANGUL_NAME = re.compile(r"[가-힣]{2,}")


def check_names(draft: Draft, evidence: Sequence[Evidence], korean: Analyzer) -> list[Finding]:
    """One finding for each Hangul proper noun that no cited evidence spells, not even shortened."""
    texts = [bare(sentence.text) for sentence in draft.sentences]
    findings: list[Finding] = []
    for at, morphemes in enumerate(korean.morphemes(texts)):
        cited = [source_text(e) for e in cited_evidence(draft.sentences[at], evidence)]
        if cited:
            for m in unknown(texts[at], morphemes, "\n".join(cited)):
                detail = f"인용한 근거에 없는 이름입니다: {texts[at][m.start : m.end]}"
                findings.append(Finding(CHECK, at, detail, span=(m.start, m.end)))
    return findings


def unknown(text: str, morphemes: Sequence[Morpheme], source: str) -> Iterator[Morpheme]:
    """Names of a text that a source does not hold: 전북 is held by 전라북도."""
    words = [word for word in re.findall(r"[가-힣]+", source) if len(word) > 2]
    for m in morphemes:
        name = text[m.start : m.end]
        if m.tag != "NNP" or not _HANGUL_NAME.fullmatch(name) or _spelled(name, source):
            continue
        if not any(_shortens(name, word) for word in words):
            yield m


def _spelled(name: str, source: str) -> bool:
    """Whether a source has a name, within a word or from its start on: no 부산 in 전부 산다."""
    if name in source:
        return True
    apart = r"[^가-힣A-Za-z0-9]{0,2}".join(name)
    return re.search(rf"(?<![가-힣]){apart}", source) is not None


def _shortens(name: str, word: str) -> bool:
    """Whether a name's syllables stand in a word in order, from its first on."""
    if name[0] != word[0]:
        return False
    rest = iter(word)
    return all(syllable in rest for syllable in name)
