import json

import pytest

from engine.errors import SourceError
from engine.ingest.readers import upstage
from engine.ingest.source import Source
from engine.types import Box
from tests.conftest import source_of

SQUARE = [{"x": 0.1, "y": 0.2}, {"x": 0.5, "y": 0.2}, {"x": 0.5, "y": 0.3}, {"x": 0.1, "y": 0.3}]


def element(number, category="paragraph", html="", markdown="", text="", page=1, **more):
    content = {"html": html, "markdown": markdown, "text": text}
    return {"id": number, "page": page, "category": category, "content": content, **more}


def read(tmp_path, korean, *parts, pages=1):
    paths = []
    for number, elements in enumerate(parts, 1):
        path = tmp_path / f"d.part{number}.json"
        response = {"api": "2.0", "elements": elements, "usage": {"pages": pages}}
        path.write_text(json.dumps(response, ensure_ascii=False), encoding="utf-8")
        paths.append(path)
    return next(upstage.read(Source("d", "d.json", tuple(paths)), korean))


@pytest.mark.parametrize("form", ["html", "markdown", "text"])
def test_whatever_format_was_asked_for_is_read(form, tmp_path, korean):
    shapes = {"html": "<br><p id='0'>하나<br>둘</p>", "markdown": "하나\n둘", "text": "하나\n둘"}
    reading = read(tmp_path, korean, [element(0, **{form: shapes[form]})])
    assert [e.text for e in reading.elements] == ["하나\n둘"]


def test_empty_elements_are_left_out(tmp_path, korean):
    reading = read(tmp_path, korean, [element(0, html="<br><p></p>"), element(1, html="<p>글</p>")])
    assert [e.element_id for e in reading.elements] == ["1"]


def test_merged_cells_are_repeated_and_the_header_is_known(tmp_path, korean):
    html = (
        "<table><thead><tr><td>구분</td><td colspan='2'>값</td></tr></thead><tbody>"
        "<tr><td rowspan='2'>가</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>"
    )
    table = read(tmp_path, korean, [element(0, "table", html=html)]).elements[0]
    assert table.text == "구분 | 값 | 값\n가 | 1 | 2\n가 | 3 | 4"
    assert table.text[: table.header_chars] == "구분 | 값 | 값"


def test_a_markdown_table_is_read_where_there_is_no_html(tmp_path, korean):
    table = read(
        tmp_path, korean, [element(0, "table", markdown="| a | b |\n| --- | --- |\n| 1 | 2 |")]
    )
    assert table.elements[0].text == "a | b\n1 | 2"


def test_figure_text_is_in_alt(tmp_path, korean):
    html = '<figure id=\'1\'><img alt="팔달문\n행궁" data-coord="x" /></figure>'
    figure = read(tmp_path, korean, [element(1, "figure", html=html)]).elements[0]
    assert (figure.kind, figure.text) == ("figure", "팔달문\n행궁")


def test_parts_go_on_counting_pages_and_ids(tmp_path, korean):
    part = [element(0, html="<p>글</p>"), element(1, html="<p>글</p>", page=3)]
    reading = read(tmp_path, korean, part, part, pages=3)
    assert [(e.element_id, e.pages) for e in reading.elements] == [
        ("1:0", (1, 1)), ("1:1", (3, 3)), ("2:0", (4, 4)), ("2:1", (6, 6)),
    ]  # fmt: skip
    assert reading.page_count == 6


def test_boxes_are_relative_or_absent(tmp_path, korean):
    elements = [element(0, html="<p>글</p>", coordinates=SQUARE), element(1, html="<p>글</p>")]
    reading = read(tmp_path, korean, elements)
    assert [e.boxes for e in reading.elements] == [(Box(1, 0.1, 0.2, 0.5, 0.3),), ()]


def test_layout_analysis_boxes_are_pixels_unless_the_page_size_is_known(tmp_path, korean):
    old = {
        "id": 0, "page": 1, "category": "paragraph", "html": "<p>글</p>", "text": "글",
        "bounding_box": [{"x": 10, "y": 20}, {"x": 50, "y": 20}, {"x": 50, "y": 30}, {"x": 10, "y": 30}],
    }  # fmt: skip
    path = tmp_path / "old.json"
    sizes = {"pages": [{"page": 1, "width": 100, "height": 200}]}
    for metadata, box in (
        (None, Box(1, 10, 20, 50, 30, unit="pixel")),
        (sizes, Box(1, 0.1, 0.1, 0.5, 0.15)),
    ):
        path.write_text(json.dumps({"api": "1.0", "elements": [old], "metadata": metadata}))
        assert next(upstage.read(source_of(path), korean)).elements[0].boxes == (box,)


def test_an_unknown_category_is_read_and_reported(tmp_path, korean):
    reading = read(tmp_path, korean, [element(7, "sidebar", html="<p>글</p>")])
    assert reading.elements[0].kind == "paragraph"
    assert reading.warnings == ("element 7: unknown category 'sidebar'",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param('{"elements": [', "not JSON: line 1", id="truncated"),
        pytest.param('{"elements": [{"id": 1}]}', r"elements\.0\.page: Field required", id="shape"),
        pytest.param(
            '{"elements": [{"id": 1, "page": 0, "category": "x"}]}', r"page: .*greater", id="page"
        ),
    ],
)
def test_a_broken_response_is_refused(content, message, tmp_path, korean):
    path = tmp_path / "d.json"
    path.write_text(content)
    with pytest.raises(SourceError, match=message):
        next(upstage.read(source_of(path), korean))


def test_a_real_response_keeps_its_pages_and_rejoins_words(shared_data, korean):
    path = shared_data / "upstage" / "gachon_2026_전공교육과정.raw.json"
    reading = next(upstage.read(source_of(path), korean))
    assert reading.page_count == 10
    assert [e.text for e in reading.elements if e.kind == "footer"] == [
        str(n) for n in range(440, 450)
    ]
    assert "소프트웨어와 인공지능을 사용하여 세상을" in "\n".join(e.text for e in reading.elements)
    assert not [e for e in reading.elements if not e.text.strip()]
