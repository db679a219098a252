"""One small index, built once, with the bundled encoder; every question goes through the engine."""

import json
import sys

import pytest

from engine.config import make_config
from engine.engine import Engine
from engine.errors import ConfigError, ModelError, SourceError
from eval.answers import generation, load_answers
from eval.chunkings import build_chunking, cut_blocks, cut_fixed, cut_pages, within_chars
from eval.dataset import load_dataset
from eval.engines import IndexCatalog, make_systems, parse_system, passage_of, read_signals
from eval.indexes import changed, corpus_config, open_index, variant
from eval.peers import make_bm25s, make_langchain
from tests.eval.harness_fakes import write_set

TEXTS = [
    (
        "수원화성",
        "수원 화성은 정조가 아버지 사도세자를 기리며 쌓은 성이다.\n\n정약용이 거중기를 만들었다.",
    ),
    ("경복궁", "경복궁은 조선의 으뜸 궁궐이다. 세종은 집현전을 두었다."),
    ("불국사", "불국사는 경주 토함산에 있는 절이다. 다보탑과 석가탑이 있다."),
    ("장릉", "단종이 묻힌 장릉은 영월에 있다."),
]
QUERIES = [
    ("q1", "거중기는 누가 만들었나?", "fact"), ("q2", "세종이 둔 학문 기관은?", "fact"),
    ("q3", "석가탑이 있는 절은?", "fact"), ("u1", "제주도 해녀의 하루 수입은?", "unanswerable"),
]  # fmt: skip
QRELS = [("q1", "수원화성#S1-P2", 2), ("q2", "경복궁", 1), ("q3", "불국사", 1)]


@pytest.fixture(scope="module", autouse=True)
def one_kiwi(korean):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.build.open_korean", lambda config: korean)
        patch.setattr("engine.engine.open_korean", lambda config: korean)
        yield


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("harness")
    write_set(home / "유산", QUERIES, QRELS, TEXTS)
    return home


@pytest.fixture(scope="module")
def dataset(home):
    return load_dataset(home / "유산")


@pytest.fixture(scope="module")
def engine(home, dataset):
    return open_index(dataset, cache=home / "cache")


def test_the_index_of_a_set_is_built_once_and_found_again_by_its_content(home, dataset, engine):
    again = open_index(dataset, cache=home / "cache")
    assert again.folder == engine.folder
    assert len(list((home / "cache").iterdir())) == 1


def test_other_documents_or_other_settings_get_another_index(tmp_path):
    base = make_config({}, root=tmp_path)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": "a", "text": "가"}\n', encoding="utf-8")
    first = corpus_config(corpus, "s", base, tmp_path).index.path
    other = changed(base, {"chunking.child_target_chars": 200})
    assert corpus_config(corpus, "s", other, tmp_path).index.path != first
    query_time = changed(base, {"fusion.dense_weight": 0.5})
    assert corpus_config(corpus, "s", query_time, tmp_path).index.path == first
    corpus.write_text('{"_id": "a", "text": "나"}\n', encoding="utf-8")
    assert corpus_config(corpus, "s", base, tmp_path).index.path != first


def test_a_set_without_documents_and_without_configuration_says_what_to_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bare = load_dataset(write_set(tmp_path / "s", QUERIES, QRELS))
    with pytest.raises(SourceError, match="name an index with --index or a configuration"):
        open_index(bare)


@pytest.mark.parametrize("mode", ["bm25", "dense", "hybrid"])
def test_each_mode_ranks_children_with_what_they_cover(engine, mode):
    (system,) = make_systems(engine, [mode])
    found, nothing = system.search(["거중기는 누가 만들었나?", "석가탑"], 2)
    assert found[0].doc_id == "수원화성"
    assert "S1-P2" in found[0].source_ids
    assert found[0].chars > 0 and found[0].parent_id
    assert len(nothing) <= 2


def test_rankings_ignore_the_thresholds_and_silence_does_not(engine):
    strict = "hybrid:retrieval.min_share=1,retrieval.min_similarity=1"
    (system,) = make_systems(engine, [strict])
    assert system.search(["세종"], 3)[0]
    assert system.silent(["제주도 해녀"]) == [True]


def test_the_order_is_the_engines_own(engine):
    (system,) = make_systems(engine, ["hybrid"])
    expected = [e.child_id for e in engine.retrieve("경주에 있는 절", 1, mode="hybrid")]
    assert [p.child_id for p in system.search(["경주에 있는 절"], 1)[0]] == expected


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hybird", "system 'hybird': expected one of hybrid, bm25, dense"),
        ("hybrid:fusion.method", "found 'fusion.method', expected section.field=value"),
    ],
)
def test_a_system_of_another_name_is_refused(name, message):
    with pytest.raises(ConfigError, match=message):
        parse_system(name)


def test_a_rewriting_system_has_a_short_name():
    assert parse_system("hybrid+rewrite") == ("hybrid", {"rewrite.mode": "all"})
    assert parse_system("bm25+rewrite:rewrite.weight=0.5")[1]["rewrite.weight"] == 0.5
    with pytest.raises(ConfigError, match=r"system 'hybrid\+magic'"):
        parse_system("hybrid+magic")


