"""The graph as RDF: entities by SKOS, papers by Dublin Core, and every edge a node that carries its evidence.

One statement per edge says it plainly (``paper kg:USES method``); beside it a ``kg:Claim`` with ``rdf:subject``,
``rdf:predicate`` and ``rdf:object`` carries paper, sentence, offsets and score, so that no evidence is lost and a fact
stated by three papers stays three claims. Names are ``urn:kg:`` IRIs made of the stored ids, percent-encoded.
"""

import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import networkx as nx

from kg.graph.extras import need

NAMESPACE = "urn:kg:term:"
_NODE, _EDGE = "urn:kg:node:", "urn:kg:claim:"
_SKOS, _DCTERMS = "http://www.w3.org/2004/02/skos/core#", "http://purl.org/dc/terms/"

_TERMS = {
    "name": _SKOS + "prefLabel",
    "aliases": _SKOS + "altLabel",
    "title": _DCTERMS + "title",
    "abstract": _DCTERMS + "abstract",
}
_LISTS = ("aliases", "ids", "surfaces")


def write(graph: nx.MultiDiGraph, path: Path, syntax: str) -> None:
    """Write the graph in ``turtle`` or ``json-ld``."""
    rdflib = need("rdflib", "RDF")
    out = rdflib.Graph()
    for prefix, iri in (("kg", NAMESPACE), ("skos", _SKOS), ("dcterms", _DCTERMS)):
        out.bind(prefix, rdflib.URIRef(iri))
    a, ref, literal = rdflib.RDF.type, rdflib.URIRef, rdflib.Literal

    def describe(subject: Any, values: dict[str, Any]) -> None:
        for name, value in values.items():
            for one in value if isinstance(value, (list, tuple)) else (value,):
                # As decimals: Turtle's short form of a double keeps six digits of it.
                value_of = Decimal(repr(one)) if isinstance(one, float) else one
                out.add((subject, ref(_term(name)), literal(value_of)))

    for node, values in graph.nodes(data=True):
        subject = ref(_NODE + quote(node, safe=""))
        out.add((subject, a, ref(NAMESPACE + values["type"])))
        describe(subject, {k: v for k, v in values.items() if k != "type"})
    for head, tail, key, values in graph.edges(keys=True, data=True):
        claim = ref(_EDGE + quote(key, safe=""))
        ends = ref(_NODE + quote(head, safe="")), ref(NAMESPACE + values["relation"]), ref(_NODE + quote(tail, safe=""))
        out.add(ends)
        out.add((claim, a, ref(NAMESPACE + "Claim")))
        for predicate, end in zip((rdflib.RDF.subject, rdflib.RDF.predicate, rdflib.RDF.object), ends, strict=True):
            out.add((claim, predicate, end))
        describe(claim, {k: v for k, v in values.items() if k != "relation"})
    out.serialize(destination=str(path), format=syntax, encoding="utf-8")


def read(path: Path, syntax: str) -> nx.MultiDiGraph:
    """Read back what ``write`` wrote: an equal graph, lists sorted."""
    rdflib = need("rdflib", "RDF")
    stored = rdflib.Graph()
    with warnings.catch_warnings():  # rdflib's own JSON-LD reader goes through a class that rdflib calls deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        stored.parse(str(path), format=syntax)
    names = {_term(name): name for name in (*_TERMS, *_LISTS)}
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    claims: list[tuple[str, str, str, str, dict[str, Any]]] = []
    for subject in sorted(set(stored.subjects())):
        kind = str(next(stored.objects(subject, rdflib.RDF.type))).removeprefix(NAMESPACE)
        values: dict[str, Any] = {"type": kind}
        for predicate, value in stored.predicate_objects(subject):
            name = names.get(str(predicate), str(predicate).removeprefix(NAMESPACE))
            if name in _LISTS:
                values.setdefault(name, []).append(str(value))
            elif isinstance(value, rdflib.Literal):
                plain = str(value) if value.datatype is None else value.toPython()
                values[name] = float(plain) if isinstance(plain, Decimal) else plain
        for name in _LISTS:
            if name in values:
                values[name].sort()
        if kind == "Claim":
            parts = (rdflib.RDF.subject, rdflib.RDF.predicate, rdflib.RDF.object)
            head, relation, tail = (str(stored.value(subject, part)) for part in parts)
            claims.append((str(subject), head, relation, tail, values))
        else:
            graph.add_node(unquote(str(subject).removeprefix(_NODE)), **values)
    for claim, head, relation, tail, values in claims:
        values["relation"] = relation.removeprefix(NAMESPACE)
        del values["type"]
        graph.add_edge(
            unquote(head.removeprefix(_NODE)),
            unquote(tail.removeprefix(_NODE)),
            key=unquote(claim.removeprefix(_EDGE)),
            **values,
        )
    return graph


def _term(name: str) -> str:
    return _TERMS.get(name, NAMESPACE + name)
