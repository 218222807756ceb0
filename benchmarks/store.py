"""The embedded store against the bare engine: writing, opening, looking up a graph as large as 33 conference volumes.

python benchmarks/store.py [--papers 25731] [--keep FOLDER]

The graph is made up: as many papers, entities and edges as real abstracts give, with names as unevenly frequent. The
bare loop writes the same nodes and edges through the engine's own record interface, in transactions as large, with an
index on the nodes' ids and nothing else: no edge index, no look-up nodes, no full text, no counts read back. Opening
and the first look-up are timed in processes of their own, as a command does them.
"""

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from machine import describe

from kg.batches import batched
from kg.reconcile import BATCH
from kg.store import Store, open_store
from kg.types import SCHEMA, Contribution, Edge, Entity, EntityType, Extraction, Mention, NodeType, Paper, Triple

WORDS = (
    *("graph", "sparse", "deep", "policy", "latent", "robust", "neural", "causal"),
    *("kernel", "token", "diffusion", "bandit", "prior", "federated", "dual"),
)
ASK = "import sys,time\nfrom kg.store import open_store\n"


def entities(number: int, draw: random.Random) -> list[Entity]:
    """Made-up entities: 6 of 10 Methods, 3 Tasks, 1 Dataset; every third has an alias."""
    found = []
    for i in range(number):
        type_: EntityType = (
            "Method",
            "Method",
            "Task",
            "Method",
            "Task",
            "Method",
            "Dataset",
            "Method",
            "Task",
            "Method",
        )[i % 10]
        name = " ".join(draw.sample(WORDS, 2)) + f" {i}"
        aliases = (f"X{i}",) if i % 3 == 0 else ()
        found.append(Entity(id=f"{type_.lower()}:{name.replace(' ', '-')}", type=type_, name=name, aliases=aliases))
    return found


