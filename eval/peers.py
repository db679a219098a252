"""Other people's retrievers on our passages, as run files: so that a table has rows not ours.

They get the same children, the same vectors and the same questions; the analysis of Korean and the
fusion are their own, as they come. Needs the extra ``peers``; nothing in the engine uses it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.engine import Engine
from engine.errors import EngineError, ModelError
from engine.types import Encoder
from eval.dataset import load_dataset
from eval.engines import passage_of
from eval.experiment import Settings, ask
from eval.indexes import CACHE, open_index
from eval.runs import write_run
from eval.systems import Rankings, Retrieved, System


@dataclass(frozen=True, slots=True)
class Bm25s:
    """`bm25s` with its own tokenizer, which parts words at spaces and marks."""

    name: str
    model: Any
    passages: Sequence[Retrieved]

    def search(self, queries: Sequence[str], k: int) -> Rankings:
        """Rank passages; see `eval.systems.System`."""
        import bm25s

        tokens = bm25s.tokenize(list(queries), stopwords=None, show_progress=False)
        k = min(k, len(self.passages))
        rows, scores = self.model.retrieve(tokens, k=k, show_progress=False)
        return [
            [
                replace(self.passages[row], score=float(value))
                for row, value in zip(found, values, strict=True)
                if value > 0
            ]
            for found, values in zip(rows.tolist(), scores.tolist(), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class LangChain:
    """LangChain's ensemble of its BM25 and FAISS retrievers, weighted equally, as documented."""

    name: str
    lexical: Any
    store: Any
    passages: Sequence[Retrieved]

    def search(self, queries: Sequence[str], k: int) -> Rankings:
        """Rank passages; the ensemble gives an order and no scores."""
        from langchain_classic.retrievers import EnsembleRetriever

        k = min(k, len(self.passages))
        dense = self.store.as_retriever(search_kwargs={"k": k})
        self.lexical.k = k
        ensemble = EnsembleRetriever(retrievers=[self.lexical, dense], weights=[0.5, 0.5])
        return [self._read(ensemble.invoke(query)[:k]) for query in queries]

    def _read(self, documents: Sequence[Any]) -> list[Retrieved]:
        return [
            replace(self.passages[document.metadata["row"]], score=1 / rank)
            for rank, document in enumerate(documents, 1)
        ]


def make_bm25s(engine: Engine) -> System:
    """Index an engine's children with `bm25s`.

    Raises:
        ModelError: the package is not installed.
    """
    try:
        import bm25s
    except ImportError:
        raise _missing("bm25s") from None
    texts, passages = _children(engine)
    model = bm25s.BM25()
    tokens = bm25s.tokenize(texts, stopwords=None, show_progress=False)
    model.index(tokens, show_progress=False)
    return Bm25s("bm25s", model, passages)


def make_langchain(engine: Engine) -> System:
    """Index an engine's children, with their vectors, in LangChain.

    Raises:
        ModelError: the packages are not installed.
    """
    try:
        from langchain_community.retrievers import BM25Retriever
        from langchain_community.vectorstores import FAISS
    except ImportError:
        raise _missing("langchain-classic and langchain-community") from None

    texts, passages = _children(engine)
    rows = [{"row": row} for row in range(len(texts))]
    vectors = engine.legs.dense.vectors(np.arange(len(texts))).tolist()
    store = FAISS.from_embeddings(
        zip(texts, vectors, strict=True), embeddings(engine.encoder), metadatas=rows
    )
    return LangChain("langchain", BM25Retriever.from_texts(texts, metadatas=rows), store, passages)


def embeddings(encoder: Encoder) -> Any:
    """An encoder of ours as LangChain's embeddings."""
    from langchain_core.embeddings import Embeddings

    class Encoded(Embeddings):  # type: ignore[misc]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = encoder.encode_passages(texts).tolist()
            return vectors

        def embed_query(self, text: str) -> list[float]:
            vector: list[float] = encoder.encode_queries([text])[0].tolist()
            return vector

    return Encoded()


PEERS = {"bm25s": make_bm25s, "langchain": make_langchain}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one run file a peer."""
    parser = argparse.ArgumentParser(prog="python -m eval.peers", description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True, metavar="DIR")
    parser.add_argument("--split", default="test")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--peers", nargs="+", choices=sorted(PEERS), default=sorted(PEERS))
    parser.add_argument("--out", type=Path, required=True, help="folder for NAME.trec")
    options = parser.parse_args(arguments)
    try:
        dataset = load_dataset(options.dataset, options.split, options.limit)
        engine = open_index(
            dataset, index=options.index, config=options.config, cache=options.cache
        )
        options.out.mkdir(parents=True, exist_ok=True)
        for name in options.peers:
            asked = ask(PEERS[name](engine), dataset, Settings(latency_sample=0))
            write_run(options.out / f"{name}.trec", asked.run, name)
            print(f"{name}: {asked.seconds:.1f} s", file=sys.stderr)
    except EngineError as error:
        print(f"eval: {error}", file=sys.stderr)
        return 1
    return 0


def _children(engine: Engine) -> tuple[list[str], list[Retrieved]]:
    children = list(engine.store.children())
    return [child.text for child in children], [passage_of(child) for child in children]


def _missing(packages: str) -> ModelError:
    return ModelError(f"{packages} is not installed; install the extra: pip install '.[peers]'")


if __name__ == "__main__":
    sys.exit(main())
