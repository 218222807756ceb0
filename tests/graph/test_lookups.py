import pytest

import kg
from kg.errors import KGError, NotFoundError, RecipeError
from kg.review import candidates
from kg.view import Page, view_entity, view_task
from tests.graph.made import PAPERS


@pytest.mark.parametrize("name", ["graph neural network", "GNN", "gnns", "Graph-Neural Networks", " GNN "])
def test_papers_sharing_a_method_by_any_of_its_names(g, name):
    found = g.papers_sharing_method(name)
    assert [(r.paper, r.year, r.relation) for r in found] == [
        ("rook", 2025, "USES"),
        ("wren", 2024, "USES"),
        ("crow", 2023, "USES"),
    ]
    assert found[0].sentence == "We propose RookNet, a graph neural network that keeps it."
    assert found.note == "3 of the 3 papers that name it"


def test_evidence_is_the_text_of_the_abstract(g):
    abstracts = {r.paper.id: r.paper.abstract for r in PAPERS}
    found = g.evidence("rook", "evaluated on", "pebble 40")
    assert len(found) == 1
    row = found[0]
    assert abstracts[row.paper][row.start : row.end] == row.sentence
    assert "Pebble-40" in row.sentence
    assert (row.head, row.relation, row.tail) == ("rook", "EVALUATED_ON", "dataset:pebble40")


def test_a_triple_read_backwards_is_not_stated(g):
    stated = g.evidence("RookNet", "subclass of", "GNN")
    assert [(r.head, r.tail) for r in stated] == [("method:rooknet", "method:graph-neural-network")]
    assert not g.evidence("GNN", "subclass of", "RookNet")
    assert not g.evidence("GNN", "subclass of", "RookNet", limit=1).note


def test_only_some_relations_and_mentions_too(g):
    assert {r.paper for r in g.papers_sharing_method("CrowNet")} == {"rook", "crow"}
    assert [r.paper for r in g.papers_sharing_method("CrowNet", relations=["proposes"])] == ["crow"]
    assert {r.relation for r in g.papers_sharing_method("CrowNet", mentions=True)} == {
        "PROPOSES",
        "COMPARES_WITH",
        "MENTIONS",
    }


def test_a_cut_is_said(g):
    found = g.papers_sharing_method("neural network", limit=2)
    assert len(found) == 2
    assert found.note == "the first 2; there are more"
    assert g.papers_sharing_method("neural network", limit=4).note == "4 of the 4 papers that name it"
    assert g.papers_sharing_method("CrowNet", relations=["PROPOSES"]).note == "1 of the 2 papers that name it"
    found = g.papers_sharing_method("neural network", relations=["USES"], limit=1)
    assert (len(found), found.note) == (1, "the first 1; there are more")


def test_what_goes_with_a_task(g):
    methods = g.methods_for_task("node labeling")
    assert {r.name for r in methods} == {"CrowNet", "RookNet"}
    assert methods[0].name == "CrowNet"
    assert any(r.relation == "USED_FOR" and r.paper == "crow" for r in methods)
    datasets = g.datasets_for_task("Node Labeling")
    assert {(r.name, r.papers) for r in datasets} == {("Pebble-40", 2)}


def test_who_compares_with_whom(g):
    found = g.compare("crownet")
    assert [(r.name, r.paper) for r in found] == [("RookNet", "rook")]


def test_an_entity_and_all_that_is_said_of_it(g):
    card = g.entity("gnn")
    assert (card.id, card.type, card.papers) == ("method:graph-neural-network", "Method", 3)
    assert "GNN" in card.aliases
    assert card.relations == {"MENTIONS": 3, "USES": 3, "SUBCLASS_OF": 1}
    assert [c.year for c in card.claims] == sorted((c.year for c in card.claims), reverse=True)
    assert len(card.claims) == 4
    assert len(g.entity("gnn", limit=1).claims) == 1
    assert g.entity("method:graph-neural-network").id == card.id
    assert "graph neural network (Method" in repr(card)


@pytest.mark.parametrize("ref", ["rook", "doi:10.1/rook", "Rooks keep the detail", "rooks keep the DETAIL"])
def test_a_paper_by_id_identifier_or_title(g, ref):
    card = g.paper(ref)
    assert (card.id, card.venue, card.year) == ("rook", "ICGB", 2025)
    assert [m.text for m in card.mentions] == [
        "RookNet",
        "graph neural network",
        "Pebble-40",
        "node labeling",
        "CrowNet",
    ]
    assert ("RookNet", "SUBCLASS_OF", "graph neural network") in {
        (c.head_name, c.relation, c.tail_name) for c in card.claims
    }
    for claim in (*card.claims, *card.entities):
        assert card.abstract[claim.start : claim.end] == claim.sentence


def test_search_and_free_queries(g):
    assert [(h.name, h.type) for h in g.search("crownet")] == [("CrowNet", "Method")]
    rows = g.query("MATCH (p:Paper) WHERE p.year = $year RETURN p.id AS id ORDER BY id", year=2024)
    assert [r["id"] for r in rows] == ["finch", "gull", "lark", "wren"]
    assert rows.columns == ("id",)
    assert g.query("most-used-methods", limit=2).note == "the limit is 2; there may be more"
    assert g.query("most-used-methods").note == ""
    empty = g.query("triple-evidence", head="CrowNet", tail="Twig-7", relation="TRAINED_ON")
    assert len(empty) == 0
    assert "paper" in empty.columns


