"""What resolution did and what it left open, as rows for people."""

from typing import Any

from kg.own_names import resolver_of
from kg.resolve import Resolution, uses
from kg.store import Store
from kg.types import Entity

Rows = list[dict[str, Any]]


def resolution_of(store: Store) -> Resolution:
    """The resolution that the graph's records, tables and decisions give."""
    return resolver_of(store).resolve(uses(record) for record in store.records())


def ambiguous(store: Store) -> Rows:
    """Short forms that stand for several things, the most mentioned first: rows of id, type, name, aliases, papers."""
    papers = _papers(store)
    found = [e for e in store.entities() if e.ambiguous]
    found.sort(key=lambda e: (-papers.get(e.id, 0), e.id))
    return [
        {"id": e.id, "type": e.type, "name": e.name, "aliases": list(e.aliases), "papers": papers.get(e.id, 0)}
        for e in found
    ]


def conflicts(store: Store) -> Rows:
    """Names that occur with several types, the most mentioned first: rows of name, and papers a type."""
    papers = _papers(store)
    by_key: dict[str, list[Entity]] = {}
    for entity in store.entities():
        by_key.setdefault(entity.id.partition(":")[2], []).append(entity)
    found: Rows = []
    for entities in by_key.values():
        if len(entities) > 1:
            shown = max(entities, key=lambda e: (papers.get(e.id, 0), e.id)).name
            found.append({"name": shown, **{e.type: papers.get(e.id, 0) for e in entities}})
    return sorted(found, key=lambda row: (-min(n for key, n in row.items() if key != "name"), row["name"]))


def joins(store: Store) -> Rows:
    """What resolution joined beyond equal keys: rows of type, name, into, why, reason."""
    return [
        {"type": join.type, "name": join.key, "into": join.into, "why": join.why, "reason": join.reason}
        for join in resolution_of(store).joins
    ]


def _papers(store: Store) -> dict[str, int]:
    rows = store.query("MATCH (p:Paper)-[:MENTIONS]->(e) RETURN e.id AS id, count(p) AS papers")
    return {row["id"]: row["papers"] for row in rows}
