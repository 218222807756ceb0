"""Every Cypher statement that the Neo4j store writes with: constants made from SCHEMA, values as parameters only."""

from collections.abc import Mapping
from itertools import chain
from typing import Literal, NamedTuple

from kg.store import DECISION, NAME, NAMES, STATE
from kg.types import (
    COMMON_PROPERTIES,
    DECISION_PROPERTIES,
    ENTITY_PROPERTIES,
    ENTITY_TYPES,
    OWN_PROPERTIES,
    PAPER_PROPERTIES,
    SCHEMA,
    EntityType,
    NodeType,
    edge_properties,
)

NODE_TYPES: tuple[NodeType, ...] = ("Paper", *sorted(ENTITY_TYPES))
"""Labels in the order in which a writer locks them."""

Group = tuple[str, NodeType, EntityType]
"""Relation, head type and tail type: the edges that one statement writes."""

GROUPS: tuple[Group, ...] = tuple(
    sorted((relation, head, tail) for relation, spec in SCHEMA.items() for head, tail in spec.pairs if tail != "Paper")
)
FACTS: tuple[str, ...] = tuple(sorted({relation for relation, head, _ in GROUPS if head != "Paper"}))
"""Relations that join two entities; which of them a paper states is found through an index on ``paper``."""

FULL_TEXT = "kg_text"


class Piece(NamedTuple):
    """One constraint or index that should be there, and the statement that makes it."""

    kind: Literal["unique", "range", "full-text"]
    name: str
    labels: tuple[str, ...]
    properties: tuple[str, ...]
    create: str

    @property
    def on(self) -> str:
        """Where it is, for people: ``Paper.id``."""
        return f"{'|'.join(self.labels)}.{','.join(self.properties)}"


def _pieces() -> tuple[Piece, ...]:
    found = []
    keys = [(label, "id") for label in (*NODE_TYPES, DECISION)] + [(NAME, "key"), (STATE, "name")]
    for label, key in keys:
        name = f"kg_{label.lower()}_{key}"
        create = f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE"
        found.append(Piece("unique", name, (label,), (key,), create))
    for relation in FACTS:
        name = f"kg_{relation.lower()}_paper"
        create = f"CREATE INDEX {name} IF NOT EXISTS FOR ()-[r:{relation}]-() ON (r.paper)"
        found.append(Piece("range", name, (relation,), ("paper",), create))
    create = "CREATE INDEX kg_paper_year IF NOT EXISTS FOR (p:Paper) ON (p.year)"  # the recipe newest-methods
    found.append(Piece("range", "kg_paper_year", ("Paper",), ("year",), create))
    labels = "|".join(NODE_TYPES)
    # The index follows commits at its own pace, on another core: written with them it costs a third of a load.
    create = (
        f"CREATE FULLTEXT INDEX {FULL_TEXT} IF NOT EXISTS FOR (n:{labels}) ON EACH [n.title, n.name, n.aliases] "
        "OPTIONS {indexConfig: {`fulltext.eventually_consistent`: true}}"
    )
    found.append(Piece("full-text", FULL_TEXT, NODE_TYPES, ("title", "name", "aliases"), create))
    return tuple(found)


PIECES = _pieces()
# A statement that names what no node or edge has had yet gets a warning, so every name is made known at the start.
CREATE_TYPE = "CALL db.createRelationshipType($name)"
CREATE_PROPERTY = "CALL db.createProperty($name)"
TYPES = (*sorted(SCHEMA), NAMES)
_NODES = (*PAPER_PROPERTIES, *ENTITY_PROPERTIES, *DECISION_PROPERTIES, "key", "value")  # of Name and State nodes
PROPERTIES = tuple(dict.fromkeys(chain(_NODES, COMMON_PROPERTIES, *OWN_PROPERTIES.values())))
SHOW_INDEXES = "SHOW INDEXES YIELD name, state, type, labelsOrTypes, properties, owningConstraint"
AWAIT_INDEXES = "CALL db.awaitIndexes(300)"

# Index hints throughout: a plan made while the graph is empty would scan, and would be kept as the graph grows.
# The old value is read before the new one is set, and setting it locks the node until the transaction ends. Nodes come
# back as [id, element id]: later statements of the transaction name them by the latter.
PUT_PAPERS = """
UNWIND $rows AS row
MERGE (p:Paper {id: row.id})
WITH p, row, p.content_hash IS NOT NULL AS known
SET p = row
RETURN count(p) AS written, collect([row.id, elementId(p)]) AS nodes,
  [id IN collect(CASE WHEN known THEN row.id END) WHERE id IS NOT NULL] AS known
"""

# Which entities are new or go by other names than before is told, so that only their Name nodes are written.
PUT_ENTITIES: Mapping[str, str] = {
    type_: f"""
UNWIND $rows AS row
MERGE (n:{type_} {{id: row.id}})
WITH n, row, n.name IS NULL AS new, n.name <> row.name OR n.aliases <> row.aliases AS renamed
SET n = row
RETURN count(n) AS written, collect([row.id, elementId(n)]) AS nodes,
  [id IN collect(CASE WHEN new THEN row.id END) WHERE id IS NOT NULL] AS new,
  [id IN collect(CASE WHEN renamed THEN row.id END) WHERE id IS NOT NULL] AS renamed
"""
    for type_ in ENTITY_TYPES
}
FIND_NODES: Mapping[str, str] = {
    label: (
        f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) USING INDEX n:{label}(id) "
        "RETURN collect([id, elementId(n)]) AS nodes"
    )
    for label in NODE_TYPES
}
# A row is a key and the element ids of what it names.
PUT_NAMES = f"""
UNWIND $rows AS row
MERGE (k:{NAME} {{key: row[0]}})
WITH k, row
UNWIND row[1] AS node
MATCH (n) WHERE elementId(n) = node
CREATE (k)-[edge:{NAMES}]->(n)
RETURN count(edge) AS written
"""
UNLINK_NAMES = f"""
UNWIND $nodes AS node
MATCH (n) WHERE elementId(n) = node
MATCH (k:{NAME})-[edge:{NAMES}]->(n)
DELETE edge
RETURN collect(DISTINCT k.key) AS keys
"""
DROP_NAMES = f"""
UNWIND $keys AS key
MATCH (k:{NAME} {{key: key}}) USING INDEX k:{NAME}(key)
SET k.key = key
WITH k WHERE NOT EXISTS {{ (k)-[:{NAMES}]->() }}
DELETE k
"""


