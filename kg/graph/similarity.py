"""How near two papers are: by what both work with, rare things weighing more than common ones, always with the parts.

The weight of an entity is its smoothed inverse document frequency (Spärck Jones, 1972, "A statistical interpretation
of term specificity and its application in retrieval"), over papers::

    weight(e) = ln(1 + papers in the graph / papers that name e)

and the similarity of two papers is the sum of the weights of what both propose, use, compare with, address or are
evaluated on (of what both name, with ``mentions``). It is symmetric, additive, and ranks by what is shared alone: a
long abstract is neither punished nor favoured for naming other things too. The recipe ``similar-papers`` computes it.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from kg.graph.answers import SharedEntity, SimilarPaper
from kg.recipes import run
from kg.store import Rows, Store
from kg.types import SCHEMA

MOST = 50_000  # rows of any one answer; the embedded engine makes room for as many as LIMIT says before it starts
_ROLES = "|".join(r for r, spec in SCHEMA.items() if r != "MENTIONS" and any(h == "Paper" for h, _ in spec.pairs))
_TOTAL = "MATCH (p:Paper) RETURN count(p) AS papers"
_SAID = """
UNWIND $papers AS paper
MATCH (:Paper {id: paper})-[r:{relations}]->(e)
RETURN paper, e.id AS entity, labels(e)[0] AS type, e.name AS name, type(r) AS relation, r.sentence AS sentence,
       r.score AS score, r.id AS id
"""
_OWN = """
MATCH (:Paper {id: $paper})-[:{relations}]->(e)
WITH DISTINCT e
RETURN e.id AS entity, COUNT { (e)<-[:MENTIONS]-() } AS papers
"""


def weight(papers_in_graph: int, papers_naming_it: int) -> float:
    """The rarity weight of an entity.

    >>> round(weight(1000, 1), 2), round(weight(1000, 1000), 2)
    (6.91, 0.69)
    """
    return math.log(1 + papers_in_graph / papers_naming_it)


def shared_entities(store: Store, first: str, second: str, *, mentions: bool) -> list[SharedEntity]:
    """What the papers with these ids share, the rarest first."""
    rows = run(store, "shared-by-papers", first=first, second=second, mentions=mentions, limit=MOST)
    return _weighed(rows, papers_in(store))


def similar_papers(store: Store, paper: str, k: int, *, mentions: bool) -> list[SimilarPaper]:
    """The ``k`` papers nearest to the paper with this id, best first, ties by id, each with all its reasons."""
    near = run(store, "similar-papers", paper=paper, mentions=mentions, limit=k)
    if not near:
        return []
    total = papers_in(store)
    relations = f"{_ROLES}|MENTIONS" if mentions else _ROLES
    own = store.query(_OWN.replace("{relations}", relations), {"paper": paper})
    whole = math.fsum(sorted(weight(total, row["papers"]) for row in own))
    papers = {row["entity"]: int(row["papers"]) for row in own}
    said = _surest(store, [paper, *(row["paper"] for row in near)], relations)
    return [
        SimilarPaper(
            paper=row["paper"],
            title=row["title"],
            year=row["year"],
            similarity=row["similarity"],
            covers=row["similarity"] / whole,
            reasons=tuple(_weighed(_shared(said[paper], said[row["paper"]], papers), total)),
        )
        for row in near
    ]


def _surest(store: Store, papers: Sequence[str], relations: str) -> dict[str, dict[str, dict[str, Any]]]:
    """The surest statement of each paper on each entity, by the ids of both, all with one question."""
    said: dict[str, dict[str, dict[str, Any]]] = {paper: {} for paper in papers}
    rows = store.query(_SAID.replace("{relations}", relations), {"papers": list(papers)})
    for row in sorted(rows, key=lambda r: (r["relation"] == "MENTIONS", -r["score"], r["id"])):
        said[row["paper"]].setdefault(row["entity"], row)
    return said


def _shared(first: Mapping[str, Any], second: Mapping[str, Any], papers: Mapping[str, int]) -> Rows:
    """What two papers share, as the recipe ``shared-by-papers`` has it: what fewest papers mention comes first."""
    return [
        {
            "entity": entity,
            "type": first[entity]["type"],
            "name": first[entity]["name"],
            "papers": papers[entity],
            "first_relation": first[entity]["relation"],
            "first_sentence": first[entity]["sentence"],
            "second_relation": second[entity]["relation"],
            "second_sentence": second[entity]["sentence"],
        }
        for entity in sorted(first.keys() & second.keys(), key=lambda e: (papers[e], e))
    ]


def papers_in(store: Store) -> int:
    """How many papers the graph has."""
    return int(store.query(_TOTAL)[0]["papers"])


def _weighed(rows: Rows, total: int) -> list[SharedEntity]:
    return [SharedEntity(**row, weight=weight(total, row["papers"])) for row in rows]
