import pytest

from engine.text.hanja import _CODES, _READINGS, in_hangul


@pytest.mark.parametrize(
    ("hanja", "hangul"),
    [
        pytest.param("鐵筋", "철근", id="plain"),
        pytest.param("大韓民國은", "대한민국은", id="in a word"),
        pytest.param("歷史", "역사", id="ㄹ before ㅕ falls silent at the start"),
        pytest.param("老人", "노인", id="ㄹ becomes ㄴ at the start"),
        pytest.param("女子", "여자", id="ㄴ falls silent at the start"),
        pytest.param("法律", "법률", id="ㄹ stays inside"),
        pytest.param("比率 系列 分列", "비율 계열 분열", id="률 and 렬 after a vowel or ㄴ"),
        pytest.param("不可 不動産 不正", "불가 부동산 부정", id="不 before ㄷ and ㅈ"),
        pytest.param("金泉", "금천", id="the usual reading"),
        pytest.param("가나다 abc", "가나다 abc", id="nothing to read"),
        pytest.param("㐂", "㐂", id="outside the standard"),
        pytest.param("新郎", "신랑", id="another form"),
    ],
)
def test_hanja_are_read_as_one_word(hanja, hangul):
    assert in_hangul(hanja) == hangul


def test_the_table_is_in_the_order_of_the_standard():
    assert sorted(_CODES) == _CODES
    assert len(_CODES) == len(_READINGS) == len(set(_READINGS))
