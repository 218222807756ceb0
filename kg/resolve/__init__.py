"""Which mentions name one thing: within a document, over the corpus, and by what people decided.

``name_document``  gives each mention of one document its entity name (what an extraction record carries)
``Resolver``       joins the names of all records into entities; a pure function of the set of records
``link``           one record and a resolution -> the edges that the paper contributes
``merge_papers``   one work read under several identifiers -> one paper
"""

from kg.resolve.aliases import (
    AliasTable,
    NeverMerge,
    load_aliases,
    load_never_merge,
    shipped_aliases,
    shipped_never_merge,
)
from kg.resolve.corpus import Resolution, Resolver
from kg.resolve.document import name_document
from kg.resolve.edges import link
from kg.resolve.joins import Join
from kg.resolve.papers import identifiers, merge_papers, same_works, update
from kg.resolve.usage import Use, Uses, uses

__all__ = [
    "AliasTable",
    "Join",
    "NeverMerge",
    "Resolution",
    "Resolver",
    "Use",
    "Uses",
    "identifiers",
    "link",
    "load_aliases",
    "load_never_merge",
    "merge_papers",
    "name_document",
    "same_works",
    "shipped_aliases",
    "shipped_never_merge",
    "update",
    "uses",
]
