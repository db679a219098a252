"""An opened index as systems to compare, and what it knows of a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import numpy as np

from engine.engine import Engine
from engine.errors import ConfigError
from engine.index.manifest import fingerprint
from engine.retrieve.concordance import PLACES
from engine.types import Child, Encoder, Hit, Mode, Vectors
from eval.calibrate import Signals
from eval.dataset import UNANSWERABLE, Dataset
from eval.indexes import CACHE, changed, parse_value, variant
from eval.stages import Place
from eval.systems import Rankings, Retrieved
from eval.targets import covers, parse_target


@dataclass(frozen=True)
class EngineSystem:
    """One mode of an engine.

    Children are scored as the legs and the fusion rank them, before neighbours are merged into
    evidence: a merged passage would carry a child that was found far below to the rank of its best.
    """

    name: str
    engine: Engine
    mode: Mode
    plain: Encoder
    read: dict[int, Retrieved] = field(default_factory=dict)

    def search(self, queries: Sequence[str], k: int) -> Rankings:
        """Rank children, whatever the thresholds; see `eval.systems.System`."""
        found = self._limitless.rank_many(queries, k, mode=self.mode)
        return [[self._passage(hit) for hit in hits] for hits in found]

    def silent(self, queries: Sequence[str]) -> list[bool]:
        """Whether the engine, with its thresholds, finds nothing."""
        return [not hits for hits in self.engine.rank_many(queries, 1, mode=self.mode)]

    def once(self, query: str) -> object:
        """Retrieve as a person would: the question embedded anew, the evidence read."""
        return self._as_opened.retrieve(query, 10, mode=self.mode)

    @cached_property
    def _limitless(self) -> Engine:
        return without_thresholds(self.engine)

    @cached_property
    def _as_opened(self) -> Engine:
        return replace(self.engine, encoder=self.plain)

    def _passage(self, hit: Hit) -> Retrieved:
        if hit.row not in self.read:
            self.read[hit.row] = passage_of(self.engine.store.child_at(hit.row))
        return replace(self.read[hit.row], score=hit.score)


def passage_of(child: Child) -> Retrieved:
    """What a child covers."""
    prefix = f"{child.doc_id}:"
    return Retrieved(
        child.doc_id, 0.0,
        source_ids=tuple(block_id.removeprefix(prefix) for block_id in child.block_ids),
        pages=() if child.pages is None else (child.pages,), chars=len(child.text),
        child_id=child.child_id, parent_id=child.parent_id,
    )  # fmt: skip


def without_thresholds(engine: Engine) -> Engine:
    """The same engine with every passage counting as evidence."""
    limitless = {
        "retrieval.min_share": 0.0, "retrieval.min_similarity": -1.0,
        "retrieval.quantities": False, "rerank.min_score": None,
    }  # fmt: skip
    return replace(engine, config=changed(engine.config, limitless))


def make_systems(engine: Engine, names: Sequence[str], cache: Path = CACHE) -> list[EngineSystem]:
    """Systems by name: ``MODE`` or, as in ``hybrid:fusion.method=rrf``, with settings.

    Raises:
        ConfigError: a name is doubled, a mode or a setting is unknown.
    """
    if len(set(names)) < len(names):
        raise ConfigError(f"--systems: a name is doubled in {', '.join(names)}")
    read: dict[int, Retrieved] = {}
    encoders: dict[str, RememberingEncoder] = {}
    systems = []
    for name in names:
        mode, settings = parse_system(name)
        varied = variant(engine, settings, cache)
        key = fingerprint(varied.encoder.fingerprint)
        shared = encoders.setdefault(key, RememberingEncoder(varied.encoder))
        sharing = replace(varied, encoder=shared)
        systems.append(EngineSystem(name, sharing, mode, varied.encoder, read))
    return systems


def parse_system(name: str) -> tuple[Mode, dict[str, Any]]:
    """Mode and settings of a system's name; ``hybrid+rewrite`` rewrites wherever it can.

    Raises:
        ConfigError: it is no such name.
    """
    mode, _, rest = name.partition(":")
    mode, rewritten, asked = mode.partition("+")
    if asked != ("rewrite" if rewritten else "") or mode not in get_args(Mode):
        raise ConfigError(
            f"system {name!r}: expected one of {', '.join(get_args(Mode))}, "
            "with settings such as hybrid:fusion.method=rrf"
        )
    settings: dict[str, Any] = {"rewrite.mode": "all"} if rewritten else {}
    for part in filter(None, rest.split(",")):
        key, sign, value = part.partition("=")
        if not sign:
            raise ConfigError(f"system {name!r}: found {part!r}, expected section.field=value")
        settings[key] = parse_value(value)
    found: Mode = mode  # type: ignore[assignment]
    return found, settings


def read_signals(engine: Engine, dataset: Dataset) -> list[Signals]:
    """The best share, cosine, coverage and judgement that any passage offers each question."""
    lookup, quantities = without_thresholds(engine).lookup, engine.config.retrieval.quantities
    asked = lookup.analyse([query.text for query in dataset.queries], "hybrid")
    signals = []
    for query, one in zip(dataset.queries, asked, strict=True):
        ranking = lookup.rank(one, 1, "hybrid")
        found, judges = ranking.found, ranking.hits is not ranking.fused
        near = ranking.fused[:PLACES]
        signals.append(
            Signals(
                query.query_id,
                found.best_share,
                float(found.cosine.max(initial=-1.0)),
                lookup.concordance.coverage(one.text, found, near).share,
                query.query_class != UNANSWERABLE,
                not quantities or lookup.concordance.unstated(one.text, found, near) is None,
                ranking.hits[0].score if judges and ranking.hits else None,
            )
        )
    return signals


class RememberingEncoder:
    """Encodes each text once, however often it is asked or read."""

    min_similarity: float | None
    min_similarity_foreign: float | None

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._questions: dict[str, Vectors] = {}
        self._passages: dict[str, Vectors] = {}
        self.dim, self.fingerprint = encoder.dim, encoder.fingerprint
        self.min_similarity = encoder.min_similarity
        self.min_similarity_foreign = encoder.min_similarity_foreign

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a question."""
        return self._of(texts, self._questions, self._encoder.encode_queries)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a passage."""
        return self._of(texts, self._passages, self._encoder.encode_passages)

    def _of(
        self,
        texts: Sequence[str],
        known: dict[str, Vectors],
        encode: Callable[[Sequence[str]], Vectors],
    ) -> Vectors:
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known.update(zip(fresh, encode(fresh), strict=True))
        rows = [known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dim), np.float32)


class IndexCatalog:
    """What an index holds of a target."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._rows: dict[str, int] = {}
        self._places: dict[str, Place] = {}

    def place(self, target: str) -> Place:
        """The children that hold it, in source order, and their parents."""
        if target not in self._places:
            self._places[target] = self._find(target)
        return self._places[target]

    def shares_term(self, query: str, place: Place) -> bool:
        """Whether the question has a term of the place's children."""
        engine = self._engine
        known = engine.store.term_ids(next(iter(engine.tokenizer.terms([query]))))
        rows = [self._rows[child_id] for child_id in place.child_ids]
        return bool(engine.legs.children.parts(list(known.values()), rows).any())

    def _find(self, target: str) -> Place:
        parsed = parse_target(target)
        store = self._engine.store
        found = []
        for row in store.document_rows(parsed.doc_id):
            child = store.child_at(row)
            if covers(passage_of(child), parsed):
                self._rows[child.child_id] = row
                found.append(child)
        return Place(
            tuple(child.child_id for child in found), frozenset(child.parent_id for child in found)
        )
