"""Decisions of people about names: made, kept in the graph and in a file, undone exactly.

A decision is stored with the graph and read by every later resolution, so it survives reloads; since resolution is a
function of records and decisions alone, taking a decision back gives exactly the graph that was there without it.
"""

import hashlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from kg.build import reconcile
from kg.errors import InputError, NotFoundError, ResolutionError, counted, nearest, perhaps, quoted
from kg.files import replacing
from kg.names import fold
from kg.own_names import resolver, resolver_of
from kg.resolve import Resolver
from kg.resolve.aliases import Key, check, parse_key
from kg.store import APART, TABLES, Store
from kg.tables import read_table, write_row
from kg.types import ENTITY_TYPES, Decision, Entity, EntityType

COLUMNS = ("kind", "a", "b", "reason", "name_a", "name_b")
PAPER = "Paper:"
"""What stands before the id of a paper whose use of a name is split off."""
NEEDED = 4
"""How many of the columns a file must have; the names that people write may be left out."""
KINDS: tuple[Literal["merge", "split", "alias"], ...] = ("merge", "split", "alias")


@dataclass(frozen=True)
class Change:
    """A decision that was made or undone, how many papers' edges that moved, and what a person should know of it."""

    decision: Decision
    papers: int
    notes: tuple[str, ...] = ()


def merge(store: Store, a: str, b: str, *, reason: str, type: EntityType | None = None) -> Change:
    """Make one entity of two: ``b`` joins ``a``, whose id and name stay.

    Entities are given by id, name or alias; ``type`` tells which is meant where a name has several. Raises
    NotFoundError for a name nobody mentions, ResolutionError where the two have different types, are one already, are
    on the never-merge list, or were split by a decision. ``notes`` of the result say which entity a name led to that is
    only one of its aliases, as after an earlier merge.
    """
    first, second = _entity(store, a, type), _entity(store, b, type)
    if first.type != second.type:
        raise ResolutionError(f"{first.id} and {second.id} have different types, and a thing has one: they stay two")
    if first.id == second.id:
        raise ResolutionError(f"{quoted(a)} and {quoted(b)} are one entity already ({first.id})")
    reason_against = resolver_of(store).never_merge.forbids(_names(first), _names(second))
    if reason_against:
        raise ResolutionError(f"{first.name!r} and {second.name!r} are on the never-merge list: {reason_against}")
    notes = tuple(note for given, entity in ((a, first), (b, second)) if (note := _belongs(store, given, entity)))
    change = _decide(store, "merge", (_key(first), first.name), (_key(second), second.name), reason)
    return replace(change, notes=notes)


def split(
    store: Store, a: str, b: str | None = None, *, paper: str | None = None, reason: str, type: EntityType | None = None
) -> Change:
    """Take the alias ``b`` out of the entity ``a``, or what one ``paper`` calls so: that becomes an entity of its own.

    Raises NotFoundError where the entity, the alias or the paper's mention is not there.
    """
    entity = _entity(store, a, type)
    if (b is None) == (paper is None):
        raise InputError("say what to split off: one alias of the entity, or one paper's use of it (--paper)")
    if paper is not None:
        record = next(iter(store.records([paper])), None)
        mentioned = store.query(
            "MATCH (p:Paper {id: $paper})-[:MENTIONS]->(e {id: $entity}) RETURN e.id AS id",
            {"paper": paper, "entity": entity.id},
        )
        if record is None or not mentioned:
            raise NotFoundError(
                f"no paper {quoted(paper)} mentions {entity.id}; kg entity {entity.id!r} lists those that do"
            )
        return _decide(store, "split", (_key(entity), entity.name), (f"{PAPER}{paper}", ""), reason)
    key = fold(b or "")
    if key not in _names(entity) or key == parse_key(_key(entity))[1]:
        known = ", ".join(entity.aliases) or "none"
        raise NotFoundError(f"{quoted(b)} is no alias of {entity.name!r} that could be split off; its aliases: {known}")
    joined = [d for d in store.decisions() if d.kind != "split" and d.b == f"{entity.type}:{key}"]
    if joined:
        raise ResolutionError(
            f"a decision joined {quoted(b)} to {entity.name!r}; take it back with kg undo {joined[0].id}"
        )
    return _decide(store, "split", (_key(entity), entity.name), (f"{entity.type}:{key}", (b or "").strip()), reason)


