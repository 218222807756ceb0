# make demo: from nothing to an answer.   make test: everything that must hold, as CI runs it.
PYTHON ?= python3
BIN := .venv/bin
STORE ?= demo.db

.PHONY: demo test check lint format docs clean

demo: .venv/.installed
	$(BIN)/kg load seeds/ --store $(STORE)
	$(BIN)/kg shared "reinforcement learning" --store $(STORE)

test: lint
	$(BIN)/python -m pytest

check: test

lint: .venv/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict -p kg
	$(BIN)/lint-imports

format: .venv/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/.installed
	$(BIN)/python -m kg.cli.reference > docs/cli.md
	$(BIN)/python -m kg.recipes > docs/recipes.md

.venv/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; (3, 11) <= v <= (3, 13) or sys.exit("kg needs Python 3.11 to 3.13, this is %d.%d; name another with make PYTHON=python3.12" % v)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.installed-test: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

clean:
	rm -rf .venv $(STORE)
