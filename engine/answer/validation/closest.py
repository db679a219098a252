"""The sentence of the cited evidence that says most of what a drafted sentence says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.answer.validation.sources import SourceSentence
from engine.text.kiwi import Morpheme
from engine.types import Support

_CONTENT = ("NN", "NR", "VV", "VA", "XR", "SN", "SL", "SH", "MM", "VCN")
_EMPTY = frozenset({"하", "되", "있", "것", "수", "등", "이", "그", "및"})
_RECALL_WEIGHT = 4.0


@dataclass(frozen=True, slots=True)
class Closest:
    """The closest sentence, and the share of the drafted one's content that it holds."""

    sentence: SourceSentence
    coverage: float


def content(morphemes: Iterable[Morpheme]) -> frozenset[str]:
    """Forms that carry meaning."""
    return frozenset(
        m.form.casefold() for m in morphemes if m.tag.startswith(_CONTENT) and m.form not in _EMPTY
    )


def rank_sources(morphemes: Iterable[Morpheme], sources: Sequence[SourceSentence]) -> list[Closest]:
    """Source sentences, closest first: F₂ over content morphemes, rarer ones weighing more.

    Ties go to the earlier sentence. Sentences that share nothing are left out.
    """
    terms = [content(source.morphemes) for source in sources]
    counts = Counter(term for one in terms for term in one)

    def weigh(found: Iterable[str]) -> float:
        n = len(sources)
        return sum(math.log(1 + (n - counts[t] + 0.5) / (counts[t] + 0.5)) for t in sorted(found))

    wanted = content(morphemes)
    whole = weigh(wanted)
    ranked: list[tuple[float, int, Closest]] = []
    for at, (source, own) in enumerate(zip(sources, terms, strict=True)):
        shared = weigh(wanted & own)
        if shared > 0:
            recall, precision = shared / whole, shared / weigh(own)
            coverage = len(wanted & own) / len(wanted)
            score = (
                (1 + _RECALL_WEIGHT) * recall * precision / (_RECALL_WEIGHT * precision + recall)
            )
            ranked.append((-score, at, Closest(source, coverage)))
    return [found for *_, found in sorted(ranked, key=lambda r: r[:2])]


def find_support(
    morphemes: Iterable[Morpheme], sources: Sequence[SourceSentence]
) -> Support | None:
    """The closest sentence as a quotation; None where nothing is shared."""
    ranked = rank_sources(morphemes, sources)
    if not ranked:
        return None
    found = ranked[0].sentence
    return Support(found.evidence_id, found.start, found.end, found.text)
