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
def test_the_examples_of_a_module_run(g, url, tmp_path, name):
    module = importlib.import_module(name)
    given = {"g": g, "url": url, "folder": tmp_path}
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs=given):
        run(test)


FUNCTIONS = [name for name in kg.__all__ if inspect.isfunction(getattr(kg, name)) and name != "evaluate"]
"""The public functions; ``kg.evaluate`` needs annotated abstracts, and its examples are tests/test_evaluate.py."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_examples_of_a_public_function_run(url, records, tmp_path, name):
    function = getattr(kg, name)
    module = importlib.import_module(function.__module__)
    given = {"url": url, "records": records, "folder": tmp_path}
    [test] = doctest.DocTestFinder(recurse=False).find(function, name, module, extraglobs=given)
    assert test.examples, name
    assert not any(doctest.SKIP in example.options for example in test.examples)
    run(test)


def test_every_look_up_has_an_example_or_is_on_the_page():
    page = (DOCS / "graph.md").read_text(encoding="utf-8")
    for name, member in inspect.getmembers(kg.Graph, inspect.isfunction):
        if not name.startswith("_"):
            assert member.__doc__, name
            assert ">>>" in member.__doc__, name
            assert f"g.{name}(" in page or name in ("close", "counts"), name


def test_every_public_name_is_described():
    for module in (kg.graph, kg.view):
        for name in module.__all__:
            assert inspect.getdoc(getattr(module, name)), name
