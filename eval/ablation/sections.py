"""Whether evidence comes from every section that a question's targets lie in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.engine import Engine
from engine.types import Evidence, Mode, Scope
from eval.ablation.lab import Lab
from eval.ablation.table import Row, between, figure
from eval.engines import IndexCatalog, RememberingEncoder
from eval.indexes import changed
from eval.measures import mean
from eval.stages import Catalog
from eval.statistics import interval
from eval.systems import Retrieved
from eval.targets import covers, parse_target

HEADER = ("set", "mode", "reading", "questions", "sections", "95 %", "all of them", "95 %",
          "targets", "95 %", "characters")  # fmt: skip
SCOPES: tuple[tuple[Scope, int], ...] = (("global", 1), ("section", 1), ("section", 2))
"""What each figure of a cell is of: the scope, and the children that a section may give.

The interval is of the second less the first.
"""
MODES: tuple[Mode, ...] = ("bm25", "dense", "hybrid")
COUNTS, BUDGETS, DEEPEST = (3, 5, 8), (2000, 4000), 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A question whose targets lie in two or more sections."""

    text: str
    targets: tuple[str, ...]
    sections: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What some evidence brings of a question's sections and of its targets, and its length."""

    sections: float = 0.0
    targets: float = 0.0
    chars: int = 0


def section_rows(lab: Lab, questions: Sequence[int]) -> Iterator[Row]:
    """One row a mode and a length of reading, by evidence or by characters."""
    catalog = IndexCatalog(lab.engine)
    found = [
        asked_of(catalog, lab.questions[at].text, lab.questions[at].grades) for at in questions
    ]
    asked = [one for one in found if len(one.sections) > 1]
    if not asked:
        return
    engine = replace(lab.engine, encoder=RememberingEncoder(lab.engine.encoder))
    for mode in MODES:
        deeper = [_deeper(engine, asked, mode, *scope) for scope in SCOPES]
        for k in COUNTS:
            read = [[one[k - 1] for one in readings] for readings in deeper]
            yield (lab.name, mode, f"{k} evidence", *_figures(read))
        for budget in BUDGETS:
            read = [[longest(one, budget) for one in readings] for readings in deeper]
            yield (lab.name, mode, f"{budget:,} characters", *_figures(read))


def asked_of(catalog: Catalog, text: str, grades: Mapping[str, int]) -> Asked:
    """A question with the sections of its targets; a page stands for every section on it."""
    targets = tuple(target for target in grades if not parse_target(target).whole)
    children = (child for target in targets for child in catalog.place(target).child_ids)
    return Asked(text, targets, frozenset(map(section_of, children)))


def reading(evidence: Sequence[Evidence], asked: Asked) -> Reading:
    """What is read of the sections and of the targets, each as a share."""
    found = {section_of(one.child_id) for one in evidence}
    passages = [
        Retrieved(one.doc_id, one.score, one.source_ids, (one.pages,) if one.pages else ())
        for one in evidence
    ]
    held = [any(covers(p, parse_target(target)) for p in passages) for target in asked.targets]
    chars = sum(len(one.text) for one in evidence)
    return Reading(mean(section in found for section in asked.sections), mean(held), chars)


def longest(readings: Sequence[Reading], budget: int) -> Reading:
    """The longest reading within so many characters."""
    fitting = (one for one in readings if one.chars <= budget)
    return max(fitting, key=lambda one: one.chars, default=Reading())


def section_of(child_id: str) -> str:
    """Document and section of a child: ``paper:S2`` of ``paper:S2-C3``."""
    return child_id.rpartition("-")[0]


def _deeper(
    engine: Engine, asked: Sequence[Asked], mode: Mode, scope: Scope, per_section: int
) -> list[tuple[Reading, ...]]:
    """For each question its readings of one evidence, of two, and so on."""
    changes = {"retrieval.per_section": per_section}
    engine = replace(engine, config=changed(engine.config, changes))
    texts = [one.text for one in asked]
    by_count = [
        map(reading, engine.retrieve_many(texts, k, mode=mode, scope=scope), asked)
        for k in range(1, DEEPEST + 1)
    ]
    return list(zip(*by_count, strict=True))


def _figures(read: Sequence[Sequence[Reading]]) -> Iterator[str]:
    yield str(len(read[0]))
    for measure in (_sections, _all, _targets):
        values = [[measure(one) for one in readings] for readings in read]
        yield " / ".join(figure(mean(column)) for column in values)
        change = interval([b - a for a, b in zip(values[0], values[1], strict=True)], seed=0)
        yield between(change.low, change.high, "{:+.4f}".format)
    yield " / ".join(f"{mean(one.chars for one in readings):,.0f}" for readings in read)


def _sections(one: Reading) -> float:
    return one.sections


def _all(one: Reading) -> float:
    return float(one.sections == 1)


def _targets(one: Reading) -> float:
    return one.targets
