"""The graph in networkx: typed nodes, evidence on every edge, and what one asks of it, each as one thin call.

``Graph.to_networkx`` gives the MultiDiGraph; the functions here take it (or one of the projections) as their first
argument, as networkx's own do, so every algorithm of networkx is one call away.
"""

import gc
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations
from operator import itemgetter
from sys import intern
from typing import Any, Literal

import networkx as nx

from kg.errors import NotFoundError
from kg.graph.answers import Ranked, Suggestion, Support
from kg.graph.extras import need
from kg.graph.results import Table
from kg.graph.similarity import weight
from kg.store import Columns, Store
from kg.types import ENTITY_TYPES, SCHEMA, NodeType

_ENDS = ("id", "head", "tail")
_PAPER = ("id", "title", "year", "venue", "url", "ids", "status", "content_hash", "extractor")
_ENTITY = ("id", "name", "aliases", "ambiguous")
_COUNTED = ("count", "surfaces")
_EVIDENCE = ("sentence", "start", "end", "extractor")


def to_networkx(
    store: Store,
    *,
    relations: Collection[str] | None = None,
    min_score: float = 0.0,
    evidence: bool = True,
    abstracts: bool = False,
) -> nx.MultiDiGraph:
    """The stored graph as a MultiDiGraph: node and edge keys are the stored ids.

    A node has ``type`` and its stored properties, an edge ``relation``, ``paper``, ``score`` and, with ``evidence``,
    ``sentence``, ``start``, ``end`` and ``extractor``. Properties without a value are left out.

    ``relations`` and ``min_score`` keep only some edges; every node stays.
    """
    kept = {r: spec for r, spec in SCHEMA.items() if relations is None or r in relations}
    papers = (*_PAPER, "abstract") if abstracts else _PAPER
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    with _no_collection():
        for type_ in ("Paper", *ENTITY_TYPES):
            _add_nodes(graph, store, type_, papers if type_ == "Paper" else _ENTITY)
        counted = [r for r in kept if r == "MENTIONS"]
        for some, more in (([r for r in kept if r not in counted], ()), (counted, _COUNTED)):
            names = ("paper", "score", *(_EVIDENCE if evidence else ()), *more)
            for relation, columns in store.edges(some, names, min_score=min_score) if some else ():
                _add_edges(graph, relation, columns)
    return graph


def _add_nodes(graph: nx.MultiDiGraph, store: Store, type_: str, names: Iterable[str]) -> None:
    rows = store.query(f"MATCH (n:{type_}) RETURN {_columns('n', names)}")
    for row in sorted(rows, key=itemgetter("id")):
        graph.add_node(intern(row.pop("id")), type=type_, **{k: v for k, v in row.items() if not _empty(v)})


def _add_edges(graph: nx.MultiDiGraph, relation: str, columns: Columns) -> None:
    names = [name for name in columns if name not in _ENDS]
    # Many edges have the same ends, paper, sentence: each text is kept once.
    texts = ([intern(v) if isinstance(v, str) else v for v in columns[name]] for name in ("head", "tail", *names))
    for key, head, tail, *values in sorted(zip(columns["id"], *texts, strict=True), key=itemgetter(0)):
        graph.add_edge(head, tail, key=key, relation=relation, **dict(zip(names, values, strict=True)))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Stop looking for cyclic garbage: among millions of new objects that takes most of the time and finds none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _columns(variable: str, names: Iterable[str]) -> str:
    return ", ".join(f"{variable}.{name} AS {name}" for name in names)


# -- projections -----------------------------------------------------------------------------------------------
def paper_projection(
    graph: nx.MultiDiGraph, *, by: NodeType = "Method", mentions: bool = False, max_papers: int = 200
) -> nx.Graph:
    """Papers joined by what they share of one type; ``weight`` adds up the rarity weights, ``shared`` lists the ids.

    Roles above MENTIONS count, and MENTIONS if asked. What more than ``max_papers`` papers share says little of
    any two and gives papers x papers edges, so it is left out; ``graph.graph["left_out"]`` of the projection lists it.
    """
    papers, naming = _incidence(graph, by, mentions)
    return _project(graph, papers, naming, len(papers), max_papers)


def method_projection(graph: nx.MultiDiGraph, *, mentions: bool = False, max_methods: int = 200) -> nx.Graph:
    """Methods joined by the papers they share: ``weight`` adds 1 / (methods of the paper - 1), ``shared`` lists papers.

    The division is Newman's (2001, "Scientific collaboration networks II"): a paper that works with many methods says
    less of any two of them. Papers with more than ``max_methods`` methods are left out and listed as in
    ``paper_projection``.
    """
    papers, _ = _incidence(graph, "Method", mentions)
    projection: nx.Graph = nx.Graph(left_out=[])
    projection.add_nodes_from((n, d) for n, d in graph.nodes(data=True) if d["type"] == "Method")
    for paper in sorted(papers):
        methods = sorted(papers[paper])
        if len(methods) > max_methods:
            projection.graph["left_out"].append(paper)
            continue
        for a, b in combinations(methods, 2):
            _join(projection, a, b, 1 / (len(methods) - 1), paper)
    return projection


