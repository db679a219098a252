"""The values that pass between stages: frozen, plain, and free of behaviour that needs a library.

Offsets are code points of NFC text. Pages and ranks count from 1. A source id names a place inside
one document (``S2-P1``); the same id behind its document's id (``paper:S2-P1``) is the block's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Shape (n, dim), float32, every row of length 1."""

Kind = Literal[
    "heading", "paragraph", "list", "table", "figure", "caption", "equation",
    "code", "footnote", "header", "footer", "index",
]  # fmt: skip
FURNITURE: frozenset[str] = frozenset({"header", "footer"})
"""Kinds that repeat on every page: kept as blocks, never searched."""

Mode = Literal["hybrid", "bm25", "dense"]
Scope = Literal["global", "section"]
Pages = tuple[int, int]
"""First and last physical page, inclusive."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one page; the origin is the top left corner.

    ``unit``: fractions of the page, or pixels where the size of the page is unknown.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    unit: Literal["relative", "pixel"] = "relative"


@dataclass(frozen=True, slots=True)
class Element:
    """What a reader yields: one piece of a source, cleaned, in reading order, before it has ids.

    ``level`` is the depth of a heading (1 is outermost), otherwise 0. ``header_chars`` is the
    length of a table's header at the start of ``text``; children cut from the table repeat it.
    ``section_id`` fixes the section's own number where the source has one (paper ``S3``).
    ``label`` is what people call the place, where they do (``제12조제3항``).
    ``page_breaks`` are (offset in ``text``, page that starts there) of every page but the first.
    """

    kind: Kind
    text: str
    level: int = 0
    pages: Pages | None = None
    boxes: tuple[Box, ...] = ()
    element_id: str | None = None
    header_chars: int = 0
    section_id: int | None = None
    page_label: str | None = None
    label: str | None = None
    page_breaks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A source as its reader understood it.

    Attributes:
        page_count: None where the format has no pages.
        references: bibliography marker (``R1``) to its entry.
        encoding: None where the format fixes it.
        doc_id: only where one file holds many documents.
    """

    title: str
    elements: Sequence[Element]
    page_count: int | None = None
    references: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    encoding: str | None = None
    doc_id: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One source, once it is read.

    ``source`` is the path in its original spelling; ``sha256`` is of the bytes of its files.
    """

    doc_id: str
    title: str
    source: str
    format: str
    sha256: str
    page_count: int | None = None
    encoding: str | None = None
    references: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """One element with its place: where provenance ends.

    ``start`` and ``end`` are the block's span in the document's text, which is the text of all its
    blocks joined by a blank line. ``markers`` are the bibliography ids (``R1``) in ``text``.
    ``label`` is the name that people cite the place by (``제12조제3항``), where it has one.
    ``page_breaks`` as in `Element`; `pages_of` reads them.
    """

    block_id: str
    doc_id: str
    source_id: str
    kind: Kind
    text: str
    start: int
    end: int
    section: int
    section_path: tuple[str, ...] = ()
    level: int = 0
    pages: Pages | None = None
    boxes: tuple[Box, ...] = ()
    element_id: str | None = None
    header_chars: int = 0
    markers: tuple[str, ...] = ()
    page_label: str | None = None
    label: str | None = None
    page_breaks: tuple[tuple[int, int], ...] = ()


class Extent(NamedTuple):
    """Where a block that is read stands, and how long it is.

    ``position`` counts the blocks of the index; what repeats on every page has no extent.
    """

    position: int
    chars: int


@dataclass(frozen=True, slots=True)
class Parent:
    """One section, or a part of a long one: what is read. ``block_ids`` are in source order."""

    parent_id: str
    doc_id: str
    section: int
    title: str
    block_ids: tuple[str, ...]
    pages: Pages | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A slice of one block's text."""

    block_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Child:
    """Consecutive spans of one parent, joined by newlines: what is searched."""

    child_id: str
    parent_id: str
    doc_id: str
    spans: tuple[Span, ...]
    text: str
    pages: Pages | None = None

    @property
    def block_ids(self) -> tuple[str, ...]:
        """Blocks it touches, in source order."""
        return tuple(dict.fromkeys(span.block_id for span in self.spans))


class Placed(NamedTuple):
    """A child, the positions of its first and last block, and the extents of its parent's."""

    child: Child
    first: int
    last: int
    extents: list[Extent]


