"""All the edges at an entity or in a paper, read back as claims, each with its evidence: what the two cards show."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.graph.answers import Claim
from kg.store import Rows, Store
from kg.types import SCHEMA, EntityType, Extraction, record_of

_CLAIM = (
    "r.id AS id, type(r) AS relation, r.paper AS paper, r.count AS count, r.surfaces AS surfaces, "
    "h.id AS head, labels(h)[0] AS head_type, h.name AS head_name, "
    "t.id AS tail, labels(t)[0] AS tail_type, t.name AS tail_name, "
    "r.sentence AS sentence, r.start AS start, r.end AS end, r.score AS score, r.extractor AS extractor"
)

_ABOUT_IN = "MATCH (t:{type} {id: $id})<-[r:{relations}]-(h) RETURN " + _CLAIM
_ABOUT_OUT = "MATCH (h:{type} {id: $id})-[r:{relations}]->(t) RETURN " + _CLAIM
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


def claims_about(store: Store, type_: EntityType, id_: str) -> list[Claim]:
    """Every edge above MENTIONS at an entity, newest papers first."""
    rows: Rows = []
    for statement, relations in ((_ABOUT_IN, _into(type_)), (_ABOUT_OUT, _out_of(type_))):
        if relations:
            rows += store.query(_fill(statement, type_, relations), {"id": id_})
    return sorted(_claims(store, rows), key=lambda c: (-(c.year or 0), c.paper, c.start, c.relation, c.id))


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
