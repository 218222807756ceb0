"""Paper abstracts to a knowledge graph that can be checked.

>>> import kg
>>> kg.load(["seeds/"], store="kg.db")                   # doctest: +SKIP
>>> with kg.open_graph("kg.db") as g:                    # doctest: +SKIP
...     g.papers_sharing_method("reinforcement learning")
"""

from importlib import import_module
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
from kg.types import SCHEMA, Entity, Extraction, Mention, Paper, Triple

if TYPE_CHECKING:
    from kg.build import LoadReport, load
    from kg.evaluate import Evaluation, evaluate
    from kg.extract import extract
    from kg.graph import Graph, open_graph
    from kg.pipeline import load_pipeline
    from kg.read import Rejected, read
    from kg.recipes import recipe, recipes, run
    from kg.store import Store, open_store

__version__ = "0.1.0"

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
