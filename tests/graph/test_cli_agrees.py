"""Every command gives what the Python function behind it gives."""

import json

import pytest
import typer.main

import kg
from kg.cli import app, main
from kg.store.dump import line
from kg.view import report, view_entity, view_paper, view_schema, view_task
from tests.graph.made import PAPERS

LOOK_UPS = {
    "query papers-sharing-method --method GNN": lambda g: g.query("papers-sharing-method", method="GNN"),
    "query most-used-methods --limit 3": lambda g: g.query("most-used-methods", limit=3),
    "shared gnn": lambda g: g.papers_sharing_method("gnn", limit=20),
    "shared CrowNet --mentions --limit 2": lambda g: g.papers_sharing_method("CrowNet", mentions=True, limit=2),
    "shared CrowNet --relation proposes": lambda g: g.papers_sharing_method("CrowNet", relations=["PROPOSES"]),
    "query most-used-methods -n 3": lambda g: g.query("most-used-methods", limit=3),
    "query most-used-methods -n3": lambda g: g.query("most-used-methods", limit=3),
    "query papers-sharing-method -n 2 --method GNN": lambda g: g.query("papers-sharing-method", method="GNN", limit=2),
    "query paper-card --paper doi:10.1/rook": lambda g: g.query("paper-card", paper="rook"),
    "shared --papers rook wren --mentions": lambda g: g.shared("rook", "wren", mentions=True),
    "shared --papers rook crow": lambda g: g.shared("rook", "crow"),
    "similar rook --limit 2": lambda g: g.similar("rook", 2),
    "entity GNN": lambda g: g.entity("GNN"),
    "entity gnn --limit 2 --type Method": lambda g: g.entity("GNN", type="Method", limit=2),
    "paper rook": lambda g: g.paper("rook"),
    "search CrowNet": lambda g: g.search("CrowNet"),
}
PICTURES = {
    "view entity GNN": lambda g: view_entity(g, "GNN"),
    "view paper rook": lambda g: view_paper(g, "rook"),
    "view task": lambda g: view_task(g, "node labeling"),
    "view schema": view_schema,
    "report": report,
}
OTHERS = {"load", "export", "recipes", "schema", "evaluate", "split"}  # below
ELSEWHERE = {
    "extract",  # tests/test_extract.py
    "review", "merge", "alias", "undo", "decisions",  # tests/review
    "browser",  # tests of the Neo4j store
    "mcp",  # test_mcp.py
}  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory, records):
    """A graph of its own, since an embedded one is held by whoever opened it."""
    url = str(tmp_path_factory.mktemp("cli") / "copy.db")
    kg.load([records], store=url)
    return url


@pytest.fixture
def asked(copy, capsys, monkeypatch, tmp_path):
    """Run a command on the copy: its standard output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, store=True):
        with pytest.raises(SystemExit) as left:
            main([*arguments, *(["--store", copy] if store else [])])
        out, err = capsys.readouterr()
        assert left.value.code == 0, err
        return out

    return run


def test_every_command_is_tested_here_or_in_a_named_place():
    commands = set(typer.main.get_command(app).commands)
    here = {line.split()[0] for line in (*LOOK_UPS, *PICTURES)} | OTHERS
    assert commands <= here | ELSEWHERE
    assert here <= commands
    drawn = set(typer.main.get_command(app).commands["view"].commands)
    assert drawn == {line.split()[1] for line in PICTURES if line.startswith("view ")}


@pytest.mark.parametrize("command", LOOK_UPS)
def test_a_look_up_prints_what_its_function_returns(g, asked, command):
    answer = LOOK_UPS[command](g)
    table = answer if isinstance(answer, kg.graph.Table) else None
    printed = json.loads(asked(*command.split(), "--format", "json"))
    assert printed == (table.to_dicts() if table is not None else answer.model_dump(mode="json"))
    assert asked(*command.split(), "--format", "csv") == (table if table is not None else answer.table()).to_csv()
    title = table.title if table is not None else repr(answer).splitlines()[0]
    assert title in asked(*command.split())


@pytest.mark.parametrize("command", PICTURES)
def test_a_picture_is_the_page_of_its_function(g, asked, tmp_path, command):
    drawn = PICTURES[command](g)
    arguments = [*command.split(), *(["node labeling"] if command == "view task" else [])]
    assert asked(*arguments, "--output", "picture.html") == "picture.html\n"
    written = (tmp_path / "picture.html").read_text(encoding="utf-8")
    if command == "report":  # it names the graph it is about
        assert len(written.splitlines()) == len(drawn.html.splitlines())
    else:
        marks = [found.split('"')[0] for found in drawn.html.split('id="neo4j-viz-')[1:]]
        for mark in marks:  # the library names its element anew each time
            drawn_mark = written.split('id="neo4j-viz-')[1 + marks.index(mark)].split('"')[0]
            written = written.replace(drawn_mark, mark)
        assert written == drawn.html


def test_recipes_export_and_load(g, asked, tmp_path):
    assert [r["recipe"] for r in json.loads(asked("recipes", "--format", "json", store=False))] == [
        r.name for r in kg.recipes()
    ]
    assert asked("export", "-") == "".join(line(row) for row in g.store.dump())
    asked("export", "made.jsonl")
    other = str(tmp_path / "other.db")
    with pytest.raises(SystemExit) as left:
        main(["load", str(tmp_path / "made.jsonl"), "--store", other])
    assert left.value.code == 0
    with kg.open_graph(other) as loaded:
        assert loaded.counts() == g.counts()
        assert loaded.counts()["Paper"] == len(PAPERS)


def test_schema_prints_the_state_of_the_store(g, asked):
    assert json.loads(asked("schema", "--format", "json")) == g.store.schema_state()


def test_evaluate_prints_the_figures_of_its_function(asked, records, tmp_path):
    made = PAPERS[0]
    spans = [m.model_dump(include={"start", "end", "text", "type"}) for m in made.mentions]
    entities = [span | {"norm": m.name, "canonical": m.entity} for span, m in zip(spans, made.mentions, strict=True)]
    gold = {"id": made.paper.id, "text": made.paper.abstract, "entities": entities}
    file = tmp_path / "gold.jsonl"
    file.write_text(json.dumps(gold | {"relations": [], "paper_relations": []}) + "\n", encoding="utf-8")
    printed = asked("evaluate", str(file), str(records), "--json", store=False)
    assert json.loads(printed) == json.loads(json.dumps(kg.evaluate(file, records).as_dict()))
    assert asked("evaluate", str(file), str(records), store=False) == f"{kg.evaluate(file, records)}\n"


def test_split_takes_a_papers_use_out_as_its_function_does(tmp_path, records, asked):
    url, gnn = str(tmp_path / "own.db"), "method:graph-neural-network"
    kg.load([records], store=url)

    def naming():
        with kg.open_graph(url) as own:
            rows = own.query("MATCH (:Method {id: $id})<-[:MENTIONS]-(p) RETURN p.id AS paper", id=gnn)
            return {row["paper"] for row in rows}

    before = naming()
    asked("split", gnn, "--paper", "wren", "--reason", "another", "--store", url, store=False)
    assert naming() == before - {"wren"}
