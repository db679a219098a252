import pytest

from engine.config import RewriteSettings
from engine.retrieve.mentions import find_mentions, names_of, without_regions
from engine.retrieve.places import Place
from engine.retrieve.rewrite import is_spoken, rewrite
from engine.text.kiwi import Korean

FORTRESS = Place(
    id="fortress", name="수원 화성", aliases=("화성",), region="경기 수원시", terms=("거중기",)
)
CITY = Place(id="city", name="화성", region="경기 화성시")
CAPITAL = Place(id="capital", name="경주", region="경북 경주시")
TEMPLE = Place(id="temple", name="불국사", former_names=("화엄불국사",), region="경북 경주시")
SOUTH = Place(id="south", name="고성", region="경남 고성군")
NORTH = Place(id="north", name="고성", region="강원 고성군")
PLACES = (FORTRESS, CITY, CAPITAL, TEMPLE, SOUTH, NORTH)
NAMES = names_of(PLACES)


@pytest.fixture(scope="module")
def kiwi():
    return Korean(name for place in PLACES for name in place.names)


def mentions(kiwi, text):
    return find_mentions(text, next(kiwi.morphemes([text])), NAMES)


def named(kiwi, text):
    return [(m.name, [place.id for place in m.places]) for m in mentions(kiwi, text)]


def rewritten(kiwi, text, mode="limited"):
    return rewrite(text, next(kiwi.morphemes([text])), NAMES, RewriteSettings(mode=mode))


@pytest.mark.parametrize("name", ["수원 화성", "수원화성"])
def test_the_longest_name_is_found_with_particles_off_and_spaces_as_one_likes(kiwi, name):
    assert named(kiwi, f"{name}에서는 뭘 했어?") == [(name, ["fortress"])]


def test_a_homonym_keeps_all_its_places(kiwi):
    assert named(kiwi, "화성은 누가 쌓았어?") == [("화성", ["fortress", "city"])]
    assert named(kiwi, "고성에는 뭐가 있어?") == [("고성", ["south", "north"])]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param("강원도 고성에는 뭐가 있어?", "north", id="province"),
        pytest.param("경남에 있는 고성은 어때?", "south", id="apart"),
        pytest.param("수원에 있는 화성은 누가 쌓았어?", "fortress", id="city"),
    ],
)
def test_a_homonym_is_settled_by_a_region_that_the_question_names(kiwi, text, place):
    assert named(kiwi, text)[-1][1] == [place]


@pytest.mark.parametrize("text", ["화성학을 배운다", "대화성사", "화성인이 왔다", "경주하다", ""])
def test_a_name_inside_another_word_is_no_mention(kiwi, text):
    assert named(kiwi, text) == []


def test_a_place_that_only_says_where_another_is_does_not_count(kiwi):
    found = without_regions(mentions(kiwi, "경주 불국사는 누가 지었어?"))
    assert [mention.name for mention in found] == ["불국사"]


def test_two_places_apart_both_count(kiwi):
    found = without_regions(mentions(kiwi, "수원 화성과 불국사 중에 뭐가 먼저야?"))
    assert [mention.name for mention in found] == ["수원 화성", "불국사"]


def test_a_rewriting_has_names_and_terms_of_the_place_and_the_content_of_the_question(kiwi):
    found = rewritten(kiwi, "경주 불국사는 누가 지켰어?")
    assert found.text == "불국사 화엄불국사 경주 지키다"
    assert found.told() == {"rewrite": {"text": found.text, "places": ["temple"]}}


def test_names_that_are_a_part_of_the_first_are_not_repeated(kiwi):
    assert rewritten(kiwi, "수원 화성에 정조가 왔어?").text == "수원 화성 거중기 정조"


@pytest.mark.parametrize("mode", ["limited", "all"])
def test_an_ambiguous_name_is_reported_and_never_rewritten(kiwi, mode):
    found = rewritten(kiwi, "화성은 누가 쌓았어?", mode)
    assert found.text is None
    assert found.told() == {"ambiguous": {"화성": ["fortress", "city"]}}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("불국사는 언제 지었어?", True, id="spoken"),
        pytest.param("불국사는 언제 지었는가?", False, id="formal"),
        pytest.param("불국사는 언제 지었습니까?", False, id="polite formal"),
        pytest.param("불국사 창건 연도", False, id="no sentence"),
        pytest.param("불국사랑 수원 화성은 언제 지었어?", False, id="two places"),
        pytest.param("언제 지었어?", False, id="no place"),
        pytest.param("불국사는 누가 " + "아주 " * 15 + "오래 지었어?", False, id="long"),
    ],
)
def test_limited_rewrites_short_spoken_questions_with_one_place(kiwi, text, wanted):
    assert (rewritten(kiwi, text).text is not None) is wanted


def test_all_rewrites_whatever_names_a_clear_place_and_off_nothing(kiwi):
    formal = "불국사와 수원 화성은 언제 지었는가?"
    assert rewritten(kiwi, formal, "all").places == ("temple", "fortress")
    assert rewritten(kiwi, "불국사는 언제 지었어?", "off").told() == {}


@pytest.mark.parametrize("ending", ["뭐야?", "했어?", "있지?", "예뻐요?"])
def test_spoken_endings(kiwi, ending):
    assert is_spoken(ending, next(kiwi.morphemes([ending])))
