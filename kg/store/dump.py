"""A whole graph as JSON lines: the same bytes for the same graph on any engine. kg.restore is the way back.

First the nodes, a label after the other in alphabetical order (Dataset, Decision, Method, Paper, State, Task), then the
edges, a type after the other; within each by id, by code point. A line starts with ``node`` or ``edge`` (its label or
type) and ``id``, an edge goes on with its ends; the properties follow in alphabetical order, those without a value left
out. Text is UTF-8, not escaped. Name nodes and states are left out, since they follow from the rest; all but a person's
own alias table and never-merge list.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.errors import StoreError
from kg.files import replacing
from kg.store import STATE, TABLES, Store
from kg.types import Decision

ENDS = ("head", "head_type", "tail", "tail_type")


def node_row(label: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """A node as it is dumped, from the properties that a store keeps of it."""
    return {"node": label, "id": values["id"]} | _properties(values, {"id"})


def edge_row(type_: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """An edge as it is dumped, from its properties and ``head, head_type, tail, tail_type``."""
    ends = {end: values[end] for end in ENDS}
    return {"edge": type_, "id": values["id"]} | ends | _properties(values, {"id", *ENDS})


def decision_row(decision: Decision) -> dict[str, Any]:
    """The properties of a stored Decision node."""
    values = {"id": decision.id, "kind": decision.kind, "a": decision.a, "b": decision.b, "reason": decision.reason}
    names = {"name_a": decision.name_a, "name_b": decision.name_b}
    return values | {side: name for side, name in names.items() if name}


def table_rows(store: Store) -> Iterator[dict[str, Any]]:
    """A person's own tables of names as they are dumped: resolution needs them, and nothing else has them."""
    for name in TABLES:
        value = store.state(name)
        if value is not None:
            yield {"node": STATE, "id": name, "value": value}


def _properties(values: Mapping[str, Any], without: set[str]) -> dict[str, Any]:
    found = {}
    for name in sorted(values.keys() - without):
        value = values[name]
        if value is not None:
            found[name] = float(value) if name == "score" else list(value) if isinstance(value, tuple) else value
    return found


def line(row: Mapping[str, Any]) -> str:
    """One line of a dump, with its end."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_dump(store: Store, path: Path) -> int:
    """Write the graph to ``path``, whole or not at all; the number of lines. Raises StoreError when it cannot."""
    count = 0
    try:
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as out:
            for row in store.dump():
                out.write(line(row))
                count += 1
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None
    return count
