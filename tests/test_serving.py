"""An open engine answers from many threads, and keeps its generation while builds swap the index."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from engine.engine import Engine
from engine.errors import IndexFault

QUESTIONS = ["돌다리는 언제 놓였나?", "수위", "회의 자료", "나무다리", "살곶이다리 길이"]


@pytest.fixture
def built(corpus, configure, words):
    config = configure()
    Engine.build(config)
    return config


def change(corpus, year):
    path = corpus / "bridge.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("1420년", f"{year}년"), encoding="utf-8")


def answers(engine):
    return [engine.retrieve(question) for question in QUESTIONS]


def test_eight_threads_find_what_one_finds(sample):
    asked = [
        "수원 화성에서 정조가 뭘 했어?",
        "출장비 정산은 언제까지 해야 해?",
        "항공권 환불",
        "한계",
    ] * 12
    serial = [sample.retrieve(question) for question in asked]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(sample.retrieve, asked)) == serial
    assert sample.retrieve_many(asked) == serial


def test_threads_find_the_same_while_builds_swap_the_index(built, corpus):
    engine = Engine.open(built)
    before = answers(engine)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(answers, engine) for _ in range(40)]
        for year in (1421, 1422, 1423):
            change(corpus, year)
            Engine.build(built)
        asked += [pool.submit(answers, engine) for _ in range(8)]
        assert all(one.result() == before for one in asked)


def test_an_open_engine_reads_its_generation_after_the_folder_is_gone(built, corpus):
    engine = Engine.open(built)
    before, vectors = answers(engine), engine.legs.dense.vectors(np.arange(engine.legs.dense.size))
    change(corpus, 1421)
    Engine.build(built)
    assert not engine.folder.exists()
    assert answers(engine) == before
    np.testing.assert_array_equal(engine.legs.dense.vectors(np.arange(len(vectors))), vectors)
    assert "1420년" in engine.retrieve("돌다리는 언제 놓였나?")[0].text


def test_refresh_serves_what_was_built_since_and_the_old_engine_goes_on(built, corpus):
    old = Engine.open(built)
    change(corpus, 1421)
    Engine.build(built)
    new = old.refresh()
    assert "1421년" in new.retrieve("돌다리는 언제 놓였나?")[0].text
    assert "1420년" in old.retrieve("돌다리는 언제 놓였나?")[0].text
    assert (new.encoder, new.korean) == (old.encoder, old.korean)


def test_refresh_without_a_new_build_is_the_same_engine(built):
    engine = Engine.open(built)
    Engine.build(built)
    assert engine.refresh() is engine


def test_an_engine_opened_by_folder_refreshes_from_it(built, corpus, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    engine = Engine.open("index")
    change(corpus, 1421)
    Engine.build(built)
    monkeypatch.chdir("/")
    assert "1421년" in engine.refresh().retrieve("돌다리는 언제 놓였나?")[0].text


def test_refresh_refuses_an_index_built_for_other_settings(built, configure):
    engine = Engine.open(built)
    Engine.build(configure(bm25={"k1": 1.2}))
    with pytest.raises(IndexFault, match=r"bm25\.k1: built with 1\.2, configured 1\.5"):
        engine.refresh()
    assert engine.retrieve("돌다리")


def test_opening_again_follows_a_build_that_ends_meanwhile(built, corpus, monkeypatch):
    swapped = []
    real = Engine._open.__func__

    def opening(cls, index, given, encoder):
        if not swapped:
            swapped.append(index)
            change(corpus, 1421)
            Engine.build(built)
            raise IndexFault("its files went away while they were opened")
        return real(cls, index, given, encoder)

    monkeypatch.setattr(Engine, "_open", classmethod(opening))
    assert "1421년" in Engine.open(built).retrieve("돌다리는 언제 놓였나?")[0].text


def test_an_encoder_that_is_passed_in_is_used(corpus, configure, words):
    class Other(type(words)):
        fingerprint = {"kind": "other words"}

    config, other = configure(), Other()
    assert Engine.build(config, encoder=other).embedded == len(other.encoded) > 0
    assert Engine.open(config, encoder=other).retrieve("돌다리")
    with pytest.raises(IndexFault, match=r"encoder\.kind: built with 'other words'"):
        Engine.open(config)
