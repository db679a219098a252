"""Which evidence a drafted sentence cites, however its ids are spelled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.text.normalize import fold
from engine.types import DraftSentence, Evidence

_ID = r"(?:DOC[\s_\-]*\d{1,6}|\d{1,3})"
_JOIN = r"(?:\s*(?:,|;|/|·|&|~|-|및|와|과|and|to)\s*|\s+|(?=DOC))"
_LIST = rf"{_ID}(?:{_JOIN}{_ID})*"
_IN_TEXT = re.compile(
    rf"[\[【〔]\s*{_LIST}\s*[\]】〕]"
    rf"|[(<{{]?\s*(?<![A-Za-z0-9\-])DOC[\s_\-]*\d{{1,6}}(?:{_JOIN}DOC[\s_\-]*\d{{1,6}}|\s*[~\-,]\s*\d{{1,6}}\b)*\s*[)>}}]?",
    re.IGNORECASE,
)
_ENTRY = re.compile(rf"[\[【〔(<{{\s]*{_LIST}[\]】〕)>}}\s]*", re.IGNORECASE)
_PART = re.compile(r"(?P<range>~|-|to)?\s*(?:DOC[\s_\-]*)?(?P<number>\d{1,6})", re.IGNORECASE)
_LONGEST_RANGE = 200


@dataclass(frozen=True, slots=True)
class Mention:
    """One id as a sentence gives it.

    Attributes:
        evidence_id: None where nothing of that name was sent.
        span: in the sentence's text; None where the id stands beside it.
    """

    spelled: str
    evidence_id: str | None
    span: tuple[int, int] | None = None


def mentions(sentence: DraftSentence, evidence: Sequence[Evidence]) -> list[Mention]:
    """Every id the sentence gives: beside its text, as a source id, and inside its text."""
    found = [m for entry in sentence.cited for m in _read(entry, evidence)]
    if sentence.source_id is not None:
        item = item_evidence(sentence, evidence)
        found.append(Mention(sentence.source_id, item.evidence_id if item else None))
    return found + _inside(sentence.text, evidence)


def cited_evidence(sentence: DraftSentence, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence a sentence cites, in the order it was sent."""
    ids = {mention.evidence_id for mention in mentions(sentence, evidence)}
    return [e for e in evidence if e.evidence_id in ids]


def item_evidence(sentence: DraftSentence, evidence: Sequence[Evidence]) -> Evidence | None:
    """The evidence a summary's item condenses, by source, block or evidence id."""
    name = sentence.source_id
    if name is None:
        return None
    for known in (_names_itself, _names_core, _names_any):
        for e in evidence:
            if known(e, name):
                return e
    return None


def claim(text: str) -> str:
    """The sentence without its ids: each is blanked, so that offsets stay."""
    folded = fold(text)
    characters = list(text)
    for match in _IN_TEXT.finditer(folded.text):
        start, end = folded.span(*match.span())
        characters[start:end] = " " * (end - start)
    return "".join(characters)


def _inside(text: str, evidence: Sequence[Evidence]) -> list[Mention]:
    folded = fold(text)
    found: list[Mention] = []
    for match in _IN_TEXT.finditer(folded.text):
        if "DOC" not in match[0].upper() and any(match[0] in fold(e.text).text for e in evidence):
            continue
        start, end = folded.span(*match.span())
        found += [
            Mention(m.spelled, m.evidence_id, (start, end)) for m in _read(match[0], evidence)
        ]
    return found


def _read(entry: str, evidence: Sequence[Evidence]) -> list[Mention]:
    """Mentions in one entry of the list of ids."""
    plain = fold(entry).text.strip()
    for e in evidence:
        if plain.strip("[]() ").casefold() == e.evidence_id.casefold():
            return [Mention(entry, e.evidence_id)]
    if not _ENTRY.fullmatch(plain):
        return [Mention(entry, None)]
    numbers = _numbers(plain)
    if numbers is None:
        return [Mention(entry, None)]
    by_number = {_number(e.evidence_id): e.evidence_id for e in reversed(evidence)}
    return [Mention(entry if len(numbers) == 1 else f"{n}", by_number.get(n)) for n in numbers]


def _numbers(plain: str) -> list[int] | None:
    """Numbers of a list with its ranges filled in; None where a range makes no sense."""
    numbers: list[int] = []
    for part in _PART.finditer(plain):
        number = int(part["number"])
        if part["range"] and numbers:
            first = numbers[-1]
            if not first <= number <= first + _LONGEST_RANGE:
                return None
            numbers.extend(range(first + 1, number))
        numbers.append(number)
    return list(dict.fromkeys(numbers))


def _number(evidence_id: str) -> int | None:
    match = re.search(r"(\d+)$", evidence_id)
    return int(match[1]) if match else None


def _names_itself(e: Evidence, name: str) -> bool:
    return name.casefold() == e.evidence_id.casefold()


def _names_core(e: Evidence, name: str) -> bool:
    return any(p.core and name in (p.source_id, p.block_id) for p in e.passages)


def _names_any(e: Evidence, name: str) -> bool:
    return name in e.source_ids or name in e.block_ids
