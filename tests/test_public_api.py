"""The public names are exactly these; each is there, and stays what it is when its module is imported."""

import importlib
import inspect

import kg

PUBLIC = [
    "SCHEMA",
    "ConnectionLost",
    "Entity",
    "Evaluation",
    "Extraction",
    "Graph",
    "InputError",
    "KGError",
    "LoadReport",
    "Mention",
    "ModelError",
    "NotFoundError",
    "Paper",
    "ReadOnlyError",
    "RecipeError",
    "Rejected",
    "ResolutionError",
    "Store",
    "StoreError",
    "Triple",
    "evaluate",
    "extract",
    "load",
    "load_pipeline",
    "open_graph",
    "open_store",
    "read",
    "recipe",
    "recipes",
    "run",
]


def test_the_public_names_are_exactly_these():
    assert kg.__all__ == PUBLIC
    assert set(PUBLIC) <= set(dir(kg))


def test_each_is_there_and_documented():
    for name in PUBLIC:
        value = getattr(kg, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_a_function_is_not_replaced_by_the_module_of_its_name():
    for name in ("evaluate", "extract", "read", "recipes"):
        importlib.import_module(f"kg.{name}")
        assert inspect.isfunction(getattr(kg, name))


def test_every_error_is_a_kg_error():
    errors = [v for v in vars(kg).values() if inspect.isclass(v) and issubclass(v, Exception)]
    assert len(errors) == 9
    assert all(issubclass(e, kg.KGError) for e in errors)


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(kg, "no_such_name")