def _properties(relation: str) -> str:
    return ", ".join(f"{name}: row[{place}]" for place, name in enumerate(edge_properties(relation), 2))


# A row is the element ids of both ends, then the values of the properties: their names, said once here, cost a tenth of
# a load when every edge carried them.
PUT_EDGES: Mapping[Group, str] = {
    (relation, head, tail): (
        "UNWIND $rows AS row MATCH (head) WHERE elementId(head) = row[0] MATCH (tail) WHERE elementId(tail) = row[1] "
        f"CREATE (head)-[edge:{relation} {{{_properties(relation)}}}]->(tail) RETURN count(edge) AS written"
    )
    for relation, head, tail in GROUPS
}

DROP_CLAIMS = "UNWIND $ids AS id MATCH (p:Paper {id: id}) USING INDEX p:Paper(id) MATCH (p)-[edge]->() DELETE edge"
DROP_FACTS: Mapping[str, str] = {
    relation: (
        f"UNWIND $ids AS id MATCH ()-[edge:{relation} {{paper: id}}]->() USING INDEX edge:{relation}(paper) DELETE edge"
    )
    for relation in FACTS
}
DROP_PAPERS = "UNWIND $ids AS id MATCH (p:Paper {id: id}) USING INDEX p:Paper(id) DELETE p RETURN count(p) AS removed"
LOCK_PAPERS = "UNWIND $ids AS id MATCH (p:Paper {id: id}) USING INDEX p:Paper(id) SET p.id = p.id"

# Setting a property locks the node; whether it is still loose is looked at once more behind the lock.
SWEEP: Mapping[str, str] = {
    type_: f"""
MATCH (n:{type_}) WHERE NOT EXISTS {{ (n)<-[:MENTIONS]-() }}
WITH n ORDER BY n.id
SET n.id = n.id
WITH n WHERE NOT EXISTS {{ (n)<-[:MENTIONS]-() }}
DETACH DELETE n
RETURN count(*) AS removed
"""
    for type_ in sorted(ENTITY_TYPES)
}
SWEEP_NAMES = f"""
MATCH (k:{NAME}) WHERE NOT EXISTS {{ (k)-[:{NAMES}]->() }}
WITH k ORDER BY k.key
SET k.key = k.key
WITH k WHERE NOT EXISTS {{ (k)-[:{NAMES}]->() }}
DELETE k
RETURN count(*) AS removed
"""

CLEAR_DECISIONS = f"MATCH (d:{DECISION}) DELETE d"
PUT_DECISIONS = f"UNWIND $rows AS row CREATE (d:{DECISION}) SET d = row RETURN count(d) AS written"
PUT_STATE = f"MERGE (s:{STATE} {{name: $name}}) SET s.value = $value"

LOCK_WRITERS = f"MATCH (s:{STATE} {{name: 'writer'}}) SET s.name = s.name"

LEDGER = "MATCH (p:Paper) WHERE p.id >= '' RETURN p.id, p.content_hash, p.extractor ORDER BY p.id"
ALL_PAPERS = "MATCH (p:Paper) WHERE p.id >= '' RETURN properties(p) AS values ORDER BY p.id"
SOME_PAPERS = (
    "UNWIND $ids AS id MATCH (p:Paper {id: id}) USING INDEX p:Paper(id) RETURN properties(p) AS values ORDER BY p.id"
)
LABELS = "CALL db.labels() YIELD label RETURN label"
NODES: Mapping[str, str] = {
    label: f"MATCH (n:{label}) WHERE n.id >= '' RETURN properties(n) AS values ORDER BY n.id"
    for label in (*NODE_TYPES, DECISION)
}
EDGES: Mapping[str, str] = {
    relation: f"""
MATCH ()-[edge:{relation}]->()
WITH edge ORDER BY edge.id
WITH edge, startNode(edge) AS head, endNode(edge) AS tail
RETURN properties(edge) AS values, head.id, labels(head)[0], tail.id, labels(tail)[0]
"""
    for relation in sorted(SCHEMA)
}
COUNTS: Mapping[str, str] = {label: f"MATCH (n:{label}) RETURN count(n)" for label in sorted(NODE_TYPES)} | {
    relation: f"MATCH ()-[edge:{relation}]->() RETURN count(edge)" for relation in sorted(SCHEMA)
}
GET_STATE = f"MATCH (s:{STATE} {{name: $name}}) RETURN properties(s) AS values"
AWAIT_FULL_TEXT = "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()"
SEARCH = f"""
CALL db.index.fulltext.queryNodes('{FULL_TEXT}', $text, {{limit: $limit}}) YIELD node, score
RETURN node.id AS id, labels(node)[0] AS type, coalesce(node.name, node.title) AS name, score
ORDER BY score DESC, id
"""
