import json
import re
from dataclasses import replace

import pytest

from engine.answer.citation import cite
from engine.answer.extraction import Analysis, extract_answer, extract_summary, no_evidence
from engine.answer.rendering import link, place, render
from engine.config import ExtractionSettings
from engine.messages import pages
from engine.types import Answer, Block, Citation, Evidence, Passage, Sentence

ONE = ExtractionSettings(sentences_per_evidence=1, evidence_weight=0)
EVIL = "<script>alert(1)</script> 위험한 문장이다."


def evidence(number, *parts, kind="paragraph", header="", pages=True, section="장"):
    """One evidence of several blocks, each on its own page, all of them core."""
    text, passages = "", []
    for at, part in enumerate(parts, 1):
        text += "\n" if text else ""
        source_id = f"S{number}-P{at}"
        passages.append(
            Passage(f"d:{source_id}", source_id, len(text), len(text) + len(part), (at, at) if pages else None,
                    (section,), kind, True, header)
        )  # fmt: skip
        text += part
    return Evidence(
        f"DOC_{number}", "d", "제목", "문서 (1).pdf", 1.0, number, f"d:S{number}-C1", f"d:S{number}",
        tuple(p.block_id for p in passages), tuple(p.source_id for p in passages), (section,),
        (1, len(parts)) if pages else None, text, text, ("R1",), tuple(passages),
        references={"R1": "홍길동(2001)."}, uri="file:///a/%EB%AC%B8%EC%84%9C%20(1).pdf",
    )  # fmt: skip


def analysis(korean):
    """Weighs a sentence by how many of the question's words it holds."""
    return Analysis(
        lambda question, sentences, headings: [
            float(sum(w in s for w in question.split())) for s in sentences
        ],
        korean.sentences,
    )


def test_the_answer_is_verbatim_and_cited_on_the_page_of_its_words(korean):
    one = evidence(1, "다리를 놓았다. 강이 넓다.", "물은 깊다. 돌다리는 길다.")
    answer = extract_answer("돌다리는", [one], analysis(korean), ONE)
    assert [s.text for s in answer.sentences] == ["돌다리는 길다."]
    assert answer.sentences[0].citations == (1,)
    citation = answer.citations[0]
    assert (citation.pages, citation.source_ids) == ((2, 2), ("S1-P2",))
    assert citation.context[citation.at :].startswith(citation.quote)


def test_a_quotation_over_two_pages_says_both():
    one = evidence(1, "앞쪽의 글", "뒤쪽의 글")
    assert cite(one, 3, 8, 1).pages == (1, 2)
    assert cite(one, 0, 3, 1).pages == (1, 1)


def test_a_row_is_shown_under_its_header(korean):
    one = evidence(1, "이름 | 길이\n돌다리 | 75미터", kind="table", header="이름 | 길이")
    answer = extract_answer("돌다리", [one], analysis(korean), ONE)
    assert answer.sentences[0].text == "이름 | 길이\n돌다리 | 75미터"
    assert answer.citations[0].quote == "돌다리 | 75미터"


def test_the_same_sentence_in_two_places_is_said_once_with_both(korean):
    answer = extract_answer(
        "글", [evidence(1, "같은 글이다."), evidence(2, "같은 글이다.")], analysis(korean), ONE
    )
    assert [(s.text, s.citations) for s in answer.sentences] == [("같은 글이다.", (1, 2))]
    assert [c.source_ids for c in answer.citations] == [("S1-P1",), ("S2-P1",)]


def test_evidence_far_weaker_than_the_best_is_not_quoted(korean):
    found = [evidence(1, "돌다리는 길고 넓다."), evidence(2, "나무는 푸르다.")]
    assert len(extract_answer("돌다리는 길고 넓다", found, analysis(korean), ONE).sentences) == 1


def test_several_sentences_of_one_evidence_are_quoted_if_they_weigh_as_much(korean):
    one = evidence(1, "돌다리는 길고 넓다. 돌다리는 길고 희다. 나무는 푸르다. 돌다리는 넓다.")
    told = {
        limit: [
            s.text
            for s in extract_answer(
                "돌다리는 길고 넓다", [one], analysis(korean),
                ExtractionSettings(sentences_per_evidence=limit, least=0.6, evidence_weight=0),
            ).sentences
        ]
        for limit in (1, 2, 3)
    }  # fmt: skip
    first, second, third = "돌다리는 길고 넓다.", "돌다리는 길고 희다.", "돌다리는 넓다."
    assert told == {1: [first], 2: [first, second], 3: [first, second, third]}


