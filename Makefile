PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint eval bench bench-peers clean

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

# In an environment of its own: the peers bring many packages that nothing here needs.
PEERS := .venv-peers
DATASET ?= data/eval/heritage
bench-peers: $(PEERS)/.ready
	$(PEERS)/bin/python -m eval.peers --dataset $(DATASET) --out reports/peers
	$(PEERS)/bin/python -m eval run --dataset $(DATASET) --out reports/peers \
	  --run bm25s=reports/peers/bm25s.trec --run langchain=reports/peers/langchain.trec

$(PEERS)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[eval,peers]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-peers reports demo.html indexes/*/
