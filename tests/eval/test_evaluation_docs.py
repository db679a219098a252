from pathlib import Path

import pytest

from eval.results import Chunks, Comparison, Results, SystemResult
from eval.stages import CAUSES

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("model", [Results, SystemResult])
def test_every_field_of_the_results_is_documented(model):
    assert [name for name in model.model_fields if f"`{name}`" not in DOCS] == []


def test_figures_of_comparisons_and_chunkings_are_documented():
    fields = {*Comparison.model_fields, *Chunks.model_fields} - {
        "system", "base", "measure", "query_class", "name",
    }  # fmt: skip
    assert [name for name in fields if f"`{name}`" not in DOCS] == []


def test_every_cause_of_failure_is_documented_in_its_order():
    rows = [f"| {name} | {meaning} |" for name, meaning in CAUSES.items()]
    assert "\n".join(rows) in DOCS
