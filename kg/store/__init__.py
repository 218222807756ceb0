"""Where the graph lives: one small protocol, two engines, chosen by URL.

``neo4j://``, ``neo4j+s://``, ``bolt://`` (and their variants) open a Neo4j server, anything else is the path of an
embedded ArcadeDB database. An engine's module is imported only when its URL is opened.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from kg.errors import StoreError
from kg.names import fold
from kg.types import Contribution, Decision, Entity, Extraction

Rows = list[dict[str, Any]]
Columns = dict[str, list[Any]]

# What a store keeps beside the graph of SCHEMA; none of it is counted, dumped (but decisions) or drawn.
NAME = "Name"
"""Label of the look-up nodes ``(:Name {key})-[:NAMES]->(entity)``, unique on ``key``; see docs/store.md."""
NAMES = "NAMES"
"""The one relationship type that leaves a Name node; it has no properties."""
STATE = "State"
"""Label of the nodes ``{name, value}`` behind ``put_state``."""
TABLES = ("aliases", "never-merge")
"""The states that hold a person's own tables of names: alone among the states they are dumped."""
DECISION = "Decision"
"""Label of the nodes ``{id, kind, a, b, reason}`` behind ``put_decisions``."""

SCHEMA_VERSION = "1"
"""Version of the graph model, kept in the state ``schema``; a graph of another version is refused in one line."""

KEY_LENGTH = 500
"""Characters of a look-up key that are kept: engines index no string of any length."""
SEARCH_WORDS = 200
"""Words of a full-text search that are looked for: both engines refuse a question of more than about a thousand."""
APART = "-@-"
"""What parts the two halves of the id of an entity that one paper's use of a name was split off to: name and paper."""


def lookup_key(name: str) -> str:
    """The key under which any spelling of a name is found: what a recipe's name parameter is set to.

    >>> lookup_key("Reinforcement-Learning") == lookup_key("reinforcement learning")
    True
    """
    return fold(name).lower()[:KEY_LENGTH]


def lookup_keys(entity: Entity) -> list[str]:
    """The keys of an entity's Name nodes, sorted: each surface in lower case as written, and as ``lookup_key`` has it.

    What a decision set apart as one paper's use is found by its id alone, so that the name stays the other entity's.

    With the first a recipe pasted into Neo4j Browser works, on ``WITH left(toLower(trim($method)), 500) AS key``; with
    the second any hyphen, plural or accent does where kg itself fills in the parameter.

    >>> lookup_keys(Entity(id="method:q-learning", type="Method", name="Q-learning", aliases=("QL",)))
    ['q learning', 'q-learning', 'ql']
    """
    if APART in entity.id:
        return [entity.id.lower()[:KEY_LENGTH]]
    surfaces = (entity.name, *entity.aliases)
    keys = {surface.strip().lower()[:KEY_LENGTH] for surface in surfaces} | {lookup_key(s) for s in surfaces}
    return sorted(keys - {""})


def search_words(text: str) -> str:
    """The first SEARCH_WORDS words of a text for a full-text index, free of its query language (operators, wildcards).

    >>> search_words("Graph-Net* OR (x")
    'graph net or x'
    """
    return " ".join(re.findall(r"\w+", text.casefold())[:SEARCH_WORDS])


