"""What a run of the harness found: every report is written from it, and ``diff`` reads it."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import SourceError, first_problem

SCHEMA_VERSION = 1


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Check(_Value):
    """An invariant; ``problem`` is empty where it holds."""

    name: str
    problem: str = ""


class Estimate(_Value):
    """A mean over ``n`` queries with its 95% bootstrap interval."""

    mean: float
    low: float
    high: float
    n: int


class RiskPoint(_Value):
    """Answering every question whose first score is at least ``threshold``."""

    coverage: float
    risk: float
    threshold: float


class Abstention(_Value):
    """What a system does with questions that the corpus does not answer; None: not defined."""

    abstained: int
    unanswerable: int
    precision: float | None
    recall: float | None
    separation: float | None
    risk_area: float | None
    risk_coverage: list[RiskPoint]


class SystemResult(_Value):
    """One system.

    Attributes:
        estimates: measure to mean and interval.
        classes: query class to measure to mean and interval.
        curve: rank to mean recall.
        chars: rank to the mean characters of passage text down to it.
        per_query: measure to query id to value.
        ranks: query id to target to the rank it was found at.
        seconds: for all queries in one batch; None for a run from a file.
        latencies_ms: single questions, one after the other.
        delivered: measures of what is left once the thresholds for evidence have been applied;
            empty for systems without any. ``delivered_ranks`` are the ranks in that.
    """

    name: str
    estimates: dict[str, Estimate]
    classes: dict[str, dict[str, Estimate]] = {}
    curve: dict[int, float] = {}
    chars: dict[int, float] = {}
    per_query: dict[str, dict[str, float]]
    ranks: dict[str, dict[str, int]] = {}
    seconds: float | None = None
    latencies_ms: list[float] = []
    delivered: dict[str, Estimate] = {}
    delivered_ranks: dict[str, dict[str, int]] = {}
    abstention: Abstention | None = None


class Comparison(_Value):
    """A system against the first one, on one measure and one class (empty: all queries)."""

    system: str
    base: str
    measure: str
    query_class: str = ""
    difference: float
    p: float
    p_holm: float
    wins: int
    ties: int
    losses: int
    effect: float
    warning: str = ""


class Failure(_Value):
    """A target that the last system did not deliver within ``k``.

    Attributes:
        cause: one of `eval.stages.CAUSES`.
        children: where the target is in the index.
        rank: in the system's own ranking, None beyond its depth.
        other_ranks: the rank in each other system that found it.
    """

    query_id: str
    target: str
    query_class: str = ""
    cause: str
    children: list[str] = []
    rank: int | None = None
    other_ranks: dict[str, int] = {}


class Stage(_Value):
    """How many of ``total`` targets came through one stage."""

    name: str
    passed: int
    total: int


class Chunks(_Value):
    """A way of cutting documents: its units, its cost, and its recall in equal amounts of text.

    ``bytes``: vectors and postings; ``seconds``: cutting, analysing, embedding and indexing.
    ``recall_within``: characters to the recall of the first passages that fit them.
    """

    name: str
    units: int
    mean_chars: float
    bytes: int
    seconds: float
    recall_within: dict[str, float]


class Gate(_Value):
    """A condition on means that must hold."""

    condition: str
    left: float
    right: float
    holds: bool


class QueryRecord(_Value):
    """One question; ``text`` is None in reports that may be published."""

    query_id: str
    text: str | None = None
    query_class: str = ""
    targets: dict[str, int] = {}


class Results(_Value):
    """Everything a run found.

    Attributes:
        level: what one rank holds: ``document`` or ``passage``.
        index: sizes, and the fingerprints of what made it.
        unknown_targets: not in the corpus; they count as missed.
        public_safe: no text, no names, keyed hashes for ids.
    """

    schema_version: int = SCHEMA_VERSION
    dataset: str
    created: str = ""
    level: str = "document"
    measures: list[str]
    main: str
    depth: int
    seed: int
    versions: dict[str, str] = {}
    index: dict[str, str] = {}
    queries: list[QueryRecord]
    class_sizes: dict[str, int] = {}
    unknown_targets: list[str] = []
    notes: list[str] = []
    systems: list[SystemResult]
    comparisons: list[Comparison] = []
    stages: list[Stage] = []
    failures: list[Failure] = []
    cause_counts: dict[str, int] = {}
    checks: list[Check] = []
    gates: list[Gate] = []
    chunkings: list[Chunks] = []
    public_safe: bool = False

    @property
    def broken(self) -> list[Check]:
        """Invariants that do not hold."""
        return [check for check in self.checks if check.problem]


def save_results(results: Results, folder: Path) -> None:
    """Write ``results.json``."""
    text = results.model_dump_json(indent=1)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")


def load_results(path: Path) -> Results:
    """Read what `save_results` wrote, given its folder or the file.

    Raises:
        SourceError: it is missing, or of another shape.
    """
    path = path / "results.json" if path.is_dir() else path
    try:
        return Results.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        raise SourceError(
            f"{path}: no results of this harness: {first_problem(error, 'file')}"
        ) from None
