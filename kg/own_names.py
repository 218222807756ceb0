"""What people said of names, as a graph keeps it: their own tables, and the Resolver of these and their decisions."""

import json
from collections.abc import Mapping, Sequence

from pydantic import TypeAdapter

from kg.errors import ResolutionError
from kg.resolve import NeverMerge, Resolver, shipped_aliases, shipped_never_merge
from kg.resolve.aliases import Alias, AliasTable
from kg.store import TABLES, Store
from kg.types import Decision, EntityType

ALIASES, NEVER_MERGE = TABLES
"""The states under which a graph keeps a person's own alias table and never-merge list, as JSON rows."""
_ALIAS_ROWS = TypeAdapter(list[tuple[str, str, EntityType, str, str]])
_NEVER_ROWS = TypeAdapter(list[tuple[str, str, str]])


def keep_tables(store: Store, aliases: AliasTable | None, never_merge: NeverMerge | None) -> None:
    """Keep a person's own tables with the graph in place of those it kept; None leaves one as it is.

    Raises ResolutionError where one contradicts the other, naming file and line, or a decision in the graph; nothing is
    stored then.
    """
    if aliases is None and never_merge is None:
        return
    own = aliases_in(store.state(ALIASES)) if aliases is None else aliases
    never = never_merge_in(store.state(NEVER_MERGE)) if never_merge is None else never_merge
    tables = own.over(shipped_aliases()), never.over(shipped_never_merge())
    Resolver(*tables)
    try:
        Resolver(*tables, store.decisions())
    except ResolutionError as error:
        raise ResolutionError(
            f"the tables contradict a decision in the graph: {error}; change the table, or find the decision with "
            "kg decisions and take it back with kg undo"
        ) from None
    if aliases is not None:
        rows = [[row.name, row.alias, row.type, row.reason, row.place] for row in own.rows]
        store.put_state(ALIASES, json.dumps(rows, ensure_ascii=False))
    if never_merge is not None:
        pairs = sorted([*sorted(pair), reason] for pair, reason in never.pairs.items())
        store.put_state(NEVER_MERGE, json.dumps(pairs, ensure_ascii=False))


def aliases_in(rows: str | None) -> AliasTable:
    """A person's alias table from the state it is kept in; None is an empty one. ValueError for what is none."""
    return AliasTable.of(Alias(*row) for row in _ALIAS_ROWS.validate_json(rows or "[]"))


def never_merge_in(rows: str | None) -> NeverMerge:
    """A person's never-merge list from the state it is kept in; None is an empty one. ValueError for what is none."""
    return NeverMerge.of((a, b, reason, "graph") for a, b, reason in _NEVER_ROWS.validate_json(rows or "[]"))


def resolver(tables: Mapping[str, str | None], decisions: Sequence[Decision]) -> Resolver:
    """The Resolver of a graph that keeps these tables (by their states) and decisions: the shipped tables under them.

    Raises ResolutionError where one contradicts another.
    """
    return Resolver(
        aliases_in(tables[ALIASES]).over(shipped_aliases()),
        never_merge_in(tables[NEVER_MERGE]).over(shipped_never_merge()),
        decisions,
    )


def resolver_of(store: Store) -> Resolver:
    """The Resolver of a graph: the shipped tables under the person's own, and what people decided."""
    return resolver({name: store.state(name) for name in TABLES}, store.decisions())
