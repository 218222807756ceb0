"""Roles: what each entity is to its paper, with the sentence that says so."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.pipeline.annotations import CLUSTERS, ROLES, register
from kg.pipeline.calibration import Calibration, log_odds
from kg.pipeline.component import Component
from kg.pipeline.encoder import ENCODING, encoding_of
from kg.pipeline.mentions import Mentions, read_mentions
from kg.pipeline.network import Floats, Network, load_network
from kg.pipeline.scheme import ROLE_LABELS, bucket
from kg.pipeline.scheme import ROLES as TYPES


class Part(NamedTuple):
    """A role of one of the clusters; the sentence's first token and end token."""

    cluster: int
    role: str
    score: float
    start: int
    end: int


class RoleFinder(Component[list[Part]]):
    """Sets ``doc._.roles`` and, as the last to read it, takes the encoding off the Doc."""

    def __init__(self, network: Network, calibration: Calibration) -> None:
        self.network = network
        self.calibration = calibration

    def predict_one(self, doc: Doc) -> list[Part]:
        """The roles in a Doc, in the order of its clusters."""
        clusters: list[list[int]] = doc.user_data[CLUSTERS]
        if not clusters:
            return []
        mentions = read_mentions(doc)
        scores: list[list[float]] = self._scores(doc, mentions, clusters).tolist()
        ents = doc.ents
        parts = []
        for c, members in enumerate(clusters):
            label = ents[members[0]].label_
            certain = log_odds(max(ents[i]._.score for i in members))
            for k, role in enumerate(ROLE_LABELS):
                if label not in TYPES[role]:
                    continue
                own = [scores[i][k] for i in members]
                top = max(own)
                total = top + math.log(sum(math.exp(s - top) for s in own))
                score = self.calibration.score("role", role, [total, certain])
                if self.calibration.keeps("role", role, score):
                    sentence = mentions.tokens[mentions.sentence[members[own.index(top)]]]
                    parts.append(Part(c, role, score, *sentence))
        return parts

    def _scores(self, doc: Doc, mentions: Mentions, clusters: list[list[int]]) -> Floats:
        n = len(mentions.types)
        same = np.zeros((n, n), np.float32)
        size = np.zeros(n, np.int64)
        for members in clusters:
            same[np.ix_(members, members)] = 1.0 / len(members)
            size[members] = len(members)
        last = mentions.n_sentences - 1
        places = [(bucket(s), bucket(last - s), bucket(int(size[i]))) for i, s in enumerate(mentions.sentence)]
        return self.network.roles(
            encoding_of(doc).vectors, mentions.spans, mentions.types, same, mentions.around, np.array(places, np.int64)
        )

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[Part]]) -> None:
        """Write the roles and let go of the encoding."""
        for doc, parts in zip(docs, predictions, strict=True):
            doc.user_data[ROLES] = [tuple(part) for part in parts]
            doc.user_data.pop(ENCODING, None)


@Language.factory(
    "kg_roles",
    default_config={"min_score": None},
    requires=["doc.ents", "doc.sents", "doc._.clusters"],
    assigns=["doc._.roles"],
)
def create_roles(nlp: Language, name: str, model: str, min_score: float | None) -> RoleFinder:
    """The component that finds roles."""
    register()
    network = load_network(model)
    return RoleFinder(network, Calibration(network.meta, min_score))
