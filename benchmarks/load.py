"""The Neo4j store against a bare driver loop and against neo4j-graphrag's writer, on the same rows and a warm server.

python benchmarks/load.py RECORDS.jsonl [--papers N] [--version 5.26.30] [--apoc FOLDER] [--plain]

RECORDS are extraction records (`kg extract`). A server is started from its jars (see docs/neo4j.md) with a heap of 2
GB; FOLDER holds the jars of APOC core, which neo4j-graphrag needs and nothing else here does. Every writer starts from
an empty database with its own indexes in place, and each is first run on a tenth of the papers, uncounted, so that
plans and compiled code are warm. The bare loop creates what the store writes (papers, entities, look-up names, edges)
with UNWIND and CREATE in batches of 10,000 rows, with uniqueness on the ids and no other index; it checks nothing.
neo4j-graphrag's writer gets all nodes and edges at once and sends them as it does by default, 1,000 a batch; the store
gets as many papers at a time as `kg load` gives it. All three are timed from the same objects in memory, and rates
count the edges sent, also those that are lost. ``--plain`` takes the driver as it comes, without the compiled packing
of the extra `rust`, where that is installed. At the end the records are loaded by `kg load`, and once more.
"""

import argparse
import asyncio
import gc
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

if "--plain" in sys.argv:
    sys.modules["neo4j._rust"] = None  # type: ignore[assignment]  # the driver falls back to its own Python

import neo4j
from machine import describe
from neo4j._codec.packstream import v1 as packing

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg.build import load
from kg.reconcile import BATCH, entities_of
from kg.resolve import Resolver, link, shipped_aliases, shipped_never_merge, uses
from kg.store import lookup_keys, open_store
from kg.store.neo4j_statements import AWAIT_FULL_TEXT
from kg.types import ENTITY_TYPES, Contribution, Entity, Extraction
from tests.live.server import VERSIONS, JarServer