def contributions(number: int, known: list[Entity], draw: random.Random) -> Iterator[Contribution]:
    """Made-up papers: 8 entities each, few of them frequent; a MENTIONS edge each, and claims and facts from SCHEMA."""
    for i in range(number):
        paper = f"paper-{i:06}"
        chosen = {
            known[min(int(draw.paretovariate(0.35)), len(known) - 1 - draw.randrange(len(known) // 2))]
            for _ in range(8)
        }
        text, mentions, edges = "", [], []
        for entity in sorted(chosen, key=lambda e: e.id):
            start = len(text)
            text += f"{entity.name} is studied here, at some length and with some care, as one of several parts. "
            mentions.append(
                Mention(
                    start=start,
                    end=start + len(entity.name),
                    text=entity.name,
                    name=entity.name,
                    type=entity.type,
                    entity=entity.name,
                    score=0.9,
                )
            )
        triples = []
        for n, m in enumerate(mentions):
            entity = next(e for e in chosen if e.name == m.name)
            end = min(len(text), m.end + 80)

            def edge(
                type_: str,
                head_type: NodeType,
                head: str,
                to: Entity,
                m: Mention = m,
                end: int = end,
                n: int = n,
                paper: str = paper,
                text: str = text,
            ) -> Edge:
                more = {"count": 1, "surfaces": [m.name]} if type_ == "MENTIONS" else {}
                return Edge(
                    f"{paper}-{n}-{type_}-{head_type}",
                    type_,
                    head_type,
                    head,
                    to.type,
                    to.id,
                    paper,
                    text[m.start : end],
                    m.start,
                    end,
                    0.9,
                    "made up 1",
                    more,
                )

            edges.append(edge("MENTIONS", "Paper", paper, entity))
            claim = draw.choice([t for t, s in SCHEMA.items() if t != "MENTIONS" and ("Paper", entity.type) in s.pairs])
            edges.append(edge(claim, "Paper", paper, entity))
            other = draw.choice(sorted(chosen, key=lambda e: e.id))
            fact = [t for t, s in SCHEMA.items() if (other.type, entity.type) in s.pairs and other.id != entity.id]
            if fact:
                edges.append(edge(draw.choice(fact), other.type, other.id, entity))
            triples.append(
                Triple(
                    head=paper,
                    head_type="Paper",
                    relation=claim,
                    tail=entity.name,
                    tail_type=entity.type,
                    start=m.start,
                    end=end,
                    score=0.9,
                )
            )
        record = Extraction(
            paper=Paper(
                id=paper, title=f"On {mentions[0].name} and {mentions[-1].name}", abstract=text, year=2000 + i % 25
            ),
            mentions=tuple(mentions),
            triples=tuple(triples),
            extractor="made up 1",
        )
        yield Contribution(record, tuple(edges))


def write(store: Store, all_: list[Contribution], known: dict[str, Entity]) -> float:
    """Seconds to write them all, the entities of each batch with it."""
    start = time.perf_counter()
    for part in batched(all_, BATCH):
        named = {end for c in part for e in c.edges for end in (e.head, e.tail)} & known.keys()
        store.write(part, [known[id_] for id_ in sorted(named)])
    return time.perf_counter() - start


def bare(folder: Path, all_: list[Contribution], known: dict[str, Entity]) -> float:
    """Seconds of the bare loop."""
    from kg.store.embedded import start as start_engine
    from kg.store.embedded_values import java, objects, to_java

    start_engine()
    database: Any = java("com.arcadedb.database.DatabaseFactory")(str(folder)).create()
    for label in ("Paper", "Method", "Task", "Dataset"):
        script = f"CREATE VERTEX TYPE {label}; CREATE PROPERTY {label}.id STRING; CREATE INDEX ON {label} (id) UNIQUE;"
        database.command("sqlscript", script)
    database.command("sqlscript", "".join(f"CREATE EDGE TYPE {type_};" for type_ in SCHEMA))
    start = time.perf_counter()
    places: dict[str, Any] = {}
    for part in batched(all_, BATCH):
        database.begin()
        for contribution in part:
            vertex = database.newVertex("Paper")
            for name, value in contribution.paper_values().items():
                vertex.set(name, to_java(value))
            places[contribution.record.paper.id] = vertex.save().getIdentity()
            for edge in contribution.edges:
                for id_ in (edge.head, edge.tail):
                    if id_ not in places:
                        entity = known[id_]
                        node = database.newVertex(entity.type).set("id", id_).set("name", entity.name)
                        places[id_] = node.set("aliases", to_java(entity.aliases)).save().getIdentity()
                head = database.lookupByRID(places[edge.head], True)
                properties = [to_java(item) for pair in edge.values().items() for item in pair]
                head.newEdge(edge.type, places[edge.tail], objects(properties))
        database.commit()
    seconds = time.perf_counter() - start
    database.close()
    return seconds


def median_ms(store: Store, cypher: str, values: list[str]) -> float:
    """Median milliseconds of one query over several values."""
    times = []
    for value in values:
        start = time.perf_counter()
        store.query(cypher, {"x": value})
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def command_seconds(code: str) -> float:
    """Seconds of a fresh process that runs ``code``, the best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", ASK + code], check=True, cwd=Path(__file__).parents[1])
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure and print one figure a line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--papers", type=int, default=25_731)
    options.add_argument("--keep", type=Path, help="leave the graph here")
    given = options.parse_args()
    print(describe("arcadedb-embedded"))
    draw = random.Random(1)
    known = entities(given.papers * 2, draw)
    by_id = {entity.id: entity for entity in known}
    all_ = list(contributions(given.papers, known, draw))
    edges = sum(len(c.edges) for c in all_)
    print(f"{len(all_)} papers, {edges} edges")
    folder = Path(tempfile.mkdtemp())
    try:
        seconds = bare(folder / "bare", all_, by_id)
        print(f"bare engine loop          {edges / seconds:9,.0f} edges/s")
        place = given.keep or folder / "graph"
        with open_store(str(place), mode="write") as store:
            store.prepare()
            ours = write(store, all_, by_id)
            print(f"kg, first time            {edges / ours:9,.0f} edges/s, {seconds / ours:.2f} of the bare loop")
            again = write(store, all_[: len(all_) // 10], by_id)
            print(
                f"kg, a tenth replaced      {sum(len(c.edges) for c in all_[: len(all_) // 10]) / again:9,.0f} edges/s"
            )
            start = time.perf_counter()
            rows = sum(1 for _ in store.dump())
            print(f"dump                      {rows / (time.perf_counter() - start):9,.0f} rows/s")
        with open_store(str(place)) as store:
            print({name: number for name, number in store.counts().items() if number})
            names = [e.name.lower() for e in draw.sample(known[: len(known) // 20], 100)]
            papers = [c.record.paper.id for c in draw.sample(all_, 100)]
            for what, cypher, values in (
                ("entity by name", "MATCH (:Name {key: $x})-[:NAMES]->(e) RETURN e.id AS id", names),
                (
                    "papers of an entity",
                    "MATCH (:Name {key: $x})-[:NAMES]->(e)<-[r:USES]-(p:Paper) RETURN p.id AS id LIMIT 20",
                    names,
                ),
                ("paper by id", "MATCH (p:Paper {id: $x})-[r]->(e) RETURN p.title, type(r), e.name", papers),
            ):
                print(f"{what:25} {median_ms(store, cypher, values):9.1f} ms")
            for text in ("graph", "sparse policy 77"):
                start = time.perf_counter()
                store.search(text)
                print(f"search {text!r:18} {1000 * (time.perf_counter() - start):9.1f} ms")
        print(f"open in a new process     {command_seconds(f'open_store({str(place)!r}).close()'):9.2f} s")
        look = f"open_store({str(place)!r}).query('MATCH (:Name {{key: $x}})-[:NAMES]->(e) RETURN e.id', {{'x': 'x3'}})"
        print(f"open and look up          {command_seconds(look):9.2f} s")
        print(f"size                      {sum(f.stat().st_size for f in place.rglob('*')) / 1e6:9.0f} MB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
