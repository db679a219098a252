"""A saved answer checked again: against today's index, by today's checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from engine.errors import EngineError, first_problem
from engine.index.store import Store
from engine.types import (
    Answer,
    Block,
    Citation,
    Draft,
    DraftSentence,
    Evidence,
    Passage,
    Validation,
    page_span,
)

Validate = Callable[[Draft, Sequence[Evidence]], Validation]
State = Literal["same", "moved", "changed", "vanished"]
_ANSWER = TypeAdapter(Answer)


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """What became of a citation: its words stand where they stood, elsewhere, or nowhere."""

    citation: Citation
    state: State
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """``validation`` has one verdict a sentence, by the evidence as it reads today."""

    answer: Answer
    citations: tuple[CitationCheck, ...]
    validation: Validation

    @property
    def holds(self) -> bool:
        """Whether every citation stands where it stood and no check fails."""
        errors = [f for f in self.validation.findings if f.severity == "error"]
        return not errors and all(check.state == "same" for check in self.citations)


def load_answer(path: Path) -> Answer:
    """An answer saved by ``--format json``.

    Raises:
        EngineError: no such file, or not an answer.
    """
    try:
        answer = _ANSWER.validate_json(path.read_bytes())
    except OSError as error:
        raise EngineError(f"{path}: {error.strerror}") from None
    except ValidationError as error:
        raise EngineError(
            f"{path}: not an answer: {first_problem(error, 'file')}; "
            "save one with: answer --format json"
        ) from None
    if problem := next(_contradictions(answer), None):
        raise EngineError(f"{path}: not as it was saved: {problem}")
    return answer


def _contradictions(answer: Answer) -> Iterator[str]:
    """Where the parts of an answer do not fit each other, as after a hand has edited one."""
    known = {citation.number for citation in answer.citations}
    for at, sentence in enumerate(answer.sentences, 1):
        for number in sentence.citations:
            if number not in known:
                yield f"sentence {at} cites [{number}], which is not among the citations"
    for citation in answer.citations:
        if not citation.source_ids:
            yield f"citation [{citation.number}] names no source_ids"
    for evidence in answer.evidence:
        if any(not 0 <= p.start <= p.end <= len(evidence.text) for p in evidence.passages):
            yield f"a passage of {evidence.evidence_id} lies outside its text"


def verify(answer: Answer, store: Store, validate: Validate) -> Verification:
    """Look every citation up again, and run the checks over the sentences that were shown."""
    evidence = [_today(one, store) for one in answer.evidence]
    return Verification(
        answer,
        tuple(_check(citation, store) for citation in answer.citations),
        validate(draft_of(answer), [one for one in evidence if one.text]),
    )


def draft_of(answer: Answer) -> Draft:
    """The shown sentences as a draft, with the evidence that their citations name."""
    by_number = {citation.number: citation for citation in answer.citations}
    sentences = tuple(
        DraftSentence(
            sentence.text,
            tuple(dict.fromkeys(by_number[n].evidence_id for n in sentence.citations)),
            source_id=_source_id(sentence.citations, by_number, answer),
        )
        for sentence in answer.sentences
    )
    return Draft(answer.kind, sentences)


def _source_id(
    numbers: Sequence[int], by_number: dict[int, Citation], answer: Answer
) -> str | None:
    if answer.kind != "summary" or not numbers:
        return None
    return by_number[numbers[0]].source_ids[0]


def _check(citation: Citation, store: Store) -> CitationCheck:
    """Where the quoted words are now: in a cited block, in another one of the document, nowhere."""
    cited = [store.block(f"{citation.doc_id}:{source_id}") for source_id in citation.source_ids]
    here = [block for block in cited if block]
    if here and _holds(here, citation.quote):
        moved = page_span(block.pages for block in here) != citation.pages
        state: State = "same" if not moved or _within(here, citation) else "moved"
        return CitationCheck(citation, state, tuple(block.block_id for block in here))
    elsewhere = [b for b in store.blocks_of_document(citation.doc_id) if citation.quote in b.text]
    if elsewhere:
        return CitationCheck(citation, "moved", tuple(block.block_id for block in elsewhere))
    return CitationCheck(citation, "changed" if here else "vanished", ())


def _holds(blocks: Sequence[Block], quote: str) -> bool:
    return quote in "\n".join(block.text for block in blocks)


def _within(blocks: Sequence[Block], citation: Citation) -> bool:
    """Whether the cited pages lie within those of blocks that run over several."""
    span = page_span(block.pages for block in blocks)
    if span is None or citation.pages is None:
        return False
    return span[0] <= citation.pages[0] and citation.pages[1] <= span[1]


def _today(evidence: Evidence, store: Store) -> Evidence:
    """The evidence as its blocks read now; passages whose words are gone are left out."""
    passages: list[Passage] = []
    text, end = "", 0
    for passage in evidence.passages:
        gap, words = evidence.text[end : passage.start], evidence.text[passage.start : passage.end]
        end = passage.end
        block = store.block(passage.block_id)
        if block is None:
            continue
        now = words if words in block.text else block.text
        text += gap if text else ""
        passages.append(replace(passage, start=len(text), end=len(text) + len(now)))
        text += now
    return replace(evidence, text=text, passages=tuple(passages))


def written(found: Verification) -> str:
    """A verification for people."""
    lines = [f"question  {found.answer.question}"]
    for check in found.citations:
        where = f" ({', '.join(check.found)})" if check.state == "moved" else ""
        ids = ", ".join(check.citation.source_ids)
        lines.append(
            f"[{check.citation.number}] {check.state}{where}: {check.citation.doc_id}:{ids}"
        )
    for at, sentence in enumerate(found.answer.sentences):
        lines.append(f"{found.validation.verdicts[at]:<12} {' '.join(sentence.text.split())}")
        lines += [
            f"    {finding.check}: {finding.detail}"
            for finding in found.validation.findings
            if finding.sentence == at
        ]
    lines += [f"{f.check}: {f.detail}" for f in found.validation.findings if f.sentence is None]
    return "\n".join(lines)