def alias(store: Store, name: str, other: str, *, reason: str, type: EntityType | None = None) -> Change:
    """Say that ``other`` is a name of the entity ``name``, whether anything mentions it yet or not.

    Goes before the alias tables. Raises as ``merge`` does, and a ResolutionError where ``other`` is an entity of its
    own already, or an alias of another: making one of two is what ``merge`` is for.
    """
    entity = _entity(store, name, type)
    key = fold(other)
    if key == parse_key(_key(entity))[1]:
        raise ResolutionError(f"{quoted(other)} and {entity.name!r} are one name already")
    reason_against = resolver_of(store).never_merge.forbids(_names(entity), [key])
    if reason_against:
        raise ResolutionError(f"{entity.name!r} and {quoted(other)} are on the never-merge list: {reason_against}")
    if twin := _own_entity(store, other, entity):
        raise ResolutionError(
            f"{quoted(other)} is {_standing(other, twin)} ({twin.id}, {counted(_mentions(store, twin), 'paper')}); "
            f'kg merge "{entity.id}" "{twin.id}" makes one of the two'
        )
    return _decide(
        store, "alias", (_key(entity), entity.name), (f"{entity.type}:{key}", " ".join(other.split())), reason
    )


def undo(store: Store, id: str) -> Change:
    """Take a decision back by its id. NotFoundError where there is none with that id."""
    made = store.decisions()
    gone = next((d for d in made if d.id == id), None)
    if gone is None:
        raise NotFoundError(f"no decision {id!r}; kg decisions lists those that were made")
    return _keep(store, [d for d in made if d.id != id], gone)


def write_decisions(store: Store, path: Path) -> int:
    """Write all decisions to a CSV file (kind, a, b, reason, name_a, name_b), whole or not at all; how many there are.

    Raises InputError where it cannot be written.
    """
    made = store.decisions()
    try:
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
            write_row(file, COLUMNS)
            for d in made:
                write_row(file, (d.kind, d.a, d.b, d.reason, d.name_a, d.name_b))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
    return len(made)


def read_decisions(store: Store, path: Path) -> int:
    """Add the decisions of a file that ``write_decisions`` made, or a person; returns how many were new.

    All or nothing: a row that cannot be read is an InputError, one that joins two types, what is never merged or what
    another decision keeps apart a ResolutionError, both with file and line. A name may be written as people do; it is
    brought to its key where the graph does not know it as it stands.
    """
    made = {d.id: d for d in store.decisions()}
    before = len(made)
    tables = {name: store.state(name) for name in TABLES}
    names = resolver(tables, list(made.values()))
    known = {f"{e.type}:{key}" for e in store.entities() for key in {_slug_key(e.id), *_names(e)}}
    for place, decision in _rows(path, known):
        if decision.id not in made:
            if clash := _contradiction(made.values(), decision):
                raise ResolutionError(f"{place}: contradicts {_said(clash)}; keep one of the two")
            if against := _objection(decision, names, made.values()):
                raise ResolutionError(f"{place}: {against}; take the row out")
            made[decision.id] = decision
    if len(made) > before:
        try:
            resolver(tables, list(made.values()))
        except ResolutionError as error:
            raise ResolutionError(f"{path}: its decisions contradict each other or the graph's: {error}") from None
        store.put_decisions(sorted(made.values(), key=lambda d: d.id))
        reconcile(store)
    return len(made) - before


def shown(decision: Decision) -> tuple[str, str]:
    """The two sides of a decision as people write them, each after its type: ``Method:Graph Net``, ``Paper:p1``."""
    return _side(decision.a, decision.name_a), _side(decision.b, decision.name_b)


def _side(key: str, name: str) -> str:
    return f"{key.partition(':')[0]}:{name}" if name else key


def _decide(
    store: Store, kind: Literal["merge", "split", "alias"], a: tuple[str, str], b: tuple[str, str], reason: str
) -> Change:
    """Make a decision about two sides, each a key and the name people write for it."""
    if not reason.strip():
        raise InputError("give a reason with --reason, so that the next reader knows why")
    decision = _decision(kind, a[0], b[0], reason.strip(), a[1], b[1])
    made = store.decisions()
    if any(d.id == decision.id for d in made):
        raise ResolutionError(f"that was decided already ({decision.id})")
    if clash := _contradiction(made, decision):
        raise ResolutionError(f"that contradicts {_said(clash)}; take it back first with kg undo {clash.id}")
    if against := _objection(decision, resolver_of(store), made):
        raise ResolutionError(against)
    return _keep(store, [*made, decision], decision)


