"""Questions over the sample corpus, with the bundled encoder."""

from dataclasses import replace

import pytest

from engine.config import RewriteSettings
from engine.errors import EngineError
from engine.retrieve.candidates import gather
from tests.conftest import PROJECT

NOWHERE = "항공권"


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "dense"])
def test_each_mode_finds_a_plain_fact(sample, mode):
    found = sample.retrieve("거중기를 고안한 사람은 누구인가?", k=5, mode=mode)
    assert any("정약용" in one.text and "거중기" in one.text for one in found)
    assert [one.rank for one in found] == list(range(1, len(found) + 1))
    assert [one.evidence_id for one in found] == [f"DOC_{n}" for n in range(1, len(found) + 1)]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "dense"])
@pytest.mark.parametrize("scope", ["global", "section"])
def test_a_question_about_nothing_here_has_no_evidence(sample, mode, scope):
    assert sample.retrieve(NOWHERE, mode=mode, scope=scope) == []


def test_evidence_is_whole(sample):
    for one in sample.retrieve("수원 화성에서 정조가 뭘 했어?", k=8):
        assert one.doc_id == "heritage/guide"
        assert one.pages and 1 <= one.pages[0] <= one.pages[1] <= 24
        assert all(
            f"{one.doc_id}:{s}" == b for s, b in zip(one.source_ids, one.block_ids, strict=True)
        )
        assert "".join(one.text[p.start : p.end] for p in one.passages if p.core).replace("\n", "")
        assert one.uri.startswith("file:///") and one.uri.endswith(
            "/data/sample/heritage/guide.json"
        )
        assert one.why["terms"]


def test_sections_come_in_source_order_one_each(sample):
    found = sample.retrieve("검색 방식의 한계", k=8, scope="section", document="paper")
    sections = [one.section_path[0] for one in found]
    assert "한계" in sections
    assert len(set(sections)) == len(sections)
    order = ["서론", "선행연구", "방법", "결과", "논의", "한계"]
    assert sections == sorted(sections, key=order.index)


def test_a_document_can_be_asked_alone(sample):
    found = sample.retrieve("기록물 보존 기간", k=3, document="handbook")
    assert {one.doc_id for one in found} == {"handbook"}


def test_what_another_document_holds_is_no_evidence_in_this_one(sample):
    assert sample.retrieve("거중기", document="heritage/guide")
    assert sample.retrieve("거중기", document="handbook") == []


@pytest.mark.parametrize("question", ["거중기", "거중기로 쌓은 성곽의 기록"])
def test_the_best_of_a_document_is_its_own(sample, question):
    within = sample.store.document_rows("handbook")
    asked = sample.lookup.analyse([question], "bm25")[0]
    alone = gather(sample.legs, asked.query, "bm25", 0, within)
    everywhere = gather(sample.legs, asked.query, "bm25", 10)
    assert alone.best_bm25 == alone.bm25.max() < everywhere.best_bm25 == everywhere.bm25.max()


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
@pytest.mark.parametrize("scope", ["global", "section"])
def test_no_evidence_in_a_document_by_any_way(sample, mode, scope):
    assert sample.retrieve("거중기", document="handbook", mode=mode, scope=scope) == []


@pytest.mark.parametrize("question", ["?", "… !", "”"])
def test_a_question_without_a_letter_finds_nothing(sample, question):
    assert sample.retrieve(question) == []


def test_another_word_for_half_of_a_short_question_does_not_silence_it(sample):
    assert any("고안" in one.text for one in sample.retrieve("거중기를 발명한 사람"))


def test_a_batch_is_its_questions(sample):
    questions = ["거중기", "출장비 정산 기한", NOWHERE]
    batch = sample.retrieve_many(questions, k=3)
    single = [sample.retrieve(question, k=3) for question in questions]
    assert [[e.child_id for e in b] for b in batch] == [[e.child_id for e in s] for s in single]


def test_a_batch_of_no_questions_is_empty(sample):
    assert sample.retrieve_many([]) == []
    assert sample.rank_many([], 5, mode="hybrid") == []


def test_more_than_there_is_can_be_asked_for(sample):
    found = sample.retrieve("문화유산", k=1000)
    assert 10 < len(found) < 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"k": 0}, "k: found 0, expected 1 or more", id="k"),
        pytest.param({"document": "없음"}, "no document '없음'", id="document"),
        pytest.param({"mode": "sparse"}, "found mode 'sparse'", id="mode"),
    ],
)
def test_a_mistake_is_named(sample, options, message):
    with pytest.raises(EngineError, match=message):
        sample.retrieve("질문", **options)


@pytest.mark.parametrize("question", ["", "   ", "?!", "가" * 5000, "\x00", "a\nb"])
def test_odd_questions_are_no_trouble(sample, question):
    assert isinstance(sample.retrieve(question), list)


def test_every_target_of_the_labelled_set_is_a_block_of_the_sample(sample):
    lines = (PROJECT / "data/eval/heritage/qrels/test.tsv").read_text(encoding="utf-8").splitlines()
    targets = {line.split("\t")[1] for line in lines[1:]}
    missing = [t for t in targets if sample.store.block(t.replace("#", ":")) is None]
    assert (len(targets) > 80, missing) == (True, [])


def test_names_of_the_catalog_are_words(sample):
    assert "불국사" in next(sample.tokenizer.terms(["불국사에 갔다"]))


def test_a_rewriting_is_told_and_never_takes_a_question_away(sample):
    question = "덕수궁에서 외교권 뺏긴 데가 어디야?"
    plain = replace(
        sample, config=sample.config.model_copy(update={"rewrite": RewriteSettings(mode="off")})
    )
    found, without = sample.retrieve(question, k=5), plain.retrieve(question, k=5)
    told = found[0].why["rewrite"]
    assert told["places"] == ["deoksugung"] and "경운궁" in told["text"]
    assert "rewrite" not in without[0].why
    assert {one.child_id for one in found} & {one.child_id for one in without}


def test_a_homonym_is_told_and_changes_nothing(sample):
    question = "화성 쌓은 일꾼들은 돈을 받고 일했어?"
    plain = replace(
        sample, config=sample.config.model_copy(update={"rewrite": RewriteSettings(mode="off")})
    )
    found = sample.retrieve(question)
    assert found[0].why["ambiguous"] == {"화성": ["hwaseong-fortress", "hwaseong-city"]}
    assert [e.score for e in found] == [e.score for e in plain.retrieve(question)]


def test_a_place_does_not_make_evidence_of_a_question_about_nothing_here(sample):
    assert sample.retrieve(f"{NOWHERE} 예약했어?") == []
