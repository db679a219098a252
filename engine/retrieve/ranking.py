"""Which candidates count as evidence, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.retrieve.candidates import Candidates, Scores
from engine.types import Hit


def is_covered(found: Candidates, min_share: float, min_similarity: float | None) -> bool:
    """Whether the corpus holds anything on the question at all.

    It does if some child matches at least ``min_share`` of the question's weight, or if some cosine
    reaches ``min_similarity``; None leaves that to any cosine of a dense leg that is on.
    """
    if found.best_bm25 > 0 and found.best_bm25 >= min_share * found.bm25_possible:
        return True
    near = found.cosine[found.dense_rank > 0]
    return len(near) > 0 and (min_similarity is None or float(near.max()) >= min_similarity)


def matches(found: Candidates, min_similarity: float | None) -> NDArray[np.bool_]:
    """Whether each candidate shares a term with the question or is similar enough without."""
    near = found.dense_rank > 0
    if min_similarity is not None:
        near &= found.cosine >= min_similarity
    shared: NDArray[np.bool_] = found.bm25 > 0
    return shared | near


def rank(found: Candidates, scores: Scores, k: int | None = None) -> list[Hit]:
    """The best ``k`` candidates (None: all) by score, ties to the earlier row."""
    order = np.lexsort((found.rows, -scores))[:k]
    rows, sorted_scores = found.rows[order].tolist(), scores[order].tolist()
    return list(map(Hit, rows, sorted_scores, range(1, len(rows) + 1)))


def rank_sections(
    hits: Sequence[Hit], section_of: Callable[[int], Hashable], per_section: int, k: int
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
