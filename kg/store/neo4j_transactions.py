"""What the Neo4j store does within one transaction; raising anywhere takes all of it back.

Statements are sent one behind the other and their answers read as late as can be, so that the server works on one while
the rows of the next are made. Nodes that a transaction has in hand are named to later statements by their element ids:
that is what an index look-up for each end of each edge would find, at a fraction of its cost.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from operator import attrgetter
from typing import Any, NamedTuple

from neo4j import ManagedTransaction, Result

from kg.errors import StoreError
from kg.store import lookup_keys
from kg.store import neo4j_statements as st
from kg.types import COMMON_PROPERTIES, OWN_PROPERTIES, Contribution, Edge, Entity

End = tuple[str, str]
"""Label and id of a node."""
Nodes = defaultdict[str, dict[str, str]]
"""The element ids of nodes by label and id, which hold within one transaction."""


class _Rows(list[Any]):
    """Rows that are sent, which are shown by their number alone."""

    def __repr__(self) -> str:
        return f"<{len(self)} rows>"


def unlogged(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters whose lists are shown by their length alone; every statement that is sent with a list goes by here.

    The driver writes out the parameters of every statement for its log, whether or not it keeps one: for thousands of
    rows that takes longer than to send them, and what papers say is nothing for a log.
    """
    return {name: _Rows(value) if isinstance(value, list) else value for name, value in parameters.items()}


class _Sent(NamedTuple):
    """A writing statement under way, and how many nodes or edges it must write."""

    result: Result
    expected: int
    what: str

    def done(self) -> Mapping[str, Any]:
        """Its one row, once what was written is known to be what was sent."""
        found = self.result.single(strict=True)
        if found["written"] != self.expected:
            raise StoreError(
                f"Neo4j wrote {found['written']} of {self.expected} {self.what}: an end is missing or an id is not "
                "unique; nothing of this transaction was kept"
            )
        return found


_common = attrgetter(*COMMON_PROPERTIES)


def _send(tx: ManagedTransaction, /, cypher: str, **parameters: Any) -> Result:
    return tx.run(cypher, unlogged(parameters))


def _put(tx: ManagedTransaction, cypher: str, rows: list[Any], what: str, count: int | None = None) -> _Sent:
    return _Sent(_send(tx, cypher, rows=rows), len(rows) if count is None else count, what)


def run(tx: ManagedTransaction, /, cypher: str, **parameters: Any) -> None:
    """One statement whose answer says nothing."""
    _send(tx, cypher, **parameters).consume()


def _one(tx: ManagedTransaction, cypher: str, **parameters: Any) -> Mapping[str, Any]:
    return _send(tx, cypher, **parameters).single(strict=True)


def ends_of(chunk: Sequence[Contribution]) -> set[End]:
    """All entities that the edges of these papers lead from or to."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for contribution in chunk:
        for edge in contribution.edges:
            ids[edge.tail_type].add(edge.tail)
            ids[edge.head_type].add(edge.head)
    return {(label, id_) for label, of_label in ids.items() if label != "Paper" for id_ in of_label}


def replace(tx: ManagedTransaction, chunk: Sequence[Contribution], entities: Iterable[Entity], ends: Set[End]) -> None:
    """Papers, then entities, then what the papers said before goes, then the edges: the order of the locks.

    ``ends``: all entities that the edges lead from or to; those not among ``entities`` must be stored already.
    """
    entities = list(entities)
    papers = _put(tx, st.PUT_PAPERS, [c.paper_values() for c in chunk], "papers")
    stored = _find(tx, ends - {(e.type, e.id) for e in entities})
    sent: list[_Sent] = []
    nodes = _put_entities(tx, entities, sent)
    groups: defaultdict[st.Group, list[Edge]] = defaultdict(list)
    for contribution in chunk:
        for edge in contribution.edges:
            groups[edge.type, edge.head_type, edge.tail_type].append(edge)
    found = papers.done()
    nodes["Paper"] = dict(found["nodes"])
    for label, result in stored.items():
        nodes[label].update(result.single(strict=True)["nodes"])
    if found["known"]:
        _drop_edges(tx, found["known"])
    for group in sorted(groups):
        relation, head, tail = group
        edges = sorted(groups[group], key=attrgetter("tail", "head"))
        # An end that was not found stays None: the edge is not written, which the count tells.
        heads, tails = nodes[head], nodes[tail]
        own = OWN_PROPERTIES.get(relation, ())
        rows = [[heads.get(e.head), tails.get(e.tail), *_common(e), *map(e.properties.get, own)] for e in edges]
        sent.append(_put(tx, st.PUT_EDGES[group], rows, f"{relation} edges"))
    for statement in sent:
        statement.done()


def _find(tx: ManagedTransaction, ends: Iterable[End]) -> dict[str, Result]:
    """Ask for entities that an earlier transaction stored; the answers, by label."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for label, id_ in sorted(ends):
        ids[label].append(id_)
    return {label: _send(tx, st.FIND_NODES[label], ids=of_label) for label, of_label in ids.items()}