def method_task_projection(graph: nx.MultiDiGraph) -> nx.Graph:
    """Methods and tasks, bipartite (``bipartite`` is 0 for methods, 1 for tasks), joined where one serves the other.

    They are joined by a sentence that says so (USED_FOR) or by a paper that addresses the task and proposes or uses the
    method; ``shared`` lists the papers, ``weight`` is their number times the method's rarity weight.
    """
    total = sum(d["type"] == "Paper" for _, d in graph.nodes(data=True))
    users = _incidence(graph, "Method", mentions=True)[1]
    projection: nx.Graph = nx.Graph()
    projection.add_nodes_from((n, d | {"bipartite": 0}) for n, d in graph.nodes(data=True) if d["type"] == "Method")
    projection.add_nodes_from((n, d | {"bipartite": 1}) for n, d in graph.nodes(data=True) if d["type"] == "Task")
    for (method, task), support in sorted(_method_task(graph).items()):
        papers = sorted({s.paper for s in support})
        rarity = weight(total, max(1, len(users.get(method, ()))))
        projection.add_edge(method, task, shared=papers, weight=round(len(papers) * rarity, 6))
    return projection


# -- questions -------------------------------------------------------------------------------------------------
def communities(projection: nx.Graph, *, resolution: float = 1.0, seed: int = 0) -> list[list[str]]:
    """Groups of nodes joined more among themselves than to others: Louvain (Blondel et al., 2008), the largest first.

    Nodes without an edge are left out. The same graph and seed give the same groups.
    """
    joined = projection.subgraph(sorted(n for n, degree in projection.degree() if degree))
    ordered: nx.Graph = nx.Graph()  # Louvain visits nodes in the order they were added
    ordered.add_nodes_from(sorted(joined))
    ordered.add_weighted_edges_from(sorted((min(u, v), max(u, v), d["weight"]) for u, v, d in joined.edges(data=True)))
    groups = nx.community.louvain_communities(ordered, weight="weight", resolution=resolution, seed=seed)
    return sorted((sorted(group) for group in groups), key=lambda g: (-len(g), g))


def centrality(
    projection: nx.Graph, *, kind: Literal["pagerank", "betweenness", "degree"] = "pagerank", k: int = 20
) -> Table[Ranked]:
    """The ``k`` most central nodes, best first, ties by id.

    ``pagerank`` and ``degree`` go by weight; ``betweenness`` counts unweighted shortest paths, on a graph of more than
    2,000 nodes estimated from 200 of them (seed 0).
    """
    match kind:
        case "pagerank":
            need("scipy", "PageRank")
            scores = nx.pagerank(projection, weight="weight") if projection else {}
        case "betweenness":
            sample = 200 if len(projection) > 2000 else None
            scores = nx.betweenness_centrality(projection, k=sample, seed=0)
        case "degree":
            scores = dict(projection.degree(weight="weight"))
        case _:
            raise NotFoundError(f"no centrality is called {kind!r}; there are pagerank, betweenness and degree")
    best = sorted(scores, key=lambda n: (-round(scores[n], 12), n))[:k]
    rows = (Ranked(id=n, type=projection.nodes[n]["type"], name=name_of(projection, n), score=scores[n]) for n in best)
    return Table(rows, of=Ranked, title=f"Most central by {kind}")


