import networkx as nx
import pytest

from kg.errors import InputError
from kg.graph.export import export, import_graph

FORMATS = ["graphml", "json", "csv", "parquet", "turtle", "jsonld"]
NASTY = "line\r\none \"two\", <b>&amp; \\ 𝔊raph\n\tβ-VAE 网络; '{}'"


@pytest.fixture
def network(g):
    """The made graph with abstracts, and a few texts that formats stumble over."""
    network = g.to_networkx(abstracts=True)
    network.add_node("a b/c%#é", type="Paper", title=NASTY, year=-5, abstract="007", ids=["x;y", '"'])
    network.add_node("method:empty", type="Method", name="1e5", ambiguous=True)
    network.add_edge(
        "a b/c%#é", "method:empty", key="k|1", relation="MENTIONS", paper="a b/c%#é", sentence=NASTY,
        start=0, end=3, score=0.1 + 0.2, extractor="made 1", count=2, surfaces=["1e5", "True"],
    )  # fmt: skip
    return network


def parts(network):
    return (
        dict(network.nodes(data=True)),
        {(u, v, k): d for u, v, k, d in network.edges(keys=True, data=True)},
    )


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_is_read_back_equal(network, tmp_path, format):
    path = export(network, tmp_path / "graph", format=format)
    nodes, edges = parts(import_graph(path, format=format))
    if format in ("turtle", "jsonld"):  # RDF has sets, not lists
        for values in (*network.nodes.values(), *network.edges.values()):
            values.update({k: sorted(v) for k, v in values.items() if isinstance(v, list)})
    wanted_nodes, wanted_edges = parts(network)
    assert nodes == wanted_nodes
    assert edges == wanted_edges
    kinds = {type(v) for d in nodes.values() for v in d.values()}
    assert kinds == {type(v) for d in wanted_nodes.values() for v in d.values()}


@pytest.mark.parametrize("format", FORMATS)
def test_exporting_twice_gives_the_same_bytes_and_leaves_nothing_else(network, tmp_path, format):
    def written():
        path = export(network, tmp_path / "graph", format=format)
        return [(p.name, p.read_bytes()) for p in sorted(path.rglob("*") if path.is_dir() else [path])]

    first = written()
    if format != "jsonld":  # the order of rdflib's JSON-LD is its own
        assert written() == first
    assert [p.name for p in tmp_path.iterdir()] == ["graph"]


def test_the_ending_tells_the_format(network, tmp_path):
    for name in ("a.graphml", "a.json", "a.ttl", "a.jsonld"):
        assert len(import_graph(export(network, tmp_path / name))) == len(network)
    with pytest.raises(InputError, match="which format"):
        export(network, tmp_path / "a.xyz")


def test_networkx_reads_the_json_and_the_graphml(network, tmp_path):
    import json

    path = export(network, tmp_path / "a.json")
    plain = nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")
    assert set(plain) == set(network)
    assert set(nx.read_graphml(export(network, tmp_path / "a.graphml"))) == set(network)


def test_control_characters_do_not_break_graphml(network, tmp_path):
    network.nodes["rook"]["title"] = "a\x02b"
    back = import_graph(export(network, tmp_path / "a.graphml"))
    assert back.nodes["rook"]["title"] == "a\N{REPLACEMENT CHARACTER}b"


def test_a_folder_of_other_things_is_not_replaced(network, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="other things"):
        export(network, folder, format="csv")
    assert (folder / "thesis.tex").read_text() == "years of work"
    assert [p.name for p in tmp_path.iterdir()] == ["work"]


@pytest.mark.parametrize("format", ["graphml", "json", "turtle", "jsonld"])
def test_what_is_no_export_is_one_line(tmp_path, format):
    path = tmp_path / "bad"
    path.write_text("{ nothing < of the sort")
    with pytest.raises(InputError) as error:
        import_graph(path, format=format)
    assert str(path) in str(error.value)
    with pytest.raises(InputError, match="no such file"):
        import_graph(tmp_path / "none", format=format)
