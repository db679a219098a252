import unicodedata

import pytest

from engine.config import TokenizerSettings
from engine.index.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def plain(korean):
    return Tokenizer(korean, TokenizerSettings(compounds=False, bigrams=False))


def terms(tokenizer, text):
    return next(tokenizer.terms([text]))


def test_content_is_kept_and_particles_are_not(plain):
    assert terms(plain, "정조가 화성을 건설하였다.") == ["정조", "화성", "건설"]


def test_neighbouring_nouns_are_also_one_term_with_or_without_a_space(korean):
    tokenizer = Tokenizer(korean, TokenizerSettings(bigrams=False))
    for text in ("거중기 사용", "거중기사용"):
        assert "거중기사용" in terms(tokenizer, text)


def test_bigrams_of_words_are_marked_as_such(korean):
    tokenizer = Tokenizer(korean, TokenizerSettings(compounds=False))
    assert [t for t in terms(tokenizer, "거중기는") if t.startswith("#")] == [
        "#거중",
        "#중기",
        "#기는",
    ]


def test_decomposed_and_full_width_text_gives_the_same_terms(korean):
    tokenizer = Tokenizer(korean, TokenizerSettings())
    text = "한국은행 2024년 GPT 보고서"
    wide = text.translate({c: c + 0xFEE0 for c in range(ord("0"), ord("z"))})
    for other in (unicodedata.normalize("NFD", text), wide, text.lower()):
        assert terms(tokenizer, other) == terms(tokenizer, text)


@pytest.mark.parametrize("text", ["것", "뭐야", "ㅋㅋ", "그", "a"])
def test_a_text_never_comes_to_nothing(plain, text):
    assert terms(plain, text)


def test_only_marks_come_to_nothing(plain):
    assert terms(plain, "?! …") == []


def test_settings_and_dictionary_are_part_of_the_fingerprint(korean):
    whole = Tokenizer(korean, TokenizerSettings()).fingerprint
    other = Tokenizer(korean, TokenizerSettings(bigrams=False)).fingerprint
    assert {key for key in whole if whole[key] != other[key]} == {"bigrams"}


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("제12조에 따라", ["제12조", "12조", "12"]),
        ("제 12 조의2", ["제12조의2"]),
        ("2024년에는", ["2024년", "2024"]),
        ("3,000원을", ["3000원", "3000"]),
        ("1만2천명", ["1만2천명"]),
        ("GPT-4o는", ["gpt-4o", "gpt4o", "gpt", "4o"]),
        ("B2B 거래", ["b2b"]),
        ("Node.js로", ["node.js", "nodejs", "node", "js"]),
        ("C++ 언어", ["c++"]),
    ],
)
def test_numbers_and_mixed_words_are_whole_beside_their_parts(korean, text, whole):
    tokenizer = Tokenizer(korean, TokenizerSettings(bigrams=False))
    assert set(whole) <= set(terms(tokenizer, text))


def test_a_number_is_one_term_with_and_without_its_comma(korean):
    tokenizer = Tokenizer(korean, TokenizerSettings())
    assert terms(tokenizer, "3,000,000원") == terms(tokenizer, "3000000원")
    assert "1" in terms(tokenizer, "1,2") and "1234" not in terms(tokenizer, "12,34")


def test_hanja_are_found_by_either_script(korean):
    tokenizer = Tokenizer(korean, TokenizerSettings())
    assert {"鐵筋", "철근", "#철근"} <= set(terms(tokenizer, "鐵筋 콘크리트"))
    assert "철근" in terms(tokenizer, "철근")
    without = Tokenizer(korean, TokenizerSettings(hanja=False))
    assert "철근" not in terms(without, "鐵筋 콘크리트")
