"""A literal must stand with what it is said of, not just somewhere in the evidence."""

import pytest

from engine.answer.validation.oracle import validate
from engine.config import ValidationSettings
from engine.types import Draft, DraftSentence, Evidence, Passage

TEXT = (
    "정조는 1789년 아버지 사도세자의 무덤을 양주 배봉산에서 수원의 화산으로 옮기고 현륭원이라 이름하였다. "
    "1793년에는 고을 이름을 화성으로 고치고 유수부로 격을 높였다. "
    "화성을 건설하는 공사는 1794년 정월에 시작되어 1796년 9월에 마무리되었다. "
    "공사의 총책임은 채제공이 맡았다. 그는 1799년에 세상을 떠났다. 성벽의 둘레는 약 5.7킬로미터이다."
)


def checked(korean, sentence):
    part = Passage("d:S1-P1", "S1-P1", 0, len(TEXT), None, (), "paragraph", core=True)
    one = Evidence(
        "DOC_1", "d", "안내", "d.txt", 1.0, 1, "c", "p", ("d:S1-P1",), ("S1-P1",), (), None,
        TEXT, TEXT, (), (part,),
    )  # fmt: skip
    draft = Draft("answer", (DraftSentence(sentence, ("DOC_1",)),))
    found = validate(draft, [one], korean, ValidationSettings())
    return found.verdicts[0], {f.check for f in found.findings}


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("정조는 1796년에 사도세자의 무덤을 옮겼다.", id="year of another sentence"),
        pytest.param(
            "정조는 사도세자의 무덤을 1794년에 수원으로 옮겼다.", id="moved in the sentence"
        ),
        pytest.param("화성을 건설하는 공사는 1789년에 시작되었다.", id="the other way round"),
    ],
)
def test_a_year_of_another_event_contradicts(korean, sentence):
    verdict, checks = checked(korean, sentence)
    assert verdict == "contradicted"
    assert "borrowed" in checks


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("정조는 1789년에 사도세자의 무덤을 수원으로 옮겼다.", id="its own year"),
        pytest.param("화성 공사는 1794년에 시작되어 1796년에 끝났다.", id="two of one sentence"),
        pytest.param(
            "공사의 총책임을 맡은 채제공은 1799년에 세상을 떠났다.",
            id="subject in the sentence before",
        ),
        pytest.param(
            "정조는 1789년에 무덤을 옮기고 1793년에 고을 이름을 화성으로 고쳤다.",
            id="two sentences joined",
        ),
        pytest.param(
            "공사가 끝난 화성의 성벽은 둘레가 약 5.7킬로미터이다.", id="no rival of its unit"
        ),
    ],
)
def test_a_figure_in_its_own_company_passes(korean, sentence):
    assert not {"borrowed", "literals"} & checked(korean, sentence)[1]
