"""Signs that the corpus holds no answer, and how far each of them tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.config import FusionSettings, TokenizerSettings
from engine.index.tokenizer import Tokenizer
from engine.retrieve.fusion import fuse
from engine.retrieve.ranking import is_covered
from engine.retrieve.search import Candidates
from eval.ablation.lab import Lab, analyse, candidates
from eval.ablation.table import Row, figure

HEADER = ("set", "sign", "AUC tune", "AUC test", "kept, tune", "refused, tune", "kept, test",
          "refused, test")  # fmt: skip
KEEP = 0.97

Signs = dict[str, NDArray[np.float64]]


def silence_rows(lab: Lab, tune: Sequence[int], test: Sequence[int]) -> Iterator[Row]:
    """One row a sign: thresholds keep `KEEP` of the answerable tune questions, told on both."""
    answerable = np.array([bool(question.grades) for question in lab.questions])
    for name, sign in _signs(lab).items():
        halves = [(sign[list(half)], answerable[list(half)]) for half in (tune, test)]
        threshold = threshold_of(*halves[0])
        told = [figure(value) for half in halves for value in _outcome(*half, threshold)]
        yield (lab.name, name, *(figure(separation(*half)) for half in halves), *told)
    told = [figure(v) for half in (tune, test) for v in _configured(lab, half, answerable)]
    yield (lab.name, "the configured rule", "", "", *told)


def _configured(
    lab: Lab, half: Sequence[int], answerable: NDArray[np.bool_]
) -> tuple[float, float]:
    settings = lab.engine.config.retrieval
    threshold = settings.min_similarity or lab.engine.encoder.min_similarity
    found = candidates(analyse(lab, lab.engine.tokenizer))
    covered = np.array([is_covered(found[at], settings.min_share, threshold) for at in half])
    return _outcome(covered.astype(np.float64), answerable[list(half)], 0.5)


def separation(sign: NDArray[np.float64], answerable: NDArray[np.bool_]) -> float:
    """Chance that an answerable question has more of a sign than an unanswerable one."""
    good, bad = sign[answerable][:, None], sign[~answerable][None]
    return float(np.mean((good > bad) + 0.5 * (good == bad)))


def threshold_of(sign: NDArray[np.float64], answerable: NDArray[np.bool_]) -> float:
    """The highest threshold that keeps `KEEP` of the answerable questions."""
    good = np.sort(sign[answerable])
    return float(good[int(np.floor((1 - KEEP) * len(good)))])


def _outcome(
    sign: NDArray[np.float64], answerable: NDArray[np.bool_], threshold: float
) -> tuple[float, float]:
    """Share of the answerable kept and of the unanswerable refused."""
    kept = sign >= threshold
    return float(kept[answerable].mean()), float((~kept)[~answerable].mean())


def _signs(lab: Lab) -> Signs:
    found = candidates(analyse(lab, lab.engine.tokenizer))
    words = TokenizerSettings(compounds=False, bigrams=False, wholes=False, hanja=False)
    plain = candidates(analyse(lab, Tokenizer(lab.engine.korean, words)))
    fused = [fuse(one, "hybrid", FusionSettings()) for one in found]
    signs = {
        "share of the best child": [_share(one) for one in found],
        "the same of morphemes alone": [_share(one) for one in plain],
        "share of the best parent": [_highest(c.parent / (c.parent_possible or 1)) for c in found],
        "highest cosine": [_highest(one.cosine) for one in found],
        "highest cosine in deviations": [
            _highest((one.cosine - one.mean) / one.deviation) for one in found
        ],
        "highest fused score": [_highest(scores) for scores in fused],
        "morphemes held by the first hit": [
            _held(one, scores, p) for one, scores, p in zip(found, fused, plain, strict=True)
        ],
        "rank of one leg's first in the other": [_agreement(one) for one in found],
    }
    return {name: np.array(values) for name, values in signs.items()}


def _share(found: Candidates) -> float:
    return found.best_bm25 / (found.bm25_possible or 1.0)


def _highest(values: NDArray[np.float64]) -> float:
    return float(values.max(initial=0.0))


def _held(found: Candidates, scores: NDArray[np.float64], plain: Candidates) -> float:
    """Share of the question's morphemes, by weight, in the child that ranks first."""
    if not len(found):
        return 0.0
    at = np.flatnonzero(plain.rows == found.rows[int(np.argmax(scores))])
    return float(plain.share[at[0]]) if len(at) else 0.0


def _agreement(found: Candidates) -> float:
    if not len(found):
        return 0.0
    rank = int(found.dense_rank[int(np.argmax(found.bm25))])
    return 1 / rank if rank else 0.0
