"""Conditions such as ``hybrid>=bm25:nDCG@10``, so that a worse retriever stops a pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.errors import ConfigError
from eval.measures import parse_measures
from eval.results import Gate, SystemResult

_GATE = re.compile(r"(?P<system>.+?)(?P<sign>>=|>)(?P<other>.+):(?P<measure>[^:]+)")
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Condition:
    """``other`` is a system's name or a number."""

    text: str
    system: str
    strict: bool
    other: str
    measure: str


def parse_gates(
    texts: Iterable[str], systems: Sequence[str], measures: Sequence[str]
) -> list[Condition]:
    """Read conditions, before anything expensive runs.

    Raises:
        ConfigError: the shape is wrong, or this run has no such system or measure.
    """
    return [_parse(text, systems, measures) for text in texts]


def check_gate(gate: Condition, systems: Iterable[SystemResult]) -> Gate:
    """Compare the means."""
    means = {system.name: system.estimates[gate.measure].mean for system in systems}
    left = means[gate.system]
    right = means[gate.other] if gate.other in means else float(gate.other)
    holds = left > right + _SLACK if gate.strict else left >= right - _SLACK
    return Gate(condition=gate.text, left=left, right=right, holds=holds)


def _parse(text: str, systems: Sequence[str], measures: Sequence[str]) -> Condition:
    match = _GATE.fullmatch(text.replace(" ", ""))
    if match is None:
        raise ConfigError(f"gate {text!r}: expected SYSTEM>=SYSTEM:MEASURE or SYSTEM>=0.8:MEASURE")
    if match["system"] not in systems:
        raise ConfigError(f"gate {text!r}: no system {match['system']!r}; known: {_list(systems)}")
    if match["other"] not in systems and not _number(match["other"]):
        raise ConfigError(
            f"gate {text!r}: {match['other']!r} is neither a number nor one of {_list(systems)}"
        )
    measure = parse_measures([match["measure"]])[0]
    if measure not in measures:
        raise ConfigError(f"gate {text!r}: {measure} is not measured; measured: {_list(measures)}")
    return Condition(text, match["system"], match["sign"] == ">", match["other"], measure)


def _number(text: str) -> bool:
    return re.fullmatch(r"\d*\.?\d+", text) is not None


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