class Store(Protocol):
    """One graph, open. A context manager; every method raises StoreError (or a child of it) when the engine fails.

    Writers hold the store's own lock or transaction, so that two loaders end in the same graph as one after the other.
    """

    url: str

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None: ...

    def close(self) -> None:
        """Release the engine; closing twice is harmless."""

    # -- writing -----------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Create constraints, indexes and the full-text index, idempotently. Called before the first write."""

    def write(self, contributions: Sequence[Contribution], entities: Iterable[Entity]) -> None:
        """Upsert the entities, then write or replace each paper's node and edges; a paper is in one transaction.

        What a paper contributed before and does not now is removed. Counts read back must equal what was sent.
        """

    def put_entities(self, entities: Iterable[Entity]) -> None:
        """Write names, aliases and the ambiguous mark of entities, existing or new."""

    def remove(self, paper_ids: Iterable[str]) -> int:
        """Remove papers with all they contributed; the number of papers that were there."""

    def sweep(self) -> int:
        """Remove entities that no paper mentions any more; the number removed."""

    def put_decisions(self, decisions: Sequence[Decision]) -> None:
        """Replace the stored decisions of people about names by these."""

    def put_state(self, name: str, value: str) -> None:
        """Keep one small named value with the graph (for example which resolution the graph reflects)."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Hold off every other writer that asks for the same, in any process, until the block ends."""

    # -- reading -----------------------------------------------------------------------------------------------
    def ledger(self) -> dict[str, tuple[str, str]]:
        """Paper id -> (content_hash, extractor) of every paper stored: what a rerun may skip."""

    def records(self, paper_ids: Sequence[str] | None = None) -> Iterator[Extraction]:
        """The extraction records behind the stored papers (all, or those asked for), ordered by id, streamed."""

    def entities(self) -> Iterator[Entity]:
        """Every entity, ordered by id, streamed."""

    def decisions(self) -> list[Decision]:
        """The stored decisions, ordered by id."""

    def state(self, name: str) -> str | None:
        """A value kept by ``put_state``; None where there is none."""

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float | None = None) -> Rows:
        """Rows of one read-only Cypher query as plain Python values; a write is refused by the engine's access mode."""

    def edges(
        self, relations: Sequence[str], columns: Sequence[str], *, min_score: float = 0.0
    ) -> Iterator[tuple[str, Columns]]:
        """All edges of each relation in turn, for whoever needs the whole graph: columns of one length, in any order.

        They are ``id``, ``head`` and ``tail`` (the ids of the ends), then the properties named; None where there is no
        value. Edges that score less than ``min_score`` are left out.
        """

    def search(self, text: str, *, limit: int = 20) -> Rows:
        """Full-text search over titles, names and aliases: rows of ``id, type, name, score``, best first."""

    def dump(self) -> Iterator[dict[str, Any]]:
        """Every node, then every edge, as plain dicts in a fixed order: the same graph gives the same on any engine.

        A node is ``{"node": label, "id": ..., properties}``, an edge ``{"edge": type, "id", "head", "head_type",
        "tail", "tail_type", ...}``; labels in alphabetical order, then types, then ids by code point. Decisions are
        nodes too, and a person's own tables State nodes; Name nodes and other states are left out. kg.store.dump says
        how properties are written.
        """

    def counts(self) -> dict[str, int]:
        """How many nodes a label and edges a type there are: a number for every label and type of SCHEMA, 0 too."""

    def schema_state(self) -> Rows:
        """Constraints and indexes, what should be against what is: rows of ``kind, name, on, state``."""


SERVER = re.compile(r"^(neo4j|bolt)(\+s|\+ssc)?://", re.IGNORECASE)
ADDRESS = re.compile(r"^([a-z][a-z0-9+.-]*)://", re.IGNORECASE)


def default_url() -> str:
    """The graph that is meant where none is named: KG_STORE, else NEO4J_URI, else ``kg.db`` in the current folder."""
    return os.environ.get("KG_STORE") or os.environ.get("NEO4J_URI") or "kg.db"


def open_store(url: str, *, mode: Literal["read", "write"] = "read") -> Store:
    """Open the graph at ``url``.

    Reading a path where there is no graph is a NotFoundError that says how to make one; a server that is not there,
    a wrong password or an unknown database is a StoreError in one line.

    >>> with open_store(url) as store:
    ...     store.counts()["Paper"]
    7
    """
    if SERVER.match(url):
        from kg.store.neo4j import Neo4jStore

        return Neo4jStore(url, mode=mode)
    if not url.strip():
        raise StoreError("the store has no name; give neo4j://host, bolt://host or a path")
    if address := ADDRESS.match(url):
        # The rest of the address is not repeated: it may hold a password.
        raise StoreError(f"{address[1]}:// is no graph kg can open; write neo4j://, bolt:// (also with +s) or a path")
    from kg.store.arcadedb import ArcadeStore

    return ArcadeStore(url, mode=mode)
