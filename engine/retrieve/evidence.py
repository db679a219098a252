"""A ranking of children becomes numbered evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine.retrieve.expansion import Context, Window, merge, read_window, readable, widen
from engine.types import Block, Child, Document, Evidence, Extent, Hit, Placed, page_span

_AT_ONCE = 100


class Library(Protocol):
    """Where children, blocks and documents are read."""

    def placed(self, rows: Sequence[int]) -> list[Placed]:
        """The children of some rows, and where they stand."""
        ...

    def blocks_between(self, first: int, last: int) -> list[Block]:
        """Blocks from one position to another, both included, in source order."""
        ...

    def documents_of(self, doc_ids: Collection[str]) -> dict[str, Document]:
        """Those of some documents that are here, by id."""
        ...


Explain = Callable[[Sequence[int]], Sequence[Mapping[str, Any]]]
"""How the children of some rows were found."""


def collect(
    library: Library,
    ranking: Sequence[Hit],
    k: int,
    budget: int,
    explain: Explain,
    locate: Callable[[str], str],
) -> list[Evidence]:
    """At most ``k`` evidence from a ranking, best first, in the order of their best child.

    A child that touches a better one is read with it instead of taking a place of its own.
    ``locate`` turns a document's source into an address.
    """
    windows: list[Window] = []
    hits: dict[str, Hit] = {}
    extents: dict[str, list[Extent]] = {}
    for hit, placed in _placed(library, ranking, min(k, _AT_ONCE)):
        hits[placed.child.child_id] = hit
        extents[placed.child.parent_id] = placed.extents
        windows = merge(windows, placed, budget, k)
        if len(windows) == k:
            break
    reasons = explain([hits[window.cores[0].child_id].row for window in windows])
    documents = library.documents_of({window.cores[0].doc_id for window in windows})
    addresses = {doc_id: locate(document.source) for doc_id, document in documents.items()}
    evidence: list[Evidence] = []
    for window, why in zip(widen(windows, extents, budget), reasons, strict=True):
        child, around = window.cores[0], extents[window.parent_id]
        first, last = around[window.first].position, around[window.last].position
        blocks = readable(library.blocks_between(first, last))
        evidence.append(
            _evidence(
                documents[child.doc_id], addresses[child.doc_id], blocks,
                read_window(window.cores, blocks, budget), child, hits[child.child_id].score,
                len(evidence) + 1, why,
            )
        )  # fmt: skip
    return evidence


def _placed(library: Library, ranking: Sequence[Hit], at_once: int) -> Iterator[tuple[Hit, Placed]]:
    for start in range(0, len(ranking), at_once or 1):
        hits = ranking[start : start + at_once]
        yield from zip(hits, library.placed([hit.row for hit in hits]), strict=True)


def _evidence(
    document: Document,
    address: str,
    blocks: Sequence[Block],
    context: Context,
    child: Child,
    score: float,
    rank: int,
    why: Mapping[str, Any],
) -> Evidence:
    by_id = {block.block_id: block for block in blocks}
    ids = tuple(dict.fromkeys(passage.block_id for passage in context.passages))
    markers = tuple(dict.fromkeys(marker for i in ids for marker in by_id[i].markers))
    core = next(passage for passage in context.passages if passage.block_id in child.block_ids)
    return Evidence(
        evidence_id=f"DOC_{rank}", doc_id=child.doc_id, title=document.title,
        source=document.source, score=score, rank=rank,
        child_id=child.child_id, parent_id=child.parent_id, block_ids=ids,
        source_ids=tuple(by_id[i].source_id for i in ids), section_path=core.section_path,
        pages=page_span(passage.pages for passage in context.passages), text=context.text,
        core_text=child.text, markers=markers, passages=context.passages,
        references={m: document.references[m] for m in markers if m in document.references},
        uri=address, why=why,
    )  # fmt: skip
