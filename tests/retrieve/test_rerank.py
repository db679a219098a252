"""A real cross-encoder, tiny and untrained: what counts is that its own scores decide."""

from dataclasses import replace

import pytest

from engine.config import RerankSettings
from engine.errors import ModelError
from engine.retrieve.rerank import load_judge, rerank
from engine.types import Hit
from tests.word_tokenizer import word_tokenizer

HITS = [Hit(7, 0.9, 1), Hit(3, 0.8, 2), Hit(5, 0.6, 3), Hit(1, 0.5, 4)]


def scores(**values):
    """A judge that knows the score of each text."""
    return lambda question, passages: [values[text] for text in passages]


def read(row):
    return f"t{row}"


def order(hits):
    return [hit.row for hit in hits]


def test_the_judge_orders_the_first_ranks_and_the_rest_keep_their_distances():
    judge = scores(t7=0.1, t3=0.7)
    found = rerank("?", HITS, read, judge, RerankSettings(depth=2))
    assert order(found) == [3, 7, 5, 1]
    assert [hit.score for hit in found] == pytest.approx([0.7, 0.1, 0.1, 0.1 - (0.6 - 0.5)])
    assert [hit.rank for hit in found] == [1, 2, 3, 4]


def test_equal_scores_keep_the_order():
    judge = scores(t7=0.5, t3=0.5, t5=0.5, t1=0.5)
    assert order(rerank("?", HITS, read, judge, RerankSettings())) == order(HITS)


def test_what_was_not_judged_in_time_stays_behind_what_was():
    ticks = iter([0.0, 0.1, 0.6])
    judge = scores(t7=0.1, t3=0.2, t5=0.9, t1=0.8)
    settings = RerankSettings(batch_size=1, time_budget_seconds=0.5)
    found = rerank("?", HITS, read, judge, settings, clock=lambda: next(ticks))
    assert order(found) == [3, 7, 5, 1]


def test_the_first_batch_is_judged_however_little_time_there_is():
    ticks = iter([0.0, 9.0])
    settings = RerankSettings(batch_size=2, time_budget_seconds=0.5)
    judge = scores(t7=0.1, t3=0.2)
    assert order(rerank("?", HITS, read, judge, settings, clock=lambda: next(ticks)))[:2] == [3, 7]


def test_nothing_found_needs_no_judge():
    assert rerank("?", [], read, scores(), RerankSettings()) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("judge"), labels=1)


def build(folder, labels):
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    tokenizer = word_tokenizer(["돌 다리 나무 성 절 왕 무덤 거중기 는 누가 만들었나"])
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=64,
        num_labels=labels, initializer_range=1.0,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_a_model_in_a_folder_is_a_judge(folder):
    from sentence_transformers import CrossEncoder

    passages = ["돌 다리", "나무 성", "왕 무덤"]
    settings = RerankSettings(model=folder.name, batch_size=2, device="cpu")
    judged = load_judge(settings, folder.parent)("누가 만들었나", passages)
    expected = CrossEncoder(str(folder), device="cpu").predict(
        [("누가 만들었나", p) for p in passages], show_progress_bar=False
    )
    assert judged == pytest.approx(expected.tolist(), abs=1e-5)
    assert len(set(judged)) == 3


def test_evidence_comes_in_the_judges_order_and_says_so(sample, folder):
    settings = RerankSettings(model=str(folder), device="cpu", depth=10, time_budget_seconds=60)
    judged = replace(sample, config=sample.config.model_copy(update={"rerank": settings}))
    found = judged.retrieve("거중기는 누가 만들었나?", k=4)
    told = [one.why["rerank"] for one in found]
    assert told == sorted(told, reverse=True)
    assert [one.score for one in found] == pytest.approx(told, abs=1e-4)
    assert all(one.why["fused_rank"] >= 1 for one in found)
    assert "rerank" not in sample.retrieve("거중기는 누가 만들었나?", k=1)[0].why


def test_a_judge_that_finds_no_passage_good_enough_refuses_and_says_so(sample, folder):
    question = "거중기는 누가 만들었나?"

    def judged(least):
        settings = RerankSettings(
            model=str(folder), device="cpu", time_budget_seconds=60, min_score=least
        )
        return replace(sample, config=sample.config.model_copy(update={"rerank": settings}))

    best = judged(None).retrieve(question)[0].score
    assert judged(best).retrieve(question) == judged(None).retrieve(question)
    assert judged(best).silence(question) is None
    silent = judged(best + 0.001)
    assert silent.retrieve(question) == []
    assert silent.silence(question).judged == best
    refusal = silent.answer(question).refusal
    assert refusal.startswith("찾은 단락 가운데 질문에 답하는 것이 없습니다.")
    # What nothing matches was not judged.
    assert silent.silence("qwzx").judged is None


def test_a_model_that_is_not_there_is_named_with_the_way_out(tmp_path):
    with pytest.raises(ModelError, match=r"rerank\.model: 'nowhere/none'.*rerank\.model: null"):
        load_judge(RerankSettings(model="nowhere/none"), tmp_path)


def test_a_model_for_something_else_is_refused(tmp_path):
    build(tmp_path / "nli", labels=3)
    with pytest.raises(ModelError, match="gives 3 scores a pair, expected one"):
        load_judge(RerankSettings(model="nli"), tmp_path)
