"""One work, one paper: a work that is read under several identifiers is one Paper node with all of them."""

from kg.resolve import Resolver, identifiers, link, merge_papers, same_works, update, uses
from kg.store import Store
from kg.types import Paper


class Works:
    """The works of a graph that have more than one identifier, as they were when it was opened."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._owner = {name: id_ for id_, names in _identified(store).items() for name in (id_, *names)}

    def merged(self, paper: Paper, extractor: str | None) -> Paper | None:
        """The Paper to store for one just read: with the identifiers its work has already; None where it adds nothing.

        ``extractor``: who would read it now; a work that somebody else has read is read again. None reads it always.
        """
        owner = next((self._owner[name] for name in sorted(identifiers(paper)) if name in self._owner), None)
        if owner is None:
            return paper
        stored = next(self._store.records([owner]), None)
        if stored is None:
            return paper
        found = update(paper, stored.paper)
        if found is None and paper.id == owner and stored.extractor != extractor:
            return stored.paper
        return found


def merge_works(store: Store, resolver: Resolver) -> int:
    """Make one Paper of all that are one work; the number of papers that went into another.

    The latest version's text, and what was found in it, stay. Which that is depends on the versions alone, not on the
    order they came in. Killed in between, the next call finishes.
    """
    known = dict.fromkeys(store.ledger(), ()) | _identified(store)
    gone = 0
    for group in same_works(known):
        records = list(store.records(group))
        paper = merge_papers(record.paper for record in records)
        kept = next(record for record in records if record.paper.id == paper.id)
        # A withdrawn work states nothing, whatever an earlier version said.
        silent = {} if paper.status == "ok" else {"mentions": (), "triples": ()}
        kept = kept.model_copy(update={"paper": paper, **silent})
        resolution = resolver.resolve([uses(kept)])
        store.write([link(kept, resolution)], resolution.entities.values())
        store.remove([id_ for id_ in group if id_ != paper.id])
        gone += len(group) - 1
    return gone


def _identified(store: Store) -> dict[str, tuple[str, ...]]:
    """Paper id -> other identifiers, of the papers that have any."""
    rows = store.query("MATCH (p:Paper) WHERE size(p.ids) > 0 RETURN p.id AS id, p.ids AS ids")
    return {row["id"]: tuple(row["ids"]) for row in rows}