def suggest_methods(graph: nx.MultiDiGraph, task: str, *, k: int = 10, neighbours: int = 20) -> Table[Suggestion]:
    """Methods not yet used for ``task`` (an id) that the tasks nearest to it use, and why: those tasks, their papers.

    Two tasks are near by the methods both use, rare ones weighing more: with w(m) = ln(1 + tasks / tasks using m),
    near(t, u) = sum of w over the methods of both / sum of w over the methods of either. A method's score is the sum of
    near(task, u) over the ``neighbours`` nearest tasks u that use it: collaborative filtering, each term a reason.
    """
    if task not in graph or graph.nodes[task]["type"] != "Task":
        raise NotFoundError(f"no task in this graph has the id {task!r}; Graph.entity(name).id gives it")
    support = _method_task(graph)
    methods: dict[str, set[str]] = defaultdict(set)
    tasks: dict[str, set[str]] = defaultdict(set)
    for method, other in support:
        methods[other].add(method)
        tasks[method].add(other)
    rarity = {m: weight(len(methods), len(users)) for m, users in tasks.items()}
    ours = methods.get(task, set())
    near: dict[str, float] = {}
    for other in {t for m in ours for t in tasks[m]} - {task}:
        both = math.fsum(sorted(rarity[m] for m in ours & methods[other]))
        near[other] = both / math.fsum(sorted(rarity[m] for m in ours | methods[other]))
    reasons: dict[str, list[Support]] = defaultdict(list)
    for other, score in sorted(near.items(), key=lambda item: (-item[1], item[0]))[:neighbours]:
        for method in methods[other] - ours:
            best = min(support[method, other], key=lambda s: (s.relation != "USED_FOR", -s.score, s.paper, s.start))
            reasons[method].append(
                Support(
                    task=other,
                    name=name_of(graph, other),
                    nearness=score,
                    shared=tuple(
                        name_of(graph, m) for m in sorted(ours & methods[other], key=lambda m: (-rarity[m], m))
                    ),
                    paper=best.paper,
                    sentence=best.sentence,
                )
            )
    found = [
        Suggestion(
            method=method,
            name=name_of(graph, method),
            score=math.fsum(s.nearness for s in given),
            reasons=tuple(sorted(given, key=lambda s: (-s.nearness, s.task))),
        )
        for method, given in reasons.items()
    ]
    found.sort(key=lambda s: (-round(s.score, 12), s.method))
    return Table(found[:k], of=Suggestion, title=f"Methods to try for {name_of(graph, task)}")


def name_of(graph: nx.Graph, node: str) -> str:
    """What a node is called: an entity's name, a paper's title, else its id."""
    values = graph.nodes[node]
    return str(values.get("name") or values.get("title") or node)


# -- the parts -------------------------------------------------------------------------------------------------
def _incidence(
    graph: nx.MultiDiGraph, type_: NodeType, mentions: bool
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Paper -> its entities of a type, and entity -> its papers; every paper is a key, with or without entities."""
    papers: dict[str, set[str]] = {n: set() for n, d in graph.nodes(data=True) if d["type"] == "Paper"}
    naming: dict[str, set[str]] = defaultdict(set)
    for paper, entity, relation in graph.edges(data="relation"):
        if paper in papers and graph.nodes[entity]["type"] == type_ and (mentions or relation != "MENTIONS"):
            papers[paper].add(entity)
            naming[entity].add(paper)
    return papers, naming


def _project(
    graph: nx.MultiDiGraph,
    nodes: Iterable[str],
    groups: dict[str, set[str]],
    total: int,
    largest: int,
) -> nx.Graph:
    projection: nx.Graph = nx.Graph(left_out=[])
    projection.add_nodes_from((n, graph.nodes[n]) for n in nodes)
    for entity in sorted(groups):
        members = sorted(groups[entity])
        if len(members) > largest:
            projection.graph["left_out"].append(entity)
            continue
        rarity = weight(total, len(members))
        for a, b in combinations(members, 2):
            _join(projection, a, b, rarity, entity)
    return projection


def _join(projection: nx.Graph, a: str, b: str, part: float, shared: str) -> None:
    if projection.has_edge(a, b):
        edge = projection.edges[a, b]
        edge["weight"] = round(edge["weight"] + part, 6)
        edge["shared"].append(shared)
    else:
        projection.add_edge(a, b, weight=round(part, 6), shared=[shared])


class _Said:
    """Why a method goes with a task: one edge of one paper."""

    __slots__ = ("paper", "relation", "score", "sentence", "start")

    def __init__(self, edge: dict[str, Any]) -> None:
        self.paper: str = edge["paper"]
        self.relation: str = edge["relation"]
        self.score: float = edge["score"]
        self.sentence: str = edge.get("sentence", "")
        self.start: int = edge.get("start", 0)


def _method_task(graph: nx.MultiDiGraph) -> dict[tuple[str, str], list[_Said]]:
    """(method, task) -> what ties them: USED_FOR edges, and the roles of methods in papers that address the task."""
    found: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for head, tail, edge in _edges(graph, "USED_FOR"):
        if graph.nodes[tail]["type"] == "Task":
            found[head, tail].append(_Said(edge))
    addressed: dict[str, set[str]] = defaultdict(set)
    for paper, task, _ in _edges(graph, "ADDRESSES"):
        addressed[paper].add(task)
    for relation in ("PROPOSES", "USES"):
        for paper, method, edge in _edges(graph, relation):
            for task in addressed.get(paper, ()):
                found[method, task].append(_Said(edge))
    return found


def _edges(graph: nx.MultiDiGraph, relation: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    return ((u, v, d) for u, v, d in graph.edges(data=True) if d["relation"] == relation)


def _empty(value: Any) -> bool:
    return value is None or value == "" or value == []
