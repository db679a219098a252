"""Saved answers against a changed index, and cited places as pictures of their page."""

from __future__ import annotations

import base64
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from PIL import Image

from engine.cli import main
from engine.engine import Engine
from engine.errors import EngineError
from engine.tools.verify import _today, load_answer, verify
from tests.conftest import BRIDGE
from tests.ingest.readers.made_pdf import Sheets


def saved(engine, path, question):
    path.write_text(engine.answer(question).render("json"), encoding="utf-8")
    return load_answer(path)


@pytest.mark.parametrize(
    ("edit", "state"),
    [
        pytest.param(lambda text: text, "same", id="untouched"),
        pytest.param(lambda text: text.replace("돌다리는 1420년", "돌다리는 1421년"), "changed", id="reworded"),
        pytest.param(lambda text: text.replace("## 돌다리", "## 돌다리\n\n새 단락이다."), "moved", id="one further"),
        pytest.param(None, "vanished", id="gone"),
    ],
)  # fmt: skip
def test_what_became_of_a_citation_is_told(edit, state, corpus, configure, words, tmp_path):
    config = configure()
    Engine.build(config)
    answer = saved(Engine.open(config), tmp_path / "a.json", "돌다리는 1420년에 놓였다.")
    if edit:
        (corpus / "bridge.md").write_text(edit(BRIDGE), encoding="utf-8")
    else:
        (corpus / "bridge.md").unlink()
    Engine.build(config)
    engine = Engine.open(config)
    found = verify(answer, engine.store, engine.validate)
    first = next(c for c in found.citations if c.citation.source_ids == ("S1-P1",))
    assert first.state == state
    assert found.holds is (state == "same")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda a: a["sentences"][0].update(citations=[9]), "sentence 1 cites [9], which is not"),
        (lambda a: a["citations"][0].update(source_ids=[]), "citation [1] names no source_ids"),
        (lambda a: a["evidence"][0]["passages"][0].update(end=10**6), "lies outside its text"),
    ],
    ids=["citation", "source ids", "passage"],
)
def test_an_answer_that_was_edited_apart_is_refused(edit, message, sample, tmp_path):
    content = json.loads(sample.answer("화성 성벽의 둘레는 몇 킬로미터인가?").render("json"))
    edit(content)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(EngineError, match=re.escape(message)):
        load_answer(path)


def test_evidence_of_an_unchanged_index_reads_as_it_did(sample):
    found = sample.retrieve("화성 성벽의 둘레는 몇 킬로미터인가?")
    assert max(len(evidence.passages) for evidence in found) > 2
    assert [_today(evidence, sample.store).text for evidence in found] == [e.text for e in found]


def test_of_a_block_that_is_gone_nothing_is_left(sample):
    found = sample.retrieve("화성 성벽의 둘레는 몇 킬로미터인가?")
    evidence = next(e for e in found if len({p.block_id for p in e.passages}) > 2)
    middle = evidence.passages[1]
    others = [p for p in evidence.passages if p.block_id != middle.block_id]
    lost = replace(evidence, passages=tuple(
        replace(p, block_id="gone") if p.block_id == middle.block_id else p
        for p in evidence.passages
    ))  # fmt: skip
    text = _today(lost, sample.store).text
    assert evidence.text[middle.start : middle.end] not in text
    assert all(evidence.text[p.start : p.end] in text for p in others)


@pytest.fixture
def leaflet(tmp_path, configure, words):
    """A PDF of two pages; what is asked for stands in the middle of the second."""
    (tmp_path / "docs").mkdir()
    sheets = Sheets(tmp_path / "docs" / "안내 #1 (최종) 50%.pdf")
    sheets.text("1. 나무다리", 60, 80, size=16, bold=True)
    sheets.lines(
        ["나무다리는 해마다 고쳐 짓는다.", "나무는 가까운 산에서 가져온다."], 60, 120
    ).page()
    sheets.text("2. 돌다리", 60, 80, size=16, bold=True)
    sheets.lines(["돌다리는 1420년에 놓였다.", "길이는 75미터이다."], 60, 400).page()
    sheets.save()
    config = configure()
    Engine.build(config)
    return config


def test_a_fact_is_cited_on_its_page_and_the_link_opens_it(leaflet):
    answer = Engine.open(leaflet).answer("돌다리는 1420년에")
    citation = answer.citations[0]
    assert citation.pages == (2, 2)
    address, _, fragment = re.search(r'href="(file:[^"]+)"', answer.render("html"))[1].partition(
        "#"
    )
    assert Path(unquote(urlsplit(address).path)).is_file()
    assert Path(unquote(urlsplit(address).path)).name == "안내 #1 (최종) 50%.pdf"
    assert fragment == "page=2"


def test_the_page_shows_a_picture_of_the_cited_place(leaflet):
    html = Engine.open(leaflet).answer("돌다리는 1420년에").render("html")
    encoded = re.search(r'src="data:image/png;base64,([^"]+)"', html)
    image = Image.open(io.BytesIO(base64.b64decode(encoded[1])))
    assert 0 < image.height < image.width


def test_trace_draws_a_block_on_its_page(leaflet, tmp_path, monkeypatch, capsys):
    settings = "corpus: {paths: [docs]}\nindex: {path: index}\nplaces: {catalog: null}\n"
    (tmp_path / "config.yaml").write_text(settings)
    monkeypatch.chdir(tmp_path)
    engine = Engine.open(leaflet)
    block = next(b for d in engine.store.documents() for b in engine.store.blocks_of_document(d.doc_id)
                 if "1420년" in b.text)  # fmt: skip
    assert main(["trace", block.block_id, "--image", "out.png"]) == 0
    image = Image.open(tmp_path / "out.png").convert("RGB")
    box = block.boxes[0]
    edge = image.getpixel(
        (int(box.x0 * image.width) - 1, int((box.y0 + box.y1) / 2 * image.height))
    )
    assert edge[0] > 150 > edge[2]
    assert image.getpixel((image.width - 5, 5)) == (255, 255, 255)


def test_what_has_no_page_cannot_be_drawn(corpus, configure, words, tmp_path, monkeypatch, capsys):
    Engine.build(configure())
    (tmp_path / "config.yaml").write_text(
        "corpus: {paths: [docs]}\nindex: {path: index}\nplaces: {catalog: null}\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["trace", "memo:S1-P1", "--image", "out.png"]) == 1
    assert "docs/memo.txt: no PDF to draw on" in capsys.readouterr().err
    assert not (tmp_path / "out.png").exists()


@pytest.mark.parametrize("names", [["큰.json"], ["큰.part1.json", "큰.part2.json"]])
def test_citations_of_parser_output_open_the_pdf_beside_it(names, tmp_path, configure, words):
    folder = tmp_path / "docs"
    folder.mkdir()
    for at, name in enumerate(names, 1):
        element = {"id": 0, "page": 1, "category": "paragraph", "coordinates": [],
                   "content": {"text": f"돌다리는 142{at}년에 놓였다."}}  # fmt: skip
        content = {"api": "2.0", "elements": [element], "usage": {"pages": 1}}
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    sheets = Sheets(folder / "큰.pdf")
    sheets.text("돌다리는 1421년에 놓였다.", 60, 80).page()
    sheets.save()
    config = configure(corpus={"paths": ["docs"], "exclude": ["*.pdf"]})
    Engine.build(config)
    (evidence, *_) = Engine.open(config).retrieve("돌다리는 1421년에 놓였다.")
    assert unquote(urlsplit(evidence.uri).path).endswith("/docs/큰.pdf")