def _keep(store: Store, made: Iterable[Decision], changed: Decision) -> Change:
    store.put_decisions(sorted(made, key=lambda d: d.id))
    return Change(changed, reconcile(store))


def _decision(
    kind: Literal["merge", "split", "alias"], a: str, b: str, reason: str, name_a: str = "", name_b: str = ""
) -> Decision:
    """A decision whose id is derived from what it says, so that saying it twice is saying it once."""
    digest = hashlib.sha256("\n".join((kind, a, b)).encode()).hexdigest()[:8]
    return Decision(id=digest, kind=kind, a=a, b=b, reason=reason, name_a=name_a, name_b=name_b)


def _objection(new: Decision, resolver: Resolver, made: Iterable[Decision]) -> str | None:
    """What speaks against a decision: its types, the graph's tables, or what would then be joined by way of others."""
    if new.b.startswith(PAPER):
        return None
    a, b = parse_key(new.a), parse_key(new.b)
    if a[0] != b[0]:
        return f"{new.a} and {new.b} have different types, and a thing has one: they stay two"
    if a == b:
        return f"{new.a} is on both sides"
    if new.kind == "split":
        return None
    if reason := resolver.never_merge.forbids([a[1]], [b[1]]):
        return f"{new.a} and {new.b} are on the never-merge list: {reason}"
    if reason := _never_joined(a, resolver, [*made, new]):
        return f"{new.a} and {new.b} would join names on the never-merge list: {reason}"
    if new.kind == "alias":
        try:
            check(resolver.aliases.pointing({b: a}), resolver.never_merge)
        except ResolutionError as error:
            return str(error)
    return None


def _never_joined(key: Key, resolver: Resolver, made: Sequence[Decision]) -> str | None:
    """Why the names that decisions and the alias table join to a key may not be one; None where they may."""
    apart = {d.b for d in made if d.kind == "split"}
    neighbours: dict[Key, set[Key]] = defaultdict(set)
    pairs = [(parse_key(d.a), parse_key(d.b)) for d in made if d.kind != "split" and d.b not in apart]
    pairs += [((k[0], end), k) for k, end in resolver.aliases.targets.items() if f"{k[0]}:{k[1]}" not in apart]
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    group, further = {key}, [key]
    while further:
        found = neighbours[further.pop()] - group
        group |= found
        further += found
    names = {name for _, name in group}
    return resolver.never_merge.forbids(names, names)


def _contradiction(made: Iterable[Decision], new: Decision) -> Decision | None:
    """A decision that joins what the new one splits, splits what it joins, or with which it goes round in a circle."""
    made = list(made)
    for known in made:
        same_pair = {known.a, known.b} == {new.a, new.b}
        if same_pair and known.id != new.id and "split" in (known.kind, new.kind):
            return known
        if "split" not in (known.kind, new.kind) and known.b == new.b and known.a != new.a:
            return known
    if new.kind == "split":
        return None
    joined = {known.b: known for known in made if known.kind != "split"}
    side, step = new.a, None
    while (further := joined.pop(side, None)) is not None:
        side, step = further.a, further
        if side == new.b:
            return step
    return None


def _said(decision: Decision) -> str:
    a, b = shown(decision)
    return f"the {decision.kind} of {a} and {b} ({decision.id})"


def _rows(path: Path, known: Container[str]) -> Iterator[tuple[str, Decision]]:
    """The decisions of a file with their places; ``known``: the keys (``Type:name``) that the graph has."""
    for place, row in read_table(path, COLUMNS, COLUMNS[:NEEDED]):
        kind = next((k for k in KINDS if k == row["kind"]), None)
        if kind is None:
            raise InputError(f"{place}: the kind {row['kind']!r} is none of {', '.join(KINDS)}")
        if empty := [name for name in COLUMNS[:NEEDED] if not row[name]]:
            raise InputError(f"{place}: {empty[0]} is empty; a decision needs {', '.join(COLUMNS[:NEEDED])}")
        sides = []
        for side in ("a", "b"):
            key, name = row[side], row.get(f"name_{side}", "")
            if not (side == "b" and kind == "split" and key.startswith(PAPER) and key != PAPER):
                try:
                    key, name = _written(key, name, known)
                except ResolutionError as error:
                    raise InputError(f"{place}: column {side}: {error}") from None
            sides.append((key, name))
        yield place, _decision(kind, sides[0][0], sides[1][0], row["reason"], sides[0][1], sides[1][1])