@pytest.mark.parametrize("name", ["graph neural nets", "the GNN architecture", "GNN-based methods", "Graph Network"])
def test_a_name_is_found_in_the_form_that_a_mention_of_it_would_have(g, name):
    assert g.entity(name).name == "graph neural network"
    assert [row["entity"] for row in g.query("entity-card", name=name)] == ["method:graph-neural-network"]


def test_a_person_s_own_aliases_are_found_before_a_paper_has_them(records, tmp_path):
    table = tmp_path / "aliases.csv"
    table.write_text("name,alias,type,reason\nCrowNet,Corvid,Method,ours\n", encoding="utf-8")
    kg.load([records], store=str(tmp_path / "own.db"), aliases=table)
    with kg.open_graph(tmp_path / "own.db") as own:
        assert own.entity("corvids").id == "method:crownet"
        with pytest.raises(NotFoundError, match="no Task goes by the name 'corvid'"):
            own.entity("corvid", type="Task")


def test_one_relation_may_be_given_as_it_is(g):
    assert g.papers_sharing_method("GNN", relations="uses") == g.papers_sharing_method("GNN", relations=["USES"])
    assert set(g.to_networkx(relations="part of").edges) == set(g.to_networkx(relations=["PART_OF"]).edges)


def test_a_type_that_there_is_not_is_named(g):
    with pytest.raises(NotFoundError, match="no type is called 'method'; there are Method, Task, Dataset"):
        g.entity("GNN", type="method")


ROWS_AT_MOST = {
    "papers_sharing_method": lambda g, n: g.papers_sharing_method("GNN", limit=n),
    "papers_sharing_method narrowed": lambda g, n: g.papers_sharing_method("GNN", relations=["USES"], limit=n),
    "methods_for_task": lambda g, n: g.methods_for_task("node labeling", limit=n),
    "datasets_for_task": lambda g, n: g.datasets_for_task("node labeling", limit=n),
    "compare": lambda g, n: g.compare("CrowNet", limit=n),
    "evidence": lambda g, n: g.evidence("rook", "evaluated on", "Pebble-40", limit=n),
    "similar": lambda g, n: g.similar("rook", n),
    "search": lambda g, n: g.search("CrowNet", limit=n),
    "entity": lambda g, n: g.entity("GNN", limit=n).table(),
    "query": lambda g, n: g.query("most-used-methods", limit=n),
    "candidates": lambda g, n: candidates(g.store, limit=n, min_score=0),
    "view_entity": lambda g, n: view_entity(g, "GNN", limit=n),
    "view_task": lambda g, n: view_task(g, "node labeling", limit=n),
}


@pytest.mark.parametrize("look_up", ROWS_AT_MOST.values(), ids=ROWS_AT_MOST)
def test_a_limit_is_rows_at_most_and_1_or_more_everywhere(g, look_up):
    answer = look_up(g, 1)
    assert isinstance(answer, Page) or len(answer) <= 1
    for none in (0, -1):
        with pytest.raises(KGError, match=r"must be (1 or more|a whole number from 1 to .*), not '?(0|-1)'?$"):
            look_up(g, none)


@pytest.mark.parametrize("look_up", ["similar", "search", "entity", "compare"])
@pytest.mark.parametrize("wrong", [True, 2.0, "3"])
def test_a_limit_that_is_no_number_is_a_type_error(g, look_up, wrong):
    with pytest.raises(TypeError, match=r"^(limit|k) must be a whole number, not "):
        ROWS_AT_MOST[look_up](g, wrong)


def test_counts_are_those_of_the_records(g):
    counts = g.counts()
    assert counts["Paper"] == len(PAPERS)
    assert counts["USES"] == sum(t.relation == "USES" for r in PAPERS for t in r.triples)
    assert "7 Paper" in repr(g)


