"""From any id to the place in its source: document, pages, section, text, neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.index.store import Store
from engine.ingest.labels import labelled
from engine.messages import pages
from engine.pdf.images import render_page
from engine.types import Block, Box, Child, Document, Pages, Parent, page_span


@dataclass(frozen=True, slots=True)
class Trace:
    """Where something stands, between the blocks ``before`` and ``after`` it."""

    id: str
    what: str
    document: Document
    pages: Pages | None
    section_path: tuple[str, ...]
    labels: tuple[str, ...]
    source_ids: tuple[str, ...]
    element_ids: tuple[str, ...]
    boxes: tuple[Box, ...]
    text: str
    parent_id: str | None
    before: Block | None
    after: Block | None


def trace(store: Store, wanted: str) -> Trace:
    """Find a document (``paper``), section (``paper:S2``), block (``…-P1``) or child (``…-C1``).

    Where blocks have labels, these find them too: ``법/도로교통법:제12조제3항``.

    Raises:
        EngineError: nothing in the index has this id.
    """
    document = store.document(wanted)
    if document:
        return _trace(store, wanted, "document", document, store.blocks_of_document(wanted), None)
    doc_id = wanted.rpartition(":")[0]
    found = store.document(doc_id)
    block, child, parent = store.block(wanted), store.child(wanted), store.parent(wanted)
    if found and block:
        return _trace(store, wanted, block.kind, found, [block], None)
    if found and child:
        blocks = [b for b in store.blocks_of_document(doc_id) if b.block_id in child.block_ids]
        return _trace(store, wanted, "child", found, blocks, child)
    if found and parent:
        return _trace(store, wanted, "parent", found, store.blocks_of_parent(wanted), parent)
    named = labelled(store.blocks_of_document(doc_id), wanted.rpartition(":")[2]) if found else []
    if found and named:
        return _trace(store, wanted, "label", found, named, None)
    raise EngineError(
        f"{wanted!r}: nothing in the index has this id; expected one such as paper, paper:S2, "
        "paper:S2-P1 or paper:S2-C1, as query --json shows them"
    )


def _trace(
    store: Store,
    wanted: str,
    what: str,
    document: Document,
    blocks: list[Block],
    item: Child | Parent | None,
) -> Trace:
    everything = store.blocks_of_document(document.doc_id)
    at = {block.block_id: position for position, block in enumerate(everything)}
    first = at[blocks[0].block_id] if blocks else 0
    last = at[blocks[-1].block_id] if blocks else len(everything)
    owner = item.parent_id if isinstance(item, Child) else None
    return Trace(
        id=wanted, what=what, document=document,
        pages=item.pages if item else _pages(blocks, document, what),
        section_path=blocks[0].section_path if blocks and what != "document" else (),
        labels=tuple(block.label for block in blocks if block.label and what != "document"),
        source_ids=tuple(block.source_id for block in blocks),
        element_ids=tuple(block.element_id for block in blocks if block.element_id is not None),
        boxes=tuple(box for block in blocks for box in block.boxes) if what != "document" else (),
        text=item.text if isinstance(item, Child) else "\n\n".join(b.text for b in blocks),
        parent_id=owner,
        before=everything[first - 1] if first > 0 else None,
        after=everything[last + 1] if last + 1 < len(everything) else None,
    )  # fmt: skip


def _pages(blocks: list[Block], document: Document, what: str) -> Pages | None:
    if what == "document":
        return (1, document.page_count) if document.page_count else None
    return page_span(block.pages for block in blocks)


def picture(found: Trace, file: Path) -> bytes:
    """PNG of the first page of a place, with its boxes drawn on it.

    Raises:
        EngineError: the source is no PDF, has no page, or its boxes cannot be drawn.
    """
    if file.suffix.lower() != ".pdf" or not file.is_file():
        raise EngineError(f"{found.document.source}: no PDF to draw on ({file.name})")
    if found.pages is None:
        raise EngineError(f"{found.id}: its place has no page")
    return render_page(file, found.pages[0], found.boxes)


def written(found: Trace) -> str:
    """A trace for people."""
    document = found.document
    rows = [
        ("id", f"{found.id} ({found.what})"),
        ("document", f"{document.title} ({document.format}"
         + (f", {document.page_count}쪽)" if document.page_count else ")")),
        ("source", document.source + (f" ({document.encoding})" if document.encoding else "")),
        ("pages", pages(found.pages)),
        ("section", " > ".join(found.section_path)),
        ("labels", _some(found.labels)),
        ("blocks", _some(found.source_ids)),
        ("elements", _some(found.element_ids)),
        ("boxes", _some([_box(box) for box in found.boxes])),
        ("parent", found.parent_id or ""),
        ("before", _neighbour(found.before)),
        ("after", _neighbour(found.after)),
    ]  # fmt: skip
    lines = [f"{name:<9} {value}" for name, value in rows if value]
    return "\n".join([*lines, "", found.text])


def _some(values: list[str] | tuple[str, ...]) -> str:
    shown = ", ".join(values[:12])
    return f"{shown}, … ({len(values)})" if len(values) > 12 else shown


def _box(box: Box) -> str:
    corners = " ".join(f"{value:g}" for value in (box.x0, box.y0, box.x1, box.y1))
    return f"{box.page}쪽 [{corners}]" + (" px" if box.unit == "pixel" else "")


def _neighbour(block: Block | None) -> str:
    if block is None:
        return ""
    text = " ".join(block.text.split())
    return f"{block.block_id}: {text[:60]}" + ("…" if len(text) > 60 else "")
