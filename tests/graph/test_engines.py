"""The same questions have the same answers on a live Neo4j as on the embedded engine."""

import pytest

import kg
from kg.errors import KGError, NotFoundError
from kg.graph.export import export, import_graph
from kg.view import report
from tests.graph.test_cli_agrees import LOOK_UPS
from tests.live.fixtures import Server, empty

pytestmark = pytest.mark.neo4j


@pytest.fixture
def live_url(neo4j_server: Server, monkeypatch):
    """An empty graph on the server. That it says nothing of its statements is for the tests of store and recipes."""
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    if neo4j_server.database:
        monkeypatch.setenv("NEO4J_DATABASE", neo4j_server.database)
    empty(neo4j_server)
    return neo4j_server.uri


def test_both_engines_give_equal_answers(g, live_url, records, tmp_path):
    kg.load([records], store=live_url)
    with kg.open_graph(live_url) as live:
        for name, ask in LOOK_UPS.items():
            here, there = ask(g), ask(live)
            if name.startswith("search"):  # each engine ranks by a score of its own
                here, there = ([(h.id, h.type, h.name) for h in hits] for hits in (here, there))
            assert there == here, name
        for ask in (
            lambda one: one.methods_for_task("node labeling"),
            lambda one: one.datasets_for_task("node labeling"),
            lambda one: one.compare("CrowNet"),
            lambda one: one.evidence("rook", "uses", "GNN"),
            lambda one: one.shared("lark", "swan", mentions=True),
            lambda one: one.similar("swan", 3, mentions=True),
        ):
            assert ask(live).to_dicts() == ask(g).to_dicts()
        assert live.counts() == g.counts()
        here, there = (
            import_graph(export(one.to_networkx(abstracts=True), tmp_path / "graph.json")) for one in (g, live)
        )
        assert there.nodes(data=True) == here.nodes(data=True)
        assert sorted(there.edges(keys=True)) == sorted(here.edges(keys=True))
        assert all(there.edges[edge] == here.edges[edge] for edge in here.edges)
        assert report(live).html.count("<tr") == report(g).html.count("<tr")
        with pytest.raises(NotFoundError, match="RookNet"):
            live.papers_sharing_method("RokNet")
        with pytest.raises(KGError):
            live.query("MATCH (p:Paper) DETACH DELETE p")
        assert live.counts() == g.counts()
