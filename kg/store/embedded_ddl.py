"""Types, indexes and statements of the embedded engine, all derived from SCHEMA."""

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from kg.store import DECISION, NAME, NAMES, SCHEMA_VERSION, STATE, Rows
from kg.store.embedded_values import shared_string
from kg.types import COMMON_PROPERTIES, ENTITY_TYPES, OWN_PROPERTIES, SCHEMA, edge_properties

CLAIMS = tuple(t for t, spec in SCHEMA.items() if any(head == "Paper" for head, _ in spec.pairs))
"""Edge types that may leave a Paper: found from its node."""
FACTS = tuple(t for t, spec in SCHEMA.items() if any(head != "Paper" for head, _ in spec.pairs))
"""Edge types that may leave an entity: found by the index on their ``paper``."""

_EDGE = "@out.id AS head, @out.@type AS head_type, @in.id AS tail, @in.@type AS tail_type, "
EDGE_COLUMNS: Mapping[str, str] = {
    type_: _EDGE + ", ".join(f"`{name}`" for name in edge_properties(type_)) for type_ in SCHEMA
}

SEARCH_TITLES = (
    "SELECT id, 'Paper' AS type, title AS name, $score AS score FROM Paper "
    "WHERE SEARCH_INDEX('Paper[title]', :text) = true ORDER BY score DESC, id LIMIT :limit"
)
SEARCH_NAMES = (
    "SELECT found.id AS id, found.@type AS type, found.name AS name, score FROM ("
    f"SELECT out('{NAMES}') AS found, score FROM ("
    f"SELECT *, $score AS score FROM {NAME} WHERE SEARCH_INDEX('{NAME}[words]', :text) = true "
    "ORDER BY score DESC, key LIMIT :limit) UNWIND found)"
)


@cache
def edge_names() -> dict[str, Any]:
    """The names of the properties of an edge, as strings that have crossed to Java; the JVM must run."""
    return {name: shared_string(name) for name in chain(COMMON_PROPERTIES, *OWN_PROPERTIES.values())}


class Index(NamedTuple):
    """One index that should be there."""

    type: str
    on: str
    kind: str

    @property
    def name(self) -> str:
        """As the engine calls it."""
        return f"{self.type}[{self.on}]"


NODES = ("Paper", *ENTITY_TYPES, NAME, STATE, DECISION)
EDGES = (*SCHEMA, NAMES)
INDEXES = (
    *(Index(label, "id", "UNIQUE") for label in ("Paper", *ENTITY_TYPES, DECISION)),
    Index(NAME, "key", "UNIQUE"),
    Index(STATE, "name", "UNIQUE"),
    *(Index(type_, "id", "UNIQUE") for type_ in SCHEMA),
    *(Index(type_, "paper", "NOTUNIQUE") for type_ in FACTS),
    Index("Paper", "title", "FULL_TEXT"),
    Index(NAME, "words", "FULL_TEXT"),
)


def complete(db: Any) -> bool:
    """Whether all types of a graph are there with the files that hold them."""
    schema = db.getSchema()
    return all(schema.existsType(name) and len(schema.getType(name).getBuckets(False)) for name in (*NODES, *EDGES))


def create(db: Any) -> None:
    """Create what is missing of types, indexes and the version of the graph."""
    schema = db.getSchema()
    made = []
    for kind, names in (("VERTEX", NODES), ("EDGE", EDGES)):
        made += [f"CREATE {kind} TYPE `{name}`" for name in names if not schema.existsType(name)]
    for index in INDEXES:
        if not schema.existsIndex(index.name):
            made.append(f"CREATE PROPERTY `{index.type}`.`{index.on}` IF NOT EXISTS STRING")
            made.append(f"CREATE INDEX ON `{index.type}` (`{index.on}`) {index.kind}")
    if made:
        db.command("sqlscript", ";\n".join(made) + ";").close()
        db.begin()
        state = db.newVertex(STATE)
        if not db.lookupByKey(STATE, "name", "schema").hasNext():
            state.set("name", "schema").set("value", SCHEMA_VERSION).save()
        db.commit()


def schema_state(db: Any) -> Rows:
    """What should be there against what is: rows of ``kind, name, on, state``."""
    schema = db.getSchema()
    kinds = {"UNIQUE": "unique", "NOTUNIQUE": "index", "FULL_TEXT": "full-text"}
    rows = []
    for index in INDEXES:
        there = schema.existsIndex(index.name)
        on = f"{index.type}.{index.on}"
        state = "online" if there and schema.getIndexByName(index.name).isValid() else "missing"
        rows.append({"kind": kinds[index.kind], "name": index.name, "on": on, "state": state})
    return rows
