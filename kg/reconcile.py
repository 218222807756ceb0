"""Making names agree over the whole graph: resolve all stored records together, rewrite what that changes.

Resolution is a pure function of the set of records, so it is done over all of them and compared with what is stored;
only papers whose edges lead elsewhere and entities whose names changed are written.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from kg.batches import batched
from kg.own_names import resolver_of
from kg.resolve import Resolution, Resolver, link, uses
from kg.store import Store
from kg.types import Contribution, Entity
from kg.version import __version__
from kg.works import merge_works

BATCH = 400
"""Papers compared and rewritten at once."""

RESOLVED = "resolved"
"""The state under which a graph keeps what its entities were resolved from."""


def reconcile(store: Store) -> int:
    """Make names agree over all stored records; returns the number of papers whose edges that changed.

    Does nothing where the graph already reflects its records, tables and decisions. Only one process at a time does it;
    it goes round again when another loader wrote meanwhile, so that the last one to end leaves the graph right. Killed
    in between, it is healed by the next call.
    """
    rewritten = 0
    while store.state(RESOLVED) != _digest(store, resolver_of(store)):
        with store.exclusive():
            rewritten += _reconcile_once(store)
    return rewritten


def _reconcile_once(store: Store) -> int:
    store.put_state(RESOLVED, "")
    resolver = resolver_of(store)
    merge_works(store, resolver)
    digest = _digest(store, resolver)
    resolution = resolver.resolve(uses(record) for record in store.records())
    # What another loader has written since then is left to the next round.
    records = (r for r in store.records() if all((m.type, m.entity) in resolution.keys for m in r.mentions))
    rewritten = 0
    for batch in batched(records, BATCH):
        rewritten += _rewrite([link(record, resolution) for record in batch], resolution, store)
    store.sweep()
    known = {entity.id: entity for entity in store.entities()}
    store.put_entities(e for id_, e in resolution.entities.items() if id_ in known and known[id_] != e)
    if digest == _digest(store, resolver_of(store)):
        store.put_state(RESOLVED, digest)
    return rewritten


def _rewrite(expected: Sequence[Contribution], resolution: Resolution, store: Store) -> int:
    stored = _mentioned(store, [contribution.record.paper.id for contribution in expected])
    changed = [c for c in expected if mentioned_by(c) != stored.get(c.record.paper.id, {})]
    if changed:
        store.write(changed, entities_of(changed, resolution.entities))
    return len(changed)


def mentioned_by(contribution: Contribution) -> dict[str, int]:
    """The ids of the entities that a paper mentions, and how often."""
    return {edge.tail: edge.properties["count"] for edge in contribution.edges if edge.type == "MENTIONS"}


def entities_of(contributions: Iterable[Contribution], entities: Mapping[str, Entity]) -> list[Entity]:
    """The entities that these papers mention, each once, by id."""
    ids = {id_ for contribution in contributions for id_ in mentioned_by(contribution)}
    return [entities[id_] for id_ in sorted(ids)]


def _mentioned(store: Store, papers: Sequence[str]) -> dict[str, dict[str, int]]:
    rows = store.query(
        # Not IN $papers: the embedded engine answers that with a relationship behind it by a scan.
        "UNWIND $papers AS paper MATCH (:Paper {id: paper})-[m:MENTIONS]->(e) "
        "RETURN paper, e.id AS entity, m.count AS count",
        {"papers": list(papers)},
    )
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["paper"], {})[row["entity"]] = row["count"]
    return found


def _digest(store: Store, resolver: Resolver) -> str:
    """What a resolved graph is resolved from: its papers and all that decides about names."""
    state = [
        __version__,
        sorted((id_, *key) for id_, key in store.ledger().items()),
        sorted((row.type, row.name, row.alias) for row in resolver.aliases.rows),
        sorted(sorted(pair) for pair in resolver.never_merge.pairs),
        [(d.id, d.kind, d.a, d.b, d.name_b) for d in resolver.decisions],
    ]
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:32]