class Hit(NamedTuple):
    """A child (by its row in the index) in one ranking. ``rank`` counts from 1."""

    row: int
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of an evidence's text that comes from one block: ``text[start:end]``.

    ``core`` says whether it is part of what matched; ``header`` is the header line of its table.
    ``page_breaks`` are (offset in the evidence's text, page that starts there).
    """

    block_id: str
    source_id: str
    start: int
    end: int
    pages: Pages | None
    section_path: tuple[str, ...]
    kind: Kind
    core: bool
    header: str = ""
    label: str | None = None
    page_breaks: tuple[tuple[int, int], ...] = ()
    boxes: tuple[Box, ...] = ()


def page_span(spans: Iterable[Pages | None]) -> Pages | None:
    """The pages that several spans cover together; None where none has pages."""
    known = [span for span in spans if span is not None]
    if not known:
        return None
    return min(first for first, _ in known), max(last for _, last in known)


def pages_of(piece: Block | Passage, start: int, end: int) -> Pages | None:
    """The pages of a slice of a block or passage; of an empty slice, that of ``start``.

    Offsets are those of the piece's ``page_breaks``.
    """
    if piece.pages is None or not piece.page_breaks:
        return piece.pages
    return _page_at(piece, start), _page_at(piece, max(start, end - 1))


def _page_at(piece: Block | Passage, offset: int) -> int:
    first = piece.pages[0] if piece.pages else 0
    return max([first, *(page for at, page in piece.page_breaks if at <= offset)])


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ranked, numbered passage.

    ``core_text`` is the child that matched; ``text`` holds it inside as much of its parent as the
    budget allows. ``block_ids``, ``source_ids`` and ``pages`` cover all of ``text``;
    ``passages`` say which part came from which block, so that a quotation can be placed exactly.

    Attributes:
        pages: None where the source has no pages.
        why: how it was found: matched terms with weights, score and rank in each leg.
    """

    evidence_id: str
    doc_id: str
    title: str
    source: str
    score: float
    rank: int
    child_id: str
    parent_id: str
    block_ids: tuple[str, ...]
    source_ids: tuple[str, ...]
    section_path: tuple[str, ...]
    pages: Pages | None
    text: str
    core_text: str
    markers: tuple[str, ...]
    passages: tuple[Passage, ...] = ()
    references: Mapping[str, str] = field(default_factory=dict)
    why: Mapping[str, Any] = field(default_factory=dict)
    uri: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where one quotation stands. ``number`` is what the text shows as ``[1]``.

    ``context`` is the evidence around the quotation, which starts at ``context[at:]``; ``uri``
    opens the source file; ``labels`` are names people cite the place by (``제12조제3항``).
    """

    number: int
    evidence_id: str
    doc_id: str
    title: str
    source: str
    pages: Pages | None
    section_path: tuple[str, ...]
    source_ids: tuple[str, ...]
    quote: str
    context: str
    at: int
    markers: tuple[str, ...] = ()
    uri: str = ""
    labels: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()


Verdict = Literal["supported", "unsupported", "contradicted", "unverified"]


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """One sentence as a model wrote it, with the ids it cites, in any spelling, unchecked.

    ``source_id`` is set in summaries: the one paragraph this item condenses.
    """

    text: str
    cited: tuple[str, ...]
    source_id: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model replied, once it has the right shape; nothing in it is believed yet."""

    kind: Literal["answer", "summary"]
    sentences: tuple[DraftSentence, ...]
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found wrong.

    ``sentence`` is an index into the draft, None for the draft as a whole; ``span`` is in that
    sentence; ``detail`` is Korean, for the reader. An ``error`` fails the sentence, a ``warning``
    does not; ``contradicts`` marks errors that say the source states the opposite. A finding about
    one citation names its evidence.
    """

    check: str
    sentence: int | None
    detail: str
    span: tuple[int, int] | None = None
    severity: Literal["error", "warning"] = "error"
    contradicts: bool = False
    evidence_id: str | None = None


@dataclass(frozen=True, slots=True)
class Support:
    """The sentence of the evidence closest to a drafted one: ``evidence.text[start:end]``."""

    evidence_id: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Validation:
    """The outcome of all checks. ``verdicts`` and ``supports`` have one entry a sentence."""

    verdicts: tuple[Verdict, ...]
    supports: tuple[Support | None, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence; ``citations`` are numbers of `Citation`, ``section`` heads a summary's item."""

    text: str
    citations: tuple[int, ...]
    verdict: Verdict = "unverified"
    reasons: tuple[str, ...] = ()
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Omitted:
    """A passage of the source that a summary left out."""

    source_id: str
    section_path: tuple[str, ...]
    pages: Pages | None
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person reads: sentences, each with its citations, and what was left out and why.

    ``notices`` are findings about the draft as a whole that its reader must see.
    """

    question: str
    kind: Literal["answer", "summary"]
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    references: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    pruned: tuple[Sentence, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    generated: bool = False
    refusal: str | None = None
    notices: tuple[str, ...] = ()
    audit: Mapping[str, Any] = field(default_factory=dict)

    def render(
        self,
        form: Literal["text", "markdown", "html", "json"] = "text",
        *,
        show_omitted: bool = False,
        show_pruned: bool = False,
    ) -> str:
        """Write the answer out, for people or (``json``) for programs.

        Args:
            form: the JSON holds everything, whatever else is asked for.
            show_omitted: list what a summary left out.
            show_pruned: list the sentences that failed a check, and why.
        """
        from engine.answer.rendering import render

        return render([self], form, show_omitted=show_omitted, show_pruned=show_pruned)


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did.

    ``skipped`` and ``unsupported`` map a path to a reason, ``encodings`` an encoding to the number
    of documents in it.
    """

    index: str
    documents: int
    read: int
    reused: int
    removed: int
    skipped: Mapping[str, str]
    unsupported: Mapping[str, str]
    blocks: int
    parents: int
    children: int
    embedded: int
    unchanged: bool
    seconds: Mapping[str, float]
    warnings: tuple[str, ...] = ()
    encodings: Mapping[str, int] = field(default_factory=dict)


class Encoder(Protocol):
    """Texts to unit vectors. Query and passage may be encoded differently."""

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    @property
    def fingerprint(self) -> Mapping[str, Any]:
        """Everything that vectors depend on."""
        ...

    @property
    def min_similarity(self) -> float | None:
        """Cosine from which a passage counts though it shares no term; None where unknown."""
        ...

    @property
    def min_similarity_foreign(self) -> float | None:
        """The same for questions without Hangul, as English ones over Korean text."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a question."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a passage."""
        ...
