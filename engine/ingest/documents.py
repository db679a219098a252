"""Find the sources of a corpus and hand each to the reader that knows its content."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from types import ModuleType

from engine.config import Config
from engine.errors import SourceError
from engine.ingest.readers import (
    beir,
    csv,
    docx,
    epub,
    html,
    hwp,
    hwpx,
    markdown,
    paper,
    pdf,
    statute,
    text,
    upstage,
    xlsx,
)
from engine.ingest.source import PART, Source
from engine.text.kiwi import Korean
from engine.types import Reading

READERS: tuple[ModuleType, ...] = (
    pdf, paper, upstage, beir, hwp, hwpx, docx, xlsx, epub, html, csv, statute, markdown, text,
)  # fmt: skip
"""Asked in this order whether a source is theirs. Each has ``NAME``, ``accepts`` and ``read``."""

_BY_CONTENT = frozenset({".hwp", ".hwpx", ".docx", ".xlsx", ".epub", ".html", ".htm", ".pdf"})
_HIDDEN = re.compile(r"(^|/)(\.|~\$)")


@dataclass(frozen=True, slots=True)
class Found:
    """The sources of a corpus in sorted order, and the files that no reader takes."""

    sources: tuple[Source, ...]
    unsupported: dict[str, str] = field(default_factory=dict)


def find_sources(config: Config) -> Found:
    """Walk the corpus: sorted by NFC name, hidden files left out.

    Raises:
        SourceError: a path is missing, or two sources would get the same id.
    """
    files: list[tuple[str, str, Path]] = []
    for given in config.corpus.paths:
        root = config.resolve(given)
        if root.is_dir():
            files += [
                (_nfc(inside), f"{given.rstrip('/')}/{inside}", path)
                for inside, path in _walk(root, config.corpus.follow_symlinks)
                if _selected(_nfc(inside), config.corpus.include, config.corpus.exclude)
            ]
        elif root.is_file():
            files.append((_nfc(root.name), given, root))
        else:
            raise SourceError(f"corpus.paths: {given}: no such file or folder ({root})")
    return _group(sorted(set(files)))


def reader_for(source: Source) -> ModuleType | None:
    """The first reader that takes the source, or None.

    Raises:
        SourceError: the file cannot be opened.
    """
    return next((reader for reader in READERS if reader.accepts(source)), None)


def bears_ids(form: str) -> bool:
    """Whether files of a format hold documents with ids of their own."""
    return form == beir.NAME


def read(source: Source, reader: ModuleType, korean: Korean) -> Iterable[Reading]:
    """Read a source whole, or fail whole.

    Parsers of other people fail on damaged content with whatever they meet first; any such failure
    is reported as the file's, with its own words, and stays the cause of the error.

    Raises:
        SourceError: with the file's name and what is wrong with it.
    """
    try:
        readings = list(reader.read(source, korean))
    except SourceError as error:
        words = " ".join(str(error).split())
        named = words.startswith(" ".join(source.name.split()))
        raise SourceError(words if named else f"{source.name}: {words}") from error.__cause__
    except RecursionError:
        raise SourceError(f"{source.name}: nested too deeply to be read") from None
    except MemoryError:
        raise SourceError(f"{source.name}: too large for this machine's memory") from None
    except Exception as error:
        raise SourceError(_failure(source, reader, error)) from error
    if not readings:
        raise SourceError(f"{source.name}: holds no document")
    return readings


def _failure(source: Source, reader: ModuleType, error: Exception) -> str:
    words = " ".join(str(error).split())[:200]
    reason = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return f"{source.name}: cannot be read as {reader.NAME} ({reason}); open and save it again"


def _walk(root: Path, follow: bool) -> Iterator[tuple[str, Path]]:
    seen: set[tuple[int, int]] = set()
    for folder, folders, names in os.walk(root, followlinks=follow):
        stat = os.stat(folder)
        if (stat.st_dev, stat.st_ino) in seen:
            folders.clear()
            continue
        seen.add((stat.st_dev, stat.st_ino))
        folders.sort()
        for name in names:
            path = Path(folder, name)
            if path.is_file() and (follow or not path.is_symlink()):
                yield path.relative_to(root).as_posix(), path


def _selected(inside: str, include: Iterable[str], exclude: Iterable[str]) -> bool:
    if _HIDDEN.search(inside):
        return False
    return any(_matches(inside, g) for g in include) and not any(
        _matches(inside, g) for g in exclude
    )


def _matches(inside: str, glob: str) -> bool:
    glob = _nfc(glob)
    return fnmatchcase(inside, glob) or (glob.startswith("**/") and fnmatchcase(inside, glob[3:]))


def _group(files: list[tuple[str, str, Path]]) -> Found:
    """One source a file, but one for all parts of ``NAME.part1.json``, ``NAME.part2.json`` …."""
    groups: dict[tuple[str, str], list[tuple[int, str, Path]]] = {}
    for inside, name, path in files:
        stem, suffix = str(PurePosixPath(inside).with_suffix("")), PurePosixPath(inside).suffix
        part = PART.search(stem) if suffix.lower() == ".json" else None
        number = int(part[1]) if part else 0
        doc_id = stem[: part.start()] if part else stem
        groups.setdefault((doc_id, suffix + (".part" if part else "")), []).append(
            (number, name, path)
        )
    sources: dict[str, Source] = {}
    unsupported: dict[str, str] = {}
    for (doc_id, kind), members in groups.items():
        members.sort()
        numbers = [number for number, _, _ in members]
        first = members[0][1]
        if kind.endswith(".part"):
            if numbers != list(range(1, len(numbers) + 1)):
                raise SourceError(
                    f"{first}: parts {numbers} found, expected 1 to {max(numbers)}, each once"
                )
        elif len(members) > 1:
            _refuse(doc_id, [name for _, name, _ in members])
        source = Source(doc_id, first, tuple(path for _, _, path in members))
        try:
            reader = reader_for(source)
        except SourceError as error:
            unsupported[first] = str(error).removeprefix(f"{first}: ")
            continue
        if reader is None:
            unsupported[first] = why_no_reader(source)
            continue
        if doc_id in sources:
            _refuse(doc_id, [sources[doc_id].name, first])
        sources[doc_id] = source
    return Found(tuple(sources[doc_id] for doc_id in sorted(sources)), unsupported)


def why_no_reader(source: Source) -> str:
    """What to tell of a file that no reader takes."""
    if source.suffix in _BY_CONTENT:
        return f"named {source.suffix}, but its content is something else or damaged"
    return f"no reader for {source.suffix or 'a file without extension'}"


def _refuse(doc_id: str, names: list[str]) -> None:
    same = len({_nfc(name) for name in names}) == 1 and len(set(names)) > 1
    why = "differ only in Unicode normalisation form" if same else "would share one id"
    raise SourceError(
        f"{' and '.join(map(repr, names))} {why} ({doc_id}); "
        "rename one or name it in corpus.exclude"
    )


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
