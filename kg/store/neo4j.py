"""The graph in a Neo4j server: 5.26 LTS or any newer release, Community or not, through the official driver.

A paper's contribution is written in one transaction. Locks are taken in one order (papers, then entities by type, each
sorted by id), so that loaders running side by side wait for each other instead of deadlocking; what still collides is
retried by the driver.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Concatenate, Literal, ParamSpec, Self, TypeVar
from urllib.parse import unquote, urlsplit

from neo4j import Driver, GraphDatabase, ManagedTransaction, Query, Session
from neo4j.exceptions import ConfigurationError, DriverError, Neo4jError
from neo4j.graph import Node, Path, Relationship
from neo4j.time import Date, DateTime, Duration, Time

from kg.batches import batched
from kg.errors import NotFoundError, ReadOnlyError, StoreError
from kg.store import DECISION, SCHEMA_VERSION, STATE, Columns, Rows, search_words
from kg.store import neo4j_statements as st
from kg.store import neo4j_transactions as tx
from kg.store.batch import transactions
from kg.store.dump import ENDS, decision_row, edge_row, node_row, table_rows
from kg.store.neo4j_errors import explain, first_line, too_old
from kg.types import ENTITY_TYPES, Contribution, Decision, Entity, Extraction, record_of

# What the driver warns of comes back as an error in one line; without a handler Python would print it as well.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")
P = ParamSpec("P")

LOCAL_PASSWORD = "kg-on-this-machine"
"""The password of docker-compose.yml's server unless NEO4J_PASSWORD says otherwise; it listens on loopback only."""

EDGES_A_TRANSACTION = 10_000
ENTITIES_A_TRANSACTION = 10_000
REMOVED_A_TRANSACTION = 500
CONNECT_SECONDS = 5.0
RETRY_SECONDS = 30.0


