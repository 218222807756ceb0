"""The Python graph API: look-ups with evidence, similarity that explains itself, networkx views and exports."""

from kg.graph.answers import (
    Claim,
    Comparison,
    EntityCard,
    Hit,
    PaperCard,
    PaperUse,
    QueryRow,
    Ranked,
    SharedEntity,
    SimilarPaper,
    Suggestion,
    Support,
    TaskDataset,
    TaskMethod,
    TripleEvidence,
)
from kg.graph.lookups import Graph, open_graph
from kg.graph.results import Row, Table

__all__ = [
    "Claim",
    "Comparison",
    "EntityCard",
    "Graph",
    "Hit",
    "PaperCard",
    "PaperUse",
    "QueryRow",
    "Ranked",
    "Row",
    "SharedEntity",
    "SimilarPaper",
    "Suggestion",
    "Support",
    "Table",
    "TaskDataset",
    "TaskMethod",
    "TripleEvidence",
    "open_graph",
]
