"""The index that questions are put to: a given one, or one built from the set's own documents."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.build import Progress
from engine.config import Config, load_config, make_config
from engine.engine import Engine
from engine.errors import ConfigError, IndexFault, SourceError
from engine.index.manifest import fingerprint, live_generation
from eval.dataset import Dataset

CACHE = Path("indexes/eval")
INDEXED = ("chunking", "tokenizer", "bm25", "encoder", "dense", "places")
"""Sections of the configuration that an index depends on."""
QUERY_TIME = ("fusion", "retrieval", "rewrite", "rerank")
"""Sections that change rankings and nothing in an index."""
VECTORS_STAY = ("tokenizer", "bm25")
"""Sections whose change rebuilds the lexical side alone."""


def open_index(
    dataset: Dataset,
    *,
    index: Path | None = None,
    config: Path | None = None,
    cache: Path = CACHE,
    tell: Progress | None = None,
) -> Engine:
    """Open what the questions are put to, building it if it is missing.

    A given ``index`` is taken as it is. Otherwise a set with its own ``corpus.jsonl`` gets an index
    of it in ``cache``, by the settings of ``config``; a set without is asked of ``config``'s index.

    Raises:
        EngineError: nothing to open, or it cannot be built.
    """
    if index is not None:
        return Engine.open(index)
    if dataset.corpus is not None:
        base = load_config(config) if config else make_config({}, root=Path.cwd())
        return _build_and_open(corpus_config(dataset.corpus, dataset.name, base, cache), tell)
    path = config or Path("config.yaml")
    if config is None and not path.is_file():
        raise SourceError(
            f"{dataset.name}: no corpus.jsonl in the set and no config.yaml here; "
            "name an index with --index or a configuration with --config"
        )
    settings = load_config(path)
    try:
        live_generation(settings.resolve(settings.index.path))
    except IndexFault:
        return _build_and_open(settings, tell)
    return Engine.open(settings)


def corpus_config(corpus: Path, name: str, base: Config, cache: Path) -> Config:
    """Settings to index one ``corpus.jsonl``; the folder's name depends on all that goes in."""
    with corpus.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    settings = base.model_dump(mode="json", include=set(INDEXED))
    key = fingerprint({"corpus": content, "settings": settings})[:12]
    safe = re.sub(r"[^\w.-]", "_", name)
    return changed(
        base,
        {
            "corpus.paths": [str(corpus.absolute())],
            "index.path": str((cache / f"{safe}-{key}").absolute()),
        },
    )


def changed(config: Config, settings: Mapping[str, Any]) -> Config:
    """The same configuration with some values, named ``section.field``, replaced.

    Raises:
        ConfigError: a name is unknown or a value is not allowed.
    """
    content = config.model_dump(mode="json", exclude={"root"})
    for name, value in settings.items():
        section, _, field = name.partition(".")
        if not field or not isinstance(content.get(section), dict):
            raise ConfigError(f"{name}: expected SECTION.FIELD, such as fusion.dense_weight")
        content[section][field] = value
    return make_config(content, root=config.root, name="settings")


def parse_value(text: str) -> Any:
    """A number, ``true``, ``false``, ``null``, or the text itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def variant(engine: Engine, settings: Mapping[str, Any], cache: Path) -> Engine:
    """The engine under other settings; a copy of its index is rebuilt where they are part of it.

    Raises:
        ConfigError: a setting would need every passage embedded anew.
    """
    sections = {name.partition(".")[0] for name in settings}
    beyond = sorted(sections - {*QUERY_TIME, *VECTORS_STAY})
    if beyond:
        known = ", ".join((*QUERY_TIME, *VECTORS_STAY))
        raise ConfigError(
            f"{beyond[0]}: cannot be varied over one index; sections that can: {known}"
        )
    config = changed(engine.config, settings)
    if sections <= set(QUERY_TIME):
        from dataclasses import replace

        return replace(engine, config=config)
    source = engine.config.resolve(engine.config.index.path)
    rebuilt = {section: getattr(config, section).model_dump() for section in VECTORS_STAY}
    key = fingerprint({"source": engine.manifest.inputs, "settings": rebuilt})[:12]
    target = (cache / f"{source.name}-{key}").absolute()
    if not target.exists():
        shutil.copytree(source, target)
    return _build_and_open(changed(config, {"index.path": str(target)}), None)


def facts(engine: Engine, name: str) -> dict[str, str]:
    """What a report says of an index."""
    counts = {key: str(engine.manifest.counts[key]) for key in ("documents", "parents", "children")}
    return {
        **counts,
        "bytes": str(size_of(engine.folder)),
        "fingerprint": fingerprint(engine.manifest.fingerprints)[:16],
        "encoder": str(engine.encoder.fingerprint.get("model") or engine.config.encoder.kind),
        "path": str(engine.config.index.path),
        "dataset": name,
    }


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _build_and_open(config: Config, tell: Progress | None) -> Engine:
    Engine.build(config, progress=tell)
    return Engine.open(config)
