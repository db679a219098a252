"""Names that people cite places by: ``제12조의2제3항제1호``, ``부칙제8995호제1조``.

A label names a block beside its id. Several blocks may stand under one label: an article's
paragraphs stand under the article.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.types import Block

_PART = re.compile(r"제?(\d+)(조|항|호)(?:의(\d+))?")
_SUPPLEMENT = re.compile(r"부칙(?:[<(〈]?제?(\d+)호[>)〉]?)?")


def normalise(text: str) -> str | None:
    """The one spelling of a label (``제 12 조 3항`` is ``제12조제3항``), None for other text."""
    rest = "".join(text.split())
    supplement = _SUPPLEMENT.match(rest)
    label = ""
    if supplement:
        label = f"부칙제{supplement[1]}호" if supplement[1] else "부칙"
        rest = rest[supplement.end() :]
    while part := _PART.match(rest):
        label += f"제{part[1]}{part[2]}" + (f"의{part[3]}" if part[3] else "")
        rest = rest[part.end() :]
    return label if label and not rest else None


def labelled(blocks: Sequence[Block], text: str) -> list[Block]:
    """Blocks under a label in source order: ``제12조`` finds 제12조제3항, never 제12조의2."""
    label = normalise(text)
    if label is None:
        return []
    return [
        block
        for block in blocks
        if block.label and re.match(re.escape(label) + r"(?:제|$)", block.label)
    ]
