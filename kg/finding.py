"""From what a person types to the node that is meant: ids, names and aliases in any case, identifiers, titles.

Recipes and the graph API ask the same way. An entity is found by the look-up keys of docs/store.md, which is one index
look-up. Nothing is guessed: what is only similar is suggested.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from kg.errors import NotFoundError, must_be_text, nearest, perhaps, quoted
from kg.names import fold
from kg.store import APART, KEY_LENGTH, NAME, NAMES, Rows, Store, lookup_key
from kg.types import ENTITY_TYPES, EntityType

_CANDIDATES = 50  # of the full-text index, looked at for a title or to suggest
_SUGGESTED = 3

_PAPER = "MATCH (p:Paper {id: $id}) RETURN p.id AS id"

_NAMED = f"""
MATCH (:{NAME} {{key: $key}})-[:{NAMES}]->(e)
RETURN e.id AS id, labels(e)[0] AS type, e.name AS name, e.aliases AS aliases, e.ambiguous AS ambiguous
"""

_THINGS_PAPERS = f"""
UNWIND $keys AS key
MATCH (:{NAME} {{key: key}})-[:{NAMES}]->(e)<-[r:PROPOSES|INTRODUCES|USES|MENTIONS]-(p:Paper)
WITH p, max(CASE type(r) WHEN 'MENTIONS' THEN 0 WHEN 'USES' THEN 1 ELSE 2 END) AS nearness
RETURN p.id AS id, coalesce(p.title, '') AS name ORDER BY nearness DESC, id LIMIT $limit
"""


def find_entities(store: Store, name: str, types: Sequence[EntityType] = ENTITY_TYPES) -> tuple[str, Rows]:
    """The entities that go by ``name`` (a name or alias in any case and spelling, or an id), and the key they share.

    A name that no entity has is tried once more in the form that a paper's mention of it would have: well-known aliases
    replaced, what defines nothing left out (``convnet``, ``the Transformer model``).
    Rows are ``id, type, name, aliases, ambiguous``: those that carry it as their name first, then by type and id. The
    key is what a recipe's name parameter takes.

    Raises
    ------
    NotFoundError
        Nothing of these types goes by that name; the nearest names are suggested, or what a thing of another type that
        does may be asked.
    TypeError
        The name is no text.
    """
    wanted = must_be_text(name, types[0].lower() if len(types) == 1 else "name").strip()
    others: set[str] = set()
    spelt = lookup_key(wanted)
    for key in dict.fromkeys((wanted.lower()[:KEY_LENGTH], spelt)):
        rows, different = _named(store, key, spelt, types)
        if rows:
            return key, rows
        others |= different
    for type_ in ENTITY_TYPES:
        for row in store.query(f"MATCH (e:{type_} {{id: $id}}) RETURN e.name AS name", {"id": wanted}):
            if type_ in types:
                key, rows = find_entities(store, row["name"], (type_,))
                return key, [r for r in rows if r["id"] == wanted]
            others.add(type_)
    for type_, key in _as_mentioned(store, wanted, types) if spelt and not others else ():
        rows, _ = _named(store, key, key, (type_,))
        if rows:
            return key, rows
    raise NotFoundError(_other_type(wanted, others, types) if others else _nothing(store, wanted, types))


def _named(store: Store, key: str, spelt: str, types: Sequence[EntityType]) -> tuple[Rows, set[str]]:
    """The entities of these types with that look-up key, those of that very name first; and what others have it."""
    found = [_entity(row) for row in store.query(_NAMED, {"key": key})] if key else []
    rows = [row for row in found if row["type"] in types]
    rows.sort(key=lambda r: (lookup_key(r["name"]) != spelt, types.index(r["type"]), r["id"]))
    return rows, {row["type"] for row in found} - set(types)


def _as_mentioned(store: Store, wanted: str, types: Sequence[EntityType]) -> list[tuple[EntityType, str]]:
    """The look-up keys of the form that a paper's mention of the name would have, a type at a time."""
    from kg.own_names import ALIASES, aliases_in  # few look-ups need it, and it takes time to import
    from kg.resolve import shipped_aliases

    table = aliases_in(store.state(ALIASES)).over(shipped_aliases())
    return [(type_, lookup_key(table.expand(wanted, type_))) for type_ in types]


def set_apart(store: Store, type_: EntityType, id_: str) -> Rows:
    """The ids of the entities that single papers' uses of this one's name were split off to, in order."""
    return store.query(
        f"MATCH (e:{type_}) WHERE e.id STARTS WITH $start RETURN e.id AS id ORDER BY id", {"start": id_ + APART}
    )


