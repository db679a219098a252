import pytest

from engine.answer.parting import part
from engine.types import Draft, DraftSentence

TWO = "화성은 1796년에 완성되었다. 공사는 34개월 걸렸다."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TWO, ["화성은 1796년에 완성되었다.", "공사는 34개월 걸렸다."]),
        ("화성은 1796년에 완성되었다.", ["화성은 1796년에 완성되었다."]),
        ("그는 “가자. 어서 가자.”라고 말했다.", ["그는 “가자. 어서 가자.”라고 말했다."]),
        ("화성은 1796년에 완성되었다 [DOC_1]. 공사는 34개월 걸렸다 [DOC_2].", None),
        ("화성은 1796년에 완성되었다. 공사 기간 34개월", None),
        ("", [""]),
    ],
)
def test_every_sentence_of_an_answer_stands_alone(korean, text, expected):
    draft = Draft("answer", (DraftSentence(text, ("DOC_1", "DOC_2")),))
    parted = part(draft, korean)
    assert [s.text for s in parted.sentences] == (expected or [text])
    assert {s.cited for s in parted.sentences} == {("DOC_1", "DOC_2")}


def test_an_item_of_a_summary_stays_whole(korean):
    draft = Draft("summary", (DraftSentence(TWO, (), "S1-P1"),))
    assert part(draft, korean) == draft
