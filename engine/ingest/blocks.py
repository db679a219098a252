"""Elements become blocks: sections are found, every block gets its id, place and span."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.types import FURNITURE, Block, Element, Reading

SEPARATOR = "\n\n"
_MARKER = re.compile(r"\[(R\d+)\]")


def make_blocks(doc_id: str, reading: Reading) -> list[Block]:
    """Blocks of one document in source order.

    A section starts at a heading that is no deeper than the section it would end. A lone outermost
    heading in front of deeper ones is the document's title and starts none. Sections count from 1,
    or carry the source's own number; what stands before the first is section 0. Inside a section
    body blocks are ``P1``, ``P2`` …, headings ``H1`` …, page headers and footers ``F1`` ….
    """
    title_at = _title(reading.elements)
    has_sections = any(
        e.kind == "heading" and i != title_at for i, e in enumerate(reading.elements)
    )
    section = 0 if has_sections else 1
    section_level = 0
    counts: Counter[str] = Counter()
    path: list[tuple[int, str]] = []
    blocks: list[Block] = []
    position = 0
    for at, element in enumerate(reading.elements):
        if element.kind == "heading" and at != title_at:
            if section_level == 0 or element.level <= section_level:
                section = section + 1 if element.section_id is None else element.section_id
                section_level = element.level
                counts.clear()
                path.clear()
            path = [(level, text) for level, text in path if level < element.level]
            path.append((element.level, " ".join(element.text.split())))
        letter = _letter(element)
        counts[letter] += 1
        source_id = f"S{section}-{letter}{counts[letter]}"
        blocks.append(
            Block(
                block_id=f"{doc_id}:{source_id}", doc_id=doc_id, source_id=source_id,
                kind=element.kind, text=element.text, start=position,
                end=position + len(element.text), section=section,
                section_path=tuple(text for _, text in path), level=element.level,
                pages=element.pages, boxes=element.boxes, element_id=element.element_id,
                header_chars=element.header_chars, page_label=element.page_label,
                page_breaks=element.page_breaks,
                markers=tuple(dict.fromkeys(_MARKER.findall(element.text))),
                label=element.label,
            )
        )  # fmt: skip
        position += len(element.text) + len(SEPARATOR)
    return blocks


def _letter(element: Element) -> str:
    if element.kind == "heading":
        return "H"
    return "F" if element.kind in FURNITURE else "P"


def _title(elements: Sequence[Element]) -> int | None:
    """Position of the heading that is the document's title, if one is."""
    headings = [(at, e.level) for at, e in enumerate(elements) if e.kind == "heading"]
    if len(headings) < 2:
        return None
    (first, level), rest = headings[0], [level for _, level in headings[1:]]
    return first if level < min(rest) else None
