"""Whether the text that answers a question for a figure has one, and whether its rest has none."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import SourceError
from engine.retrieve.answer_type import asked_quantity, states
from engine.text.kiwi import Korean
from eval.ablation.table import Row

HEADER = ("quantity", "questions", "none in their paragraph", "none without the answer's sentences")


def quantity_rows(path: Path, korean: Korean) -> Iterator[Row]:
    """One row a quantity, and their sum, over questions in SQuAD's JSON.

    Raises:
        SourceError: the file is not laid out so.
    """
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for question, paragraph, answer in _questions(path):
        quantity = asked_quantity(question)
        if quantity is None:
            continue
        sentences = [paragraph[start:end] for start, end in korean.sentences(paragraph)]
        rest = " ".join(sentence for sentence in sentences if answer not in sentence)
        for name in (quantity, "all"):
            told[name]["asked"] += 1
            told[name]["whole"] += not states(paragraph, quantity)
            told[name]["rest"] += not states(rest, quantity)
    for name, counts in sorted(told.items(), key=lambda row: (row[0] == "all", row[0])):
        yield (name, *(str(counts[key]) for key in ("asked", "whole", "rest")))


def _questions(path: Path) -> Iterator[tuple[str, str, str]]:
    """Each question with its paragraph and the first of its answers."""
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        for article in content["data"]:
            for paragraph in article["paragraphs"]:
                for asked in paragraph["qas"]:
                    yield asked["question"], paragraph["context"], asked["answers"][0]["text"]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise SourceError(f"{path}: expected questions in SQuAD's JSON ({error!r})") from None
