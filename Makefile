# Everything a developer or a player needs; each target sets itself up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# An environment made by another Python, or for other requirements, is made anew.
STAMP_INPUTS := pyproject.toml constraints.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: play test lint types contracts pytest format reference clean

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

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reference: $(VENV)/.dev
	$(BIN)/python -m skull_protocol.reference protocol/README.md

$(VENV)/.play: $(STAMP_INPUTS)
	@echo "Setting up (once)…"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Skull needs Python 3.11 or newer: try make PYTHON=python3.11")'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	@$(PIP) --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
