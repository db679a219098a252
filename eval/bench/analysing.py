"""Tokenising beside Kiwi alone, and embedding beside a plain sentence-transformers loop."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine.build import open_korean
from engine.config import DenseSettings, EncoderSettings
from engine.engine import Engine
from engine.index import dense
from engine.index.encoder import BUNDLED_SHA256, BundledEncoder, bundled_weights, encode_all
from engine.index.tokenizer import Tokenizer
from engine.index.unpacked import unpack
from engine.types import Vectors
from eval.bench.asking import DEPTH, recall
from eval.bench.corpus import configure
from eval.bench.figures import Figure
from eval.bench.machine import alone
from eval.bench.questions import phrases
from eval.bench.vectors import PairEncoder

_ROUNDS = 3
_BESIDE = 1024
"""Passages that both ways embed; one more slow round would take minutes."""


def analyse(root: Path, children: int, passages: int) -> list[Figure]:
    """Rates over children of one built index."""
    tokenizing: list[Figure] = alone(_tokenizing, root, str(children))
    embedding: list[Figure] = alone(_embedding, root, str(children), passages)
    return tokenizing + embedding


def _texts(root: Path, name: str, limit: int) -> list[str]:
    engine = Engine.open(configure(root, name), encoder=PairEncoder())
    rows = np.linspace(0, engine.legs.dense.size - 1, limit).astype(int)
    return [engine.store.child_at(int(row)).text for row in dict.fromkeys(rows.tolist())]


def _tokenizing(root: Path, name: str) -> list[Figure]:
    config = configure(root, name)
    texts = _texts(root, name, 4000)
    korean = open_korean(config)
    tokenizer = Tokenizer(korean, config.tokenizer)
    list(tokenizer.terms(texts[:50]))
    kiwi = korean._kiwi
    own, plain = _alternate(
        lambda: list(tokenizer.terms(texts)), lambda: list(kiwi.tokenize(iter(texts)))
    )
    return [
        Figure("tokenise", "terms", len(texts) / own, "children/s"),
        Figure("tokenise", "Kiwi alone", len(texts) / plain, "children/s"),
        Figure("tokenise", "terms ÷ Kiwi alone", 100 * plain / own, "%", at_least=90),
    ]


def _embedding(root: Path, name: str, passages: int) -> list[Figure]:
    import torch
    from sentence_transformers import SentenceTransformer

    texts = _texts(root, name, passages)
    some = texts[:: -(-len(texts) // _BESIDE)]
    encoder = BundledEncoder(EncoderSettings())
    folder = root / f"e5-{BUNDLED_SHA256[:8]}"
    unpack(bundled_weights(), folder)
    model = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": torch.float32})
    prompts = {"batch_size": 32, "prompt": "passage: ", "normalize_embeddings": True}
    encoder.encode_passages(some[:400])
    made: dict[str, Any] = {}

    def ours() -> None:
        made["ours"] = encode_all(encoder, some, lambda count: None)

    def theirs() -> None:
        parts = [model.encode(some[i : i + 32], **prompts) for i in range(0, len(some), 32)]
        made["theirs"] = np.concatenate(parts)

    own, plain = _alternate(ours, theirs, rounds=1)
    asked = encoder.encode_queries(phrases(some, random.Random(0)))
    first, theirs_first = (found_first(made[name], asked) for name in ("ours", "theirs"))
    cosine = float((made["ours"] * made["theirs"]).sum(axis=1).min())
    return [
        Figure("embed", "bundled weights, in bulk", len(some) / own, "children/s"),
        Figure("embed", "plain float32 loop", len(some) / plain, "children/s"),
        Figure("embed", "bulk ÷ plain", plain / own, "×", at_least=3),
        Figure("embed", "lowest cosine between the two", cosine),
        Figure("embed", "phrases whose passage comes first, in bulk", first),
        Figure("embed", "the same, plain loop", theirs_first),
        Figure("embed", "lost by the bulk path", theirs_first - first, at_most=0.005),
        *_codes(encode_all(encoder, texts, lambda count: None), asked),
    ]


def _codes(vectors: Vectors, asked: Vectors) -> list[Figure]:
    coded = dense.fit(vectors, DenseSettings(index="codes"))
    return [
        Figure("dense", "children embedded by the model", len(vectors)),
        Figure("dense", f"recall@{DEPTH} of the codes, a model's vectors",
               recall(coded, vectors, asked), at_least=0.99),
    ]  # fmt: skip


def found_first(passages: Vectors, queries: Vectors) -> float:
    """How many of the questions come nearest to the passage of their own row."""
    return float(((queries @ passages.T).argmax(axis=1) == np.arange(len(queries))).mean())


def _alternate(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int = _ROUNDS
) -> tuple[float, float]:
    """The better time of each, measured in turn so that noise meets both."""
    own: list[float] = []
    plain: list[float] = []
    for _ in range(rounds):
        for run, taken in ((ours, own), (theirs, plain)):
            start = time.perf_counter()
            run()
            taken.append(time.perf_counter() - start)
    return min(own), min(plain)
