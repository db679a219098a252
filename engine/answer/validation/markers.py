"""Bibliography markers: what the source itself cites must travel with what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.answer.validation.citing import cited_evidence, item_evidence
from engine.text.normalize import fold
from engine.types import Draft, DraftSentence, Evidence, Finding, Passage

CHECK = "markers"

_GROUP = re.compile(r"\[\s*R\s*\d+(?:\s*[,;·/&~-]?\s*R?\s*\d+)*\s*\]", re.IGNORECASE)
_PART = re.compile(r"([~-])?\s*R?\s*(\d+)", re.IGNORECASE)
_LONGEST_RANGE = 200

Placed = tuple[str, tuple[int, int]]


def check_markers(draft: Draft, evidence: Sequence[Evidence]) -> list[Finding]:
    """A summary's item has exactly its source's markers; an answer's are in its cited evidence."""
    findings: list[Finding] = []
    for at, sentence in enumerate(draft.sentences):
        placed = list(find_markers(sentence.text))
        item = item_evidence(sentence, evidence) if draft.kind == "summary" else None
        known = _known([item] if item else cited_evidence(sentence, evidence), sentence)
        for marker, span in placed:
            if marker not in known:
                detail = f"인용한 근거에 없는 참고문헌 표시입니다: [{marker}]"
                findings.append(Finding(CHECK, at, detail, span=span))
        if item is not None:
            lost = [m for m in known if m not in {marker for marker, _ in placed}]
            findings += [Finding(CHECK, at, f"빠진 참고문헌 표시입니다: [{m}]") for m in lost]
    return findings


def find_markers(text: str) -> Iterator[Placed]:
    """Markers and their spans: ``[R1]``, ``[R1, R3]``, ``[R1-R3]``, ``［Ｒ１］``."""
    folded = fold(text)
    for group in _GROUP.finditer(folded.text):
        span = folded.span(*group.span())
        last = 0
        for part in _PART.finditer(group[0]):
            number = int(part[2])
            first = last + 1 if part[1] and last < number <= last + _LONGEST_RANGE else number
            yield from ((f"R{n}", span) for n in range(first, number + 1))
            last = number


def _known(sources: Sequence[Evidence], sentence: DraftSentence) -> tuple[str, ...]:
    """Markers of the sources, in order; only of what an item condenses where that is marked out."""
    if len(sources) == 1 and sentence.source_id is not None:
        own = _condensed(sources[0], sentence.source_id)
        if own:
            texts = [sources[0].text[p.start : p.end] for p in own]
            return tuple(dict.fromkeys(m for text in texts for m, _ in find_markers(text)))
    return tuple(
        dict.fromkeys(
            m
            for source in sources
            for m in (*source.markers, *(marker for marker, _ in find_markers(source.text)))
        )
    )


def _condensed(evidence: Evidence, name: str) -> list[Passage]:
    """The passages a summary's item stands for: the whole core, if the name is of a part of it."""
    named = [p for p in evidence.passages if name in (p.source_id, p.block_id)]
    return [p for p in evidence.passages if p.core] if any(p.core for p in named) else named


def blank_markers(text: str) -> str:
    """The text with its markers blanked, offsets kept."""
    characters = list(text)
    for _, (start, end) in find_markers(text):
        characters[start:end] = " " * (end - start)
    return "".join(characters)
