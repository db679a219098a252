"""Entailment by any sentence-transformers `CrossEncoder` with the three labels of NLI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.answer.validation.entailment import Judgement, Pair
from engine.config import ValidationSettings
from engine.errors import ModelError

LABELS = ("entailment", "neutral", "contradiction")
_PREFIXES = {"entail": LABELS[0], "neutral": LABELS[1], "contradict": LABELS[2]}
_PROBES = (
    "도서관은 월요일에 문을 닫는다.",
    "신청서는 주민센터에 제출한다.",
    "이 성은 정조가 쌓았다.",
)


class CrossEncoderEntailer:
    """A loaded model and the place of each label in its output."""

    windowed = True

    def __init__(self, model: Any, order: Sequence[str], batch_size: int) -> None:
        self._model = model
        self._columns = [list(order).index(label) for label in LABELS]
        self._batch_size = batch_size

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Softmax over the three labels; overlong pairs are cut by the model's tokenizer."""
        rows = self._model.predict(
            list(pairs), batch_size=self._batch_size, apply_softmax=True, show_progress_bar=False
        )
        entailed, neutral, against = self._columns
        return [
            Judgement(float(row[entailed]), float(row[neutral]), float(row[against]))
            for row in rows
        ]


def load_cross_encoder(settings: ValidationSettings) -> CrossEncoderEntailer:
    """Load the model that the settings name.

    Raises:
        ModelError: it is not there, has not three labels, or their order is unknown or wrong.
    """
    name = settings.entailment_model
    if not name:
        raise ModelError(
            "validation.entailment_model: expected a hub id or a folder, found nothing; "
            "name one, or set entailment_backend: none"
        )
    model = _load(name, settings.device)
    order = _label_order(name, model, settings.label_order)
    entailer = CrossEncoderEntailer(model, order, settings.batch_size)
    _probe(name, entailer, order)
    return entailer


def _load(name: str, device: str) -> Any:
    looks_local = name.startswith((".", "/", "~")) or Path(name).is_dir()
    path = Path(name).expanduser()
    if looks_local and not (path / "config.json").is_file():
        raise ModelError(f"{name}: expected a folder with a model's config.json, found none")
    from sentence_transformers import CrossEncoder

    try:
        return CrossEncoder(
            str(path) if looks_local else name, device=None if device == "auto" else device
        )
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"{name}: cannot be loaded as a CrossEncoder: {reason}; check "
            "validation.entailment_model"
        ) from None


def _label_order(name: str, model: Any, given: Sequence[str] | None) -> tuple[str, ...]:
    """Labels by output column: the model's own names, or the order that the settings give."""
    if model.num_labels != len(LABELS):
        raise ModelError(
            f"{name}: found {model.num_labels} labels, expected the three of NLI "
            f"({', '.join(LABELS)}); choose a model trained on NLI"
        )
    names = dict(model.model.config.id2label)
    own = tuple(_known_label(str(names[column])) for column in range(len(LABELS)))
    if set(own) != set(LABELS):
        if given is None:
            raise ModelError(
                f"{name}: its labels are named {', '.join(map(str, names.values()))}; set "
                "validation.label_order to entailment, neutral, contradiction in its own order"
            )
        return tuple(given)
    if given is not None and tuple(given) != own:
        raise ModelError(
            f"{name}: validation.label_order is {', '.join(given)}, but the model names its "
            f"labels {', '.join(own)}; remove label_order"
        )
    return own


def _known_label(name: str) -> str:
    folded = name.casefold()
    return next((label for prefix, label in _PREFIXES.items() if folded.startswith(prefix)), "")


def _probe(name: str, entailer: CrossEncoderEntailer, order: Sequence[str]) -> None:
    """A sentence entails itself: where the model seems to say otherwise, the order is wrong."""
    judged = entailer.judge([(text, text) for text in _PROBES])
    if all(max(j.neutral, j.contradiction) > j.entailment for j in judged):
        raise ModelError(
            f"{name}: with the labels in the order {', '.join(order)} no sentence entails itself; "
            "correct validation.label_order, or choose a model trained on Korean NLI"
        )
