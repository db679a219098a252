"""Which candidates count as evidence, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import NDArray

from engine.retrieve.search import Candidates, Scores
from engine.types import Hit


def admit(found: Candidates, min_share: float, min_similarity: float | None) -> NDArray[np.bool_]:
    """Whether each candidate is evidence at all.

    It is if it matches at least ``min_share`` of the question's weight, or if its cosine reaches
    ``min_similarity`` (None: any cosine of a dense leg that is on does).
    """
    matches = (found.bm25 > 0) & (found.share >= min_share)
    if min_similarity is None:
        return matches | (found.dense_rank > 0)
    return matches | ((found.dense_rank > 0) & (found.cosine >= min_similarity))


def rank(found: Candidates, scores: Scores) -> list[Hit]:
    """All candidates by score, ties to the earlier row."""
    order = np.lexsort((found.rows, -scores))
    return [Hit(int(found.rows[at]), float(scores[at]), place) for place, at in enumerate(order, 1)]


def rank_sections(
    hits: list[Hit], section_of: Callable[[int], Hashable], per_section: int, k: int
) -> list[Hit]:
    """The best ``per_section`` of each section, of the ``k`` best sections, in source order."""
    taken: dict[Hashable, list[Hit]] = {}
    for hit in hits:
        section = section_of(hit.row)
        if section not in taken and len(taken) == k:
            continue
        members = taken.setdefault(section, [])
        if len(members) < per_section:
            members.append(hit)
    kept = sorted((hit for members in taken.values() for hit in members), key=lambda hit: hit.row)
    return [Hit(hit.row, hit.score, place) for place, hit in enumerate(kept, 1)]
