"""What should be found: a document, a page of one, or one of its blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eval.systems import Retrieved

_PAGE = re.compile(r"(.+)#page=(\d+)\Z", re.DOTALL)
_BLOCK = re.compile(r"(.+)#(S\d+-[A-Z]\d+)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Target:
    """``doc_id``, ``doc_id#page=N`` or ``doc_id#S2-P1``: never a child, since those change."""

    doc_id: str
    page: int | None = None
    source_id: str | None = None

    @property
    def whole(self) -> bool:
        """Whether any passage of the document will do."""
        return self.page is None and self.source_id is None


def parse_target(text: str) -> Target:
    """Read a target; a ``#`` that opens neither a page nor a source id belongs to the document."""
    if match := _PAGE.match(text):
        return Target(match[1], page=int(match[2]))
    if match := _BLOCK.match(text):
        return Target(match[1], source_id=match[2])
    return Target(text)


def covers(passage: Retrieved, target: Target) -> bool:
    """Whether the core of a passage holds the target, or a part of it."""
    if passage.doc_id != target.doc_id:
        return False
    if target.page is not None:
        return any(first <= target.page <= last for first, last in passage.pages)
    return target.source_id is None or target.source_id in passage.source_ids
