"""What people decide about names: what kg proposes, and merges, splits and aliases that are kept and undone exactly.

``candidates``  pairs of entities that may be one thing, with the evidence; nothing is merged by proposing it
``ambiguous``, ``conflicts``, ``joins``  what resolution left open, what has two types, what it joined and why
``merge``, ``split``, ``alias``, ``undo``  one decision each, kept in the graph, which then agrees with it
``write_decisions``, ``read_decisions``  all decisions of a graph to and from a file
"""

from kg.review.candidates import Candidate, candidates
from kg.review.decisions import Change, alias, merge, read_decisions, shown, split, undo, write_decisions
from kg.review.listings import ambiguous, conflicts, joins

__all__ = [
    "Candidate",
    "Change",
    "alias",
    "ambiguous",
    "candidates",
    "conflicts",
    "joins",
    "merge",
    "read_decisions",
    "shown",
    "split",
    "undo",
    "write_decisions",
]