def find_paper(store: Store, ref: str) -> str:
    """The id of the paper meant by ``ref``: its id, another identifier (``arxiv:...``, ``doi:...``) or its whole title.

    Raises
    ------
    NotFoundError
        There is no such paper (the nearest titles are suggested), or several have the title (their ids are named).
    TypeError
        ``ref`` is no text.
    """
    wanted = must_be_text(ref, "paper").strip()
    rows: Rows = store.query(_PAPER, {"id": wanted})
    hits: Rows = []
    if not rows:
        rows, hits = _titled(store, wanted)
    if len(rows) > 1:
        several = " or ".join(repr(r["id"]) for r in rows[:_SUGGESTED])
        raise NotFoundError(f"more than one paper has the title {quoted(ref)}; ask for {several}")
    if rows:
        return str(rows[0]["id"])
    raise NotFoundError(f"no paper has the id or title {quoted(ref)}" + perhaps(_near_papers(store, wanted, hits)))


def _titled(store: Store, wanted: str) -> tuple[Rows, Rows]:
    """The papers with that title, else with that further identifier; and those that a search for it finds."""
    key = fold(wanted)
    hits = [h for h in store.search(wanted, limit=_CANDIDATES) if h["type"] == "Paper"] if key else []
    rows = [h for h in hits if fold(h["name"]) == key]
    return rows or store.query("MATCH (p:Paper) WHERE $id IN p.ids RETURN p.id AS id ORDER BY id", {"id": wanted}), hits


def _near_papers(store: Store, wanted: str, hits: Rows) -> list[str]:
    """Papers that may be meant: those on the thing of that name, else the search's, else those of a like id."""
    near = [f"{r['name']!r} ({r['id']})" for r in _papers_of(store, wanted) or hits[:_SUGGESTED]]
    if not near:
        ids = (row["id"] for row in store.query("MATCH (p:Paper) RETURN p.id AS id"))
        near = [repr(i) for i in nearest(wanted, ids)]
    return near


def find_either(store: Store, name: str, types: Sequence[EntityType] = ENTITY_TYPES) -> str:
    """What stands for a paper or an entity in a recipe: the paper's id, or the key that the entity's names share.

    A paper's id goes before a name, a name before a title. NotFoundError suggests the nearest of both.
    """
    wanted = must_be_text(name, "name").strip()
    if store.query(_PAPER, {"id": wanted}):
        return wanted
    try:
        return find_entities(store, name, types)[0]
    except NotFoundError:
        rows, hits = _titled(store, wanted)
        if len(rows) == 1:
            return str(rows[0]["id"])
    near = [repr(n) for n in _near_entities(store, wanted, types)] or _near_papers(store, wanted, hits)
    raise NotFoundError(f"no paper or entity goes by {quoted(name)}" + perhaps(near))


_QUESTIONS = {
    "Method": ("papers-sharing-method", "method-comparisons"),
    "Task": ("methods-for-task", "datasets-for-task"),
    "Dataset": ("papers-on-dataset", "methods-on-dataset"),
}


def _other_type(name: str, found: Iterable[str], wanted: Iterable[str]) -> str:
    """What to tell somebody who asks for a name as a thing of another type than it has, and what to ask instead."""
    found = sorted(found)
    asks = " or ".join(question for type_ in found for question in _QUESTIONS[type_])
    article = "and a".join(f" {type_} " for type_ in found)
    return f"{quoted(name)} is a{article}here, not a {' or '.join(wanted)}; ask {asks} about it, or see its entity card"


def _papers_of(store: Store, name: str) -> Rows:
    """The papers that somebody may mean who gives the name of a thing: those that propose it, else those on it."""
    keys = [key for key in (name.lower()[:KEY_LENGTH], lookup_key(name)) if key]
    return store.query(_THINGS_PAPERS, {"keys": keys, "limit": _SUGGESTED})


def _entity(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"aliases": tuple(row["aliases"] or ()), "ambiguous": bool(row["ambiguous"])}


def _nothing(store: Store, wanted: str, types: Sequence[EntityType]) -> str:
    kind = " or ".join(types) if len(types) < len(ENTITY_TYPES) else "entity"
    found = _search(store, wanted, types)
    if apart := [h["id"] for h in found if APART in h["id"] and lookup_key(h["name"]) == lookup_key(wanted)]:
        return f"no {kind} goes by the name {quoted(wanted)} alone" + perhaps([repr(id_) for id_ in apart[:_SUGGESTED]])
    near = _near_entities(store, wanted, types)
    return f"no {kind} goes by the name {quoted(wanted)}" + perhaps([repr(n) for n in near])


def _search(store: Store, wanted: str, types: Sequence[EntityType]) -> Rows:
    return [h for h in store.search(wanted, limit=_CANDIDATES) if h["type"] in types] if fold(wanted) else []


def _near_entities(store: Store, wanted: str, types: Sequence[EntityType]) -> list[str]:
    """Names that may be meant: the nearest of those that the search finds, else of all, else the search's best."""
    hits = [h["name"] for h in _search(store, wanted, types)]
    near = nearest(wanted, hits)
    if not near:  # a slip inside a word finds nothing in the full-text index, so every name is compared
        names = (r for t in types for r in store.query(f"MATCH (n:{t}) RETURN n.name AS name, n.aliases AS aliases"))
        near = nearest(wanted, (n for r in names for n in (r["name"], *(r["aliases"] or ())))) or hits[:_SUGGESTED]
    return near
