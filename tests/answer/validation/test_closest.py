from engine.answer.validation.closest import find_support, rank_sources
from engine.answer.validation.sources import is_quotation, read_sources

TEXT = "수원 화성은 정조가 쌓았다.\n성벽의 둘레는 5.7km이다. 1997년 세계유산이 되었다."


def all_sentences(sent, korean):
    return [s for own in read_sources(sent, korean).values() for s in own]


def test_the_closest_sentence_is_placed_in_the_evidence(korean, evidence):
    sent = evidence("전혀 다른 글이다.", TEXT)
    (morphemes,) = korean.morphemes(["화성 성벽은 둘레가 5.7km에 이른다."])
    support = find_support(morphemes, all_sentences(sent, korean))
    assert (support.evidence_id, support.quote) == ("DOC_2", "성벽의 둘레는 5.7km이다.")
    assert TEXT[support.start : support.end] == support.quote


def test_coverage_is_the_share_of_content_found(korean, evidence):
    (morphemes,) = korean.morphemes(["정조가 화성을 불태웠다."])
    best, *_ = rank_sources(morphemes, all_sentences(evidence(TEXT), korean))
    assert best.coverage == 2 / 3


def test_nothing_shared_is_no_support(korean, evidence):
    (morphemes,) = korean.morphemes(["고양이가 잔다."])
    assert find_support(morphemes, all_sentences(evidence(TEXT), korean)) is None


def test_whole_sentences_are_quotations_and_parts_are_not(korean, evidence):
    own = all_sentences(evidence(TEXT), korean)
    assert is_quotation("수원 화성은 정조가 쌓았다", own)
    assert is_quotation("성벽의 둘레는 ５.７km이다. 1997년 세계유산이 되었다.", own)
    assert not is_quotation("정조가 쌓았다.", own)
    assert not is_quotation("성벽의 둘레는 57km이다.", own)
    assert not is_quotation("", own)


def test_sentences_of_two_sources_make_no_quotation(korean, evidence):
    own = all_sentences(evidence("가을이 왔다.", "겨울이 간다."), korean)
    assert not is_quotation("가을이 왔다. 겨울이 간다.", own)
