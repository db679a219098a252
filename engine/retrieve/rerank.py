"""A second look at the first ranks by a model that reads question and passage together.

Nogueira & Cho, "Passage Re-ranking with BERT", 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from engine.config import RerankSettings
from engine.errors import ModelError
from engine.types import Hit

Judge = Callable[[str, Sequence[str]], Sequence[float]]
"""How well each passage answers a question, higher is better."""


def rerank(
    question: str,
    hits: Sequence[Hit],
    read: Callable[[int], str],
    judge: Judge,
    settings: RerankSettings,
    clock: Callable[[], float] = monotonic,
) -> list[Hit]:
    """The first ``depth`` hits in the judge's order, ties as before; the rest behind them.

    Batches go down the ranking until the time is up; what was not judged by then stays behind what
    was, in its own order. Scores of the judged are the judge's; the others keep their distances.
    """
    judged: list[tuple[float, Hit]] = []
    until = clock() + settings.time_budget_seconds
    for start in range(0, min(settings.depth, len(hits)), settings.batch_size):
        if start and clock() >= until:
            break
        batch = hits[start : min(start + settings.batch_size, settings.depth)]
        scores = judge(question, [read(hit.row) for hit in batch])
        judged += zip(map(float, scores), batch, strict=True)
    head = sorted(judged, key=lambda pair: (-pair[0], pair[1].rank))
    tail = hits[len(judged) :]
    scored = [(hit.row, score) for score, hit in head]
    if head and tail:
        fall = head[-1][0] - tail[0].score
        scored += [(hit.row, hit.score + fall) for hit in tail]
    return [Hit(row, score, rank) for rank, (row, score) in enumerate(scored, 1)]


def load_judge(settings: RerankSettings, root: Path) -> Judge:
    """The model that the settings name.

    Raises:
        ModelError: it is not there, or gives more than one score a pair.
    """
    model = _load(str(settings.model), settings.device, root)
    if model.num_labels != 1:
        raise ModelError(
            f"rerank.model: {settings.model!r} gives {model.num_labels} scores a pair, expected "
            "one; name a model for ranking, such as BAAI/bge-reranker-v2-m3"
        )

    def judge(question: str, passages: Sequence[str]) -> Sequence[float]:
        scores: Sequence[float] = model.predict(
            [(question, passage) for passage in passages], batch_size=settings.batch_size,
            show_progress_bar=False,
        ).tolist()  # fmt: skip
        return scores

    return judge


def _load(name: str, device: str, root: Path) -> Any:
    folder = root / Path(name).expanduser()
    from sentence_transformers import CrossEncoder

    try:
        return CrossEncoder(
            str(folder) if folder.is_dir() else name, device=None if device == "auto" else device
        )
    except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"rerank.model: {name!r} cannot be loaded ({reason}); name a folder that holds the "
            "model, or set rerank.model: null"
        ) from None
