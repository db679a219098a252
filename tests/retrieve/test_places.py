import pytest

from engine.errors import ConfigError
from engine.retrieve.places import load_places
from tests.conftest import PROJECT


def test_the_shipped_catalog_is_read_with_its_homonyms():
    places = load_places(PROJECT / "data" / "places.yaml")
    regions = {place.region for place in places if place.name == "고성"}
    assert len(places) >= 30
    assert len(regions) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("places: [{id: a}]", r"places\.0\.name: Field required"),
        ("places: [{id: a, name: 가, kind: b}]", r"places\.0\.kind: Extra inputs"),
        ("places: [{id: a, name: 가}, {id: a, name: 나}]", "id 'a' is used twice"),
        ("places: [", "places.catalog"),
    ],
)
def test_a_bad_catalog_is_named(content, message, tmp_path):
    (tmp_path / "p.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_places(tmp_path / "p.yaml")


def test_a_missing_catalog_is_named(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        load_places(tmp_path / "p.yaml")
