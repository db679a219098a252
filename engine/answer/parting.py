"""What a model gives as one sentence is as many as it holds, each with all that was cited for it.

Every sentence is judged and cited on its own; a paragraph with one id at its end would stand or
fall as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.answer.validation.citing import claim
from engine.answer.validation.sources import Analyzer
from engine.types import Draft, DraftSentence

_ENDED = re.compile(r"[.!?…][\"'”’)\]」』》〉]*\s*$")


def part(draft: Draft, korean: Analyzer) -> Draft:
    """The draft with every sentence of an answer apart; a summary's item condenses a paragraph."""
    if draft.kind == "summary":
        return draft
    return replace(draft, sentences=tuple(p for s in draft.sentences for p in _parts(s, korean)))


def _parts(sentence: DraftSentence, korean: Analyzer) -> Iterator[DraftSentence]:
    """The sentence itself where ids stand in its text, or where some part of it has no end."""
    pieces = [sentence.text[start:end] for start, end in korean.sentences(sentence.text)]
    named = claim(sentence.text) != sentence.text
    if len(pieces) < 2 or named or not all(map(_ENDED.search, pieces)):
        yield sentence
        return
    for piece in pieces:
        yield replace(sentence, text=piece.strip())
