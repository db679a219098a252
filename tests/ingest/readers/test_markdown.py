from engine.ingest.readers import markdown
from tests.conftest import BRIDGE, source_of


def read(tmp_path, korean, text):
    path = tmp_path / "글.md"
    path.write_text(text, encoding="utf-8")
    return next(markdown.read(source_of(path), korean))


def test_structure_is_read_with_its_lines(tmp_path, korean):
    reading = read(tmp_path, korean, BRIDGE)
    assert reading.title == "다리 안내"
    assert [(e.kind, e.level, e.element_id) for e in reading.elements] == [
        ("heading", 1, "L5"), ("paragraph", 0, "L7"), ("heading", 2, "L9"), ("paragraph", 0, "L11"),
        ("table", 0, "L13"), ("heading", 2, "L18"), ("paragraph", 0, "L20"),
    ]  # fmt: skip


def test_front_matter_is_metadata_that_json_can_hold(tmp_path, korean):
    reading = read(tmp_path, korean, "---\n제목: 글\n발행일: 2024-03-01\n부서: [가, 나]\n---\n본문")
    assert reading.metadata == {"제목": "글", "발행일": "2024-03-01", "부서": ["가", "나"]}
    assert (reading.title, reading.warnings) == ("글", ())


def test_broken_front_matter_is_reported_and_left_out(tmp_path, korean):
    reading = read(tmp_path, korean, "---\na: [\n---\n본문")
    assert reading.warnings == ("front matter is not YAML; left out",)
    assert [e.text for e in reading.elements] == ["본문"]


def test_soft_breaks_are_spaces_but_items_stay_lines(tmp_path, korean):
    text = "긴 문장이\n이어진다. 다음 각 호와 같다.\n1\\. 첫째\n  2\\. 둘째"
    assert read(tmp_path, korean, text).elements[0].text == (
        "긴 문장이 이어진다. 다음 각 호와 같다.\n1. 첫째\n2. 둘째"
    )


def test_lists_keep_their_marks_and_depth(tmp_path, korean):
    text = "- 하나\n  - 둘\n    이어짐\n- 셋\n\n3. 넷\n4. 다섯"
    lists = read(tmp_path, korean, text).elements
    assert [e.text for e in lists] == ["- 하나\n  - 둘 이어짐\n- 셋", "3. 넷\n4. 다섯"]


def test_code_keeps_its_lines_and_indentation_is_no_code(tmp_path, korean):
    elements = read(tmp_path, korean, "```\n a\n  b\n```\n\n    가\\. 들여 쓴 글").elements
    assert [(e.kind, e.text) for e in elements] == [
        ("code", " a\n  b"),
        ("paragraph", "가. 들여 쓴 글"),
    ]


def test_headings_inside_quotations_open_no_section(tmp_path, korean):
    elements = read(tmp_path, korean, "# 장\n\n> ### 상자\n>\n> 상자의 글").elements
    assert [e.kind for e in elements] == ["heading", "paragraph", "paragraph"]


def test_markup_is_not_text(tmp_path, korean):
    text = "<!-- 숨은 글 -->\n\n**굵은** *글*과 [이름](http://a)과 `code`<br>다음 10<sup>2</sup>"
    assert [e.text for e in read(tmp_path, korean, text).elements] == [
        "굵은 글과 이름과 code\n다음 10^2"
    ]


def test_real_chapters_and_laws_have_sections(shared_data, korean):
    path = shared_data / "books-ko" / "rust-book-ko" / "ch04-01-what-is-ownership.md"
    reading = next(markdown.read(source_of(path), korean))
    assert reading.title == "소유권이 뭔가요?"
    assert sum(e.kind == "code" for e in reading.elements) > 10
