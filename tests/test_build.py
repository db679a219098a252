"""Incremental, deterministic, and safe to kill."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.engine import Engine
from engine.errors import IndexFault, SourceError
from engine.index.manifest import digest, live_generation
from engine.tools.doctor import examine
from tests.conftest import PROJECT

QUESTIONS = ["돌다리는 언제 놓였나?", "수위", "회의 자료", "나무다리"]


def content(index: Path) -> dict[str, bytes]:
    """Every file of the live generation but the vectors."""
    folder = live_generation(index)
    files = [p for p in folder.rglob("*") if p.is_file()]
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in files
        if p.name not in ("dense.faiss", "manifest.json")
    }


def vectors(engine: Engine) -> np.ndarray:
    return engine.legs.dense.vectors(np.arange(engine.legs.dense.size))


def assert_like_fresh(config, configure):
    """The index equals one built from nothing."""
    grown = Engine.open(config)
    fresh_config = configure(index={"path": "fresh"})
    Engine.build(fresh_config)
    fresh = Engine.open(fresh_config)
    assert content(config.resolve("index")) == content(config.resolve("fresh"))
    np.testing.assert_allclose(vectors(grown), vectors(fresh), atol=1e-3)
    for question in QUESTIONS:
        assert [e.child_id for e in grown.retrieve(question)] == [
            e.child_id for e in fresh.retrieve(question)
        ]


def test_a_second_build_of_the_same_input_changes_nothing(corpus, configure, words):
    config = configure()
    first = Engine.build(config)
    before = live_generation(config.resolve("index"))
    second = Engine.build(config)
    assert (first.read, first.reused, first.unchanged) == (3, 0, False)
    assert (second.read, second.reused, second.unchanged) == (0, 3, True)
    assert live_generation(config.resolve("index")) == before


def test_force_reuses_nothing_and_gives_the_same(corpus, configure, words):
    config = configure()
    Engine.build(config)
    before = content(config.resolve("index"))
    report = Engine.build(config, force=True)
    assert (report.read, report.embedded) == (3, report.children)
    assert content(config.resolve("index")) == before


def _change(corpus):
    text = (corpus / "bridge.md").read_text(encoding="utf-8")
    (corpus / "bridge.md").write_text(text.replace("1420년", "1421년"), encoding="utf-8")


def _add(corpus):
    (corpus / "aaa.md").write_text("# 새 글\n\n맨 앞에 놓이는 새 글이다.", encoding="utf-8")


@pytest.mark.parametrize(
    ("edit", "read", "reused", "removed"),
    [
        pytest.param(_change, 1, 2, 0, id="change"),
        pytest.param(_add, 1, 3, 0, id="add"),
        pytest.param(lambda corpus: (corpus / "bridge.md").unlink(), 0, 2, 1, id="remove"),
        pytest.param(lambda c: (c / "bridge.md").rename(c / "zz.md"), 1, 2, 1, id="rename"),
    ],
)
def test_an_update_equals_a_fresh_build(edit, read, reused, removed, corpus, configure, words):
    config = configure()
    Engine.build(config)
    words.encoded.clear()
    edit(corpus)
    report = Engine.build(config)
    assert (report.read, report.reused, report.removed) == (read, reused, removed)
    assert len(words.encoded) == report.embedded <= 2
    assert_like_fresh(config, configure)


def test_an_index_with_settings_this_version_does_not_know_is_drawn_on(corpus, configure, words):
    config = configure()
    Engine.build(config)
    index = config.resolve("index")
    path = live_generation(index) / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["config"]["gone"] = {"setting": 1}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    name = (index / "CURRENT").read_text().split()[0]
    (index / "CURRENT").write_text(f"{name} {digest(path)}\n")
    (corpus / "aaa.md").write_text("# 새 글\n\n맨 앞에 놓이는 새 글이다.", encoding="utf-8")
    words.encoded.clear()
    assert Engine.build(config).reused == 3
    assert len(words.encoded) == 1
    assert_like_fresh(config, configure)


def test_a_changed_chunk_size_reads_again_but_embeds_only_new_text(corpus, configure, words):
    Engine.build(configure())
    words.encoded.clear()
    config = configure(chunking={"child_target_chars": 60})
    report = Engine.build(config)
    assert (report.read, report.reused) == (3, 0)
    assert len(words.encoded) < report.children


def test_the_same_text_on_two_pages_keeps_both_places(configure, words, tmp_path):
    elements = [
        {
            "id": n,
            "page": n,
            "category": "paragraph",
            "content": {"text": "같은 글이 두 쪽에 있다."},
        }
        for n in (1, 2)
    ]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.json").write_text(json.dumps({"api": "2.0", "elements": elements}))
    config = configure(chunking={"child_target_chars": 20}, evidence={"context_chars": 0})
    Engine.build(config)
    found = Engine.open(config).retrieve("같은 글이 두 쪽에")
    assert sorted(one.pages for one in found) == [(1, 1), (2, 2)]


def test_an_unreadable_file_is_skipped_whole_and_reported_each_time(corpus, configure, words):
    (corpus / "broken.json").write_text('{"elements": [{"id": 1')
    config = configure()
    for _ in range(2):
        assert list(Engine.build(config).skipped) == ["docs/broken.json"]
    assert Engine.open(config).store.document("broken") is None


def test_on_error_fail_stops_and_leaves_the_old_index(corpus, configure, words):
    config = configure(corpus={"paths": ["docs"], "on_error": "fail"})
    Engine.build(config)
    (corpus / "broken.json").write_text('{"elements": [')
    with pytest.raises(SourceError, match=r"docs/broken\.json: not JSON"):
        Engine.build(config)
    assert Engine.open(config).retrieve("돌다리")


def test_on_error_fail_stops_though_nothing_changed(corpus, configure, words):
    (corpus / "broken.json").write_text('{"elements": [')
    assert Engine.build(configure()).skipped
    with pytest.raises(SourceError, match=r"docs/broken\.json: not JSON"):
        Engine.build(configure(corpus={"paths": ["docs"], "on_error": "fail"}))
    assert Engine.build(configure()).unchanged


def test_ids_follow_the_paths_of_the_corpus(corpus, configure, words):
    shutil.move(corpus / "bridge.md", (corpus / "old").mkdir() or corpus / "old" / "bridge.md")
    Engine.build(configure(corpus={"paths": ["docs/old"]}))
    Engine.build(configure())
    assert Engine.open(configure()).store.document("old/bridge")
    assert_like_fresh(configure(), configure)


def test_a_build_that_fails_leaves_nothing_behind(corpus, configure, words):
    config = configure(corpus={"paths": ["docs"], "on_error": "fail"})
    (corpus / "broken.json").write_text('{"elements": [')
    with pytest.raises(SourceError, match="not JSON"):
        Engine.build(config)
    assert list((config.resolve("index") / "generations").iterdir()) == []


def test_encodings_are_reported(corpus, configure, words):
    (corpus / "old.txt").write_bytes("옛 문서이다.".encode("cp949"))
    for _ in range(2):
        assert Engine.build(configure()).encodings == {"cp949": 1, "utf-8": 3}


def test_two_documents_of_one_id_are_refused(corpus, configure, words):
    for name in ("a.jsonl", "b.jsonl"):
        (corpus / name).write_text('{"_id": "하나", "text": "글이다."}', encoding="utf-8")
    with pytest.raises(
        SourceError, match=r"'docs/a\.jsonl' and 'docs/b\.jsonl' both hold .*'하나'"
    ):
        Engine.build(configure())


def test_nothing_to_index_says_why(configure, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.wav").write_bytes(b"")
    with pytest.raises(SourceError, match=r"nothing to index in docs \(docs/a\.wav: no reader"):
        Engine.build(configure())


CHILD = """
import os, resource, signal, sys
sys.path.insert(0, {project!r})
from tests.conftest import SpacedKorean, WordEncoder
import engine.build, engine.index.manifest as manifest
from engine.config import load_config
engine.build.make_encoder = lambda config: WordEncoder()
engine.build.open_korean = lambda config: SpacedKorean()
{trap}
engine.build.build_index(load_config({config!r}), progress=progress)
print("finished")
"""
KILL = """
point, seen = {point}, 0
def strike():
    global seen
    seen += 1
    if seen == point:
        os.kill(os.getpid(), signal.SIGKILL)
