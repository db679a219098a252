PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test fuzz lint eval eval-oracle ablation bench bench-peers clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

QUESTIONS := "수원 화성에서 정조가 뭘 했어?" "이 검색 실험의 한계는 뭐야?" \
	"출장비 정산은 언제까지 해야 해?" "항공권을 환불받을 수 있어?"

demo: $(READY)
	$(BIN)/python -m engine build
	@echo
	@$(BIN)/python -m engine answer $(QUESTIONS) -k 3
	@$(BIN)/python -m engine answer $(QUESTIONS) -k 3 --format html > demo.html
	@echo "demo.html shows the same, with each quotation in its context."

test: $(READY)
	$(BIN)/python -m pytest

fuzz: $(READY)
	FUZZ_INPUTS=2000 $(BIN)/python -m pytest tests/ingest/test_fuzz.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

eval: $(READY)
	$(BIN)/python -m eval run --dataset data/eval/heritage --out reports/heritage

PASSAGES ?= data/sample

eval-oracle: $(READY)
	$(BIN)/python -m eval.attack --passages $(PASSAGES) --rounds 20

SETS ?= data/eval/heritage

ablation: $(READY)
	$(BIN)/python -m eval.ablation $(SETS)

SIZES ?= 2000 20000

bench: $(READY)
	$(BIN)/python -m eval.bench --sizes $(SIZES)

# In an environment of its own: the peers bring many packages that nothing here needs.
PEERS := .venv-peers
DATASET ?= data/eval/heritage
bench-peers: $(PEERS)/.ready
	$(PEERS)/bin/python -m eval.bench --sizes $(SIZES)
	$(PEERS)/bin/python -m eval.peers --dataset $(DATASET) --out reports/peers
	$(PEERS)/bin/python -m eval run --dataset $(DATASET) --out reports/peers \
	  --run bm25s=reports/peers/bm25s.trec --run langchain=reports/peers/langchain.trec

$(PEERS)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[eval,peers]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-peers reports demo.html indexes/*/
