import pytest

from engine.ingest.numbering import FORMATS, Counters, NumberLevel


@pytest.mark.parametrize(
    ("form", "number", "mark"),
    [
        ("DIGIT", 12, "12"), ("CIRCLED_DIGIT", 20, "⑳"), ("CIRCLED_DIGIT", 21, "21"),
        ("ROMAN_CAPITAL", 1994, "MCMXCIV"), ("HANGUL_SYLLABLE", 14, "하"),
        ("HANGUL_SYLLABLE", 15, "가"), ("CIRCLED_HANGUL_SYLLABLE", 2, "㉯"),
        ("HANGUL_PHONETIC", 10, "십"), ("HANGUL_PHONETIC", 21, "이십일"), ("IDEOGRAPH", 11, "十一"),
        ("DECAGON_CIRCLE", 3, "병"), ("LATIN_SMALL", 26, "z"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_documents_show_them(form: str, number: int, mark: str) -> None:
    assert FORMATS[form](number) == mark


LEVELS = (NumberLevel("^1."), NumberLevel("^1.^2"), NumberLevel("(^3)", "HANGUL_SYLLABLE"))


def test_a_deeper_level_starts_again_under_a_new_number() -> None:
    counters = Counters()
    marks = [counters.next("a", level, LEVELS) for level in (0, 1, 1, 0, 1, 2)]
    assert marks == ["1.", "1.1", "1.2", "2.", "2.1", "(가)"]


def test_lists_count_apart_and_from_their_own_start() -> None:
    counters = Counters()
    later = (NumberLevel("^1.", start=5),)
    assert [counters.next("a", 0, LEVELS), counters.next("b", 0, later)] == ["1.", "5."]
    assert counters.next("b", 0, later) == "6."


def test_a_level_that_was_skipped_counts_from_its_start() -> None:
    assert Counters().next("a", 1, LEVELS) == "1.1"


def test_a_level_without_a_shape_has_no_mark() -> None:
    assert Counters().next("a", 7, LEVELS) == ""
