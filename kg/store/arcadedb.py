"""The graph in an embedded ArcadeDB database: one folder, no server.

Writes go through the engine's own record interface, one transaction for a few thousand edges; the process holds the
folder alone meanwhile, so that what it knows of ids stays true until the transaction fails or the store is closed.
Queries go through the engine's query entry, which refuses a statement that is not read-only.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Literal, Self

from kg.batches import batched
from kg.errors import ReadOnlyError, StoreError
from kg.store import DECISION, SCHEMA_VERSION, STATE, Columns, Rows, search_words
from kg.store import embedded_ddl as ddl
from kg.store.batch import transactions
from kg.store.dump import decision_row, edge_row, node_row, table_rows
from kg.store.embedded import acquire
from kg.store.embedded_errors import damaged, explained
from kg.store.embedded_values import bridge, columns, java, rows, to_java
from kg.store.embedded_writer import Writer
from kg.types import (
    DECISION_PROPERTIES,
    ENTITY_PROPERTIES,
    ENTITY_TYPES,
    PAPER_PROPERTIES,
    SCHEMA,
    Contribution,
    Decision,
    Entity,
    Extraction,
    record_of,
)

EDGES_A_TRANSACTION = 5_000
ENTITIES_A_TRANSACTION = 5_000
REMOVED_A_TRANSACTION = 500
SWEPT_A_TRANSACTION = 1_000
ROWS_A_READ = 1_000
PAPERS_A_READ = 100

COLUMNS: Mapping[str, str] = {
    "Paper": ", ".join(PAPER_PROPERTIES),
    **dict.fromkeys(ENTITY_TYPES, ", ".join(ENTITY_PROPERTIES)),
    DECISION: ", ".join(DECISION_PROPERTIES),
}


class ArcadeStore:
    """A graph in the folder at ``url``, made on first use when ``mode`` is ``write``.

    One process writes and then nobody else reads; any number of processes read. KG_HEAP bounds the memory of the
    engine (default 1g). Raises NotFoundError when there is nothing to read, StoreError when it cannot be opened.
    """

    def __init__(self, url: str, *, mode: Literal["read", "write"] = "read") -> None:
        self.url = url
        self.mode = mode
        self._path = Path(url).expanduser()
        self._folder = acquire(self._path, mode, ddl.create)
        self._db: Any = self._folder.database
        self._closed = False
        self._query_lock = RLock()
        self._writer = Writer(self._db, url)
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        """Refuse a graph of another version, and one whose files lost their types."""
        with explained(self._path):
            if not ddl.complete(self._db):
                raise damaged(self._path)
            found = self.state("schema")
            if found is None:
                raise damaged(self._path)
            if found != SCHEMA_VERSION:
                age = "an older" if found < SCHEMA_VERSION else "a newer"
                raise StoreError(
                    f"{self.url} was made by {age} kg (graph version {found}, this one reads {SCHEMA_VERSION}): "
                    "export it with that kg and load the export here, or load the papers anew"
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Flush, close and let go of the folder; closing twice is harmless."""
        if not self._closed:
            self._closed = True
            with explained(self._path):
                self._folder.release()

    # -- writing -----------------------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Create the types and indexes that are missing."""
        self._must_write()
        with explained(self._path):
            ddl.create(self._db)

    def write(self, contributions: Sequence[Contribution], entities: Iterable[Entity]) -> None:
        """Upsert the entities, then write or replace each paper's node and edges; a paper is in one transaction."""
        self._must_write()
        waiting = {e.id: e for e in entities}
        for chunk in transactions(contributions, EDGES_A_TRANSACTION):
            named = {end for c in chunk for e in c.edges for end in (e.head, e.tail)}
            now = [waiting.pop(id_) for id_ in sorted(named & waiting.keys())]
            with self._transaction():
                for entity in now:
                    self._writer.put_entity(entity)
                self._writer.put_contributions(chunk)
        self.put_entities(waiting.values())

    def put_entities(self, entities: Iterable[Entity]) -> None:
        """Write names, aliases and the ambiguous mark of entities, existing or new."""
        self._must_write()
        for part in batched(entities, ENTITIES_A_TRANSACTION):
            with self._transaction():
                for entity in part:
                    self._writer.put_entity(entity)

    def remove(self, paper_ids: Iterable[str]) -> int:
        """Remove papers with all they contributed; the number of papers that were there."""
        self._must_write()
        removed = 0
        for part in batched(sorted(set(paper_ids)), REMOVED_A_TRANSACTION):
            with self._transaction():
                removed += sum(self._writer.remove(id_) for id_ in part)
        return removed

    def sweep(self) -> int:
        """Remove entities that no paper mentions any more; the number removed."""
        self._must_write()
        removed = 0
        for type_ in ENTITY_TYPES:
            orphans = self._rows("sql", f"SELECT @rid AS rid FROM {type_} WHERE inE('MENTIONS').size() = 0")
            for part in batched(orphans, SWEPT_A_TRANSACTION):
                with self._transaction():
                    for row in part:
                        self._writer.remove_entity(row["rid"])
                removed += len(part)
        self._writer.forget()
        return removed

    def put_decisions(self, decisions: Sequence[Decision]) -> None:
        """Replace the stored decisions of people about names by these."""
        self._must_write()
        with self._transaction():
            self._db.command("sql", f"DELETE VERTEX FROM {DECISION}").close()
            for decision in decisions:
                self._writer.put(DECISION, decision_row(decision))

    def put_state(self, name: str, value: str) -> None:
        """Keep one small named value with the graph."""
        self._must_write()
        with self._transaction():
            vertex = self._writer.vertex(STATE, "name", name)
            self._writer.put(STATE, {"name": name, "value": value}, vertex)

    def exclusive(self) -> AbstractContextManager[None]:
        """Nothing more to hold off: the process that writes holds the folder alone."""
        self._must_write()
        return nullcontext()

    # -- reading -----------------------------------------------------------------------------------------------
    def ledger(self) -> dict[str, tuple[str, str]]:
        """Paper id -> (content_hash, extractor) of every paper stored."""
        found = self._rows("sql", "SELECT id, content_hash, extractor FROM Paper")
        self._must_be_all("Paper", found)
        return {row["id"]: (row["content_hash"], row["extractor"]) for row in found}

    def records(self, paper_ids: Sequence[str] | None = None) -> Iterator[Extraction]:
        """The extraction records behind the stored papers (all, or those asked for), ordered by id, streamed."""
        only = None if paper_ids is None else set(paper_ids)
        for values in self._nodes("Paper", only):
            yield record_of(values)

    def entities(self) -> Iterator[Entity]:
        """Every entity, ordered by id, streamed."""
        for type_ in sorted(ENTITY_TYPES):
            for values in self._nodes(type_):
                yield Entity(type=type_, **values | {"aliases": tuple(values["aliases"] or ())})

    def decisions(self) -> list[Decision]:
        """The stored decisions, ordered by id."""
        return [
            Decision(**{name: value for name, value in values.items() if value is not None})
            for values in self._nodes(DECISION)
        ]

    def state(self, name: str) -> str | None:
        """A value kept by ``put_state``; None where there is none."""
        if self._closed:
            raise StoreError(f"{self.url} is closed")
        with explained(self._path):  # by the index, not by a query: the first one parsed costs an opening 0.3 s
            vertex = self._writer.vertex(STATE, "name", name)
            return None if vertex is None else str(vertex.getString("value"))

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, timeout: float | None = None) -> Rows:
        """Rows of one read-only Cypher query as plain Python values; the engine refuses a write (ReadOnlyError).

        Nodes and edges are their properties, a path is the list of them. ``timeout`` is in seconds.
        """
        if timeout is None:
            return self._rows("opencypher", cypher, parameters, query=True)
        setting = java("com.arcadedb.GlobalConfiguration").COMMAND_TIMEOUT
        with self._query_lock:  # the engine has one time limit a database
            self._db.getConfiguration().setValue(setting, bridge().JLong(max(1, round(timeout * 1000))))
            try:
                return self._rows("opencypher", cypher, parameters, query=True)
            finally:
                self._db.getConfiguration().setValue(setting, bridge().JLong(0))

    def edges(
        self, relations: Sequence[str], columns: Sequence[str], *, min_score: float = 0.0
    ) -> Iterator[tuple[str, Columns]]:
        """All edges of each relation in turn as columns: ``id``, ``head``, ``tail`` and the properties named."""
        ids: dict[str, str] = {}  # by the engine's own identity, which an edge holds of its ends
        for label in ("Paper", *ENTITY_TYPES):
            nodes = self._columns(f"SELECT id, @rid AS rid FROM {label}", ("id", "rid"))
            ids.update(zip(nodes["rid"], nodes["id"], strict=True))
        names = ("id", "head", "tail", *columns)
        wanted = ", ".join(("id", "@out AS head", "@in AS tail", *(f"`{name}`" for name in columns)))
        for relation in relations:
            least = " WHERE score >= :least" if min_score > 0 else ""
            found = self._columns(f"SELECT {wanted} FROM `{relation}`{least}", names, {"least": min_score})
            if not least:
                self._must_be_all(relation, found["id"])
            for end in ("head", "tail"):
                found[end] = [ids[rid] for rid in found[end]]
            yield relation, found

    def search(self, text: str, *, limit: int = 20) -> Rows:
        """Full-text search over titles, names and aliases: rows of ``id, type, name, score``, best first."""
        words = search_words(text)
        if not words:
            return []
        papers = self._rows("sql", ddl.SEARCH_TITLES, {"text": words, "limit": limit})
        # Several names of one entity may match, so that more of them are asked for than rows are wanted.
        names = self._rows("sql", ddl.SEARCH_NAMES, {"text": words, "limit": 5 * limit + 50})
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for row in [*papers, *names]:
            known = found.setdefault((row["type"], row["id"]), row)
            known["score"] = max(known["score"], row["score"])
        best = sorted(found.values(), key=lambda row: (-row["score"], row["type"], row["id"]))
        return [{key: row[key] for key in ("id", "type", "name", "score")} for row in best[:limit]]

    def dump(self) -> Iterator[dict[str, Any]]:
        """Every node, then every edge, as plain dicts in a fixed order: see ``kg.store.dump``."""
        for label in sorted([*ENTITY_TYPES, "Paper", DECISION, STATE]):
            if label == STATE:
                yield from table_rows(self)
                continue
            for values in self._nodes(label):
                yield node_row(label, values)
        for type_ in sorted(SCHEMA):
            for values in self._sorted_rows(type_, ddl.EDGE_COLUMNS[type_], ROWS_A_READ):
                yield edge_row(type_, values)

    def counts(self) -> dict[str, int]:
        """How many nodes a label and edges a type there are."""
        with explained(self._path):
            return {name: int(self._db.countType(name, False)) for name in ["Paper", *ENTITY_TYPES, *SCHEMA]}

    def schema_state(self) -> Rows:
        """Constraints and indexes, what should be against what is: rows of ``kind, name, on, state``."""
        with explained(self._path):
            return ddl.schema_state(self._db)

    # -- one transaction ---------------------------------------------------------------------------------------
    def _must_write(self) -> None:
        if self.mode != "write":
            raise ReadOnlyError(f"{self.url} was opened to read only")
        if self._closed:
            raise StoreError(f"{self.url} is closed")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self._path), self._writer.transaction():
            yield

    # -- records and rows --------------------------------------------------------------------------------------
    def _rows(
        self, language: str, text: str, parameters: Mapping[str, Any] | None = None, *, query: bool = False
    ) -> Rows:
        if self._closed:
            raise StoreError(f"{self.url} is closed")
        with explained(self._path, query=query):
            return rows(self._db.query(language, text, to_java(dict(parameters or {}))))

    def _columns(self, text: str, names: Sequence[str], parameters: Mapping[str, Any] | None = None) -> Columns:
        if self._closed:
            raise StoreError(f"{self.url} is closed")
        with explained(self._path):
            return columns(self._db.query("sql", text, to_java(dict(parameters or {}))), names)

    def _must_be_all(self, type_: str, found: Sequence[Any]) -> None:
        """The engine passes over records that it cannot read; that must not look like a smaller graph."""
        with explained(self._path):
            if len(found) != self._db.countType(type_, False):
                raise damaged(self._path)

    def _nodes(self, label: str, only: set[str] | None = None) -> Iterator[dict[str, Any]]:
        return self._sorted_rows(label, COLUMNS[label], PAPERS_A_READ if label == "Paper" else ROWS_A_READ, only)

    def _sorted_rows(
        self, type_: str, columns: str, size: int, only: set[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Rows of a type ordered by id, by code point as Python does, read ``size`` at a time."""
        if only is None:
            index = self._columns(f"SELECT id, @rid AS rid FROM {type_}", ("id", "rid"))
            self._must_be_all(type_, index["id"])
            ordered = sorted(zip(index["id"], index["rid"], strict=True))
        else:
            with explained(self._path):
                places = ((id_, self._writer.vertex(type_, "id", id_)) for id_ in sorted(only))
                ordered = [(id_, str(vertex.getIdentity())) for id_, vertex in places if vertex is not None]
        for part in batched(ordered, size):
            found = self._rows("sql", f"SELECT {columns} FROM [{','.join(rid for _, rid in part)}]")
            by_id = {row["id"]: row for row in found}
            yield from (by_id[id_] for id_, _ in part if id_ in by_id)
