"""Every reader meets damaged and hostile input: a document or an error with the file's name."""

import io
import os
import random
import signal
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.ingest.blocks import make_blocks
from engine.ingest.documents import READERS, read
from engine.ingest.source import Source
from engine.text.kiwi import Korean
from tests.ingest import samples

INPUTS = int(os.environ.get("FUZZ_INPUTS", "200"))
BATCH = 50
REAL = Path(__file__).resolve().parents[2] / "../shared/data"
REAL_BYTES = 100_000
HANGS_AFTER_SECONDS = 120


def outcome(name: str, data: bytes, folder: Path, korean: Korean) -> list[str]:
    """What came out of each reader: its documents hold together, its error names the file."""
    path = folder / name
    path.write_bytes(data)
    source = Source(unicodedata.normalize("NFC", path.stem), name, (path,))
    results = []
    for reader in READERS:
        try:
            accepted = reader.accepts(source)
            for reading in read(source, reader, korean):
                _check(make_blocks(source.doc_id, reading), reading.page_count)
            results.append(f"{reader.NAME}: read")
        except EngineError as error:
            assert str(error).startswith(name), f"{reader.NAME}: {error} does not name {name}"
            assert "\n" not in str(error), str(error)
            results.append(f"{reader.NAME}: refused")
        assert accepted in (True, False)
    return results


def _check(blocks: list, page_count: int | None) -> None:
    ids = [block.block_id for block in blocks]
    assert len(set(ids)) == len(ids)
    for block in blocks:
        assert unicodedata.is_normalized("NFC", block.text)
        assert "\x00" not in block.text
        assert 0 <= block.header_chars <= len(block.text)
        if block.pages:
            assert page_count is not None and 1 <= block.pages[0] <= block.pages[1] <= page_count


def real_samples() -> dict[str, bytes]:
    """Small real files where they are there: every folder gives its first few."""
    found = {}
    for folder, few in (("docs-hwp", 10), ("upstage", 4), ("books-ko/rust-book-ko", 2)):
        for path in sorted((REAL / folder).glob("*"))[:few]:
            if path.is_file() and path.stat().st_size <= REAL_BYTES:
                found[path.name] = path.read_bytes()
    return found


def mutations(seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(seed)
    pool = sorted({**samples.all_samples(), **real_samples()}.items())
    suffixes = sorted({Path(name).suffix for name, _ in pool})
    for number in range(count):
        name, data = rng.choice(pool)
        for _ in range(rng.randint(1, 3)):
            data = rng.choice((truncate, flip, zero, repeat, insert, inside))(data, rng, pool)
        suffix = Path(name).suffix if rng.random() < 0.8 else rng.choice(suffixes)
        yield f"손상 {seed}-{number}{suffix}", data


def truncate(data: bytes, rng: random.Random, pool: list) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flip(data: bytes, rng: random.Random, pool: list) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 20) if data else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def zero(data: bytes, rng: random.Random, pool: list) -> bytes:
    at, length = rng.randrange(len(data) + 1), rng.choice((1, 4, 64, 512))
    fill = rng.choice((b"\0", b"\xff"))
    return data[:at] + fill * min(length, len(data) - at) + data[at + length :]


def repeat(data: bytes, rng: random.Random, pool: list) -> bytes:
    at, length = rng.randrange(len(data) + 1), rng.choice((1, 16, 256))
    return data[:at] + data[at : at + length] * rng.randint(2, 40) + data[at + length :]


def insert(data: bytes, rng: random.Random, pool: list) -> bytes:
    at, other = rng.randrange(len(data) + 1), rng.choice(pool)[1]
    start = rng.randrange(len(other))
    return data[:at] + other[start : start + rng.choice((1, 8, 100, 2000))] + data[at:]


