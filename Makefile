# Everything a developer or a player needs; each target sets itself up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := .venv-compiled
# An environment made by another Python, or for other requirements, is made anew.
STAMP_INPUTS := pyproject.toml constraints.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: play test lint types contracts pytest test-compiled test-terminals test-long soak format messages reference screenshots bench bench-client clean

play: $(VENV)/.play
	@$(BIN)/skull-client

test: lint types contracts pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

pytest: $(VENV)/.dev
	$(BIN)/pytest -n 2 $(PYTEST)

# The same server with its busiest rooms compiled; needs a C compiler.
test-compiled: $(COMPILED)/.made
	$(COMPILED)/bin/pytest -n 2 tests/protocol tests/server tests/fuzz tests/simulation tests/abuse \
		tests/end_to_end $(PYTEST)

# What needs sshd, tmux, GNU screen and mosh; says what is missing.
test-terminals: $(VENV)/.dev
	SKULL_TERMINALS=1 $(BIN)/pytest tests/terminals/real $(PYTEST)

# What takes long: new failures for the fuzzer, many seeds, a thousand twins.
test-long: $(VENV)/.dev
	SKULL_LONG=1 SKULL_FUZZ=long SKULL_SEEDS=2000 SKULL_TWIN_GAMES=1000 $(BIN)/pytest -n 2 \
		tests/fuzz tests/simulation tests/abuse tests/server/test_twin_wire.py \
		tests/server/games/skull/test_duel_training.py

soak: $(VENV)/.dev
	$(BIN)/python -m tests.soak.soak $(SOAK)

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

messages: $(VENV)/.dev
	$(BIN)/python -m tests.languages.catalogues

reference: $(VENV)/.dev
	$(BIN)/python -m skull_protocol.reference protocol/README.md

screenshots: $(VENV)/.dev
	$(BIN)/python -m tests.screenshots

$(VENV)/.play: $(STAMP_INPUTS)
	@echo "Setting up (once)…"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Skull needs Python 3.11 or newer: try make PYTHON=python3.11")'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	@$(PIP) --editable '.[dev]'
	@touch $@

$(COMPILED)/.made: $(STAMP_INPUTS) hatch_build.py $(shell find server protocol -name '*.py')
	@$(PYTHON) -m venv --clear $(COMPILED)
	@PIP_CONSTRAINT=constraints.txt HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 \
		$(COMPILED)/bin/python -m pip --disable-pip-version-check install --quiet '.[dev]'
	@touch $@

bench: $(VENV)/.dev $(COMPILED)/.made
	$(BIN)/python tests/benchmarks/run.py $(BENCH)

# What the client needs: memory, processor, bytes to the terminal, time. Beside a bare app; how soon
# it is gone.
bench-client: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks.client_idle
	$(BIN)/python -m tests.benchmarks.client_moves
	$(BIN)/python -m tests.benchmarks.client_leaving

clean:
	rm -rf $(VENV) $(COMPILED) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
