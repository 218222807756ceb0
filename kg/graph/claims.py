"""All the edges at an entity or in a paper, read back as claims, each with its evidence: what the two cards show."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.graph.answers import Claim
from kg.store import Store
from kg.types import SCHEMA, EntityType, Extraction, record_of

_CLAIM = (
    "r.id AS id, type(r) AS relation, r.paper AS paper, r.count AS count, r.surfaces AS surfaces, "
    "h.id AS head, labels(h)[0] AS head_type, h.name AS head_name, "
    "t.id AS tail, labels(t)[0] AS tail_type, t.name AS tail_name, "
    "r.sentence AS sentence, r.start AS start, r.end AS end, r.score AS score, r.extractor AS extractor"
)

_AT_IN = "MATCH (t:{type} {id: $id})<-[r:{relations}]-(h) "
_AT_OUT = "MATCH (h:{type} {id: $id})-[r:{relations}]->(t) "
_PLACE = "RETURN r.id AS id, type(r) AS relation, r.paper AS paper, r.start AS start"
_CHOSEN = "WHERE r.id IN $edges RETURN " + _CLAIM
_YEARS = "MATCH (p:Paper) WHERE p.id IN $ids RETURN p.id AS id, p.year AS year"
_COUNT_IN = "MATCH (:{type} {id: $id})<-[r:{relations}]-() RETURN type(r) AS relation, count(r) AS n"
_COUNT_OUT = "MATCH (:{type} {id: $id})-[r:{relations}]->() RETURN type(r) AS relation, count(r) AS n"
_NAMING = "UNWIND $ids AS id MATCH (:{type} {id: id})<-[:MENTIONS]-(p:Paper) RETURN count(DISTINCT p.id) AS n"
_OF_PAPER = "MATCH (h:Paper {id: $id})-[r]->(t) RETURN " + _CLAIM
_INSIDE_PAPER = "MATCH (:Paper {id: $id})-[:MENTIONS]->(h)-[r]->(t) WHERE r.paper = $id RETURN " + _CLAIM
_PAPERS = "MATCH (p:Paper) WHERE p.id IN $ids RETURN p.id AS id, p.title AS title, p.year AS year"
_STORED = ("id", "title", "abstract", "year", "venue", "url", "ids", "status", "extractor", "record")
_RECORD = "MATCH (p:Paper {id: $id}) RETURN " + ", ".join(f"p.{name} AS {name}" for name in _STORED)


def record_of_paper(store: Store, paper: str) -> Extraction:
    """The extraction record behind one stored paper, by one index look-up."""
    row = store.query(_RECORD, {"id": paper})[0]
    return record_of(row | {"title": row["title"] or "", "abstract": row["abstract"] or ""})


def claims_about(store: Store, type_: EntityType, id_: str, limit: int) -> list[Claim]:
    """The edges above MENTIONS at an entity, newest papers first, ``limit`` at most.

    A common method has thousands: their places alone are read to choose from, the rest only of those chosen.
    """
    sides = [_fill(at, type_, r) for at, r in ((_AT_IN, _into(type_)), (_AT_OUT, _out_of(type_))) if r]
    places = [row for at in sides for row in store.query(at + _PLACE, {"id": id_})]
    papers = sorted({row["paper"] for row in places})
    years = {row["id"]: row["year"] or 0 for row in store.query(_YEARS, {"ids": papers})} if papers else {}
    places.sort(key=lambda r: (-years.get(r["paper"], 0), r["paper"], r["start"], r["relation"], r["id"]))
    order = {row["id"]: place for place, row in enumerate(places[:limit])}
    chosen = {"id": id_, "edges": list(order)}
    rows = [row for at in sides for row in store.query(at + _CHOSEN, chosen)] if order else []
    return sorted(_claims(store, rows), key=lambda c: order[c.id])


def relations_of(store: Store, type_: EntityType, id_: str) -> dict[str, int]:
    """How many edges of each relation an entity has, MENTIONS among them, in the order of the schema."""
    counts: dict[str, int] = {}
    for statement, relations in ((_COUNT_IN, ["MENTIONS", *_into(type_)]), (_COUNT_OUT, _out_of(type_))):
        for row in store.query(_fill(statement, type_, relations), {"id": id_}) if relations else ():
            counts[row["relation"]] = counts.get(row["relation"], 0) + int(row["n"])
    return {relation: counts[relation] for relation in SCHEMA if relation in counts}


def papers_naming(store: Store, type_: EntityType, ids: Sequence[str]) -> int:
    """How many papers name any of these entities."""
    return int(store.query(_fill(_NAMING, type_, ()), {"ids": list(ids)})[0]["n"])


def claims_of_paper(store: Store, paper: str) -> list[Claim]:
    """Every edge that a paper contributes, MENTIONS among them, in the order of its text."""
    rows = store.query(_OF_PAPER, {"id": paper}) + store.query(_INSIDE_PAPER, {"id": paper})
    unique = {row["id"]: row for row in rows}
    found = (
        c.model_copy(update={"head_name": "(this paper)"} if c.head_type == "Paper" else {})
        for c in _claims(store, unique.values())
    )
    return sorted(found, key=lambda c: (c.start, c.relation, c.head_name, c.tail_name, c.id))


def _into(type_: EntityType) -> list[str]:
    return [r for r, spec in SCHEMA.items() if r != "MENTIONS" and any(tail == type_ for _, tail in spec.pairs)]


def _out_of(type_: EntityType) -> list[str]:
    return [r for r, spec in SCHEMA.items() if any(head == type_ for head, _ in spec.pairs)]


def _fill(statement: str, type_: EntityType, relations: Iterable[str]) -> str:
    """A label and relation types put into a statement; both come from SCHEMA alone, never from a caller's text."""
    return statement.replace("{type}", type_).replace("{relations}", "|".join(relations))


def _claims(store: Store, rows: Iterable[Mapping[str, Any]]) -> list[Claim]:
    rows = list(rows)
    ids = sorted({row["paper"] for row in rows})
    papers = {p["id"]: p for p in store.query(_PAPERS, {"ids": ids})} if ids else {}
    claims = []
    for row in rows:
        paper = papers.get(row["paper"], {})
        values = dict(row) | {"title": paper.get("title") or "", "year": paper.get("year")}
        values["surfaces"] = tuple(row["surfaces"] or ())
        if row["head_type"] == "Paper":
            values["head_name"] = values["title"] or row["head"]
        claims.append(Claim(**values))
    return claims