def put_entities(tx: ManagedTransaction, entities: Iterable[Entity]) -> None:
    """Write entities sorted by type and id, and the look-up nodes of those that are new or go by other names now."""
    sent: list[_Sent] = []
    _put_entities(tx, entities, sent)
    for statement in sent:
        statement.done()


def _put_entities(tx: ManagedTransaction, entities: Iterable[Entity], sent: list[_Sent]) -> Nodes:
    """The same, with what is not answered yet added to ``sent``; the nodes of the entities."""
    by_type: dict[str, dict[str, Entity]] = {}
    for e in sorted(entities, key=lambda e: (e.type, e.id)):
        by_type.setdefault(e.type, {})[e.id] = e
    upserts = {}
    for type_, of_type in by_type.items():
        rows = [
            {"id": e.id, "name": e.name, "aliases": list(e.aliases), "ambiguous": e.ambiguous} for e in of_type.values()
        ]
        upserts[type_] = _put(tx, st.PUT_ENTITIES[type_], rows, f"{type_} nodes")
    nodes: Nodes = defaultdict(dict)
    new: list[End] = []
    renamed: list[End] = []
    for type_, statement in upserts.items():
        found = statement.done()
        nodes[type_] = dict(found["nodes"])
        new += [(type_, id_) for id_ in found["new"]]
        renamed += [(type_, id_) for id_ in found["renamed"]]
    links: defaultdict[str, list[str]] = defaultdict(list)
    for type_, id_ in new + renamed:
        for key in lookup_keys(by_type[type_][id_]):
            links[key].append(nodes[type_][id_])
    loose = _one(tx, st.UNLINK_NAMES, nodes=[nodes[type_][id_] for type_, id_ in renamed])["keys"] if renamed else []
    if links:
        sent.append(_put(tx, st.PUT_NAMES, sorted(links.items()), "names", sum(map(len, links.values()))))
    if dropped := sorted(set(loose) - links.keys()):
        run(tx, st.DROP_NAMES, keys=dropped)
    return nodes


def _drop_edges(tx: ManagedTransaction, paper_ids: Sequence[str]) -> None:
    """Remove the edges that papers stated: their own, and those between entities, found by their ``paper``."""
    run(tx, st.DROP_CLAIMS, ids=paper_ids)
    for drop in st.DROP_FACTS.values():
        run(tx, drop, ids=paper_ids)


def sweep(tx: ManagedTransaction) -> int:
    """Remove entities that no paper mentions, then look-up nodes that name nothing; how many entities went."""
    removed = sum(int(_one(tx, sweep)["removed"]) for sweep in st.SWEEP.values())
    run(tx, st.SWEEP_NAMES)
    return removed


def put_state(tx: ManagedTransaction, name: str, value: str) -> None:
    """Set one named value."""
    run(tx, st.PUT_STATE, name=name, value=value)


def put_decisions(tx: ManagedTransaction, rows: list[dict[str, Any]]) -> None:
    """Replace all decisions."""
    run(tx, st.CLEAR_DECISIONS)
    if rows:
        _put(tx, st.PUT_DECISIONS, rows, "decisions").done()


def remove(tx: ManagedTransaction, paper_ids: Sequence[str]) -> int:
    """Remove papers with all that they stated; how many there were."""
    run(tx, st.LOCK_PAPERS, ids=paper_ids)
    _drop_edges(tx, paper_ids)
    return int(_one(tx, st.DROP_PAPERS, ids=paper_ids)["removed"])
