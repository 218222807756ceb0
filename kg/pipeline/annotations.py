"""What the pipeline says about a Doc, and where it keeps it.

Everything lies in ``doc.user_data`` as plain numbers and strings, so that a Doc survives ``to_bytes`` and a worker
process; the extensions build the objects when they are asked for.
"""

from dataclasses import dataclass
from typing import Any

from spacy.tokens import Doc, Span

SCORES = "kg_scores"
RELATIONS = "kg_relations"
CLUSTERS = "kg_clusters"
ROLES = "kg_roles"
ABBREVIATIONS = "kg_abbreviations"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two mentions of one sentence; ``score`` is the probability that it holds."""

    head: Span
    relation: str
    tail: Span
    score: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """The mentions in one document that are one thing, in text order."""

    label: str
    mentions: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Role:
    """What an entity is to its paper; ``sentence`` is the evidence."""

    cluster: Cluster
    role: str
    score: float
    sentence: Span

    @property
    def mentions(self) -> tuple[Span, ...]:
        """The entity's mentions."""
        return self.cluster.mentions


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and the long form that the text gives for it."""

    short: Span
    long: Span


def register() -> None:
    """Declare the extensions; a second call changes nothing."""
    Span.set_extension("score", getter=_score, setter=_set_score, force=True)
    Doc.set_extension("relations", getter=_relations, force=True)
    Doc.set_extension("clusters", getter=_clusters, force=True)
    Doc.set_extension("roles", getter=_roles, force=True)
    Doc.set_extension("abbreviations", getter=_abbreviations, force=True)


def _score(span: Span) -> float:
    scores = span.doc.user_data.get(SCORES, {})
    return float(scores.get(f"{span.start_char}:{span.end_char}", 1.0))


def _set_score(span: Span, value: float) -> None:
    span.doc.user_data.setdefault(SCORES, {})[f"{span.start_char}:{span.end_char}"] = float(value)


def _relations(doc: Doc) -> tuple[Relation, ...]:
    ents = doc.ents
    return tuple(Relation(ents[h], name, ents[t], s) for h, name, t, s in doc.user_data.get(RELATIONS, ()))


def _clusters(doc: Doc) -> tuple[Cluster, ...]:
    ents = doc.ents
    found: list[Any] = doc.user_data.get(CLUSTERS, [])
    return tuple(Cluster(ents[members[0]].label_, tuple(ents[i] for i in members)) for members in found)


def _roles(doc: Doc) -> tuple[Role, ...]:
    clusters = doc._.clusters
    return tuple(
        Role(clusters[c], name, score, doc[start:end]) for c, name, score, start, end in doc.user_data.get(ROLES, ())
    )


def _abbreviations(doc: Doc) -> tuple[Abbreviation, ...]:
    return tuple(Abbreviation(doc[a:b], doc[c:d]) for a, b, c, d in doc.user_data.get(ABBREVIATIONS, ()))
