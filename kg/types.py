"""The words of kg as types: papers, mentions, triples, entities, what a paper contributes, and SCHEMA.

Offsets are Unicode code points into ``Paper.abstract`` exactly as it was read, so
``paper.abstract[m.start:m.end] == m.text`` always holds. Scores are calibrated probabilities in [0, 1].
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kg.schema import ENTITY_TYPES as ENTITY_TYPES
from kg.schema import SCHEMA as SCHEMA
from kg.schema import EntityType as EntityType
from kg.schema import NodeType as NodeType

ID_LIMIT = 1000
"""The longest id of a paper, in characters: no engine indexes much more than 8,000 bytes."""

Status = Literal["ok", "no-abstract", "withdrawn", "retracted", "language"]


class Record(BaseModel):
    """Base of everything that is exchanged: immutable and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Paper(Record):
    """One paper as it was read. ``ids``: its other identifiers (``doi:...``, ``arxiv:...``, ``openreview:...``)."""

    id: str = Field(min_length=1, max_length=ID_LIMIT)
    title: str = ""
    abstract: str = ""
    year: int | None = None
    venue: str | None = None
    url: str | None = None
    ids: tuple[str, ...] = ()
    status: Status = "ok"

    @property
    def content_hash(self) -> str:
        """SHA-256 (first 32 hex digits) over all that is stored of the paper, so that any change to it is noticed."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]


class Mention(Record):
    """A span of the abstract that names something: ``name`` is it without markup, ``entity`` its canonical name."""

    start: int = Field(ge=0)
    end: int
    text: str
    name: str = Field(min_length=1)
    type: EntityType
    entity: str = Field(min_length=1)
    score: float = Field(ge=0, le=1)


class Triple(Record):
    """A stated fact. A head of type Paper is the paper's id, any other head or tail an entity's canonical name.

    ``start`` and ``end`` bound the evidence sentence in the abstract.
    """

    head: str = Field(min_length=1)
    head_type: NodeType
    relation: str
    tail: str = Field(min_length=1)
    tail_type: EntityType
    start: int = Field(ge=0)
    end: int
    score: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _in_schema(self) -> "Triple":
        spec = SCHEMA.get(self.relation)
        if spec is None or self.relation == "MENTIONS" or (self.head_type, self.tail_type) not in spec.pairs:
            raise ValueError(f"{self.head_type} -{self.relation}-> {self.tail_type} is not a triple of the schema")
        return self


class Extraction(Record):
    """Everything found in one paper: the stable exchange format, one JSON object a line."""

    paper: Paper
    mentions: tuple[Mention, ...] = ()
    triples: tuple[Triple, ...] = ()
    extractor: str = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> "Extraction":
        named = {(m.type, m.entity) for m in self.mentions}
        length = len(self.paper.abstract)
        for m in self.mentions:
            if not (m.name.strip() and m.entity.strip()):
                raise ValueError(f"mention {m.text!r} at {m.start}:{m.end} has a blank name or entity")
            if self.paper.abstract[m.start : m.end] != m.text or m.start >= m.end:
                raise ValueError(f"mention {m.text!r} is not at {m.start}:{m.end} of the abstract")
        for t in self.triples:
            if not t.start < t.end <= length:
                raise ValueError(f"evidence {t.start}:{t.end} is outside the abstract ({length} characters)")
            if t.head_type == "Paper" and t.head != self.paper.id:
                raise ValueError(f"a triple's head is paper {t.head!r}, not this paper ({self.paper.id!r})")
            for type_, name in ((t.head_type, t.head), (t.tail_type, t.tail)):
                if type_ != "Paper" and (type_, name) not in named:
                    raise ValueError(f"triple names {type_} {name!r}, which no mention has as its entity")
        return self


class Entity(Record):
    """What mentions of one thing share, over the whole corpus. ``aliases`` are sorted and leave out ``name`` itself."""

    id: str
    type: EntityType
    name: str
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False


PAPER_PROPERTIES = (*Paper.model_fields, "content_hash", "extractor", "record")
"""What a stored Paper node has."""
ENTITY_PROPERTIES = tuple(name for name in Entity.model_fields if name != "type")
"""What a stored entity has; its type is its label."""
COMMON_PROPERTIES = ("id", "paper", "sentence", "start", "end", "score", "extractor")
"""What every stored edge has."""
OWN_PROPERTIES: Mapping[str, Mapping[str, Any]] = {
    "MENTIONS": {"count": Annotated[int, Field(ge=1)], "surfaces": list[str]}
}
"""What the edges of a relation have beyond that, and of which type it is."""


def edge_properties(relation: str) -> tuple[str, ...]:
    """The names of what a stored edge of a relation has, in a fixed order.

    >>> edge_properties("MENTIONS")[-3:], edge_properties("USES")[-1]
    (('extractor', 'count', 'surfaces'), 'extractor')
    """
    return (*COMMON_PROPERTIES, *OWN_PROPERTIES.get(relation, ()))


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge as it is stored: its ends, its evidence, and an id derived from both.

    ``properties`` holds OWN_PROPERTIES of its relation.
    """

    id: str
    type: str
    head_type: NodeType
    head: str
    tail_type: EntityType
    tail: str
    paper: str
    sentence: str
    start: Annotated[int, Field(ge=0)]
    end: int
    score: Annotated[float, Field(ge=0, le=1)]
    extractor: str
    properties: Mapping[str, Any] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """The properties of the stored edge, by name."""
        return {name: getattr(self, name) for name in COMMON_PROPERTIES} | dict(self.properties)


@dataclass(frozen=True, slots=True)
class Contribution:
    """All that one paper adds to the graph, written, replaced or removed as one: record and edges."""

    record: Extraction
    edges: tuple[Edge, ...]

    def paper_values(self) -> dict[str, Any]:
        """The properties of the stored Paper node, by name (None where there is no value).

        ``record`` keeps mentions and triples as JSON, so that resolution can be redone and undone exactly.
        """
        paper = self.record.paper
        found = self.record.model_dump_json(
            include={"mentions", "triples"}, exclude={"mentions": {"__all__": {"text"}}}
        )
        return {
            "id": paper.id,
            "title": paper.title,
            "abstract": paper.abstract,
            "year": paper.year,
            "venue": paper.venue,
            "url": paper.url,
            "ids": list(paper.ids),
            "status": paper.status,
            "content_hash": paper.content_hash,
            "extractor": self.record.extractor,
            "record": found,
        }


def record_of(values: Mapping[str, Any]) -> Extraction:
    """The Extraction behind a stored Paper node: the inverse of ``Contribution.paper_values``."""
    kept = {name: values.get(name) for name in Paper.model_fields}
    paper = Paper.model_validate(kept | {"ids": values.get("ids") or ()})
    found = json.loads(values["record"])
    return Extraction(
        paper=paper,
        mentions=tuple(Mention(text=paper.abstract[m["start"] : m["end"]], **m) for m in found["mentions"]),
        triples=tuple(Triple(**t) for t in found["triples"]),
        extractor=values["extractor"],
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about names: merge two entities, keep them apart, or give one an alias.

    ``kind`` is ``merge``, ``split`` or ``alias``; ``a`` and ``b`` are (type, folded name) keys written ``Type:name``.
    ``name_a`` and ``name_b`` spell the two as people do; empty where only the keys are known.
    """

    id: str
    kind: Literal["merge", "split", "alias"]
    a: str
    b: str
    reason: str
    name_a: str = ""
    name_b: str = ""


DECISION_PROPERTIES = tuple(each.name for each in fields(Decision))
"""What a stored Decision node has."""
