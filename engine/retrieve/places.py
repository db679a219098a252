"""The catalog of places: names, aliases and what belongs to them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from engine.config import Config
from engine.errors import ConfigError, first_problem


class Place(BaseModel):
    """One place. Two places may share a name; their regions tell them apart."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    region: str = ""
    people: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything it is or was called."""
        return (self.name, *self.aliases, *self.former_names)


class _Catalog(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    places: tuple[Place, ...]


def load_places(path: Path) -> tuple[Place, ...]:
    """Read a catalog.

    Raises:
        ConfigError: no such file, not YAML, or an entry of another shape.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        places = _Catalog.model_validate(content).places
    except OSError as error:
        raise ConfigError(f"places.catalog: {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"places.catalog: {path}: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise ConfigError(f"places.catalog: {path}: {first_problem(error, 'file')}") from None
    ids = [place.id for place in places]
    if len(set(ids)) < len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise ConfigError(f"places.catalog: {path}: id {twice!r} is used twice")
    return places


def catalog_of(config: Config) -> tuple[Place, ...]:
    """The places of the configured catalog, or none."""
    if config.places.catalog is None:
        return ()
    return load_places(config.resolve(config.places.catalog))


def catalog_words(config: Config) -> Iterable[str]:
    """Names for Kiwi's dictionary: those of the configured catalog, or none."""
    return [name for place in catalog_of(config) for name in place.names]
