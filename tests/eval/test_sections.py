import pytest

from eval.ablation.sections import Asked, Reading, asked_of, longest, reading
from eval.stages import Place
from tests.answer.generation.conftest import make_evidence
from tests.eval.harness_fakes import FakeCatalog


def evidence(child_id, *source_ids, text="가나다", pages=None):
    doc_id = child_id.partition(":")[0]
    return make_evidence(
        1, text, doc_id=doc_id, child_id=child_id, source_ids=source_ids, pages=pages
    )


def test_sections_and_targets_are_shares_of_what_was_wanted():
    targets = ("d#S1-P1", "d#S1-P2", "d#S2-P1", "e#S1-P1")
    asked = Asked("?", targets, frozenset({"d:S1", "d:S2", "e:S1"}))
    found = [
        evidence("d:S1-C1", "S1-P1"),
        evidence("d:S1-C4", "S1-P8"),
        evidence("e:S1-C2", "S1-P3"),
    ]
    assert reading(found, asked) == Reading(sections=2 / 3, targets=1 / 4, chars=9)


def test_a_section_of_another_document_is_another_section():
    asked = Asked("?", ("d#S1-P1",), frozenset({"d:S1"}))
    assert reading([evidence("e:S1-C1", "S1-P1")], asked) == Reading(0.0, 0.0, 3)
    assert reading([], asked) == Reading(0.0, 0.0, 0)


def test_a_target_read_as_context_counts_and_a_page_counts_where_it_is_read():
    asked = Asked("?", ("d#S1-P2", "d#page=7", "d#page=9"), frozenset({"d:S1"}))
    found = [evidence("d:S1-C1", "S1-P1", "S1-P2", pages=(6, 7))]
    assert reading(found, asked).targets == pytest.approx(2 / 3)


def test_sections_come_from_every_child_that_holds_a_target():
    catalog = FakeCatalog({"d#S1-P1": ("d:S1-C1", "d:S1"), "d": ("d:S9-C1", "d:S9")})
    catalog.places["d#page=2"] = Place(("d:S2-C8", "d:S3-C1"), frozenset({"d:S2.2", "d:S3"}))
    asked = asked_of(catalog, "?", {"d#S1-P1": 2, "d#page=2": 1, "d": 1})
    assert asked.targets == ("d#S1-P1", "d#page=2")
    assert asked.sections == {"d:S1", "d:S2", "d:S3"}


def test_the_longest_reading_that_fits_is_read():
    readings = [Reading(0.5, 0.2, 900), Reading(1.0, 0.4, 1900), Reading(1.0, 0.6, 2001)]
    assert longest(readings, 2000) == readings[1]
    assert longest(readings, 800) == Reading(0.0, 0.0, 0)