def test_settings_of_a_system_are_checked(engine):
    with pytest.raises(ConfigError, match="fusion.wheight: unknown setting"):
        make_systems(engine, ["hybrid:fusion.wheight=1"])
    with pytest.raises(ConfigError, match="encoder: cannot be varied over one index"):
        make_systems(engine, ["hybrid:encoder.batch_size=1"])


def test_a_lexical_setting_rebuilds_a_copy_without_embedding_again(home, engine, monkeypatch):
    from engine.index.encoder import BundledEncoder

    def refuse(self, texts):
        raise AssertionError(f"{len(texts)} passages were embedded again")

    monkeypatch.setattr(BundledEncoder, "encode_passages", refuse)
    plain = variant(engine, {"tokenizer.bigrams": False}, home / "variants")
    assert plain.manifest.counts["terms"] < engine.manifest.counts["terms"]
    assert plain.manifest.counts["children"] == engine.manifest.counts["children"]
    assert Engine.open(engine.config).folder == engine.folder


def test_the_catalog_knows_in_which_child_a_target_is(engine):
    catalog = IndexCatalog(engine)
    place = catalog.place("수원화성#S1-P2")
    assert len(place.child_ids) == 1 and place.child_ids[0].startswith("수원화성:")
    assert catalog.place("수원화성#S9-P1").child_ids == ()
    assert catalog.place("없는 문서").child_ids == ()
    assert catalog.shares_term("거중기", place)
    assert not catalog.shares_term("석굴암", place)


def test_signals_are_the_best_of_any_passage(engine, dataset):
    found = {signal.query_id: signal for signal in read_signals(engine, dataset)}
    assert found["q3"].answerable and not found["u1"].answerable
    assert found["q3"].share > found["u1"].share
    assert found["q3"].similarity > found["u1"].similarity


def blocks_of(engine, doc_id):
    return engine.store.blocks_of_document(doc_id)


def test_fixed_pieces_have_their_size_and_know_their_blocks(engine):
    blocks = blocks_of(engine, "수원화성")
    units = list(cut_fixed(20, 5)(blocks, engine.korean))
    whole = "\n\n".join(block.text for block in blocks)
    assert [unit.text for unit in units[:2]] == [whole[:20], whole[15:35]]
    assert all(unit.text in whole for unit in units)
    assert {i for unit in units for i in unit.source_ids} == {b.source_id for b in blocks}


def test_a_block_is_a_unit_and_a_document_without_pages_one_page(engine):
    blocks = blocks_of(engine, "수원화성")
    assert len(list(cut_blocks(blocks, engine.korean))) == len(blocks)
    (page,) = cut_pages(blocks, engine.korean)
    assert page.source_ids == tuple(block.source_id for block in blocks)


def test_a_sentence_window_returns_more_than_it_indexes(engine):
    chunked = build_chunking("sentence-window", engine)
    unit = next(u for u in chunked.units if u.text.startswith("정약용"))
    assert unit.chars > len(unit.text)
    assert set(unit.source_ids) == {"S1-P1", "S1-P2"}


def test_parent_child_ranks_as_the_engine_does(engine):
    (system,) = make_systems(engine, ["hybrid"])
    chunked = build_chunking("parent-child", engine)
    question = ["세종이 둔 학문 기관은?"]
    ours, theirs = system.search(question, 4)[0], chunked.search(question, 4)[0]
    assert [p.source_ids for p in theirs] == [p.source_ids for p in ours]
    assert [p.score for p in theirs] == pytest.approx([p.score for p in ours], abs=1e-4)


def test_an_unknown_chunking_names_the_known_ones(engine):
    with pytest.raises(ConfigError, match="chunking 'paragraph': unknown; known: block, page"):
        build_chunking("paragraph", engine)


def test_a_budget_of_characters_ends_a_ranking(engine):
    (system,) = make_systems(engine, ["hybrid"])
    found = system.search(["세종"], 4)[0]
    assert within_chars(found, found[0].chars) == found[:1]
    assert within_chars(found, 0) == []


def test_a_childs_pages_come_along(engine):
    child = next(engine.store.children())
    assert passage_of(child).pages == ()
    assert json.loads(json.dumps(passage_of(child).source_ids)) == [
        block_id.split(":")[-1] for block_id in child.block_ids
    ]


def test_saved_answers_of_the_engine_are_read_by_the_third_stage(tmp_path, engine, dataset):
    answer = json.loads(engine.answer("거중기는 누가 만들었나?").render("json"))
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"query_id": "q1", "answer": answer}), encoding="utf-8")
    stages = generation(dataset, load_answers(path))
    assert [(s.passed, s.total) for s in stages] == [(1, 1)] * 3


def test_a_peer_gets_our_passages_and_ranks_them_its_own_way(engine):
    pytest.importorskip("bm25s")
    (found,) = make_bm25s(engine).search(["석가탑이 있다"], 10)
    assert found[0].doc_id == "불국사"
    assert all(passage.score > 0 for passage in found)


def test_langchain_gets_our_vectors(engine):
    pytest.importorskip("langchain_classic")
    (found,) = make_langchain(engine).search(["다보탑과 석가탑이 있다."], 10)
    assert found[0].doc_id == "불국사"
    assert len({passage.child_id for passage in found}) == len(found)


def test_a_peer_that_is_not_installed_names_the_extra(engine, monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(ModelError, match="bm25s is not installed; install the extra"):
        make_bm25s(engine)
