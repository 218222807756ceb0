"""Paper abstracts to a knowledge graph that can be checked.

>>> import kg
>>> kg.load(["seeds/"], store="kg.db")                   # doctest: +SKIP
>>> with kg.open_graph("kg.db") as g:                    # doctest: +SKIP
...     g.papers_sharing_method("reinforcement learning")
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kg.errors import (
    ConnectionLost,
    InputError,
    KGError,
    ModelError,
    NotFoundError,
    ReadOnlyError,
    RecipeError,
    ResolutionError,
    StoreError,
)
from kg.schema import SCHEMA
from kg.version import __version__ as __version__

if TYPE_CHECKING:
    from kg.build import LoadReport, load
    from kg.evaluate import Evaluation, evaluate
    from kg.extract import extract
    from kg.graph import Graph, open_graph
    from kg.pipeline import load_pipeline
    from kg.read import Rejected, read
    from kg.recipes import recipe, recipes, run
    from kg.store import Store, open_store
    from kg.types import Entity, Extraction, Mention, Paper, Triple

__all__ = [
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

_LAZY = {
    "Entity": "kg.types",
    "Evaluation": "kg.evaluate",
    "Extraction": "kg.types",
    "Graph": "kg.graph",
    "LoadReport": "kg.build",
    "Mention": "kg.types",
    "Paper": "kg.types",
    "Rejected": "kg.read",
    "Store": "kg.store",
    "Triple": "kg.types",
    "evaluate": "kg.evaluate",
    "extract": "kg.extract",
    "load": "kg.build",
    "load_pipeline": "kg.pipeline",
    "open_graph": "kg.graph",
    "open_store": "kg.store",
    "read": "kg.read",
    "recipe": "kg.recipes",
    "recipes": "kg.recipes",
    "run": "kg.recipes",
}
"""What is imported when first asked for: an engine, spaCy, pydantic and networkx take longer than most uses of kg."""


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    value: object = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Some functions have the name of their module, and importing that must not put it in the function's place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _LAZY and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