def inside(data: bytes, rng: random.Random, pool: list) -> bytes:
    """Damage below the packing, where the checksums of the archive do not see it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            member = rng.choice(archive.namelist())
            content = archive.read(member)
    except (zipfile.BadZipFile, IndexError, OSError, zlib.error, RuntimeError, ValueError):
        return inside_hwp(rng)
    except (NotImplementedError, EOFError):
        return data
    change = rng.choice((truncate, flip, zero, repeat, insert))
    return samples.rezipped(data, {member: change(content, rng, pool)}) if _whole(data) else data


def _whole(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.testzip() is None
    except Exception:
        return False


def inside_hwp(rng: random.Random) -> bytes:
    records = b"".join(
        samples.record(
            rng.choice((66, 67, 71, 72, 77, 76, 88, 93)), rng.randrange(6), rng.randbytes(n)
        )
        for n in rng.choices((0, 2, 4, 8, 16, 30, 46), k=rng.randint(1, 60))
    )
    info = b"".join(
        samples.record(rng.choice((23, 24, 25, 26)), 0, rng.randbytes(rng.randrange(80)))
        for _ in range(rng.randint(0, 10))
    )
    return samples.hwp(records, info)


class Hang(BaseException):
    """Not an Exception: no reader may swallow it."""


def _watch(signum: int, frame: object) -> None:
    raise Hang


@pytest.fixture
def watchdog() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _watch)
    signal.alarm(HANGS_AFTER_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(-(-INPUTS // BATCH)))
def test_damaged_files_are_read_or_refused_by_name(
    seed: int, tmp_path: Path, korean: Korean, watchdog: None
) -> None:
    results = [
        result
        for name, data in mutations(seed, min(BATCH, INPUTS))
        for result in outcome(name, data, tmp_path, korean)
    ]
    assert any(result.endswith("read") for result in results)
    assert any(result.endswith("refused") for result in results)


def nested_hwpx(depth: int) -> bytes:
    inner = samples.hwpx_para("속")
    for _ in range(depth):
        inner = samples.hwpx_table([[inner, samples.hwpx_para("옆")]])
    return samples.hwpx(inner)


def nested_hwp(depth: int) -> bytes:
    section = b""
    for level in range(depth):
        at = 3 * level
        section += samples.record(66, at, bytes(22))
        section += samples.control("tbl ", at + 1)
        section += samples.record(77, at + 2, bytes(8)) + samples.record(72, at + 2, bytes(16))
    return samples.hwp(section)


BILLION = (
    '<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "하하하하하하하하하하">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><z>&i;</z>"
)
OUTSIDE = '<!DOCTYPE z [<!ENTITY x SYSTEM "file:///etc/hostname">]><z>&x;</z>'
HOSTILE = {
    "zip bomb in hwpx": ("폭탄.hwpx", lambda: samples.rezipped(
        samples.hwpx(), {"Contents/section0.xml": b" " * 300_000_000})),
    "zip bomb in docx": ("폭탄.docx", lambda: samples.rezipped(
        samples.word(), {"word/document.xml": b" " * 100_000_000})),
    "zip bomb in epub": ("폭탄.epub", lambda: samples.rezipped(
        samples.epub(), {"OEBPS/a.xhtml": b" " * 100_000_000})),
    "zip bomb in xlsx": ("폭탄.xlsx", lambda: samples.rezipped(
        samples.sheet(), {"xl/worksheets/sheet1.xml": b" " * 100_000_000})),
    "deflate bomb in hwp": ("폭탄.hwp", lambda: samples.hwp(bytes(300_000_000))),
    "entity bomb in hwpx": ("개체.hwpx", lambda: samples.rezipped(
        samples.hwpx(), {"Contents/section0.xml": BILLION})),
    "entity bomb in docx": ("개체.docx", lambda: samples.rezipped(
        samples.word(), {"word/document.xml": BILLION})),
    "entity bomb in utf-16": ("개체.docx", lambda: samples.rezipped(
        samples.word(), {"word/document.xml": BILLION.encode("utf-16")})),
    "entity bomb in xlsx": ("개체.xlsx", lambda: samples.rezipped(
        samples.sheet(), {"xl/sharedStrings.xml": BILLION})),
    "entity bomb in the package of an epub": ("개체.epub", lambda: samples.rezipped(
        samples.epub(), {"OEBPS/book.opf": BILLION})),
    "tables nested 40 deep in hwpx": ("깊음.hwpx", lambda: nested_hwpx(40)),
    "tables nested 300 deep in hwp": ("깊음.hwp", lambda: nested_hwp(300)),
    "20,000 members": ("많음.docx", lambda: samples.zipped(
        {**{f"{n}": "" for n in range(20_000)}, "word/document.xml": "<a/>"})),
    "a table of 65535 by 65535 in hwp": ("넓음.hwp", lambda: samples.hwp(
        samples.record(66, 0, bytes(22)) + samples.control("tbl ", 1)
        + samples.record(77, 2, bytes(8))
        + samples.record(72, 2, bytes(8) + b"\xff" * 8) + samples.hwp_para("칸", 2)
        + samples.record(72, 2, bytes(16)) + samples.hwp_para("칸", 2))),
}  # fmt: skip


@pytest.mark.parametrize(("name", "make"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_refused_by_their_own_reader(
    name: str, make, tmp_path: Path, korean: Korean, watchdog: None
) -> None:
    results = outcome(name, make(), tmp_path, korean)
    assert f"{name.rsplit('.', 1)[1]}: refused" in results


def multiplying() -> bytes:
    names = "abcdefghi"
    lines = [
        f"{b}: &{b} [{', '.join(['*' + a] * 9)}]" for a, b in zip(names, names[1:], strict=False)
    ]
    return "\n".join(["---", "a: &a [하, 하]", *lines, "---", "", "# 제목", ""]).encode()


LONG = {
    "html nested 100,000 deep": ("깊음.html", lambda: b"<html><body>" + b"<div>" * 100_000 + b"x"),
    "lists nested 5,000 deep": ("깊음.html", lambda: b"<html><body>" + b"<ul><li>a" * 5_000),
    "json nested 100,000 deep": ("깊음.json", lambda: b'{"sections":' + b"[" * 100_000),
    "markdown quotes nested 10,000 deep": ("깊음.md", lambda: b">" * 10_000 + b" a"),
    "markdown lists nested 2,000 deep": ("깊음.md", lambda: b"- " * 2_000 + b"a"),
    "a line of 5 million characters": ("긴줄.txt", lambda: ("가나다 라마바 " * 625_000).encode()),
    "a line of 5 million characters in html": ("긴줄.html", lambda: (
        "<html><p>" + "가나다 라마바 " * 625_000).encode()),
    "100,000 short lines": ("짧은줄.txt", lambda: ("가나다\n" * 100_000).encode()),
    "a csv field of a million": ("긴칸.csv", lambda: ("가," + "나" * 1_000_000).encode()),
    "a span of a thousand by a million": ("넓음.html", lambda: (
        b"<html><table>" + b"<tr><td rowspan=1000000 colspan=1000000>a</td></tr>" * 2000)),
    "front matter that refers to itself": ("앞.md", lambda: (
        b"---\na: &a [*a, *a]\n---\n\n# x\n")),
    "front matter that multiplies": ("앞.md", lambda: multiplying()),
    "a cell in the last corner": ("모서리.xlsx", lambda: samples.rezipped(
        samples.sheet(), {"xl/worksheets/sheet1.xml": (
            '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
            '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>끝</t></is></c></row>'
            "</sheetData></worksheet>")})),
}  # fmt: skip


@pytest.mark.parametrize(("name", "make"), LONG.values(), ids=LONG.keys())
def test_long_and_deep_files_are_read_or_refused(
    name: str, make, tmp_path: Path, korean: Korean, watchdog: None
) -> None:
    assert len(outcome(name, make(), tmp_path, korean)) == len(READERS)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        pytest.param("밖.hwpx", lambda: samples.rezipped(
            samples.hwpx(), {"Contents/section0.xml": OUTSIDE}), id="hwpx"),
        pytest.param("밖.docx", lambda: samples.rezipped(
            samples.word(), {"word/document.xml": OUTSIDE}), id="docx"),
        pytest.param("밖.epub", lambda: samples.epub(OUTSIDE + samples.HTML), id="epub"),
        pytest.param("밖.html", lambda: (OUTSIDE + samples.HTML).encode(), id="html"),
    ],
)  # fmt: skip
def test_external_entities_are_never_loaded(
    name: str, make, tmp_path: Path, korean: Korean
) -> None:
    path = tmp_path / name
    path.write_bytes(make())
    secret = Path("/etc/hostname").read_text().strip() if Path("/etc/hostname").exists() else "-"
    source = Source(path.stem, name, (path,))
    for reader in READERS:
        try:
            texts = [e.text for reading in read(source, reader, korean) for e in reading.elements]
        except EngineError:
            continue
        assert not any(secret in text for text in texts)


def test_members_that_climb_out_are_never_written(tmp_path: Path, korean: Korean) -> None:
    inner = tmp_path / "안" / "쪽"
    inner.mkdir(parents=True)
    data = samples.rezipped(samples.epub(), {"../../밖.txt": "x", "/tmp-밖.txt": "x"})
    outcome("책.epub", data, inner, korean)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["책.epub"]
