import pytest

from engine.answer.validation.orphan import check_orphan
from engine.types import Draft, DraftSentence


def test_a_sentence_without_ids_is_an_orphan(evidence):
    draft = Draft("answer", (DraftSentence("가.", ("DOC_1",)), DraftSentence("나.", ())))
    (finding,) = check_orphan(draft, evidence("가."))
    assert (finding.sentence, finding.span) == (1, (0, 2))
    assert finding.detail == "인용한 근거가 없습니다."


def test_an_id_inside_the_text_is_a_citation(evidence):
    assert check_orphan(Draft("answer", (DraftSentence("가 [DOC_1].", ()),)), evidence("가.")) == []


def test_a_source_id_is_a_citation(evidence):
    assert (
        check_orphan(Draft("summary", (DraftSentence("가.", (), "S1-P1"),)), evidence("가.")) == []
    )


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_sentence_is_found(text, evidence):
    (finding,) = check_orphan(Draft("answer", (DraftSentence(text, ("DOC_1",)),)), evidence("가."))
    assert finding.detail == "빈 문장입니다."
