"""A graph of seven made-up papers, small enough that every recipe's answer can be worked out by hand.

Sentence by sentence: what it names (entity key, surface) and what it states (head, relation, tail, score), where the
head "P" is the paper itself. MENTIONS edges are counted from the names, as the load does it.
"""

from collections.abc import Iterator

from kg.types import SCHEMA, Contribution, Edge, Entity, Extraction, Mention, Paper, Triple

ENTITIES = {
    "gnn": Entity(
        id="method:graph-neural-network", type="Method", name="graph neural network", aliases=("GNN", "GNNs")
    ),
    "tern": Entity(id="method:tern", type="Method", name="Tern"),
    "plover": Entity(id="method:plover", type="Method", name="Plover"),
    "heron": Entity(id="method:heron", type="Method", name="Heron"),
    "attention": Entity(id="method:sparse-attention", type="Method", name="sparse attention", aliases=("SA",)),
    "annealing": Entity(
        id="method:simulated-annealing", type="Method", name="simulated annealing", aliases=("SA",), ambiguous=True
    ),
    "ridge": Entity(id="method:ridge-regression", type="Method", name="ridge regression"),
    "ridge2": Entity(id="method:ridge-regressions", type="Method", name="Ridge-Regression"),
    "nodes": Entity(id="task:node-classification", type="Task", name="node classification"),
    "traffic": Entity(id="task:traffic-forecasting", type="Task", name="traffic forecasting"),
    "forecast": Entity(id="task:time-series-forecasting", type="Task", name="time series forecasting"),
    "birds": Entity(id="task:bird-counting", type="Task", name="bird counting"),
    "roadset": Entity(id="dataset:roadset", type="Dataset", name="RoadSet"),
    "citenet": Entity(id="dataset:citenet", type="Dataset", name="CiteNet", aliases=("Cite-Net",)),
    "wings": Entity(id="dataset:wings-9k", type="Dataset", name="Wings-9k"),
}

Named = list[tuple[str, str]]
Stated = list[tuple[str, str, str, float]]
Sentence = tuple[str, Named, Stated]

PAPERS: dict[str, tuple[str, int | None, list[Sentence]]] = {
    "p1": (
        "Tern: a light graph network for citations",
        2021,
        [
            (
                "We present Tern, a kind of graph neural network for node classification.",
                [("tern", "Tern"), ("gnn", "graph neural network"), ("nodes", "node classification")],
                [
                    ("P", "PROPOSES", "tern", 0.95),
                    ("P", "ADDRESSES", "nodes", 0.9),
                    ("tern", "SUBCLASS_OF", "gnn", 0.8),
                    ("tern", "USED_FOR", "nodes", 0.85),
                ],
            ),
            (
                "On CiteNet it does better than ridge regression.",
                [("citenet", "CiteNet"), ("ridge", "ridge regression")],
                [
                    ("P", "EVALUATED_ON", "citenet", 0.92),
                    ("P", "COMPARES_WITH", "ridge", 0.7),
                    ("tern", "COMPARES_WITH", "ridge", 0.65),
                    ("tern", "EVALUATED_ON", "citenet", 0.75),
                ],
            ),
        ],
    ),
    "p2": (
        "Plover forecasts traffic",
        2022,
        [
            (
                "Plover joins a GNN with sparse attention for traffic forecasting, a form of time series forecasting.",
                [
                    ("plover", "Plover"),
                    ("gnn", "GNN"),
                    ("attention", "sparse attention"),
                    ("traffic", "traffic forecasting"),
                    ("forecast", "time series forecasting"),
                ],
                [
                    ("P", "PROPOSES", "plover", 0.93),
                    ("P", "USES", "gnn", 0.88),
                    ("P", "USES", "attention", 0.81),
                    ("P", "ADDRESSES", "traffic", 0.94),
                    ("gnn", "PART_OF", "plover", 0.72),
                    ("attention", "PART_OF", "plover", 0.71),
                    ("plover", "USED_FOR", "traffic", 0.86),
                    ("traffic", "SUBTASK_OF", "forecast", 0.77),
                ],
            ),
            (
                "We test Plover on RoadSet.",
                [("plover", "Plover"), ("roadset", "RoadSet")],
                [("P", "EVALUATED_ON", "roadset", 0.91)],
            ),
        ],
    ),
    "p3": (
        "Heron, trained on roads",
        2023,
        [
            (
                "Heron is a sparse attention model that we train on RoadSet for traffic forecasting.",
                [
                    ("heron", "Heron"),
                    ("attention", "sparse attention"),
                    ("roadset", "RoadSet"),
                    ("traffic", "traffic forecasting"),
                ],
                [
                    ("P", "PROPOSES", "heron", 0.9),
                    ("P", "USES", "attention", 0.84),
                    ("P", "ADDRESSES", "traffic", 0.89),
                    ("P", "EVALUATED_ON", "roadset", 0.82),
                    ("heron", "TRAINED_ON", "roadset", 0.8),
                    ("heron", "SUBCLASS_OF", "attention", 0.66),
                ],
            ),
            (
                "Heron outperforms Plover.",
                [("heron", "Heron"), ("plover", "Plover")],
                [("P", "COMPARES_WITH", "plover", 0.87), ("heron", "COMPARES_WITH", "plover", 0.83)],
            ),
        ],
    ),
    "p4": (
        "Counting birds with Wings-9k",
        2023,
        [
            (
                "We release Wings-9k, a benchmark for bird counting.",
                [("wings", "Wings-9k"), ("birds", "bird counting")],
                [
                    ("P", "INTRODUCES", "wings", 0.96),
                    ("P", "INTRODUCES", "birds", 0.45),
                    ("wings", "BENCHMARK_FOR", "birds", 0.9),
                ],
            ),
            (
                "A GNN trained with simulated annealing is our baseline.",
                [("gnn", "GNN"), ("annealing", "simulated annealing")],
                [("P", "USES", "gnn", 0.6), ("P", "USES", "annealing", 0.58)],
            ),
        ],
    ),
    "p5": (
        "Node classification with the Ridge-Regression",
        2022,
        [
            (
                "The Ridge-Regression is still good at node classification on Cite-Net.",
                [("ridge2", "Ridge-Regression"), ("nodes", "node classification"), ("citenet", "Cite-Net")],
                [
                    ("P", "USES", "ridge2", 0.79),
                    ("P", "ADDRESSES", "nodes", 0.83),
                    ("P", "EVALUATED_ON", "citenet", 0.85),
                    ("ridge2", "USED_FOR", "nodes", 0.78),
                    ("citenet", "BENCHMARK_FOR", "nodes", 0.76),
                ],
            ),
            ("GNNs are named only in passing.", [("gnn", "GNNs")], []),
        ],
    ),
    "p6": ("A position without names", None, [("We argue for patience.", [], [])]),
    "p7": (
        "Do GNNs need depth?",
        2024,
        [
            (
                "We study the depth of GNNs for node classification.",
                [("gnn", "GNNs"), ("nodes", "node classification")],
                [
                    ("P", "USES", "gnn", 0.9),
                    ("P", "ADDRESSES", "nodes", 0.88),
                    ("gnn", "USED_FOR", "nodes", 0.82),
                ],
            ),
            (
                "Deep GNNs do no better than shallow GNNs.",
                [("gnn", "GNNs"), ("gnn", "GNNs")],
                [],
            ),
        ],
    ),
}

