import pytest

from engine.config import Config, load_config, make_config
from engine.errors import ConfigError
from tests.conftest import PROJECT


def test_shipped_configuration_names_every_setting_with_its_default():
    shipped = load_config(PROJECT / "config.yaml")
    defaults = Config().model_dump()
    defaults["places"]["catalog"] = "data/places.yaml"
    assert shipped.model_dump() == defaults


def test_every_field_is_described():
    sections = {name: f.annotation for name, f in Config.model_fields.items() if name != "root"}
    missing = [
        f"{name}.{field}"
        for name, section in sections.items()
        for field, info in section.model_fields.items()
        if not info.description
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param({"bm25": {"k1": -1}}, r"bm25\.k1: found -1; .*greater than 0", id="range"),
        pytest.param(
            {"dense": {"index": "ivf"}}, r"dense\.index: found 'ivf'; .*'codes'", id="choice"
        ),
        pytest.param({"bm25": {"k1": float("inf")}}, r"bm25\.k1: found inf; ", id="infinite"),
        pytest.param({"bm25": {"b": float("nan")}}, r"bm25\.b: found nan; ", id="no number"),
        pytest.param({"bm25": {"k": 1}}, r"bm25\.k: unknown setting; known here: k1, b", id="name"),
        pytest.param({"bm26": {}}, r"bm26: unknown setting; known here: corpus, ", id="section"),
        pytest.param(
            {"chunking": {"child_target_chars": 500}}, "child_target_chars <= child_max", id="order"
        ),
        pytest.param(
            {"encoder": {"kind": "sentence-transformers"}}, "encoder.model: expected", id="model"
        ),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(content, message, tmp_path):
    with pytest.raises(ConfigError, match=message):
        make_config(content, root=tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: [", "not YAML", id="yaml"),
        pytest.param("- a", "expected sections", id="list"),
        pytest.param("root: /", "expected sections", id="root"),
    ],
)
def test_a_broken_file_is_one_line(text, message, tmp_path):
    (tmp_path / "c.yaml").write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_config(tmp_path / "c.yaml")
    assert "\n" not in str(caught.value)


def test_an_empty_file_means_all_defaults(tmp_path):
    (tmp_path / "c.yaml").write_text("")
    assert load_config(tmp_path / "c.yaml").model_dump() == Config().model_dump()


def test_paths_start_from_the_folder_of_the_file(tmp_path):
    (tmp_path / "c.yaml").write_text("index: {path: 색인/하나}")
    assert load_config(tmp_path / "c.yaml").resolve("색인/하나") == tmp_path / "색인" / "하나"
