import re
import types
from pathlib import Path

import pytest

from engine.errors import SourceError
from engine.ingest.documents import READERS, read
from engine.text.kiwi import Korean
from tests.conftest import source_of

GUIDE = (Path(__file__).parents[2] / "docs" / "readers.md").read_text(encoding="utf-8")
CUES = (
    "1\n00:00:01,000 --> 00:00:03,500\n수원 화성은\n정조가 쌓았다.\n\n2\n00:00:04,000 --> x\n끝.\n"
)


@pytest.fixture
def example() -> types.ModuleType:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    module = types.ModuleType("srt")
    exec(compile(code, "readers.md", "exec"), module.__dict__)
    return module


def test_the_example_of_the_guide_reads_its_format(example, tmp_path, korean: Korean) -> None:
    path = tmp_path / "해설.srt"
    path.write_text(CUES, encoding="utf-8")
    source = source_of(path)
    assert example.accepts(source)
    (reading,) = read(source, example, korean)
    assert [(e.element_id, e.text) for e in reading.elements] == [
        ("00:00:01", "수원 화성은 정조가 쌓았다."),
        ("00:00:04", "끝."),
    ]


def test_the_example_refuses_other_files(example, tmp_path, korean: Korean) -> None:
    path = tmp_path / "빈.srt"
    path.write_text("1\n00:00:01,000 -->", encoding="utf-8")
    with pytest.raises(SourceError, match=r"^빈\.srt: no cue found"):
        read(source_of(path), example, korean)


def test_the_guide_lists_every_reader() -> None:
    for reader in READERS:
        assert f"`{reader.NAME}`" in GUIDE
