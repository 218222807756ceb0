import math

import networkx as nx
import pytest

from kg.errors import NotFoundError
from kg.graph import networks
from kg.graph.similarity import weight
from tests.graph.made import PAPERS


@pytest.fixture(scope="module")
def network(g):
    return g.to_networkx()


def test_every_node_is_typed_and_every_edge_has_its_evidence(g, network):
    counts = g.counts()
    assert isinstance(network, nx.MultiDiGraph)
    types = [d["type"] for _, d in network.nodes(data=True)]
    assert {t: types.count(t) for t in ("Paper", "Method", "Task", "Dataset")} == {
        t: counts[t] for t in ("Paper", "Method", "Task", "Dataset")
    }
    assert network.number_of_edges() == sum(n for t, n in counts.items() if t.isupper())
    abstracts = {r.paper.id: r.paper.abstract for r in PAPERS}
    for _, _, edge in network.edges(data=True):
        assert abstracts[edge["paper"]][edge["start"] : edge["end"]] == edge["sentence"]
        assert 0 < edge["score"] <= 1
    assert "abstract" not in network.nodes["rook"]
    assert network.nodes["rook"]["year"] == 2025


def test_what_is_asked_for_is_what_is_there(g):
    assert {r for *_, r in g.to_networkx(relations=["uses", "PROPOSES"]).edges(data="relation")} == {"USES", "PROPOSES"}
    assert "MENTIONS" not in {r for *_, r in g.to_networkx(mentions=False).edges(data="relation")}
    assert all(s >= 0.85 for *_, s in g.to_networkx(min_score=0.85).edges(data="score"))
    bare = g.to_networkx(evidence=False, abstracts=True)
    assert "sentence" not in next(iter(bare.edges(data=True)))[2]
    assert bare.nodes["swan"]["abstract"] == next(r.paper.abstract for r in PAPERS if r.paper.id == "swan")
    with pytest.raises(NotFoundError, match="USES"):
        g.to_networkx(relations=["USE"])


def test_papers_are_joined_by_what_they_share_weighted_by_rarity(network):
    papers = networks.paper_projection(network)
    pooling, plain = weight(7, 2), weight(7, 4)
    assert papers.edges["finch", "lark"]["shared"] == ["method:dawn-pooling", "method:neural-network"]
    assert papers.edges["finch", "lark"]["weight"] == pytest.approx(pooling + plain, abs=1e-5)
    assert papers.edges["gull", "swan"]["weight"] == pytest.approx(plain, abs=1e-5)
    assert set(papers) == {r.paper.id for r in PAPERS}
    small = networks.paper_projection(network, max_papers=2)
    assert small.graph["left_out"] == ["method:graph-neural-network", "method:neural-network"]
    assert small.edges["finch", "lark"]["shared"] == ["method:dawn-pooling"]


def test_methods_are_joined_by_the_papers_they_share(network):
    methods = networks.method_projection(network)
    assert methods.edges["method:dawn-pooling", "method:neural-network"] == {"weight": 2.0, "shared": ["finch", "lark"]}
    assert methods.edges["method:graph-neural-network", "method:rooknet"]["weight"] == pytest.approx(1 / 2)


def test_methods_and_tasks_are_bipartite(network):
    both = networks.method_task_projection(network)
    methods = {n for n, d in both.nodes(data=True) if d["bipartite"] == 0}
    assert nx.is_bipartite(both)
    assert all((u in methods) != (v in methods) for u, v in both.edges)
    edge = both.edges["method:graph-neural-network", "task:node-labeling"]
    assert edge["shared"] == ["crow", "rook"]
    assert edge["weight"] == pytest.approx(2 * weight(7, 3), abs=1e-5)


def test_communities_are_the_two_families_and_the_same_each_time(network):
    papers = networks.paper_projection(network)
    groups = networks.communities(papers)
    assert ["finch", "gull", "lark", "swan"] in groups
    assert groups == networks.communities(nx.Graph(papers), seed=0)
    assert networks.communities(nx.Graph()) == []


@pytest.mark.parametrize(
    ("kind", "first"),
    [("pagerank", "graph neural network"), ("degree", "graph neural network"), ("betweenness", "CrowNet")],
)
def test_the_most_central_come_first(network, kind, first):
    ranked = networks.centrality(networks.method_projection(network), kind=kind, k=3)
    assert ranked[0].name == first
    assert [r.score for r in ranked] == sorted((r.score for r in ranked), reverse=True)


def test_no_such_centrality(network):
    with pytest.raises(NotFoundError, match="pagerank"):
        networks.centrality(networks.method_projection(network), kind="closeness")


def test_a_suggested_method_is_new_to_the_task_and_says_why(network):
    found = networks.suggest_methods(network, "task:link-guessing")
    assert [s.name for s in found] == ["CrowNet", "RookNet"]
    for suggestion in found:
        assert suggestion.score == pytest.approx(math.fsum(r.nearness for r in suggestion.reasons))
        assert [r.name for r in suggestion.reasons] == ["node labeling"]
        assert set(suggestion.reasons[0].shared) == {"graph neural network", "ridge descent"}
        assert suggestion.reasons[0].sentence
    with pytest.raises(NotFoundError, match="no task"):
        networks.suggest_methods(network, "method:rooknet")
