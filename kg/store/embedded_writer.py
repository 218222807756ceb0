"""Writing into the embedded engine: one transaction, what is known of ids, papers and entities as records."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from kg.errors import StoreError
from kg.store import NAME, NAMES, lookup_keys
from kg.store import embedded_ddl as ddl
from kg.store.embedded_values import direction, objects, shared_string, to_java
from kg.types import SCHEMA, Contribution, Edge, Entity

NOT_KEPT = "nothing of this transaction was kept"


class Writer:
    """Writes into an open database that this process holds alone, so that ids stay what they were found to be."""

    def __init__(self, database: Any, url: str) -> None:
        self._db, self._url = database, url
        self.forget()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit at the end, or roll back and forget what never came to be."""
        self._db.begin()
        try:
            yield
            self._db.commit()
        except BaseException:
            self.forget()
            if self._db.isTransactionActive():
                self._db.rollback()
            raise

    def forget(self) -> None:
        """Drop what is known of ids: they were changed by other means, or never came to be."""
        self._known: dict[str, tuple[Any, Entity]] = {}
        self._names: dict[str, Any] = {}

    def remove(self, paper: str) -> bool:
        """Remove a paper with all it contributed; whether it was there."""
        vertex = self.vertex("Paper", "id", paper)
        if vertex is None:
            return False
        self._drop_edges(vertex, paper)
        self._lookup(vertex.getIdentity()).delete()
        return True

    def remove_entity(self, rid: str) -> None:
        """Remove an entity to which only its names lead."""
        vertex = self._lookup(rid)
        for edge in self._edges(vertex, "IN", NAMES):
            self._drop_name(edge)
        self._lookup(rid).delete()

    def put(self, type_: str, values: Mapping[str, Any], vertex: Any = None) -> Any:
        """Save a vertex with these properties, new or in place of what it had; returns it."""
        target = self._db.newVertex(type_) if vertex is None else vertex.modify()
        target.set(
            objects([item for name, value in values.items() if value is not None for item in (name, to_java(value))])
        )
        for name, value in values.items() if vertex is not None else ():
            if value is None and target.has(name):
                target.remove(name)
        return target.save()

    def put_entity(self, entity: Entity) -> Any:
        """Write an entity and its Name nodes; the identity of its vertex."""
        rid, known = self._entity(entity.type, entity.id)
        if known == entity:
            return rid
        vertex = self._lookup(rid) if rid is not None else None
        values = {"id": entity.id, "name": entity.name, "aliases": list(entity.aliases), "ambiguous": entity.ambiguous}
        vertex = self.put(entity.type, values, vertex)
        rid = vertex.getIdentity()
        wanted = set(lookup_keys(entity))
        for edge in self._edges(vertex, "IN", NAMES) if known else ():
            key = str(edge.getOutVertex().getString("key"))
            if key in wanted:
                wanted.discard(key)
            else:
                self._drop_name(edge)
        for key in sorted(wanted):
            self._name(key).newEdge(NAMES, rid, objects(()))
        self._known[entity.id] = (rid, entity)
        return rid

    def _entity(self, type_: str, id_: str) -> tuple[Any, Entity | None]:
        """Identity and properties of a stored entity; (None, None) where there is none."""
        known = self._known.get(id_)
        if known is None:
            vertex = self.vertex(type_, "id", id_)
            if vertex is None:
                return None, None
            aliases = tuple(str(alias) for alias in vertex.get("aliases") or ())
            name, ambiguous = str(vertex.getString("name")), bool(vertex.getBoolean("ambiguous"))
            entity = Entity.model_construct(id=id_, type=type_, name=name, aliases=aliases, ambiguous=ambiguous)
            known = self._known[id_] = (vertex.getIdentity(), entity)
        return known

    def _name(self, key: str) -> Any:
        """The Name node of a key, made where there is none."""
        rid = self._names.get(key)
        if rid is not None:
            return self._lookup(rid)
        vertex = self.vertex(NAME, "key", key)
        if vertex is None:
            # The index takes a:b for one word, and a question never has a colon.
            vertex = self.put(NAME, {"key": key, "words": key.replace(":", " ")})
        self._names[key] = vertex.getIdentity()
        return vertex

    def _drop_name(self, edge: Any) -> None:
        name = edge.getOutVertex()
        edge.delete()
        name = self._lookup(name.getIdentity())
        if name.countEdges(direction("OUT"), NAMES) == 0:
            self._names.pop(str(name.getString("key")), None)
            name.delete()

    def put_contributions(self, chunk: Sequence[Contribution]) -> None:
        """Write or replace papers, and compare what the engine then holds with what was sent."""
        stored = {c.record.paper.id: self.vertex("Paper", "id", c.record.paper.id) for c in chunk}
        fresh = [c for c in chunk if stored[c.record.paper.id] is None]
        for contribution in chunk:
            vertex = stored[contribution.record.paper.id]
            if vertex is not None:
                self._drop_edges(vertex, contribution.record.paper.id)
                vertex = self._lookup(vertex.getIdentity())
                self._put_contribution(contribution, vertex)
                self._compare(self._lookup(vertex.getIdentity()), contribution)
        expected = Counter(self._db_counts())
        for contribution in fresh:
            expected += Counter(edge.type for edge in contribution.edges)
            self._put_contribution(contribution, None)
        for type_, number in self._db_counts().items():
            if number != expected[type_]:
                raise StoreError(f"{self._url}: {number} of {expected[type_]} {type_} edges are there; {NOT_KEPT}")

    def _db_counts(self) -> dict[str, int]:
        return {type_: int(self._db.countType(type_, False)) for type_ in SCHEMA}

    def _put_contribution(self, contribution: Contribution, vertex: Any) -> None:
        vertex = self.put("Paper", contribution.paper_values(), vertex)
        names = ddl.edge_names()
        once: dict[str, Any] = {}  # strings that the edges of a paper have in common cross to Java once
        for edge in contribution.edges:
            head = vertex if edge.head_type == "Paper" else self._lookup(self._end(edge, edge.head_type, edge.head))
            for text in (edge.paper, edge.sentence, edge.extractor):
                if text not in once:
                    once[text] = shared_string(text)
            values = edge.values()
            values |= {name: once[values[name]] for name in ("paper", "sentence", "extractor")}
            values |= {name: to_java(value) for name, value in edge.properties.items()}
            properties = [item for name, value in values.items() for item in (names.get(name, name), value)]
            head.newEdge(edge.type, self._end(edge, edge.tail_type, edge.tail), objects(properties))

    def _compare(self, vertex: Any, contribution: Contribution) -> None:
        """Raise StoreError unless the engine holds those edges of a replaced paper that were sent, and no other."""
        paper = contribution.record.paper.id
        claims = sum(1 for edge in contribution.edges if edge.head_type == "Paper")
        facts = sum(1 for edge in contribution.edges if edge.type in ddl.FACTS)
        stored = int(vertex.countEdges(direction("OUT"), *ddl.CLAIMS))
        if stored != claims:
            raise StoreError(f"{paper}: {stored} of {claims} edges are there; {NOT_KEPT}")
        stored = sum(1 for type_ in ddl.FACTS for _ in self._db.lookupByKey(type_, "paper", paper))
        if stored != facts:
            raise StoreError(f"{paper}: {stored} of {facts} facts are there; {NOT_KEPT}")

    def _end(self, edge: Edge, type_: str, id_: str) -> Any:
        rid, _ = self._entity(type_, id_)
        if rid is None:
            raise StoreError(f"{edge.paper}: edge {edge.id} leads to {id_}, which is not in the graph")
        return rid

    def _drop_edges(self, paper: Any, id_: str) -> None:
        """Delete all edges that a stored paper contributed."""
        for type_ in ddl.FACTS:
            for edge in list(self._db.lookupByKey(type_, "paper", id_)):
                edge.getRecord().delete()
        paper = self._lookup(paper.getIdentity())
        for edge in self._edges(paper, "OUT", *ddl.CLAIMS):
            edge.delete()

    def vertex(self, type_: str, key: str, value: str) -> Any:
        """The node of a type by an indexed property; None where there is none."""
        cursor = self._db.lookupByKey(type_, key, value)
        return cursor.next().asVertex() if cursor.hasNext() else None

    def _lookup(self, rid: Any) -> Any:
        return self._db.lookupByRID(self._db.newRID(rid) if isinstance(rid, str) else rid, True)

    def _edges(self, vertex: Any, way: str, *types: str) -> list[Any]:
        return list(vertex.getEdges(direction(way), *types))