EXTRACTOR = "aviary 1"


def contributions() -> Iterator[Contribution]:
    """The seven papers with their edges. An edge's id is ``paper/relation/head/tail`` in the keys of this file."""
    for pid, (title, year, sentences) in PAPERS.items():
        paper = Paper(
            id=pid,
            title=title,
            year=year,
            venue="Aviary" if year else None,
            abstract=" ".join(text for text, _, _ in sentences),
        )
        mentions: list[Mention] = []
        triples: list[Triple] = []
        edges: list[Edge] = []
        named: dict[str, list[tuple[str, int, int]]] = {}
        at = 0
        for text, names, stated in sentences:
            end, cursor = at + len(text), at
            for key, surface in names:
                start = paper.abstract.index(surface, cursor)
                cursor = start + len(surface)
                entity = ENTITIES[key]
                span = {"start": start, "end": cursor, "text": surface, "name": surface}
                mentions.append(Mention(**span, type=entity.type, entity=entity.name, score=0.9))
                named.setdefault(key, []).append((surface, at, end))
            for head, relation, tail, score in stated:
                edge = _edge(paper, head, relation, tail, at, end, score)
                edges.append(edge)
                triples.append(
                    Triple(
                        head=pid if head == "P" else ENTITIES[head].name,
                        head_type=edge.head_type,
                        relation=relation,
                        tail=ENTITIES[tail].name,
                        tail_type=edge.tail_type,
                        start=at,
                        end=end,
                        score=score,
                    )
                )
            at = end + 1
        for key, seen in named.items():
            more = {"count": len(seen), "surfaces": sorted({surface for surface, _, _ in seen})}
            edges.append(_edge(paper, "P", "MENTIONS", key, seen[0][1], seen[0][2], 0.9, more))
        record = Extraction(paper=paper, mentions=tuple(mentions), triples=tuple(triples), extractor=EXTRACTOR)
        yield Contribution(record=record, edges=tuple(edges))


def _edge(
    paper: Paper, head: str, relation: str, tail: str, start: int, end: int, score: float, more: dict | None = None
) -> Edge:
    target = ENTITIES[tail]
    head_type, head_id = ("Paper", paper.id) if head == "P" else (ENTITIES[head].type, ENTITIES[head].id)
    assert (head_type, target.type) in SCHEMA[relation].pairs
    return Edge(
        id=f"{paper.id}/{relation}/{head}/{tail}",
        type=relation,
        head_type=head_type,
        head=head_id,
        tail_type=target.type,
        tail=target.id,
        paper=paper.id,
        sentence=paper.abstract[start:end],
        start=start,
        end=end,
        score=score,
        extractor=EXTRACTOR,
        properties=more or {},
    )