def test_no_more_sentences_are_quoted_than_asked_for(korean):
    found = [evidence(n, f"돌다리는 {n}째이다.") for n in range(1, 8)]
    for most in (1, 5, 7):
        settings = ExtractionSettings(sentences=most)
        assert len(extract_answer("돌다리는", found, analysis(korean), settings).sentences) == most


def test_of_equal_sentences_that_of_the_better_evidence_comes_first(korean):
    weaker, better = (
        evidence(1, "돌다리는 희다."),
        replace(evidence(2, "돌다리는 길다."), score=3.0),
    )
    texts = [
        [
            s.text
            for s in extract_answer("돌다리는", [weaker, better], analysis(korean), one).sentences
        ]
        for one in (ONE, ExtractionSettings(evidence_weight=0.3))
    ]
    assert texts == [["돌다리는 희다.", "돌다리는 길다."], ["돌다리는 길다.", "돌다리는 희다."]]


def test_where_no_score_is_positive_only_the_best_sentence_is_quoted(korean):
    found = [replace(evidence(n, text), score=-1.0) for n, text in ((1, "강이다."), (2, "산이다."))]
    weights = Analysis(
        lambda _, sentences, headings: [-0.2 - 0.1 * ("강" in s) for s in sentences],
        korean.sentences,
    )
    answer = extract_answer("바다", found, weights, ExtractionSettings())
    assert [s.text for s in answer.sentences] == ["산이다."]


def test_a_fragment_is_quoted_only_where_there_is_nothing_else(korean):
    def told(*parts):
        weigh = Analysis(
            lambda _, sentences, headings: [0.1 if "." in s else None for s in sentences],
            korean.sentences,
        )
        return [s.text for s in extract_answer("산", [evidence(1, *parts)], weigh, ONE).sentences]

    assert told("팔달산", "행궁은 산 아래에 있다.") == ["행궁은 산 아래에 있다."]
    assert told("팔달산", "행궁") == ["팔달산"]


def test_a_caption_is_quoted_for_its_sentences_alone(korean):
    def told(*parts):
        found = [evidence(1, *parts, kind="caption")]
        answer = extract_answer("돌다리", found, analysis(korean), ExtractionSettings())
        return [s.text for s in answer.sentences]

    where, name = "돌다리는 강의 서쪽에 있다.", "표 2. 돌다리의 길이"
    assert told(where, name) == [where]
    assert told(name) == [name]


def test_a_summary_has_one_paragraph_a_section_and_lists_the_rest(korean):
    blocks = [
        Block(f"d:S1-P{n}", "d", f"S1-P{n}", kind, text, 0, 1, 1, ("장",))
        for n, (kind, text) in enumerate([("paragraph", "돌다리 글이다."), ("paragraph", "나머지."), ("footer", "1")], 1)
    ]  # fmt: skip
    answer = extract_summary(
        "돌다리", [evidence(1, "돌다리 글이다.", "나머지.")], analysis(korean), blocks
    )
    assert [(s.section, s.text) for s in answer.sentences] == [("장", "돌다리 글이다.")]
    assert [o.source_id for o in answer.omitted] == ["S1-P2"]
    assert "선택하지 않은 단락 (1)" in answer.render("text", show_omitted=True)
    assert "나머지." not in answer.render("text")


def test_markers_bring_their_bibliography(korean):
    answer = extract_answer("돌다리", [evidence(1, "돌다리는 길다 [R1].")], analysis(korean), ONE)
    assert answer.references == {"R1": "홍길동(2001)."}
    text = answer.render("text")
    assert "[R1] 홍길동(2001)." in text
    assert "직접 읽은 것은 아닙니다" in text


@pytest.mark.parametrize(
    ("span", "text"), [(None, "쪽 정보 없음"), ((5, 5), "5쪽"), ((5, 6), "5–6쪽")]
)
def test_pages_in_words(span, text):
    assert pages(span) == text