def main() -> None:
    """Start a server, let the writers race, load twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", type=Path)
    parser.add_argument("--papers", type=int)
    parser.add_argument("--version", default=VERSIONS[0])
    parser.add_argument("--apoc", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    compiled = packing._rust_pack is not None
    print(f"{describe('neo4j')}, {'compiled packing (extra rust)' if compiled else 'plain driver'}", flush=True)
    records = read(arguments.records, arguments.papers)
    contributions, entities = linked(records)
    edges = sum(len(c.edges) for c in contributions)
    gc.collect()
    gc.freeze()  # else Python's collector walks all of this again and again while a writer is timed
    print(f"{len(contributions):,} papers, {len(entities):,} entities, {edges:,} edges, Neo4j {arguments.version}")
    home = Path(tempfile.mkdtemp(prefix="kg-load-"))
    plugins = tuple(sorted(arguments.apoc.glob("*.jar"))) if arguments.apoc else ()
    server = JarServer(
        arguments.version, home, heap="2g", settings={"server.memory.pagecache.size": "512m"}, plugins=plugins
    )
    os.environ["NEO4J_PASSWORD"] = server.password
    try:
        server.start()
        with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", server.password)) as driver:
            race(driver, server, contributions, entities, with_graphrag=bool(plugins), rounds=arguments.rounds)
            wipe(driver)
            again(server.uri, arguments.records, arguments.papers)
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


def read(path: Path, papers: int | None) -> list[Extraction]:
    """The first ``papers`` records of a file, or all."""
    with path.open(encoding="utf-8") as lines:
        return [Extraction.model_validate_json(line) for line in islice(lines, papers)]


def linked(records: Sequence[Extraction]) -> tuple[list[Contribution], dict[str, Entity]]:
    """What each paper contributes, and the entities, after resolution over all of them."""
    resolution = Resolver(shipped_aliases(), shipped_never_merge()).resolve(uses(r) for r in records)
    contributions = [link(record, resolution) for record in records]
    return contributions, {e.id: e for e in entities_of(contributions, resolution.entities)}


def race(
    driver: neo4j.Driver,
    server: JarServer,
    contributions: Sequence[Contribution],
    entities: dict[str, Entity],
    *,
    with_graphrag: bool,
    rounds: int,
) -> None:
    """Each writer once to warm up on a tenth, then in turn; the best of each is compared."""
    writers: dict[str, Callable[..., float]] = {"bare loop": bare, "kg": kg_store}
    if with_graphrag:
        writers["neo4j-graphrag"] = graphrag
    best: dict[str, float] = {}
    for round_ in range(rounds + 1):
        part = contributions[: len(contributions) // 10] if round_ == 0 else contributions
        some = {end: entities[end] for c in part for e in c.edges for end in (e.head, e.tail) if end in entities}
        for name, writer in writers.items():
            wipe(driver)
            before = server.cpu_seconds() + time.process_time()
            seconds = writer(driver, server.uri, part, some)
            cpu = server.cpu_seconds() + time.process_time() - before
            sent = sum(len(c.edges) for c in part)
            kept = count(driver, "MATCH (:Paper|Method|Dataset|Task)-[r]->() RETURN count(r) AS n")
            if round_:
                rate = sent / seconds
                best[name] = max(best.get(name, 0), rate)
                lost = f", {sent - kept:,} of {sent:,} edges lost" if kept != sent else ", every edge kept"
                print(f"{name:16} {seconds:7.1f} s {rate:8,.0f} edges/s, {cpu:6.1f} s of processor{lost}", flush=True)
    for name in writers.keys() - {"kg"}:
        print(f"kg is {best['kg'] / best[name]:.2f} x {name}")


def kg_store(
    driver: neo4j.Driver, uri: str, contributions: Sequence[Contribution], entities: dict[str, Entity]
) -> float:
    """The store of kg: seconds to write all papers as `kg load` does, BATCH at a time."""
    with open_store(uri, mode="write") as store:
        store.prepare()
        start = time.perf_counter()
        for i in range(0, len(contributions), BATCH):
            part = contributions[i : i + BATCH]
            store.write(part, entities_of(part, entities))
        store.query(AWAIT_FULL_TEXT)  # the index that follows commits at its own pace is part of a load
        return time.perf_counter() - start


def bare(driver: neo4j.Driver, uri: str, contributions: Sequence[Contribution], entities: dict[str, Entity]) -> float:
    """Seconds of the bare driver loop."""
    for label in ("Paper", *ENTITY_TYPES):
        driver.execute_query(f"CREATE CONSTRAINT FOR (n:{label}) REQUIRE n.id IS UNIQUE")
    driver.execute_query("CREATE CONSTRAINT FOR (n:Name) REQUIRE n.key IS UNIQUE")
    start = time.perf_counter()
    send(driver, "UNWIND $rows AS row CREATE (n:Paper) SET n = row", [c.paper_values() for c in contributions])
    keys = sorted({key for e in entities.values() for key in lookup_keys(e)})
    send(driver, "UNWIND $rows AS row CREATE (:Name {key: row})", keys)
    for type_ in ENTITY_TYPES:
        of_type = [e for e in entities.values() if e.type == type_]
        rows = [{"id": e.id, "name": e.name, "aliases": list(e.aliases), "ambiguous": e.ambiguous} for e in of_type]
        send(driver, f"UNWIND $rows AS row CREATE (n:{type_}) SET n = row", rows)
        links = [{"key": key, "id": e.id} for e in of_type for key in lookup_keys(e)]
        cypher = "UNWIND $rows AS row MATCH (k:Name {key: row.key}) MATCH (n:%s {id: row.id}) CREATE (k)-[:NAMES]->(n)"
        send(driver, cypher % type_, links)
    groups = defaultdict(list)
    for c in contributions:
        for e in c.edges:
            groups[e.type, e.head_type, e.tail_type].append({"head": e.head, "tail": e.tail, "values": e.values()})
    for (relation, head, tail), rows in groups.items():
        cypher = (
            f"UNWIND $rows AS row MATCH (h:{head} {{id: row.head}}) MATCH (t:{tail} {{id: row.tail}}) "
            f"CREATE (h)-[r:{relation}]->(t) SET r = row.values"
        )
        send(driver, cypher, rows)
    return time.perf_counter() - start


def send(driver: neo4j.Driver, cypher: str, rows: Sequence[Any]) -> None:
    """Rows in batches of 10,000, each an implicit transaction."""
    with driver.session() as session:
        for i in range(0, len(rows), 10_000):
            session.run(cypher, rows=rows[i : i + 10_000]).consume()


def graphrag(
    driver: neo4j.Driver, uri: str, contributions: Sequence[Contribution], entities: dict[str, Entity]
) -> float:
    """Papers, entities and edges as one graph, for it would make a node anew in each; without look-up names."""
    from neo4j_graphrag.components.kg_writer import Neo4jWriter
    from neo4j_graphrag.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship

    start = time.perf_counter()
    nodes = [
        Neo4jNode(id=c.record.paper.id, label="Paper", properties=without_none(c.paper_values())) for c in contributions
    ]
    nodes += [
        Neo4jNode(
            id=e.id,
            label=e.type,
            properties={"id": e.id, "name": e.name, "aliases": list(e.aliases), "ambiguous": e.ambiguous},
        )
        for e in entities.values()
    ]
    edges = [
        Neo4jRelationship(start_node_id=e.head, end_node_id=e.tail, type=e.type, properties=e.values())
        for c in contributions
        for e in c.edges
    ]
    done = asyncio.run(Neo4jWriter(driver).run(Neo4jGraph(nodes=nodes, relationships=edges)))
    if done.status != "SUCCESS":
        sys.exit(f"neo4j-graphrag: {done.metadata}")
    return time.perf_counter() - start


def without_none(values: dict[str, Any]) -> dict[str, Any]:
    """A node's properties as a writer takes that does not know of values that are not there."""
    return {name: value for name, value in values.items() if value is not None}


def again(uri: str, path: Path, papers: int | None) -> None:
    """`kg load` of the whole file, then once more over what is loaded."""
    if papers:
        part = Path(tempfile.mkdtemp()) / "part.jsonl"
        with path.open(encoding="utf-8") as lines:
            part.write_text("".join(islice(lines, papers)), encoding="utf-8")
        path = part
    first = load([path], store=uri)
    second = load([path], store=uri)
    faster = first.seconds / second.seconds
    print(
        f"kg load {first.seconds:.1f} s ({first.loaded:,} papers), again {second.seconds:.1f} s, {faster:.1f} x faster"
    )
    print(f"the second time {second.loaded} papers loaded, counts equal: {first.graph == second.graph}")


def wipe(driver: neo4j.Driver) -> None:
    """An empty database without constraints and indexes."""
    with driver.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS").consume()
    for row in driver.execute_query("SHOW CONSTRAINTS YIELD name").records:
        driver.execute_query(f"DROP CONSTRAINT `{row['name']}`")
    for row in driver.execute_query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'").records:
        driver.execute_query(f"DROP INDEX `{row['name']}`")


def count(driver: neo4j.Driver, cypher: str) -> int:
    """The number that a query returns."""
    return int(driver.execute_query(cypher).records[0]["n"])


if __name__ == "__main__":
    main()
