import gzip
import itertools
import json
import re

import pytest

from engine.ingest.blocks import make_blocks
from engine.ingest.documents import read, reader_for
from engine.ingest.labels import labelled, normalise
from engine.ingest.readers import markdown, statute
from engine.types import Block
from tests.conftest import source_of
from tests.ingest import samples


@pytest.fixture
def blocks(tmp_path, korean):
    def blocks(text: str, name: str = "법.txt") -> list[Block]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        source = source_of(path)
        assert reader_for(source) is statute
        (reading,) = read(source, statute, korean)
        return make_blocks("법", reading)

    return blocks


def labels(found: list[Block]) -> list[str | None]:
    return [block.label for block in found if block.kind != "heading"]


def test_paragraphs_and_items_carry_the_label_people_cite(blocks) -> None:
    assert labels(blocks(samples.LAW))[:6] == [
        "제1조", "제2조제1항", "제2조제1항제1호", "제2조제1항제2호", "제2조제2항", "제2조의2",
    ]  # fmt: skip


def test_chapters_and_articles_are_the_section_path(blocks) -> None:
    (item,) = labelled(blocks(samples.LAW), "제2조제1항제1호")
    assert item.section_path == ("제1장 총칙", "제2조 (정의)")
    assert (item.text, item.block_id) == ("1. 유형문화유산\n  가. 건조물", "법:S1-P3")


def test_supplementary_articles_do_not_collide_with_the_main_ones(blocks) -> None:
    found = blocks(samples.LAW)
    assert [b.text for b in labelled(found, "제1조")][
        1
    ] == "이 법은 문화유산을 보존하는 것을 목적으로 한다."
    assert [b.text for b in labelled(found, "부칙 제3644호 제1조")][
        1
    ] == "이 법은 공포한 날부터 시행한다."
    assert labelled(found, "부칙제3644호제4조제1항")[0].text.startswith("① 종전의")


def test_an_article_is_found_with_all_below_it_and_not_its_branches(blocks) -> None:
    found = [block.label for block in labelled(blocks(samples.LAW), "제2조")]
    assert found == ["제2조", "제2조제1항", "제2조제1항제1호", "제2조제1항제2호", "제2조제2항"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("제 12 조 제3항", "제12조제3항"), ("12조 3항 1호", "제12조제3항제1호"),
        ("제3조의2제1항", "제3조의2제1항"), ("부칙 <제8995호> 제1조", "부칙제8995호제1조"),
        ("부칙", "부칙"), ("S3-P2", None), ("제12조에 따라", None), ("", None),
    ],
)  # fmt: skip
def test_labels_have_one_spelling(text: str, label: str | None) -> None:
    assert normalise(text) == label


def test_articles_quoted_in_wrapped_lines_and_amendments_are_no_articles(blocks) -> None:
    text = (
        "규정\n\n제1조(목적) 이 규정은\n제5조에 따라 정한다.\n\n제2조(정의) 뜻은 다음과 같다.\n\n"
        "부칙 <제7호, 2020. 1. 1.>\n제1조(다른 법률의 개정) 다음과 같이 개정한다.\n"
        "제9조(보고)를 다음과 같이 한다.\n  3. 보고 기한\n"
    )
    heads = [b.label for b in blocks(text) if b.kind == "heading" and b.label]
    assert heads == ["제1조", "제2조", "부칙제7호", "부칙제7호제1조"]
    assert labels(blocks(text))[-1] == "부칙제7호제1조"


def test_the_same_article_in_two_versions_is_told_apart(blocks) -> None:
    text = "# 법\n\n##### 제1조 (목적)\n\n글.\n\n##### 제2조 (뜻)\n\n옛 글.\n\n##### 제2조 (뜻)\n\n새 글.\n"
    assert labels(blocks(text, "법.md")) == ["제1조", "제2조", "제2조~2"]


def test_markdown_with_other_headings_stays_markdown(tmp_path) -> None:
    path = tmp_path / "해설.md"
    text = "# 해설\n\n## 배경\n\n글\n\n## 제1조 (목적)\n\n글\n\n## 제2조 (뜻)\n\n글\n\n## 맺음말\n\n글\n"
    path.write_text(text, encoding="utf-8")
    assert reader_for(source_of(path)) is markdown


def test_real_statutes_keep_every_article(shared_data, tmp_path, korean) -> None:
    path = tmp_path / "법.md"
    with gzip.open(shared_data / "laws-ko" / "laws.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in itertools.islice(lines, 50):
            text = json.loads(line)["text"]
            path.write_text(text, encoding="utf-8")
            (reading,) = read(source_of(path), statute, korean)
            found = [e.label for e in reading.elements if e.kind == "heading" and e.label]
            main = [label for label in found if not label.startswith("부칙")]
            assert len(main) == len(re.findall(r"^##### 제\d+조", text, re.MULTILINE))
            assert len(set(found)) == len(found)
