from __future__ import annotations

import pytest

from engine.text.kiwi import Korean
from engine.types import Draft, DraftSentence, Evidence, Passage


@pytest.fixture(scope="session")
def korean():
    return Korean()


@pytest.fixture
def evidence():
    return make_evidence


@pytest.fixture
def answer():
    return make_answer


def make_evidence(*texts, title="문서", section=()):
    return tuple(_one(number, text, title, section) for number, text in enumerate(texts, 1))


def _one(number, text, title, section):
    source_id = f"S{number}-P1"
    part = Passage(
        f"d:{source_id}", source_id, 0, len(text), (number, number), section, "paragraph", True
    )
    return Evidence(
        f"DOC_{number}", "d", title, "d.txt", 1.0, number, f"c{number}", f"p{number}",
        (f"d:{source_id}",), (source_id,), section, (number, number), text, text, (), (part,),
    )  # fmt: skip


def make_answer(text, *cited):
    return Draft("answer", (DraftSentence(text, cited or ("DOC_1",)),))
