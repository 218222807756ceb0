"""Relations between two mentions of one sentence."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from kg.pipeline.annotations import RELATIONS, register
from kg.pipeline.calibration import Calibration, log_odds
from kg.pipeline.component import Component
from kg.pipeline.encoder import encoding_of
from kg.pipeline.mentions import Mentions, read_mentions
from kg.pipeline.network import Floats, Network, load_network
from kg.pipeline.scheme import RELATION_LABELS, SYMMETRIC, bucket, relation_label
from kg.pipeline.scheme import RELATIONS as TYPES
from kg.types import ENTITY_TYPES

ABBREVIATION_SCORE = 0.98
"""Probability that a short form and the long form found beside it are one thing, if both are mentions."""


class Edge(NamedTuple):
    """A relation between two of ``doc.ents``, by index."""

    head: int
    relation: str
    tail: int
    score: float


def pairs_of(mentions: Mentions) -> list[tuple[int, int]]:
    """All pairs (earlier, later) of mentions in one sentence."""
    n = len(mentions.sentence)
    return [(i, j) for i in range(n) for j in range(i + 1, n) if mentions.sentence[i] == mentions.sentence[j]]


@cache
def _allowed(earlier: str, later: str) -> tuple[tuple[str, int | None, int | None], ...]:
    """The relations that two types allow, with the index of each way in RELATION_LABELS (None: not that way)."""
    found = []
    for name, allowed in TYPES.items():
        forward = relation_label(name, True) if (earlier, later) in allowed else None
        backward = relation_label(name, False) if (later, earlier) in allowed else None
        if forward is not None or backward is not None:
            found.append((name, forward, backward))
    return tuple(found)


def best_relation(probabilities: Sequence[float], earlier: str, later: str) -> tuple[str, bool, float] | None:
    """The most probable relation that two types allow: its name, whether the earlier mention is the head, and p."""
    best: tuple[str, bool, float] | None = None
    for name, ahead, behind in _allowed(earlier, later):
        forward = 0.0 if ahead is None else probabilities[ahead]
        backward = 0.0 if behind is None else probabilities[behind]
        p = min(1.0, forward + backward) if name in SYMMETRIC else max(forward, backward)
        if p > 0 and (best is None or p > best[2]):
            best = name, forward >= backward, p
    return best


class RelationFinder(Component[list[Edge]]):
    """Sets ``doc._.relations``."""

    def __init__(self, network: Network, calibration: Calibration) -> None:
        self.network = network
        self.calibration = calibration

    def predict_one(self, doc: Doc) -> list[Edge]:
        """The relations of a Doc, in text order; a symmetric one once."""
        mentions = read_mentions(doc)
        ents = doc.ents
        defined, ambiguous = _defined(doc)
        certain = [log_odds(ent._.score) for ent in ents]
        labels = [ent.label_ for ent in ents]
        edges = {}
        pairs = pairs_of(mentions)
        for (i, j), row in zip(pairs, self._probabilities(doc, mentions, pairs).tolist(), strict=True):
            best = best_relation(row, labels[i], labels[j])
            if best is None:
                continue
            name, forward, p = best
            if name == "SYNONYM_OF":
                if {i, j} & ambiguous:
                    continue
                forward = len(ents[i]) <= len(ents[j])
            features = [log_odds(p), certain[i], certain[j]]
            score = self.calibration.score("relation", name, features)
            if self.calibration.keeps("relation", name, score):
                edges[i, j] = Edge(i, name, j, score) if forward else Edge(j, name, i, score)
        for short, long in defined:
            edges[min(short, long), max(short, long)] = Edge(short, "SYNONYM_OF", long, ABBREVIATION_SCORE)
        return [edges[pair] for pair in sorted(edges)]

    def _probabilities(self, doc: Doc, mentions: Mentions, pairs: list[tuple[int, int]]) -> Floats:
        if not pairs:
            return np.zeros((0, len(RELATION_LABELS)), np.float32)
        spans = mentions.spans
        distances = [(bucket(max(0, int(spans[j, 0] - spans[i, 1] - 1))), bucket(j - i - 1)) for i, j in pairs]
        return self.network.relations(
            encoding_of(doc).vectors, spans, mentions.types, np.array(pairs, np.int64), np.array(distances, np.int64)
        )

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[Edge]]) -> None:
        """Write the relations."""
        for doc, edges in zip(docs, predictions, strict=True):
            doc.user_data[RELATIONS] = [tuple(edge) for edge in edges]


def _defined(doc: Doc) -> tuple[list[tuple[int, int]], set[int]]:
    """(short, long) mentions that the text defines, and the mentions of short forms with more than one long form."""
    ents = doc.ents
    longs: dict[str, set[str]] = {}
    for pair in doc._.abbreviations:
        longs.setdefault(pair.short.text, set()).add(" ".join(pair.long.text.lower().replace("-", " ").split()))
    ambiguous = {i for i, ent in enumerate(ents) if len(longs.get(ent.text, ())) > 1}
    defined = []
    for pair in doc._.abbreviations:
        short, long = _mention_at(ents, pair.short), _mention_at(ents, pair.long)
        if short is None or long is None or short == long or short in ambiguous:
            continue
        if ents[short].label_ == ents[long].label_:
            defined.append((short, long))
    return defined, ambiguous


def _mention_at(ents: Sequence[Span], span: Span) -> int | None:
    """The mention that ends where a span ends and covers most of it."""
    for i, ent in enumerate(ents):
        if ent.end == span.end and ent.label_ in ENTITY_TYPES and abs(ent.start - span.start) <= 2:
            return i
    return None


@Language.factory(
    "kg_relations",
    default_config={"min_score": None},
    requires=["doc.ents", "doc.sents", "span._.score", "doc._.abbreviations"],
    assigns=["doc._.relations"],
)
def create_relations(nlp: Language, name: str, model: str, min_score: float | None) -> RelationFinder:
    """The component that finds relations."""
    register()
    network = load_network(model)
    return RelationFinder(network, Calibration(network.meta, min_score))
