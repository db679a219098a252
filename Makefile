PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint eval eval-oracle bench clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(READY)
	$(BIN)/python -m engine demo

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

eval: $(READY)
	$(BIN)/python -m eval run --dataset data/eval/heritage --out reports/heritage

PASSAGES ?= data/sample

eval-oracle: $(READY)
	$(BIN)/python -m eval.attack --passages $(PASSAGES) --rounds 20

clean:
	rm -rf $(VENV) reports demo.html indexes/*/
