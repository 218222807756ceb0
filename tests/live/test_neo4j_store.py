"""What only a live Neo4j can show: names kept verbatim, writers side by side, plans, rights, schema."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import neo4j
import pytest

import kg.store.neo4j as engine
from kg.errors import NotFoundError, ReadOnlyError, StoreError
from kg.reconcile import reconcile
from kg.store import neo4j_statements as st
from kg.store import open_store
from tests.live.papers import contribution, corpus, dumped, entity

pytestmark = pytest.mark.neo4j

HOSTILE = [
    "a`b",
    'O\'Neil "net"',
    'x\\"}) DETACH DELETE n //',
    "$name",
    "{name: 1}",
    "${x} #{y} %s {0}",
    "\\u0027 OR 1=1 --",
    "n" * 9_000,
    "🔩🧠 net",
    "β-VAE",
    "螺栓分类网络",
    "e\u0301 and \u00e9",
    "line\nbreak\ttab",
    "\u202eright to left",
    "AND OR NOT name:* ~ ^ [a TO b]",
]


@pytest.fixture
def graph(neo4j_url):
    with open_store(neo4j_url, mode="write") as store:
        store.prepare()
        yield store


def test_hostile_names_are_stored_verbatim_found_again_and_harmless(graph):
    entities = [entity("Method", name, f"alias of {name[:50]}") for name in HOSTILE]
    graph.write([contribution(1, *entities)], entities)
    assert {e.name for e in graph.entities()} == set(HOSTILE)
    assert {m.name for record in graph.records() for m in record.mentions} == set(HOSTILE)
    for name in HOSTILE:
        find = "WITH toLower($name) AS key MATCH (:Name {key: key})-[:NAMES]->(m:Method) RETURN m.name AS name"
        assert graph.query(find, {"name": f"alias of {name[:50]}"}) == [{"name": name}]
        assert graph.query("MATCH (m:Method {name: $name}) RETURN m.name AS name", {"name": name[:9000]})
        assert graph.search(name, limit=5) is not None
    assert graph.counts()["Method"] == len(HOSTILE)


def test_what_papers_say_does_not_reach_the_drivers_log(graph, caplog):
    caplog.set_level(logging.DEBUG, logger="neo4j")
    entities = [entity("Method", "quokka-net", "QNet")]
    paper = contribution(1, *entities)
    graph.write([paper], entities)
    graph.write([paper], [])  # the entity is looked up, the edges go and come again
    graph.put_entities([entity("Method", "quokka-net", "QuokNet")])  # a name goes
    id_ = paper.record.paper.id
    assert [record.paper.id for record in graph.records([id_])] == [id_]
    reconcile(graph)
    assert graph.remove([id_]) == 1
    assert graph.sweep() == 1
    assert all(statement in caplog.text for statement in ("USING INDEX n:Method(id)", "DELETE edge", "DELETE k"))
    assert "<1 rows>" in caplog.text
    for said in (id_, "quokka-net", "qnet", paper.record.paper.abstract, paper.edges[0].sentence):
        assert said not in caplog.text


def test_two_writers_on_the_same_papers_end_like_one_after_the_other(neo4j_url, graph):
    papers, entities = corpus(300)
    graph.write(papers, entities)
    once = dumped(graph)
    graph.remove([c.record.paper.id for c in papers])
    graph.sweep()
    start = threading.Barrier(3)

    def load(part):
        with open_store(neo4j_url, mode="write") as store:
            start.wait()
            for i in range(0, len(part), 25):
                chunk = part[i : i + 25]
                named = {edge.tail for c in chunk for edge in c.edges}
                store.write(chunk, [e for e in entities if e.id in named])

    parts = [papers, papers[::-1], papers[150:] + papers[:150]]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(load, parts))
    assert dumped(graph) == once


def test_exclusive_holds_another_writer_off_and_ends_with_its_connection(neo4j_url, graph):
    order = []

    def second():
        with open_store(neo4j_url, mode="write") as other, other.exclusive():
            order.append("second")

    with graph.exclusive():
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(1.5)
        order.append("first")
    waiting.join(30)
    assert order == ["first", "second"]


def test_opening_to_read_refuses_every_write(neo4j_url, graph):
    papers, entities = corpus(3)
    graph.write(papers, entities)
    before = dumped(graph)
    with open_store(neo4j_url) as reader:
        for write in (
            "CREATE (:Paper {id: 'x'})",
            "MATCH (p:Paper) SET p.title = 'x'",
            "MATCH (n:Paper) DETACH DELETE n",
            "CREATE INDEX oops FOR (p:Paper) ON (p.venue)",
            "DROP CONSTRAINT kg_paper_id",
            "CALL db.createLabel('Oops')",
        ):
            with pytest.raises(ReadOnlyError):
                reader.query(write)
            with pytest.raises(ReadOnlyError):
                graph.query(write)
        with pytest.raises(ReadOnlyError):
            reader.write(papers, entities)
    assert dumped(graph) == before


def test_what_is_not_written_whole_is_not_written_at_all(graph):
    papers, entities = corpus(3)
    graph.write(papers, entities)
    before = dumped(graph)
    stranger = entity("Method", "nobody sent this one")
    with pytest.raises(StoreError, match="an end is missing"):
        graph.write([contribution(9, entities[0]), contribution(10, stranger)], entities[:1])
    assert dumped(graph) == before


def test_schema_is_made_once_and_shown(neo4j_server, neo4j_url, graph):
    first = graph.schema_state()
    assert [row["state"] for row in first if row["state"] != "not kg's"] == ["online"] * len(st.PIECES)
    graph.prepare()
    assert graph.schema_state() == first
    with driver(neo4j_server) as direct:
        direct.execute_query("DROP INDEX kg_text")
        direct.execute_query("CREATE INDEX own FOR (n:Method) ON (n.colour)")
    found = {row["name"]: row["state"] for row in graph.schema_state()}
    assert (found["kg_text"], found["own"]) == ("missing", "not kg's")
    graph.prepare()
    assert {row["name"]: row["state"] for row in graph.schema_state()}["kg_text"] == "online"
    with driver(neo4j_server) as direct:
        direct.execute_query("DROP INDEX own")


def test_an_empty_database_says_how_to_make_a_graph(neo4j_url):
    with pytest.raises(NotFoundError, match="kg load PATH --store"):
        open_store(neo4j_url)


def test_a_graph_of_another_version_is_refused(neo4j_url, graph):
    graph.put_state("schema", "0")
    with pytest.raises(StoreError, match="graph version 0"):
        open_store(neo4j_url)


def test_a_query_ends_at_its_time_limit(graph):
    papers, entities = corpus(40)
    graph.write(papers, entities)
    slow = (
        "MATCH (a)-[x]-(b)-[y]-(c)-[z]-(d)-[u]-(e)-[v]-(f)-[w]-(g)-[t]-(h) RETURN sum(x.start + t.start + u.end) AS n"
    )
    with pytest.raises(StoreError, match="too long"):
        graph.query(slow, timeout=0.5)


def test_every_write_finds_its_ends_by_index(neo4j_server, graph):
    """Plans are made on an empty graph and kept, so they must not scan: each is looked at."""
    rows = [st.PUT_NAMES, *st.PUT_EDGES.values(), st.PUT_PAPERS, *st.PUT_ENTITIES.values()]
    ids = [*st.FIND_NODES.values(), st.DROP_CLAIMS, st.DROP_PAPERS, *st.DROP_FACTS.values(), st.UNLINK_NAMES]
    with driver(neo4j_server) as direct:
        for cypher in rows + ids:
            plan = direct.execute_query(f"EXPLAIN {cypher}", {"rows": [], "ids": [], "nodes": []}).summary.plan
            assert not [name for name in operators(plan) if "Scan" in name], cypher


def test_several_transactions_make_one_write(graph, monkeypatch):
    papers, entities = corpus(60)
    graph.write(papers, entities)
    once = dumped(graph)
    monkeypatch.setattr(engine, "EDGES_A_TRANSACTION", 40)
    graph.write(papers, entities)
    assert dumped(graph) == once


def driver(server):
    return neo4j.GraphDatabase.driver(server.uri, auth=(server.username, server.password))


def operators(plan):
    return [plan["operatorType"], *(name for child in plan.get("children", ()) for name in operators(child))]