def progress(stage, done, total):
    strike()
def before(owner, name):
    real = getattr(owner, name)
    def wrapped(*given, **more):
        strike()
        return real(*given, **more)
    setattr(owner, name, wrapped)
for owner, name in (
    (engine.build, "begin_generation"), (engine.build.bm25, "save"), (engine.build.dense, "save"),
    (engine.build, "StoreWriter"), (manifest, "digest"), (manifest, "_sync"), (os, "replace"),
    (manifest, "remove_old"),
):
    before(owner, name)
"""


def run_child(tmp_path: Path, trap: str) -> subprocess.CompletedProcess[str]:
    code = CHILD.format(project=str(PROJECT), config=str(tmp_path / "c.yaml"), trap=trap)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, check=False
    )


def test_a_build_killed_anywhere_leaves_the_old_index_serving(corpus, configure, words, tmp_path):
    settings = "corpus: {paths: [docs]}\nindex: {path: index}\nplaces: {catalog: null}\n"
    (tmp_path / "c.yaml").write_text(settings)
    config = configure()
    Engine.build(config)
    _change(corpus)
    shutil.copytree(tmp_path / "index", tmp_path / "before")
    killed = 0
    for point in (1, 4, 6, 7, 8, 9, 10, 11, 14, 20, 26, 32, 40, 46, 47, 48, 49, 50):
        shutil.rmtree(tmp_path / "index")
        shutil.copytree(tmp_path / "before", tmp_path / "index")
        result = run_child(tmp_path, KILL.format(point=point))
        if "finished" in result.stdout:
            break
        assert result.returncode == -signal.SIGKILL, result.stderr
        killed += 1
        assert Engine.open(config).retrieve("돌다리는 언제 놓였나?")[0].doc_id == "bridge"
        Engine.build(config)
        assert all(check.ok for check in examine(config))
        assert [p.name for p in (tmp_path / "index" / "generations").iterdir()] == [
            live_generation(tmp_path / "index").name
        ]
    assert killed >= 10
    assert_like_fresh(config, configure)


def test_a_full_disk_is_one_error_and_the_old_index_serves(corpus, configure, words, tmp_path):
    settings = "corpus: {paths: [docs]}\nindex: {path: index}\nplaces: {catalog: null}\n"
    (tmp_path / "c.yaml").write_text(settings)
    config = configure()
    Engine.build(config)
    _change(corpus)
    trap = (
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "progress = None\n"
    )
    result = run_child(tmp_path, trap)
    assert "IndexFault" in result.stderr.splitlines()[-1]
    assert "be written" in result.stderr.splitlines()[-1]
    assert Engine.open(config).retrieve("돌다리")


@pytest.fixture
def built(corpus, configure, words):
    config = configure()
    Engine.build(config)
    return config


def files_of(config):
    folder = live_generation(config.resolve("index"))
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_doctor_finds_every_damaged_file(built):
    folder = live_generation(built.resolve("index"))
    for name in files_of(built):
        whole = (folder / name).read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 0x10
        for damaged in (whole[: len(whole) // 2], bytes(flipped), None):
            if damaged is None:
                (folder / name).unlink()
            else:
                (folder / name).write_bytes(damaged)
            failed = [check for check in examine(built) if not check.ok]
            assert failed, name
            assert any(name in check.detail for check in failed), (name, failed)
            (folder / name).write_bytes(whole)
    assert all(check.ok for check in examine(built))


def test_a_damaged_index_is_not_drawn_on(built, words):
    folder = live_generation(built.resolve("index"))
    (folder / "store.sqlite").write_bytes(b"not a store")
    with pytest.raises(IndexFault, match=r"store\.sqlite: 11 bytes, expected"):
        Engine.open(built)
    assert Engine.build(built).reused == 0
    assert Engine.open(built).retrieve("돌다리")


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        pytest.param({"tokenizer": {"bigrams": False}}, r"tokenizer\.bigrams: built with True, configured False", id="tokenizer"),
        pytest.param({"bm25": {"k1": 1.2}}, r"bm25\.k1: built with 1\.5, configured 1\.2", id="bm25"),
        pytest.param({"chunking": {"overlap_blocks": 0}}, r"ingest\.overlap_blocks: built with 1", id="chunking"),
    ],
)  # fmt: skip
def test_an_index_of_other_settings_is_refused_and_says_which(sections, message, built, configure):
    with pytest.raises(IndexFault, match=message + r".*rebuild with: python -m engine build"):
        Engine.open(configure(**sections))


def test_an_index_of_another_encoder_is_refused(built, words):
    words.fingerprint = {"kind": "others"}
    with pytest.raises(IndexFault, match=r"encoder\.kind: built with 'words', configured 'others'"):
        Engine.open(built)


def test_an_index_opens_by_its_folder_alone(built, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert Engine.open("index").retrieve("돌다리")[0].doc_id == "bridge"


def test_a_failed_lock_leaves_no_trace_of_a_holder(built):
    assert not os.path.exists(built.resolve("index") / "build.pid")
