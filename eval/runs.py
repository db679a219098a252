"""TREC run and qrels files: so that other tools can check our numbers, and we can score theirs.

Format: https://trec.nist.gov, ``query Q0 line rank score tag``. The columns are parted by white
space, so white space and ``%`` inside an id are percent-encoded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np

from engine.errors import SourceError
from eval.dataset import Qrels
from eval.matching import Run, falling

_UNSAFE = re.compile(r"[\s%]")


def write_run(path: Path, run: Run, tag: str) -> None:
    """Save a run; what `read_run` reads is equal to it."""
    tag = encode(tag)
    _write(
        path,
        (
            f"{encode(query_id)} Q0 {encode(line)} {rank} {score:.9g} {tag}"
            for query_id, lines in run.items()
            for rank, (line, score) in enumerate(lines.items(), 1)
        ),
    )


def read_run(path: Path) -> Run:
    """Load a run in trec_eval's order: score as float32, falling; ties by line name, falling.

    Raises:
        SourceError: by file and line number.
    """
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        if line.strip():
            query_id, name, value = _line(line, f"{path.name}:{number}")
            if name in found.setdefault(query_id, {}):
                raise SourceError(f"{path.name}:{number}: {name!r} again for query {query_id!r}")
            found[query_id][name] = value
    if not found:
        raise SourceError(f"{path}: expected lines of a TREC run, found none")
    return {query_id: falling(_ranked(lines), len(lines)) for query_id, lines in found.items()}


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Save grades in TREC's four columns, ids encoded as in the runs."""
    _write(
        path,
        (
            f"{encode(query_id)} 0 {encode(target)} {grade}"
            for query_id, row in qrels.items()
            for target, grade in row.items()
        ),
    )


def encode(name: str) -> str:
    """An id without white space; `decode_id` undoes it."""
    return _UNSAFE.sub(lambda match: quote(match[0]), name) or "%"


def decode_id(name: str) -> str:
    """The id that `encode` was given; ids that were never encoded stay as they are."""
    return unquote(name) if re.search(r"%[0-9A-F]{2}", name) else name


def _ranked(lines: Mapping[str, float]) -> list[tuple[str, float]]:
    by_name = sorted(lines.items(), key=lambda line: line[0].encode(), reverse=True)
    return sorted(by_name, key=lambda line: -np.float32(line[1]))


def _line(line: str, place: str) -> tuple[str, str, float]:
    columns = line.split()
    if len(columns) != 6:
        raise SourceError(
            f"{place}: found {len(columns)} columns, expected query Q0 line rank score tag"
        )
    try:
        value = float(columns[4])
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise SourceError(f"{place}: found score {columns[4]!r}, expected a number")
    return decode_id(columns[0]), decode_id(columns[2]), value


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: byte {error.start} is not UTF-8") from None


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
