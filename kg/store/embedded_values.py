"""Values on their way between Python and the embedded engine."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from kg.store import Columns, Rows


def bridge() -> Any:
    """The module that talks to the JVM, imported on first use."""
    import jpype

    return jpype


@cache
def java(name: str) -> Any:
    """A Java class by its full name; the JVM must run."""
    return bridge().JClass(name)


def to_java(value: Any) -> Any:
    """A Python value as the engine takes it; strings and numbers cross as they are."""
    if isinstance(value, dict):
        table = java("java.util.HashMap")()
        for key, item in value.items():
            table.put(key, to_java(item))
        return table
    if isinstance(value, (list, tuple)):
        found = java("java.util.ArrayList")()
        for item in value:
            found.add(to_java(item))
        return found
    return value


def objects(values: Sequence[Any]) -> Any:
    """An ``Object[]`` for a method that takes any number of arguments."""
    return _object_array()(list(values))


@cache
def _object_array() -> Any:
    jpype = bridge()
    return jpype.JArray(jpype.JObject)


def shared_string(text: str) -> Any:
    """A string that crosses to Java now, for use in many calls."""
    return bridge().JString(text)


@cache
def direction(name: str) -> Any:
    """``IN`` or ``OUT`` as the engine has it."""
    return getattr(java("com.arcadedb.graph.Vertex").DIRECTION, name)


def rows(result: Any) -> Rows:
    """All rows of a result as plain Python values."""
    from arcadedb_embedded import results

    wrapped: Any = results.ResultSet
    return [{key: plain(value) for key, value in row.items()} for row in wrapped(result).to_list()]


def columns(result: Any, names: Sequence[str]) -> Columns:
    """All rows of a result as columns of plain Python values: for many rows a third of the time of ``rows``."""
    from arcadedb_embedded import results

    wrapped: Any = results.ResultSet
    found = wrapped(result).to_columns(columns=list(names))
    return {
        name: values if isinstance(values, list) else values.tolist()
        for name, values in ((name, found.get(name, [])) for name in names)
    }


def plain(value: Any) -> Any:
    """A value of a row as a plain Python one: a node or edge as its properties, a path as the list of them."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if not isinstance(value, bridge().JObject):
        return value
    if isinstance(value, java("com.arcadedb.database.Document")):
        from arcadedb_embedded import type_conversion

        convert: Any = type_conversion.convert_java_to_python
        properties = convert(value.propertiesAsMap())
        return {key: plain(item) for key, item in sorted(properties.items())}
    if isinstance(value, java("com.arcadedb.query.opencypher.traversal.TraversalPath")):
        vertices, edges = list(value.getVertices()), list(value.getEdges())
        steps = [plain(vertices[0])]
        for edge, vertex in zip(edges, vertices[1:], strict=True):
            steps += [plain(edge), plain(vertex)]
        return steps
    return str(value)
