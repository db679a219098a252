"""What a caller may be told while an answer is made: stages, never a sentence before its checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.types import Answer, Evidence


@dataclass(frozen=True, slots=True)
class Event:
    """One step. ``evidence`` comes with the first, ``answer`` with the last.

    Attributes:
        attempt: the draft this is about, counted from 1.
    """

    stage: Literal["evidence", "drafting", "checking", "final"]
    attempt: int = 0
    evidence: tuple[Evidence, ...] = ()
    answer: Answer | None = None
