"""Whether the words of a question stand together, on places written by hand and on a small corpus."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from engine.cli import main
from engine.config import make_config
from engine.engine import Engine
from engine.errors import EngineError
from engine.retrieve.abstention import Silence
from engine.retrieve.coverage import Coverage, Word, content_words, cover
from engine.retrieve.explain import refused, written
from engine.text.kiwi import Morpheme

TOWER, MASON, MAKE = Word("다보탑", True), Word("석공", True), Word("만들", False)
CORPUS = {
    "탑": "불국사의 대웅전 앞마당에는 다보탑과 석가탑이 마주 선다. 두 탑은 화강암으로 만들었다.",
    "종": "성덕대왕신종은 경주 박물관 마당에 걸려 있다. 종을 만든 기술자의 이름이 몸통에 새겨져 있다.",
    "배": "거북선은 사천 싸움에 처음 나섰다. 등에 칼과 송곳을 꽂았다는 기록이 있다.",
}


def test_the_best_place_holds_the_largest_weight_beside_a_spare_word():
    held = [[True, False, True], [True, True, False]]
    best = cover([TOWER, MASON, MAKE], [4.0, 5.0, 2.0], held, spare=3.0)
    assert best.share == pytest.approx((4 + 5) / (4 + 5 + 2 + 3))
    assert best.missing == ("만들다",)


def test_words_of_two_places_are_not_added():
    held = [[True, False], [False, True]]
    assert cover([TOWER, MASON], [4.0, 5.0], held, spare=1.0).share == pytest.approx(5 / 9)


def test_a_syllable_that_no_place_holds_does_not_count():
    words, weights = [TOWER, Word("필", True)], [4.0, 6.0]
    assert cover(words, weights, [[True, False]], spare=1.0) == Coverage(1.0)
    assert cover(words, weights, [[True, False], [False, True]], 1.0).share == pytest.approx(6 / 10)


def test_nothing_is_spared_of_two_words_and_something_of_three():
    words, weights = [TOWER, MASON, MAKE], [4.0, 5.0, 2.0]
    assert cover(words[:2], weights[:2], [[True, False]], spare=3.0).share == pytest.approx(4 / 9)
    three = cover(words, weights, [[True, False, True]], spare=3.0)
    assert three.share == pytest.approx(6 / 14)


def test_a_word_that_is_everywhere_is_held_all_the_same():
    assert cover([TOWER], [0.1], [[True]], spare=3.0) == Coverage(1.0)


def test_nothing_to_look_for_is_held_and_nowhere_to_look_is_not():
    assert cover([], [], [[]], spare=2.0) == Coverage(1.0)
    assert cover([MAKE], [4.0], [[False]], spare=2.0) == Coverage(1.0)
    assert cover([TOWER], [4.0], [], spare=2.0) == Coverage(0.0, ("다보탑",), ("다보탑",))


def test_content_words_are_what_a_question_is_about():
    tagged = [("다보탑", "NNP"), ("을", "JKO"), ("돕", "VV-I"), ("석공", "NNG"), ("석공", "NNG"),
              ("의", "JKG"), ("이름", "NNG"), ("누구", "NP"), ("있", "VV")]  # fmt: skip
    morphemes = [Morpheme(form, tag, 10 * at, 10 * at + 5) for at, (form, tag) in enumerate(tagged)]
    words = content_words(morphemes)
    assert words == (Word("다보탑", True, "다보탑"), Word("돕", False), Word("석공", True, "석공"))


def test_a_name_cut_into_syllables_is_held_where_it_is_written_whole():
    text = "현장은화성유수조심태가지휘하였다."
    pieces = content_words([Morpheme("조", "NNG", 0, 1), Morpheme("심태", "NNG", 1, 3)])
    assert [word.whole for word in pieces] == ["조심태", "조심태"]
    assert all(word.is_written(text) for word in pieces)
    assert not Word("조", True, "조").is_written(text)
    assert not Word("지휘", False).is_written(text)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (Word("세우", False), "세우다"),
        (Word("석공", True, "석공"), "석공"),
        (Word("항공", True, "항공권"), "항공권"),
        (Word("축성", True, "화성축성비용"), "축성"),
    ],
)
def test_a_word_is_told_as_a_dictionary_has_it(word, told):
    assert cover([word, TOWER], [1.0, 1.0], [[False, True]], spare=0.0).missing == (told,)


class Far:
    """Every question at one and the same cosine to every passage, 0 unless told."""

    dim, fingerprint = 2, {"kind": "far"}
    min_similarity = min_similarity_foreign = 0.5

    def __init__(self, cosine: float = 0.0) -> None:
        self.question = (cosine, math.sqrt(1 - cosine**2))

    def encode_queries(self, texts):
        return np.array([self.question] * len(texts), np.float32).reshape(len(texts), 2)

    def encode_passages(self, texts):
        return np.array([(1.0, 0.0)] * len(texts), np.float32).reshape(len(texts), 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coverage")
    rows = [json.dumps({"_id": name, "text": text}, ensure_ascii=False)
            for name, text in CORPUS.items()]  # fmt: skip
    (folder / "corpus.jsonl").write_text("\n".join(rows), encoding="utf-8")
    Engine.build(configured(folder), encoder=Far())
    return folder


def configured(folder, **retrieval):
    content = {"corpus": {"paths": ["corpus.jsonl"]}, "retrieval": {"min_share": 0.01, **retrieval}}
    return make_config(content, root=folder)


def found(folder, question, cosine=0.0, mode="hybrid", **retrieval):
    engine = Engine.open(configured(folder, **retrieval), encoder=Far(cosine))
    return engine.retrieve(question, 1, mode=mode)


HELD, SHORT = "다보탑은 무엇으로 만들었나?", "다보탑을 만든 석공은 누구인가?"
IDF = [math.log(1 + (3 - n + 0.5) / (n + 0.5)) for n in range(3)]
"""Of a word in none, one and two of the three documents."""
SHARE = (IDF[1] + IDF[2]) / (IDF[1] + IDF[2] + IDF[0] + IDF[0] / 2)
"""다보탑 and 만들 stand together, 석공 stands nowhere, and half a word is spare."""


def test_a_question_that_stops_one_detail_short_finds_nothing(folder):
    assert found(folder, HELD)[0].doc_id == "탑"
    assert pytest.approx(0.3175, abs=1e-4) == SHARE
    assert found(folder, SHORT, min_coverage=0.32) == []
    assert found(folder, SHORT, min_coverage=0.31)[0].doc_id == "탑"


def test_it_is_told_how_much_stands_together_and_what_is_missing(folder):
    why = found(folder, SHORT, min_coverage=0.31)[0].why
    assert why["coverage"] == {"share": pytest.approx(SHARE, abs=1e-4), "missing": ["석공"]}
    assert (
        written(why).splitlines()[-1] == "words   32% of the question's in one place, without 석공"
    )


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (SHORT, "‘석공’"),
        ("첨성대는 누가 세웠나?", "‘첨성대’, ‘세우다’"),
        # Refused because too little of the question is anywhere, not for what stands together.
        ("비트코인 시세", "‘비트코인’, ‘시세’"),
    ],
)
def test_an_answer_that_is_refused_names_the_words_that_are_missing(folder, question, words):
    engine = Engine.open(configured(folder), encoder=Far())
    expected = f"질문과 겹치는 단락을 찾지 못했습니다. 가장 가까운 단락에도 없는 말: {words}."
    assert engine.answer(question).refusal == expected
    assert engine.silence(question).missing == tuple(
        words.replace("‘", "").replace("’", "").split(", ")
    )


def test_an_extract_says_which_nouns_stand_nowhere_near(folder):
    def notices(question, cosine=0.0):
        engine = Engine.open(configured(folder, min_coverage=0.2), encoder=Far(cosine))
        return engine.answer(question).notices

    told = "질문의 말 가운데 가장 가까운 단락에도 없는 것: ‘석공’. 발췌한 문장이 답이 아닐 수 있습니다."
    assert notices(SHORT) == (told,)
    assert notices(SHORT, cosine=0.6) == ()
    assert notices(HELD) == ()
    assert notices("다보탑과 석가탑은 어디에 세웠나?") == ()  # a verb may be said otherwise


def test_silence_is_of_the_question_as_it_was_asked(folder):
    engine = Engine.open(configured(folder), encoder=Far())
    assert engine.silence(SHORT, mode="bm25") is None
    assert engine.silence(SHORT, document="탑").coverage.share == pytest.approx(SHARE, abs=1e-4)
    with pytest.raises(EngineError, match="no document '절'"):
        engine.silence(SHORT, document="절")


def test_a_near_passage_needs_no_words(folder):
    assert found(folder, SHORT, cosine=0.4) == []
    near = found(folder, SHORT, cosine=0.6)
    assert near and "coverage" not in near[0].why


def test_without_vectors_or_without_hangul_words_alone_do_not_refuse(folder):
    assert found(folder, SHORT, mode="bm25")[0].doc_id == "탑"
    lookup = Engine.open(configured(folder), encoder=Far()).lookup
    asked = lookup.analyse([SHORT], "hybrid")[0]
    ranking = lookup.rank(asked, 1, "hybrid")
    assert (
        lookup.concordance.coverage("Who made the pagoda?", ranking.found, ranking.hits).share == 1
    )


def test_how_many_are_wanted_does_not_decide(folder):
    engine = Engine.open(configured(folder), encoder=Far())
    assert [engine.retrieve(SHORT, k) for k in (1, 2, 9)] == [[], [], []]


def test_a_refusal_says_what_was_looked_for():
    config = make_config({"rerank": {"min_score": 0.5}}, root=Path())

    def told(**silence):
        return refused(Silence(**silence), config)

    assert told(coverage=Coverage(0.3176, ("석공", "아내"))) == (
        "words   32% of the question's in one place, without 석공, 아내; 35% are asked for"
    )
    assert told() == "nothing matches enough of the question, by words or by meaning"
    assert told(judged=0.1234567) == "rerank  0.1235 at best; 0.5 is asked for"
    assert told(unstated="무게") == "figures no passage near has one of the kind asked for: 무게"


def test_the_shell_explains_a_refusal(demo_folder, capsys):
    config = str(demo_folder / "config.yaml")
    assert main(["--config", config, "query", "첨성대를 세운 임금은 누구야?", "--explain"]) == 0
    printed = capsys.readouterr().out
    assert "없는 말: ‘첨성대’." in printed and "; 35% are asked for" in printed
    assert main(["--config", config, "query", "첨성대를 세운 임금은 누구야?", "--json"]) == 0
    data, told = capsys.readouterr()
    assert json.loads(data) == [] and "‘첨성대’" in told
