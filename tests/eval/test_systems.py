from eval.systems import search_documents
from tests.eval.harness_fakes import Scripted, passage, ranking


def test_the_search_goes_deeper_until_there_are_k_documents():
    crowded = [passage("a", 1 - at / 100) for at in range(5)] + ranking("b", "c")
    system = Scripted("s", {"q": crowded})
    (found,), needed = search_documents(system.search, ["q"], 2, limit=100)
    assert needed == 6
    assert {p.doc_id for p in found} == {"a", "b"}
    assert [k for _, k in system.asked] == [2, 6]


def test_only_the_questions_that_fell_short_are_asked_again():
    system = Scripted("s", {"q": ranking("a", "b"), "r": ranking("a", "a", "b")})
    search_documents(system.search, ["q", "r"], 2, limit=100)
    assert system.asked == [(("q", "r"), 2), (("r",), 6)]


def test_a_ranking_that_ends_is_not_asked_for_more():
    system = Scripted("s", {"q": ranking("a")})
    search_documents(system.search, ["q"], 2, limit=100)
    assert len(system.asked) == 1


def test_the_search_stops_at_the_limit():
    system = Scripted("s", {"q": ranking(*["a"] * 50)})
    search_documents(system.search, ["q"], 2, limit=10)
    assert [k for _, k in system.asked] == [2, 6, 10]