def _written(text: str, name: str, known: Container[str]) -> tuple[str, str]:
    """The key for what stands in a file, and the name to show for it: a person may write the one for the other."""
    type_, key = parse_key(text)
    folded = fold(key)
    if text in known or key == folded or (key == key.casefold() and f"{type_}:{folded}" not in known):
        return text, name
    return f"{type_}:{folded}", name or key


def _key(entity: Entity) -> str:
    """An entity as decisions name it: its type and the key its id was made of."""
    key = _slug_key(entity.id)
    if " @ " in key:
        raise ResolutionError(f"{entity.id} is one paper's use, set apart by a decision; undo that instead")
    return f"{entity.type}:{key}"


def _mentions(store: Store, entity: Entity) -> int:
    """How many papers mention an entity."""
    rows = store.query("MATCH (p:Paper)-[:MENTIONS]->(e {id: $id}) RETURN count(p) AS papers", {"id": entity.id})
    return int(rows[0]["papers"])


def _own_entity(store: Store, name: str, besides: Entity) -> Entity | None:
    """The other entity of that type that goes by ``name``, spaces aside, as resolution has it too.

    An alias that ``besides`` has as well is no one's own: a decision may settle whose it is.
    """
    letters = fold(name).replace(" ", "")
    both = fold(name) in _names(besides)
    for entity in store.entities():
        if entity.type == besides.type and entity.id != besides.id:
            aliases = set() if both else _letters(_names(entity))
            if letters in _own_letters(entity) | aliases:
                return entity
    return None


def _standing(name: str, twin: Entity) -> str:
    """What ``name`` is to the entity that goes by it."""
    own = fold(name).replace(" ", "") in _own_letters(twin)
    return "an entity of its own" if own else f"an alias of {twin.name!r} already"


def _own_letters(entity: Entity) -> set[str]:
    """The keys of an entity's own name, spaces aside."""
    return _letters((fold(entity.name), _slug_key(entity.id)))


def _letters(keys: Iterable[str]) -> set[str]:
    return {key.replace(" ", "") for key in keys}


def _belongs(store: Store, given: str, entity: Entity) -> str:
    """What to say of a given name that is not the entity's own; empty where it is."""
    if given == entity.id or fold(given) == fold(entity.name):
        return ""
    keys = {f"{entity.type}:{key}" for key in (fold(given), _slug_key(given))}
    made = next((d for d in store.decisions() if d.kind != "split" and d.b in keys), None)
    by = f" by the {made.kind} {made.id}" if made else ""
    return f"{quoted(given)} belongs to {entity.name!r} ({entity.id}){by}"


def _slug_key(id_: str) -> str:
    """The key that an id was made of."""
    return id_.partition(":")[2].replace("-", " ")


def _names(entity: Entity) -> set[str]:
    return {fold(name) for name in (entity.name, *entity.aliases)}


def _entity(store: Store, name: str, type_: EntityType | None) -> Entity:
    """The entity with that id, name or alias; a NotFoundError suggests the nearest, or says how to choose."""
    known = [e for e in store.entities() if type_ in (None, e.type)]
    found = [e for e in known if e.id == name]
    apart = [e for e in known if APART in e.id]  # what a paper's use was split off to goes by its id alone
    known = [e for e in known if APART not in e.id]
    found = found or [e for e in known if fold(e.name) == fold(name)]
    found = found or [e for e in known if fold(name) in _names(e)]
    # The id of an entity that was merged away leads to the one it belongs to now.
    found = found or [e for e in known if name.startswith(f"{e.type.lower()}:") and _slug_key(name) in _names(e)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(e.id for e in found[:6])
        types = "|".join(t for t in ENTITY_TYPES if any(e.type == t for e in found))
        raise NotFoundError(f"{quoted(name)} could be {ids}; give the id, or --type {types}")
    near = [e.id for e in apart if fold(name) in _names(e)][:3] or nearest(name, sorted({e.name for e in known}))
    raise NotFoundError(f"no entity goes by {quoted(name)}" + perhaps([repr(n) for n in near]))
