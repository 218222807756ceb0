"""The examples of the pages and docstrings run as they stand, and every public name is described."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import kg.graph
import kg.view

DOCS = Path(__file__).parents[2] / "docs"
MODULES = [
    "kg.mcp",
    *(m.name for p in (kg.graph, kg.view) for m in pkgutil.iter_modules(p.__path__, f"{p.__name__}.")),
]
FLAGS = doctest.NORMALIZE_WHITESPACE


def run(test: doctest.DocTest) -> None:
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("page", ["graph.md", "similarity.md"])
def test_the_examples_of_a_page_run(g, tmp_path, page):
    text = (DOCS / page).read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {"g": g, "folder": tmp_path}, page, page, 0)
    assert len(test.examples) >= 3
    run(test)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(g, tmp_path, name):
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs={"g": g, "folder": tmp_path}):
        run(test)


def test_every_look_up_has_an_example_or_is_on_the_page():
    page = (DOCS / "graph.md").read_text(encoding="utf-8")
    for name, member in inspect.getmembers(kg.Graph, inspect.isfunction):
        if not name.startswith("_") and name not in ("close", "counts"):
            assert member.__doc__, name
            assert f"g.{name}(" in page, name
            assert ">>>" in member.__doc__, name


def test_every_public_name_is_described():
    for module in (kg.graph, kg.view):
        for name in module.__all__:
            assert inspect.getdoc(getattr(module, name)), name
