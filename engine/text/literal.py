"""What a figure, date, article, name or quotation states, whatever its spelling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

Kind = OneOf[
    "number", "date", "weekday", "time", "article", "latin", "hanja", "quote", "fraction", "code"
]


@dataclass(frozen=True, slots=True)
class Literal:
    """A checkable piece of a text.

    Attributes:
        needs: the facts of which a source must state one.
        gives: the facts it states, coarser ones included.
        weak: states a fact, but is too common a turn of phrase to demand it (한 번, 일 년).
    """

    kind: Kind
    text: str
    start: int
    end: int
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    weak: bool = False