class Neo4jStore:
    """A graph in a Neo4j server.

    ``url`` may name the user and the database (``neo4j://user@host:7687/database``); otherwise they come from
    NEO4J_USERNAME (default ``neo4j``) and NEO4J_DATABASE (default: the server's). The password comes from
    NEO4J_PASSWORD alone, so that it never stands in a command line. ``retry_seconds`` is how long a write is tried
    again after a deadlock or while the server restarts.
    """

    def __init__(
        self,
        url: str,
        *,
        mode: Literal["read", "write"] = "read",
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        address, user, database = split_address(url)
        self.url = address
        self.mode = mode
        self._database = database or os.environ.get("NEO4J_DATABASE") or None
        user = user or os.environ.get("NEO4J_USERNAME") or "neo4j"
        password = os.environ.get("NEO4J_PASSWORD") or (LOCAL_PASSWORD if _is_local(address) else None)
        try:
            self._driver: Driver = GraphDatabase.driver(
                address,
                auth=(user, password) if password else None,
                connection_timeout=CONNECT_SECONDS,
                connection_acquisition_timeout=2 * CONNECT_SECONDS,
                max_transaction_retry_time=retry_seconds,
                user_agent="kg",
            )
        except (ConfigurationError, ValueError) as error:
            raise StoreError(f"{address} is not the address of a Neo4j server: {first_line(error)}") from None
        try:
            self._check(user)
        except BaseException:
            self._driver.close()
            raise

    def _check(self, user: str) -> None:
        """One round trip now, so that whatever is wrong is said before any work is done."""
        with self._explained(user):
            agent = self._driver.get_server_info().agent
            too_old(agent, self.url)
            with self._session() as session:
                labels = {record[0] for record in session.run(st.LABELS)}
                version = session.run(st.GET_STATE, name="schema").single() if STATE in labels else None
        if version is None and self.mode == "read":
            raise NotFoundError(f"there is no graph at {self.url}: make one with `kg load PATH --store {self.url}`")
        found = version[0]["value"] if version else SCHEMA_VERSION
        if found != SCHEMA_VERSION:
            raise StoreError(
                f"{self.url} was made by another kg (graph version {found}, this one reads {SCHEMA_VERSION}): export "
                "it with that kg and load the export into an empty database, or load the papers anew"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; closing twice is harmless."""
        self._driver.close()

    # -- writing -----------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Create the constraints and indexes that are missing, and wait until they serve."""
        self._must_write()
        missing = {row["name"] for row in self.schema_state() if row["state"] == "missing"}
        if not missing and self.state("schema") == SCHEMA_VERSION:
            return
        for piece in st.PIECES:
            if piece.name in missing:
                self._write(tx.run, cypher=piece.create)
        with self._explained(), self._session() as session:
            for cypher, names in ((st.CREATE_TYPE, st.TYPES), (st.CREATE_PROPERTY, st.PROPERTIES)):
                for name in names:
                    session.run(cypher, name=name).consume()
            session.run(st.AWAIT_INDEXES).consume()
        for row in self.schema_state():
            if row["state"] not in ("online", "not kg's"):
                raise StoreError(
                    f"{row['kind']} {row['name']} on {row['on']} is {row['state']}: give kg a database of its own "
                    f"(NEO4J_DATABASE), or look with `kg schema --store {self.url}`"
                )
        self.put_state("schema", SCHEMA_VERSION)

    def write(self, contributions: Sequence[Contribution], entities: Iterable[Entity]) -> None:
        """Upsert the entities, then write or replace each paper's node and edges; a paper is in one transaction."""
        self._must_write()
        waiting: dict[tx.End, Entity] = {(e.type, e.id): e for e in entities}
        for chunk in transactions(contributions, EDGES_A_TRANSACTION):
            ends = tx.ends_of(chunk)
            now = [waiting.pop(end) for end in ends & waiting.keys()]
            self._write(tx.replace, chunk, now, ends)
        self.put_entities(waiting.values())

    def put_entities(self, entities: Iterable[Entity]) -> None:
        """Write names, aliases and the ambiguous mark of entities, existing or new."""
        self._must_write()
        ordered = sorted(entities, key=lambda e: (e.type, e.id))
        for part in batched(ordered, ENTITIES_A_TRANSACTION):
            self._write(tx.put_entities, part)

    def remove(self, paper_ids: Iterable[str]) -> int:
        """Remove papers with all they contributed; the number of papers that were there."""
        self._must_write()
        return sum(self._write(tx.remove, part) for part in batched(sorted(set(paper_ids)), REMOVED_A_TRANSACTION))

    def sweep(self) -> int:
        """Remove entities that no paper mentions any more; the number removed."""
        self._must_write()
        return self._write(tx.sweep)

    def put_decisions(self, decisions: Sequence[Decision]) -> None:
        """Replace the stored decisions of people about names by these."""
        self._must_write()
        self._write(tx.put_decisions, [decision_row(d) for d in decisions])

    def put_state(self, name: str, value: str) -> None:
        """Keep one small named value with the graph."""
        self._must_write()
        self._write(tx.put_state, name, value)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold off every other writer that asks for the same, in any process, until the block ends.

        A transaction keeps one node locked meanwhile; the server lets go of it when this process or connection dies.
        """
        self._must_write()
        self.put_state("writer", "")
        with self._explained(), self._session() as session, session.begin_transaction() as held:
            held.run(st.LOCK_WRITERS).consume()
            yield

    # -- reading -----------------------------------------------------------------------------------------------
    def ledger(self) -> dict[str, tuple[str, str]]:
        """Paper id -> (content_hash, extractor) of every paper stored."""
        return {id_: (content, extractor) for id_, content, extractor in self._stream(st.LEDGER)}

    def records(self, paper_ids: Sequence[str] | None = None) -> Iterator[Extraction]:
        """The extraction records behind the stored papers (all, or those asked for), ordered by id, streamed."""
        if paper_ids is None:
            found = self._stream(st.ALL_PAPERS)
        else:
            found = self._stream(st.SOME_PAPERS, ids=sorted(set(paper_ids)))
        for (values,) in found:
            yield record_of(values)

    def entities(self) -> Iterator[Entity]:
        """Every entity, ordered by id, streamed."""
        for type_ in sorted(ENTITY_TYPES):
            for (values,) in self._stream(st.NODES[type_]):
                yield Entity(
                    id=values["id"],
                    type=type_,
                    name=values["name"],
                    aliases=tuple(values.get("aliases") or ()),
                    ambiguous=bool(values.get("ambiguous")),
                )

    def decisions(self) -> list[Decision]:
        """The stored decisions, ordered by id."""
        return [Decision(**values) for (values,) in self._stream(st.NODES[DECISION])]

    def state(self, name: str) -> str | None:
        """A value kept by ``put_state``; None where there is none."""
        for (values,) in self._stream(st.GET_STATE, name=name):
            return str(values["value"])
        return None

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float | None = None) -> Rows:
        """Rows of one read-only Cypher query as plain Python values; the server refuses a write (ReadOnlyError)."""
        query = Query(cypher, timeout=timeout)
        with self._explained(), self._session(read=True) as session:
            result = session.run(query, tx.unlogged(parameters or {}))
            keys = list(result.keys())
            return [dict(zip(keys, map(_plain, record.values()), strict=True)) for record in result]

    def dump(self) -> Iterator[dict[str, Any]]:
        """Every node, then every edge, in the order and form that all engines share (kg.store.Store.dump)."""
        for label in sorted([*st.NODES, STATE]):
            if label == STATE:
                yield from table_rows(self)
                continue
            for (values,) in self._stream(st.NODES[label]):
                yield node_row(label, values)
        for relation, cypher in st.EDGES.items():
            for values, *ends in self._stream(cypher):
                yield edge_row(relation, values | dict(zip(ENDS, ends, strict=True)))

    def counts(self) -> dict[str, int]:
        """How many nodes a label and edges a type there are."""
        return {name: int(n) for name, cypher in st.COUNTS.items() for (n,) in self._stream(cypher)}

    def edges(
        self, relations: Sequence[str], columns: Sequence[str], *, min_score: float = 0.0
    ) -> Iterator[tuple[str, Columns]]:
        """All edges of each relation in turn as columns: ``id``, ``head``, ``tail`` and the properties named."""
        names = ("id", "head", "tail", *columns)
        wanted = ", ".join(("r.id", "h.id", "t.id", *(f"r.{name}" for name in columns)))
        for relation in relations:
            cypher = f"MATCH (h)-[r:{relation}]->(t) WHERE r.score >= $least RETURN {wanted}"
            rows = [tuple(row) for row in self._stream(cypher, least=min_score)]
            yield relation, {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def search(self, text: str, *, limit: int = 20) -> Rows:
        """Full-text search over titles, names and aliases: rows of ``id, type, name, score``, best first."""
        words = search_words(text)
        if not words:
            return []
        self.query(st.AWAIT_FULL_TEXT)  # what was committed before this call is found
        return self.query(st.SEARCH, {"text": words, "limit": limit})

    def schema_state(self) -> Rows:
        """Constraints and indexes, what should be against what is: rows of ``kind, name, on, state``."""
        found = {_signature(row): row for row in self.query(st.SHOW_INDEXES) if row["type"] != "LOOKUP"}
        rows = []
        for piece in st.PIECES:
            row = found.pop((piece.kind, piece.labels, piece.properties), None)
            if piece.kind == "full-text" and row and row["name"] != piece.name:
                row = None
            state = str(row["state"]).lower() if row else "missing"
            name = row["name"] if row else piece.name
            rows.append({"kind": piece.kind, "name": name, "on": piece.on, "state": state})
        for (kind, labels, properties), row in sorted(found.items()):
            on = f"{'|'.join(labels)}.{','.join(properties)}"
            rows.append({"kind": kind, "name": row["name"], "on": on, "state": "not kg's"})
        return rows

    # -- how -----------------------------------------------------------------------------------------------------
    def _must_write(self) -> None:
        if self.mode != "write":
            raise ReadOnlyError(f"{self.url} was opened to read only")

    def _session(self, *, read: bool = False) -> Session:
        mode = "READ" if read or self.mode == "read" else "WRITE"
        return self._driver.session(database=self._database, default_access_mode=mode, fetch_size=2000)

    def _write(self, work: Callable[Concatenate[ManagedTransaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._explained(), self._session() as session:
            return session.execute_write(work, *args, **kwargs)

    def _stream(self, cypher: str, **parameters: Any) -> Iterator[list[Any]]:
        with self._explained(), self._session(read=True) as session:
            for record in session.run(cypher, tx.unlogged(parameters)):
                yield record.values()

    @contextmanager
    def _explained(self, user: str | None = None) -> Iterator[None]:
        try:
            yield
        except (DriverError, Neo4jError, OSError) as error:
            raise explain(error, self.url, user, self._database) from None


# -- addresses, values, words ----------------------------------------------------------------------------------------
def split_address(url: str) -> tuple[str, str | None, str | None]:
    """Address without user and database, user, database; a StoreError, without the address, where it is none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # its words quote a part of the address, which may be one of a password
        raise StoreError("this is not the address of a Neo4j server: write neo4j://host:7687") from None
    if parts.password is not None:
        raise StoreError("a password in the address can be read by others: put it into NEO4J_PASSWORD")
    if not host:
        raise StoreError("the address of the store names no host: write neo4j://host:7687")
    address = f"{parts.scheme.lower()}://{f'[{host}]' if ':' in host else host}" + (f":{port}" if port else "")
    query = f"?{parts.query}" if parts.query else ""
    return address + query, unquote(parts.username or "") or None, unquote(parts.path.strip("/")) or None


def _signature(row: Mapping[str, Any]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    kind = "unique" if row["owningConstraint"] else {"FULLTEXT": "full-text"}.get(row["type"], row["type"].lower())
    return kind, tuple(row["labelsOrTypes"]), tuple(row["properties"])


def _is_local(address: str) -> bool:
    return urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")


_AS_IT_IS = frozenset({str, int, float, bool})  # nearly all values; asking whether they are nodes is slow


def _plain(value: Any) -> Any:
    """A value of the driver as a plain Python one: nodes and edges as their properties, a path as a list of them."""
    if value is None or type(value) in _AS_IT_IS:
        return value
    if isinstance(value, (Node, Relationship)):
        return {k: _plain(v) for k, v in sorted(value.items())}
    if isinstance(value, Path):
        steps: list[Any] = [_plain(value.start_node)]
        for edge, node in zip(value.relationships, value.nodes[1:], strict=True):
            steps += [_plain(edge), _plain(node)]
        return steps
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, (Date, DateTime, Time, Duration)):
        return value.iso_format()
    return value