@pytest.mark.parametrize(
    ("ask", "nearest"),
    [
        (lambda g: g.papers_sharing_method("RokNet"), "RookNet"),
        (lambda g: g.papers_sharing_method("GNM"), "GNN"),
        (lambda g: g.methods_for_task("node label set"), "node labeling"),
        (lambda g: g.entity("dawn poolin"), "dawn pooling"),
        (lambda g: g.paper("Rooks keep detail"), "Rooks keep the detail"),
        (lambda g: g.paper("rok"), "rook"),
        (lambda g: g.evidence("rook", "USED", "CrowNet"), "USES"),
        (lambda g: g.query("papers-sharing-methods"), "papers-sharing-method"),
    ],
)
def test_what_is_not_there_suggests_the_nearest(g, ask, nearest):
    with pytest.raises(NotFoundError) as error:
        ask(g)
    assert nearest in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("ask", "recipe", "says"),
    [
        (lambda g: g.papers_sharing_method("node labeling"), ("papers-sharing-method", "method", "node labeling"),
         "'node labeling' is a Task here, not a Method; ask methods-for-task or datasets-for-task"),
        (lambda g: g.methods_for_task("GNNs"), ("methods-for-task", "task", "GNNs"),
         "'GNNs' is a Method here, not a Task; ask papers-sharing-method or method-comparisons"),
        (lambda g: g.datasets_for_task("method:rooknet"), ("datasets-for-task", "task", "method:rooknet"),
         "'method:rooknet' is a Method here, not a Task; ask papers-sharing-method"),
        (lambda g: g.compare("Pebble 40"), ("method-comparisons", "method", "Pebble 40"),
         "'Pebble 40' is a Dataset here, not a Method; ask papers-on-dataset or methods-on-dataset"),
    ],
)  # fmt: skip
def test_a_thing_of_another_type_is_told_alike_by_look_up_and_recipe(g, ask, recipe, says):
    name, parameter, value = recipe
    with pytest.raises(NotFoundError, match=says) as by_look_up:
        ask(g)
    with pytest.raises(NotFoundError, match=says) as by_recipe:
        g.query(name, **{parameter: value})
    assert str(by_look_up.value) == str(by_recipe.value)


def test_a_name_given_for_a_paper_suggests_the_papers_that_propose_it(g):
    with pytest.raises(NotFoundError, match=r"'RookNet'; did you mean 'Rooks keep the detail' \(rook\)"):
        g.paper("RookNet")


def test_reasons_say_what_they_count(g):
    assert str(g.shared("lark", "finch")[1]).endswith("; 4 papers name it)")


def test_a_recipe_takes_its_own_parameters_only(g):
    with pytest.raises(RecipeError, match="method"):
        g.query("papers-sharing-method")
    with pytest.raises(NotFoundError, match="method"):
        g.query("papers-sharing-method", metod="x")


def test_no_query_writes(g):
    for cypher in ("MATCH (p:Paper) DETACH DELETE p", "CREATE (p:Paper {id: 'cuckoo'}) RETURN p.id AS id"):
        with pytest.raises(KGError):
            g.query(cypher)
    assert g.counts()["Paper"] == len(PAPERS)


def test_opening_what_is_not_there(tmp_path, monkeypatch):
    with pytest.raises(NotFoundError):
        kg.open_graph(tmp_path / "none.db")
    monkeypatch.setenv("KG_STORE", str(tmp_path / "other.db"))
    with pytest.raises(NotFoundError, match=r"other\.db"):
        kg.open_graph()
    monkeypatch.delenv("KG_STORE")
    monkeypatch.setenv("NEO4J_URI", str(tmp_path / "third.db"))
    with pytest.raises(NotFoundError, match=r"third\.db"):
        kg.open_graph()


def test_one_path_is_loaded_into_the_graph_that_open_graph_opens(records, tmp_path, monkeypatch):
    monkeypatch.setenv("KG_STORE", str(tmp_path / "own.db"))
    assert kg.load(str(records)).loaded == len(PAPERS)
    assert kg.load(records, store=tmp_path / "own.db").unchanged == len(PAPERS)
    assert [paper.paper.id for paper in kg.read(records)] == [record.paper.id for record in PAPERS]
    with kg.open_graph() as own:
        assert own.counts()["Paper"] == len(PAPERS)


def test_what_is_no_paper_is_not_extracted(tmp_path):
    with pytest.raises(TypeError, match=r"extract takes papers, not a value of type Rejected; .*kg\.read"):
        next(kg.extract(kg.read(tmp_path / "none.csv")))


@pytest.mark.parametrize(
    ("ask", "argument"),
    [
        (lambda g: g.papers_sharing_method(None), "method"),
        (lambda g: g.entity(3), "name"),
        (lambda g: g.paper(3), "paper"),
        (lambda g: g.search(None), "text"),
        (lambda g: g.evidence("rook", None, "GNN"), "relation"),
        (lambda g: g.query(None), "recipe_or_cypher"),
    ],
)
def test_what_is_no_text_is_refused_by_the_argument_s_name(g, ask, argument):
    with pytest.raises(TypeError, match=f"^{argument} must be text, not (None|3)$"):
        ask(g)


def test_a_relation_is_checked_alike_by_look_up_and_recipe(g):
    says = "no relation is called 'FOO'; there are ADDRESSES, "
    for ask in (
        lambda: g.papers_sharing_method("GNN", relations=["FOO"]),
        lambda: g.query("low-confidence", relation="FOO"),
        lambda: g.query("triple-evidence", head="rook", tail="GNN", relation="FOO"),
    ):
        with pytest.raises(NotFoundError, match=says):
            ask()
    assert len(g.query("low-confidence", below=1.1, relation="compares with"))
    assert len(g.query("low-confidence", below=1.1)) > len(g.query("low-confidence", below=1.1, relation="uses"))


def test_a_long_name_is_cut_in_messages(g):
    long = "deep " * 1800
    for ask in (lambda: g.entity(long), lambda: g.paper(long), lambda: g.query(long.replace(" ", ""))):
        with pytest.raises(NotFoundError, match="…") as error:
            ask()
        assert str(error.value).count("deep") <= 20
