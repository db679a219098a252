import pytest

from engine.text.normalize import compact, fold, squeeze, without_asides


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("３５，０００원", "35,000원"),
        ("３％", "3%"),
        ("5㎏", "5kg"),
        ("3∼5", "3~5"),
        ("3～5", "3~5"),
        ("“가”", '"가"'),
        ("’24", "'24"),
        ("①", "(1)"),
        ("가ㆍ나", "가·나"),
        ("1–2", "1-2"),
        ("㎡", "m2"),
    ],
)
def test_spellings_fold_to_one(text, plain):
    assert fold(text).text == plain


def test_a_folded_span_points_back_into_the_text():
    text = "값은 5㎏, ①은 3명"
    folded = fold(text)
    at = folded.text.index("kg")
    assert text[slice(*folded.span(at, at + 2))] == "㎏"
    at = folded.text.index("3명")
    assert text[slice(*folded.span(at, at + 2))] == "3명"


def test_compact_drops_spaces_and_closing_dots_but_no_decimal_point():
    assert compact("값은 3.5 이다.") == "값은3.5이다"
    assert compact("값은 35 이다") == "값은35이다"


def test_squeeze_keeps_the_punctuation_of_figures():
    assert squeeze("‘가, 나’ 3.5") == "가나3.5"


def test_asides_in_other_scripts_are_left_out():
    assert without_asides("무과(武科)에 급제") == "무과에 급제"