def whole():
    one = evidence(1, EVIL)
    citation = cite(one, 0, len(EVIL), 1)
    return Answer(
        EVIL, "answer", (Sentence(EVIL, (1,), "supported"),), (citation,), {"R1": EVIL}, (one,),
        pruned=(Sentence(EVIL, (), "unsupported", (EVIL,)),), generated=True,
    )  # fmt: skip


def test_html_is_harmless_and_self_contained():
    html = whole().render("html", show_pruned=True)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 6
    assert not re.findall(r'(?:src|href)="(?!#|file:)', html)


def test_every_number_in_html_links_to_its_source_and_the_source_to_its_page():
    html = render([whole(), whole()], "html")
    targets = set(re.findall(r'<li id="([^"]+)"', html))
    links = re.findall(r'href="#([^"]+)"', html)
    assert set(links) == targets == {"a1-1", "a2-1"}
    assert "%20(1).pdf#page=1" in html


def test_markdown_shows_text_as_it_stands():
    text = whole().render("markdown")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "](<file:///a/%EB%AC%B8%EC%84%9C%20(1).pdf#page=1>)" in text


def test_json_holds_the_answer():
    content = json.loads(whole().render("json"))
    assert content["sentences"][0]["citations"] == [1]
    assert content["citations"][0]["pages"] == [1, 1]
    assert len(json.loads(render([whole(), whole()], "json"))) == 2


def test_what_was_pruned_is_counted_and_on_request_listed_with_its_reason():
    for form in ("text", "markdown", "html"):
        short, long = whole().render(form), whole().render(form, show_pruned=True)
        assert "검증에서 제외된 문장 (1)" in short
        assert long.count("위험한 문장") == short.count("위험한 문장") + 2


def test_a_sentence_that_nothing_compared_says_so():
    one = whole()
    unsure = replace(one, sentences=(replace(one.sentences[0], verdict="unverified"),))
    for form in ("text", "markdown", "html"):
        assert "비교한 모델이 없습니다" in unsure.render(form)
        assert "비교한 모델이 없습니다" not in one.render(form)


def test_nothing_found_says_so_in_every_form():
    answer = no_evidence("항공권", "answer")
    for form in ("text", "markdown", "html", "json"):
        assert "질문과 겹치는 단락을 찾지 못했습니다." in answer.render(form)


def test_a_place_without_pages_says_so():
    one = evidence(1, "글", pages=False, section="한계")
    assert place(cite(one, 0, 1, 1)) == "쪽 정보 없음 · 한계 · S1-P1"
    assert link(cite(one, 0, 1, 1)).endswith(".pdf")


def test_answers_of_the_sample_are_quotations_of_their_blocks(sample):
    questions = [
        "수원 화성에서 정조가 뭘 했어?", "세계유산에 오른 서원", "출장비 정산은 언제까지 해야 해?",
        "이 연구의 한계", "남한산성에서 무슨 일이 있었어?",
    ]  # fmt: skip
    for question in questions:
        answer = sample.answer(question)
        assert answer.citations, question
        for citation in answer.citations:
            assert isinstance(citation, Citation)
            texts = [sample.store.block(f"{citation.doc_id}:{s}") for s in citation.source_ids]
            assert any(block and citation.quote in block.text for block in texts), citation
            assert all(block and block.pages == citation.pages for block in texts)


def test_a_summary_of_a_file_is_in_source_order(sample, demo_folder):
    file = demo_folder / "data" / "sample" / "paper.json"
    answer = sample.summarize(str(file), "검색 방식의 결과와 한계")
    sections = [sentence.section for sentence in answer.sentences]
    order = ["서론", "선행연구", "방법", "결과", "논의", "한계"]
    assert {"결과", "한계"} <= set(sections)
    assert sections == sorted(sections, key=order.index)
    assert answer.render("text").splitlines()[1] == "발췌 요약 (LLM 미사용)"
    assert {c.pages for c in answer.citations} == {None}


def test_a_name_in_a_figure_answers_nothing_but_a_sentence_that_affirms_does(sample):
    fragments = [s.text for s in sample.answer("장안문은 어느 쪽 문이야?").sentences]
    assert "장안문" not in fragments
    affirmed = sample.answer("종묘는 역대 임금과 왕비의 신주를 모시고 제사를 지내는 사당이다.")
    assert (
        affirmed.sentences[0].text
        == "종묘는 역대 임금과 왕비의 신주를 모시고 제사를 지내는 사당이다."
    )
