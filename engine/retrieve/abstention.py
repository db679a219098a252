"""Why a question has no evidence, or what speaks against what was found."""

from __future__ import annotations

from typing import NamedTuple

from engine.messages import nothing_found
from engine.retrieve.coverage import Coverage


class Silence(NamedTuple):
    """What speaks against an answer; each is None where it was not asked, or does not.

    Attributes:
        coverage: how much of the question stands in one place, wherever that was looked at.
        unstated: the quantity asked for, 무게, of which no passage near has a figure.
        judged: the best score of a reranker that asks for more.
    """

    coverage: Coverage | None = None
    unstated: str | None = None
    judged: float | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """Words of the question that do not stand with the others."""
        return self.coverage.missing if self.coverage else ()

    @property
    def nouns(self) -> tuple[str, ...]:
        """Those of them that are nouns."""
        return self.coverage.nouns if self.coverage else ()

    def written(self) -> str:
        """For the one who asked."""
        return nothing_found(self.missing, self.unstated, judged=self.judged is not None)
