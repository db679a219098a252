import multiprocessing
import os

import pytest

from engine.errors import IndexFault
from engine.index import manifest as generations
from engine.index.manifest import Manifest, building
from engine.index.store import Entry, Store, StoreWriter, text_digest
from engine.types import Block, Box, Child, Document, Extent, Parent, Span


def entry(doc_id="글", texts=("하나", "둘")):
    blocks = [
        Block(
            f"{doc_id}:S1-P{n}", doc_id, f"S1-P{n}", "paragraph", text, 0, len(text), 1, ("장",),
            pages=(n, n), boxes=(Box(n, 0.1, 0.2, 0.3, 0.4),), element_id=str(n), markers=("R1",),
        )
        for n, text in enumerate(texts, 1)
    ]  # fmt: skip
    parent = Parent(f"{doc_id}:S1", doc_id, 1, "장", tuple(b.block_id for b in blocks), (1, 2))
    children = [
        Child(f"{doc_id}:S1-C{n}", parent.parent_id, doc_id, (Span(b.block_id, 0, len(b.text)),), b.text, b.pages)
        for n, b in enumerate(blocks, 1)
    ]  # fmt: skip
    document = Document(
        doc_id, "제목", "a.md", "text", "00", references={"R1": "문헌"}, metadata={"x": [1]}
    )
    return Entry(document, blocks, [parent], children)


def write_store(path, entries, terms):
    with StoreWriter(path) as writer:
        for one in entries:
            writer.add(one)
        writer.commit(terms)


def test_what_is_written_reads_back_the_same(tmp_path):
    path = tmp_path / "색인 100% #1?.sqlite"
    write_store(path, [entry("가"), entry("나")], ["ㄱ", "ㄴ"])
    store = Store(path)
    again, written = store.entry("나"), entry("나")
    assert (again.document, again.blocks, again.parents, again.children) == (
        written.document, written.blocks, written.parents, written.children,
    )  # fmt: skip
    assert store.document_rows("나") == range(2, 4)
    assert store.child_at(2).child_id == "나:S1-C1"
    assert store.term_ids(["ㄴ", "ㄷ"]) == {"ㄴ": 1}
    assert store.counts() == {"documents": 2, "blocks": 4, "parents": 2, "children": 4, "terms": 2}
    assert store.integrity() == "ok"


def test_a_part_of_a_parent_is_read_without_the_rest(tmp_path):
    write_store(tmp_path / "s", [entry("앞"), entry("가", ("하나", "둘째", "셋")), entry("뒤")], [])
    store = Store(tmp_path / "s")
    last, first = store.placed([4, 2])
    assert (last.child.child_id, last.first, last.last) == ("가:S1-C3", 4, 4)
    assert (first.child.child_id, first.first, first.last) == ("가:S1-C1", 2, 2)
    assert first.extents == last.extents == [Extent(2, 2), Extent(3, 2), Extent(4, 1)]
    assert [b.text for b in store.blocks_between(3, 4)] == ["둘째", "셋"]


def test_the_same_input_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_store(tmp_path / name, [entry("가"), entry("나")], ["ㄱ"])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_copied_document_is_the_one_that_was_written(tmp_path):
    write_store(tmp_path / "old", [entry("가"), entry("나", ("셋", "넷", "다섯"))], [])
    write_store(tmp_path / "fresh", [entry("나", ("셋", "넷", "다섯")), entry("다")], ["ㄱ"])
    with StoreWriter(tmp_path / "grown", tmp_path / "old") as writer:
        writer.copy("나")
        writer.add(entry("다"))
        assert writer.digests() == [text_digest(t) for t in ("셋", "넷", "다섯", "하나", "둘")]
        assert list(writer.texts([4, 0])) == ["둘", "셋"]
        assert writer.parent_of() == [0, 0, 0, 1, 1]
        writer.commit(["ㄱ"])
    assert (tmp_path / "grown").read_bytes() == (tmp_path / "fresh").read_bytes()


def test_more_terms_than_one_statement_takes_are_all_found(tmp_path):
    terms = [f"{number:04}" for number in range(1200)]
    write_store(tmp_path / "s", [entry()], terms)
    store = Store(tmp_path / "s")
    assert store.term_ids([*terms, "없음"]) == {term: at for at, term in enumerate(terms)}


def test_reading_writes_nothing_beside_the_store(tmp_path):
    write_store(tmp_path / "s", [entry()], [])
    Store(tmp_path / "s").counts()
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def blank():
    return Manifest(
        schema_version=1, inputs="x", fingerprints={}, counts={}, config={}, files={}, versions={}
    )


def commit(index, content, keep=1):
    folder = generations.begin_generation(index)
    (folder / "sub").mkdir()
    (folder / "sub" / "data").write_text(content)
    return generations.commit_generation(index, folder, blank(), keep)


def test_a_new_generation_replaces_the_old_one(tmp_path):
    first, second = commit(tmp_path, "1"), commit(tmp_path, "2")
    assert generations.live_generation(tmp_path) == second
    assert (first.exists(), second.name) == (False, "000002")


def test_older_generations_are_kept_on_demand(tmp_path):
    kept = [commit(tmp_path, str(n), keep=2).name for n in range(4)][-2:]
    assert sorted(p.name for p in (tmp_path / "generations").iterdir()) == kept


def test_an_interrupted_generation_is_cleared_by_the_next(tmp_path):
    commit(tmp_path, "1")
    left = generations.begin_generation(tmp_path)
    renamed = tmp_path / "generations" / "000007"
    renamed.mkdir()
    assert generations.live_generation(tmp_path).name == "000001"
    commit(tmp_path, "2")
    assert not left.exists()
    assert not renamed.exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(lambda p: p.write_text("124"), "its content has changed", id="changed"),
        pytest.param(lambda p: p.write_text("12"), "2 bytes, expected 3", id="truncated"),
        pytest.param(lambda p: p.unlink(), "No such file", id="missing"),
    ],
)
def test_a_damaged_file_is_named(damage, message, tmp_path):
    folder = commit(tmp_path, "123")
    damage(folder / "sub" / "data")
    faults = list(generations.check_files(folder, generations.read_manifest(folder), digests=True))
    assert len(faults) == 1
    assert "sub/data" in faults[0]
    assert message in faults[0]


def test_a_folder_without_an_index_says_how_to_build(tmp_path):
    with pytest.raises(IndexFault, match="no index here; build one with: python -m engine build"):
        generations.live_generation(tmp_path)


def test_a_damaged_manifest_is_named(tmp_path):
    folder = commit(tmp_path, "1")
    (folder / "manifest.json").write_text("{")
    with pytest.raises(IndexFault, match=r"manifest\.json: its content has changed"):
        generations.live_generation(tmp_path)
    with pytest.raises(IndexFault, match=r"manifest\.json: of another version"):
        generations.read_manifest(folder)


def _hold(index, held, release):
    with building(index):
        held.set()
        release.wait(30)


def test_a_second_builder_is_refused_with_the_first_ones_process_id(tmp_path):
    context = multiprocessing.get_context("spawn")
    held, release = context.Event(), context.Event()
    first = context.Process(target=_hold, args=(tmp_path, held, release))
    first.start()
    assert held.wait(60)
    with pytest.raises(IndexFault, match=f"being built by process {first.pid}"), building(tmp_path):
        pass
    release.set()
    first.join(30)
    with building(tmp_path):
        assert (tmp_path / "build.pid").read_text() == str(os.getpid())


def test_an_index_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(IndexFault, match="cannot be written: Not a directory"),
        building(tmp_path / "file" / "x"),
    ):
        pass
