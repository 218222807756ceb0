"""What kg can do only where an optional package is installed, and the one line that says how to get it."""

import importlib
from types import ModuleType

from kg.errors import KGError

EXTRAS = {
    "pandas": "pandas",
    "polars": "polars",
    "pyarrow": "parquet",
    "rdflib": "rdf",
    "neo4j_viz": "viz",
    "mcp": "mcp",
    "scipy": "networks",
}
"""Import name -> the extra of kg that brings it."""


def need(module: str, purpose: str) -> ModuleType:
    """Import an optional package for a purpose such as ``"to_pandas()"``.

    Raises KGError, in one line that names the package and the extra to install, where the package is missing.
    """
    package = module.split(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise KGError(
            f"{purpose} needs the package {package}, which is not installed; "
            f"get it with: pip install {package.replace('_', '-')}, or kg with its extra {EXTRAS[package]}"
        ) from None
