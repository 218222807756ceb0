# make demo: from nothing to an answer.   make test: everything that must hold, as CI runs it.
PYTHON ?= python3
BIN := .venv/bin
STORE ?= demo.db

.PHONY: demo test check lint recipe-linter format docs tour clean

demo: .venv/.installed
	$(BIN)/kg load seeds/ --store $(STORE)
	$(BIN)/kg shared "reinforcement learning" --store $(STORE)

test: lint recipe-linter
	$(BIN)/python -m pytest

check: test

lint: .venv/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict -p kg
	$(BIN)/lint-imports

# Neo4j's own Cypher linter, for the tests of the recipes; without npm those say that they are skipped.
recipe-linter:
	@if command -v npm > /dev/null; then \
	  npm install --prefix tests/recipes/lint --no-package-lock --no-audit --no-fund --loglevel=error; fi

format: .venv/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/.installed
	$(BIN)/python -m kg.cli.reference > docs/cli.md
	$(BIN)/python -c 'from kg.recipes import page, recipes; print(page(recipes()), end="")' > docs/recipes.md

# The notebook again, with the answers that the model and the graph give now.
tour: .venv/.installed-test
	cd docs && env -u KG_STORE PYTHONPATH=.. ../$(BIN)/jupyter execute --inplace tour.ipynb

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
