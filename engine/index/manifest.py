"""Generations of an index on disk: what each holds, which is live, how one replaces another.

NAME/CURRENT                   id and manifest digest of the live one, replaced atomically
NAME/generations/000007/       store.sqlite, bm25/, dense.faiss, manifest.json
NAME/build.lock                held by the process that builds
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import IndexFault

MANIFEST = "manifest.json"
_CURRENT = "CURRENT"
_LOCK = "build.lock"
_HOLDER = "build.pid"


class FileRecord(BaseModel):
    """Size in bytes and sha256 of one file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """What a generation was built from and what it holds. ``files`` are relative to its folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: int
    inputs: str
    fingerprints: dict[str, dict[str, Any]]
    counts: dict[str, int]
    config: dict[str, Any]
    files: dict[str, FileRecord]
    versions: dict[str, str]
    skipped: dict[str, str] = {}
    warnings: list[str] = []
    encodings: dict[str, int] = {}


def live_generation(index: Path) -> Path:
    """Folder of the live generation.

    Raises:
        IndexFault: there is no index here, or not the one that ``CURRENT`` names.
    """
    try:
        name, expected = (index / _CURRENT).read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError, ValueError):
        raise IndexFault(
            f"{index}: no index here; build one with: python -m engine build"
        ) from None
    folder = index / "generations" / name
    if not name.isdigit() or not folder.is_dir():
        raise IndexFault(f"{index / _CURRENT}: names a generation that is not there; rebuild")
    try:
        found = digest(folder / MANIFEST)
    except OSError as error:
        raise IndexFault(f"{folder / MANIFEST}: {error.strerror}; rebuild the index") from None
    if found != expected:
        raise IndexFault(f"{folder / MANIFEST}: its content has changed (sha256); rebuild")
    return folder


def read_manifest(generation: Path) -> Manifest:
    """The manifest of a generation.

    Raises:
        IndexFault: it is missing or damaged.
    """
    path = generation / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise IndexFault(f"{path}: cannot be read: {error.strerror}; rebuild the index") from None
    except ValidationError:
        raise IndexFault(f"{path}: of another version; rebuild with --force") from None


def check_files(generation: Path, manifest: Manifest, *, digests: bool) -> Iterator[str]:
    """Files of a generation that are missing, of another size, or (if asked) of other content."""
    for name, record in sorted(manifest.files.items()):
        path = generation / name
        try:
            size = path.stat().st_size
            if size != record.size:
                yield f"{path}: {size} bytes, expected {record.size}"
            elif digests and digest(path) != record.sha256:
                yield f"{path}: its content has changed (sha256)"
        except OSError as error:
            yield f"{path}: {error.strerror}"


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(value: Mapping[str, Any]) -> str:
    """A short name of a mapping's content."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def building(index: Path) -> Iterator[None]:
    """Hold the index for writing.

    Raises:
        IndexFault: another process holds it, or its folder cannot be written.
    """
    lock = FileLock(index / _LOCK)
    try:
        index.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        raise IndexFault(f"{index}: being built by {_holder(index)}; wait for it to end") from None
    except OSError as error:
        raise IndexFault(f"{index}: cannot be written: {error.strerror}") from None
    try:
        (index / _HOLDER).write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        (index / _HOLDER).unlink(missing_ok=True)
        lock.release()


def _holder(index: Path) -> str:
    try:
        return f"process {(index / _HOLDER).read_text(encoding='ascii')}"
    except OSError:
        return "another process"


def begin_generation(index: Path) -> Path:
    """A new empty folder to build in; what earlier, interrupted builds left is cleared."""
    generations = index / "generations"
    generations.mkdir(exist_ok=True)
    live = live_name(index)
    for left in generations.iterdir():
        if left.name.endswith(".new") or (live is not None and left.name > live):
            shutil.rmtree(left)
    numbers = [int(folder.name) for folder in generations.iterdir() if folder.name.isdigit()]
    folder = generations / f"{max(numbers, default=0) + 1:06d}.new"
    folder.mkdir()
    return folder


def abandon_generation(folder: Path) -> None:
    """Remove what was begun and will not be finished."""
    shutil.rmtree(folder, ignore_errors=True)


def commit_generation(index: Path, folder: Path, manifest: Manifest, keep: int) -> Path:
    """Make a finished folder the live generation: everything on disk first, then one atomic swap.

    ``manifest.files`` is filled in here. Older generations beyond ``keep`` are removed.
    """
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    files = {
        n: FileRecord(size=(folder / n).stat().st_size, sha256=digest(folder / n)) for n in names
    }
    manifest = manifest.model_copy(update={"files": files})
    content = json.dumps(manifest.model_dump(), ensure_ascii=False, indent=1, sort_keys=True)
    (folder / MANIFEST).write_text(content + "\n", encoding="utf-8")
    for path in [folder / MANIFEST, *(folder / name for name in names)]:
        _sync(path)
    for path in [*(p for p in folder.rglob("*") if p.is_dir()), folder]:
        _sync(path)
    final = folder.with_suffix("")
    folder.rename(final)
    _sync(final.parent)
    aside = index / f"{_CURRENT}.new"
    aside.write_text(f"{final.name} {digest(final / MANIFEST)}\n", encoding="ascii")
    _sync(aside)
    os.replace(aside, index / _CURRENT)
    _sync(index)
    remove_old(index, keep)
    return final


def remove_old(index: Path, keep: int) -> None:
    """Remove all but the live generation and the ``keep - 1`` before it."""
    names = sorted(p.name for p in (index / "generations").iterdir() if p.name.isdigit())
    for name in names[: max(len(names) - keep, 0)]:
        # On Windows a generation that someone has open stays until the next build.
        shutil.rmtree(index / "generations" / name, ignore_errors=True)


def live_name(index: Path) -> str | None:
    """Name of the live generation, or None."""
    try:
        return (index / _CURRENT).read_text(encoding="ascii").split()[0]
    except (OSError, UnicodeDecodeError, IndexError):
        return None


def _sync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() or os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
