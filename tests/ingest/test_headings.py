import pytest

from engine.ingest.headings import heads, may_head, number_rank, part_run_in


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("제1편 총칙", 1), ("제 2 장 권리", 2), ("제3절", 3), ("Ⅱ. 본론", 5), ("IV. 결론", 5),
        ("1. 적용 범위", 6), ("2.1 종류", 7), ("2.1.3 시험", 8), ("가. 역사", 10),
        ("I love Seoul", None), ("2025. 1. 2.", None), ("3.5 kg", 7), ("제12조에 따라", None),
    ],
)  # fmt: skip
def test_the_kind_of_number_sets_the_rank(text: str, rank: int | None) -> None:
    assert number_rank(text) == rank


@pytest.mark.parametrize(
    "text",
    [
        "겉모양을 확인한다.",
        "다음과 같다:",
        "짧은 글이다. 둘째",
        "색 얼룩이 없다",
        "우리는",
        "무엇입니까?",
        "가" * 61,
        "차례 ........ 3",
        "",
    ],
)
def test_sentences_and_long_lines_head_nothing(text: str) -> None:
    assert not may_head(text)


@pytest.mark.parametrize("text", ["개요", "정의", "기대 효과", "평가", "필요", "마을", "어린이"])
def test_nouns_that_end_like_particles_may_head(text: str) -> None:
    assert may_head(text)


def test_a_line_heads_only_what_follows_it() -> None:
    assert heads(None, "1. 개요", "글이다.") == 6
    assert heads(None, "1. 개요", "1.1 배경") == 6
    assert heads(None, "1. 개요", "2. 본론") is None
    assert heads(None, "1. 개요", "") is None
    assert heads("1. 첫째", "2. 둘째", "글이다.") is None
    assert heads(None, "제1장 총칙", "제2장 권리") == 2


def test_a_run_on_heading_needs_a_title_and_a_body() -> None:
    body = "이 기준은 유아용품에 적용한다."
    assert part_run_in(f"1. 적용 범위  {body}") == ("1. 적용 범위", body)
    assert part_run_in(f"8. 표  시  {body}") == ("8. 표  시", body)
    assert part_run_in("1. 적용 범위 이 기준은 유아용품에 적용한다.") is None
    assert part_run_in("1. 적용 범위  짧다.") is None
