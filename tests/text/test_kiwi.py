import pytest

from engine.text.kiwi import opens_item


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            "세상을 살아가는 사람들은 소프트웨어와 인공지능을 사\n용하여 세상을 바꾸는 일을 하며 사는 사람들이다.",
            "세상을 살아가는 사람들은 소프트웨어와 인공지능을 사용하여 세상을 바꾸는 일을 하며 사는 사람들이다.",
            id="word broken by layout",
        ),
        pytest.param(
            "소프트웨어는 인공지능 기술을 구현하는 도구임과\n동시에 인공지능은 다양한 분야에 혁신을 불어넣는다.",
            "소프트웨어는 인공지능 기술을 구현하는 도구임과 동시에 인공지능은 다양한 분야에 혁신을 불어넣는다.",
            id="break at a space",
        ),
        pytest.param(
            "이를 이용한 기본적인 프로그래밍 기법을 공부한\n다. 또한, 다양한 문제에 대한 실습을 진행하는 과목",
            "이를 이용한 기본적인 프로그래밍 기법을 공부한다. 또한, 다양한 문제에 대한 실습을 진행하는 과목",
            id="an ending that looks like a list mark",
        ),
        pytest.param(
            "the results of the national infor-\nmation survey were published in",
            "the results of the national information survey were published in",
            id="hyphenation",
        ),
        pytest.param(
            "삼겹살 3,000원\n냉면 700원", "삼겹살 3,000원\n냉면 700원", id="short lines are lines"
        ),
        pytest.param(
            "가. 신청서는 접수 기한 안에 담당 부서로 낸다\n나. 증명서는 접수 기한 안에 담당 부서로 낸다",
            "가. 신청서는 접수 기한 안에 담당 부서로 낸다\n나. 증명서는 접수 기한 안에 담당 부서로 낸다",
            id="list items",
        ),
        pytest.param("", "", id="nothing"),
    ],
)
def test_line_breaks_of_layout_are_undone(korean, lines, expected):
    assert korean.unwrap(lines) == expected


def test_sentences_cover_the_text_and_keep_titles_with_what_follows(korean):
    text = "공사는 품삯을 주어 이루어졌다. 『의궤』에는 이름이 남아 있다. 끝이다."
    assert [text[a:b] for a, b in korean.sentences(text)] == [
        "공사는 품삯을 주어 이루어졌다.",
        "『의궤』에는 이름이 남아 있다.",
        "끝이다.",
    ]


@pytest.mark.parametrize(
    "line", ["- 하나", "1. 하나", "(2) 둘", "① 셋", "가. 넷", "※ 다섯", "○여섯"]
)
def test_list_marks_open_items(line):
    assert opens_item(line)


@pytest.mark.parametrize("line", ["하나", "1.5미터", "가나다", "2024년"])
def test_other_lines_do_not(line):
    assert not opens_item(line)
