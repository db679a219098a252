"""Signs that the corpus holds no answer, and how far each of them tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.config import FusionSettings, TokenizerSettings
from engine.engine import Engine
from engine.index.tokenizer import Tokenizer
from engine.retrieve.candidates import Candidates
from engine.retrieve.fusion import fuse
from engine.retrieve.retriever import Asked, Ranking
from eval import abstention
from eval.ablation import passages
from eval.ablation.lab import Lab, analyse, candidates
from eval.ablation.table import Row, figure
from eval.abstention import Confidence
from eval.calibrate import KEEP
from eval.engines import without_thresholds
from eval.indexes import changed

HEADER = ("set", "sign", "AUC tune", "AUC test", "kept, tune", "refused, tune", "kept, test",
          "refused, test")  # fmt: skip
ELSEWHERE_HEADER = (
    "index",
    "questions",
    "asked",
    "refused by share and cosine",
    "and coverage",
    "and quantities",
)
_SETTINGS: dict[str, dict[str, Any]] = {
    "share and cosine alone": {"retrieval.min_coverage": 0.0, "retrieval.quantities": False},
    "and coverage": {"retrieval.quantities": False},
    "and quantities, as configured": {},
}

Signs = dict[str, NDArray[np.float64]]


def silence_rows(lab: Lab, tune: Sequence[int], test: Sequence[int]) -> Iterator[Row]:
    """One row a sign: thresholds keep `KEEP` of the answerable tune questions, told on both."""
    answerable = np.array([bool(question.grades) for question in lab.questions])
    for name, sign in _signs(lab).items():
        halves = [(sign[list(half)], answerable[list(half)]) for half in (tune, test)]
        threshold = threshold_of(*halves[0])
        told = [figure(value) for half in halves for value in _outcome(*half, threshold)]
        yield (lab.name, name, *(figure(separation(*half)) for half in halves), *told)
    texts = [question.text for question in lab.questions]
    for name, refused in _rules(lab.engine, texts).items():
        kept = np.array([0.0 if silent else 1.0 for silent in refused])
        halves = [(kept[list(half)], answerable[list(half)]) for half in (tune, test)]
        told = [figure(value) for half in halves for value in _outcome(*half, 0.5)]
        yield (lab.name, name, "", "", *told)


def elsewhere_rows(labs: Sequence[Lab], most: int = 300) -> Iterator[Row]:
    """What the rules refuse of each set's answerable questions, asked of each index."""
    for lab in labs:
        for other in labs:
            questions = [question.text for question in other.questions if question.grades]
            step = max(1, len(questions) // most)
            asked = questions[::step][:most]
            rules = _rules(lab.engine, asked)
            shares = [sum(rules[name]) / len(asked) for name in _SETTINGS]
            yield (lab.name, other.name, str(len(asked)), *map(figure, shares))


def _rules(engine: Engine, questions: Sequence[str]) -> dict[str, list[bool]]:
    """Whether each question is refused by each rule, or its extract says that nouns are missing."""
    asked = engine.lookup.analyse(questions, "hybrid")
    refused: dict[str, list[bool]] = {}
    rankings: list[Ranking] = []
    for name, settings in _SETTINGS.items():
        one = replace(engine, config=changed(engine.config, settings))
        rankings = [_ranking(one, question) for question in asked]
        refused[name] = [not ranking.hits for ranking in rankings]
    doubted = [not r.hits or bool(r.silence.nouns) for r in rankings]
    return refused | {"refused or a noun missing": doubted}


def _ranking(engine: Engine, asked: Asked) -> Ranking:
    return engine.lookup.rank(asked, engine.config.retrieval.k, "hybrid")


def separation(sign: NDArray[np.float64], answerable: NDArray[np.bool_]) -> float:
    """Chance that an answerable question has more of a sign than an unanswerable one."""
    outcomes = [
        Confidence(score, bool(can), right=bool(can))
        for score, can in zip(sign.tolist(), answerable, strict=True)
    ]
    return abstention.separation(outcomes) or 0.0


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
        "share of the best child": [one.best_share for one in found],
        "share of the best parent": [_highest(c.parent / (c.parent_possible or 1)) for c in found],
        "highest cosine": [_highest(one.cosine) for one in found],
        "highest fused score": [_highest(scores) for scores in fused],
        "morphemes held by the first hit": [
            _held(one, scores, p) for one, scores, p in zip(found, fused, plain, strict=True)
        ],
        **_read(lab),
    }
    return {name: np.array(values) for name, values in signs.items()}


def _read(lab: Lab) -> dict[str, list[float]]:
    engine = without_thresholds(lab.engine)
    asked = engine.lookup.analyse([question.text for question in lab.questions], "hybrid")
    told = [passages.signs(engine, engine.lookup.rank(one, 1, "hybrid")) for one in asked]
    return {
        name: list(values)
        for name, values in zip(passages.NAMES, zip(*told, strict=True), strict=True)
    }


def _highest(values: NDArray[np.float64]) -> float:
    return float(values.max(initial=0.0))


def _held(found: Candidates, scores: NDArray[np.float64], plain: Candidates) -> float:
    """Share of the question's morphemes, by weight, in the child that ranks first."""
    if not len(found):
        return 0.0
    at = np.flatnonzero(plain.rows == found.rows[int(np.argmax(scores))])
    return float(plain.share[at[0]]) if len(at) else 0.0
