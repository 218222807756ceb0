"""Which mentions name one thing: within a document, over the corpus, and by what people decided.

``name_document``  gives each mention of one document its entity name (what an extraction record carries)
``Resolver``       joins the names of all records into entities; a pure function of the set of records
``link``           one record and a resolution -> the edges that the paper contributes
"""

from kg.resolve.aliases import (
    AliasTable,
    NeverMerge,
    load_aliases,
    load_never_merge,
    shipped_aliases,
    shipped_never_merge,
)
from kg.resolve.corpus import Join, Resolution, Resolver
from kg.resolve.document import name_document
from kg.resolve.edges import link
from kg.resolve.usage import Use, Uses, uses

__all__ = [
    "AliasTable",
    "Join",
    "NeverMerge",
    "Resolution",
    "Resolver",
    "Use",
    "Uses",
    "link",
    "load_aliases",
    "load_never_merge",
    "name_document",
    "shipped_aliases",
    "shipped_never_merge",
    "uses",
]
