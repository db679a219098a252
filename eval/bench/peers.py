"""LangChain's ensemble of rank-bm25 and FAISS on our children, terms and vectors."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from engine.engine import Engine
from engine.index import bm25
from eval.bench.corpus import configure
from eval.bench.figures import Figure, milliseconds, quantile
from eval.bench.lexical import texts_of
from eval.bench.machine import alone
from eval.bench.questions import questions
from eval.bench.vectors import PairEncoder
from eval.peers import embeddings

_DEPTH = 100
_SLOW = 15
"""Questions that LangChain is asked, which takes seconds over them."""


def ensemble(root: Path, children: int, number: int) -> list[Figure]:
    """Ours beside theirs; empty where the package is not installed."""
    if not find_spec("langchain_classic"):
        return []
    figures: list[Figure] = alone(_ensemble, root, str(children), number)
    return figures


def _ensemble(root: Path, name: str, number: int) -> list[Figure]:
    engine = Engine.open(configure(root, name), encoder=PairEncoder())
    asked = questions(engine, number)
    retriever = make_ensemble(engine)
    for question in asked[:3]:
        engine.retrieve(question)
    ours = milliseconds(engine.retrieve, asked)
    theirs = milliseconds(retriever.invoke, asked[:_SLOW])
    ratio = quantile(theirs, 0.5) / quantile(ours, 0.5)
    return [
        Figure("LangChain", "EnsembleRetriever, median", quantile(theirs, 0.5), "ms"),
        Figure("LangChain", "Engine.retrieve, median", quantile(ours, 0.5), "ms"),
        Figure("LangChain", "theirs ÷ ours", ratio, "×", at_least=50),
    ]


def make_ensemble(engine: Engine) -> Any:
    """Their two retrievers and their fusion; the terms of texts and questions are ours.

    The vectors are in their default index, which compares with every one.
    """
    import faiss
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_community.retrievers import BM25Retriever
    from langchain_community.vectorstores import FAISS
    from langchain_core.documents import Document
    from rank_bm25 import BM25Okapi

    def terms(question: str) -> list[int]:
        return list(engine.lookup.analyse([question], "bm25")[0].query.terms)

    documents = [Document(page_content=child.text) for child in engine.store.children()]
    keys = list(map(str, range(len(documents))))
    texts = texts_of(bm25.load(engine.folder / "bm25" / "children"))
    lexical = BM25Retriever(
        vectorizer=BM25Okapi(texts), docs=documents, k=_DEPTH, preprocess_func=terms
    )
    index = faiss.IndexFlatL2(engine.encoder.dim)
    index.add(engine.legs.dense.vectors(np.arange(len(documents))))
    store = FAISS(
        embeddings(engine.encoder), index,
        InMemoryDocstore(dict(zip(keys, documents, strict=True))), dict(enumerate(keys)),
    )  # fmt: skip
    dense = store.as_retriever(search_kwargs={"k": _DEPTH})
    return EnsembleRetriever(retrievers=[lexical, dense], weights=[0.5, 0.5])
