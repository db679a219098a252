import pytest

from engine.config import ValidationSettings
from engine.text.kiwi import Korean
from engine.types import Draft, DraftSentence
from eval.attack.cases import make_evidence
from eval.attack.passages import PassageText
from eval.citing import CitationScores, score_citations, supports_by_oracle

EVIDENCE = make_evidence(
    [
        PassageText("", "", text)
        for text in ("정원은 30명이다.", "비용은 5만 원이다.", "가을이 왔다.")
    ]
)
NEEDS = {"둘 다": {"DOC_1", "DOC_2"}, "하나": {"DOC_1"}, "거짓": {"DOC_9"}}


def supports(sentence, cited):
    return NEEDS[sentence.text] <= {e.evidence_id for e in cited}


def score(*sentences):
    draft = Draft("answer", tuple(DraftSentence(text, cited) for text, cited in sentences))
    return score_citations([(draft, EVIDENCE)], supports)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param(("둘 다", ("DOC_1", "DOC_2")), CitationScores(1, 1, 2, 2), id="both-needed"),
        pytest.param(("하나", ("DOC_1", "DOC_3")), CitationScores(1, 1, 2, 1), id="one-idle"),
        pytest.param(("둘 다", ("DOC_1", "DOC_3")), CitationScores(1, 0, 2, 0), id="unsupported"),
        pytest.param(("하나", ()), CitationScores(1, 0, 0, 0), id="nothing-cited"),
    ],
)
def test_a_citation_counts_where_it_is_needed(sentence, expected):
    assert score(sentence) == expected


def test_the_rates_are_over_sentences_and_over_citations():
    total = score(("둘 다", ("DOC_1", "DOC_2")), ("하나", ("DOC_1", "DOC_3")), ("거짓", ("DOC_1",)))
    assert (total.recall, total.precision) == (2 / 3, 3 / 5)
    assert (CitationScores().recall, CitationScores().precision) == (0.0, 0.0)


def test_the_oracle_may_say_what_supports():
    by_oracle = supports_by_oracle(Korean(), ValidationSettings())
    draft = Draft(
        "answer",
        (
            DraftSentence("정원은 서른 명이다.", ("DOC_1", "DOC_2")),
            DraftSentence("비용은 9만 원이다.", ("DOC_2",)),
        ),
    )
    assert score_citations([(draft, EVIDENCE)], by_oracle) == CitationScores(2, 1, 3, 1)
