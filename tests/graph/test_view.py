import json
import re
from html.parser import HTMLParser

import pytest

from kg.errors import InputError, KGError, NotFoundError
from kg.graph import extras
from kg.view import report, view_entity, view_paper, view_schema, view_task
from tests.graph.made import PAPERS

PAGES = {
    "paper": lambda g: view_paper(g, "rook"),
    "hostile": lambda g: view_paper(g, "swan"),
    "entity": lambda g: view_entity(g, "GNN"),
    "task": lambda g: view_task(g, "node labeling"),
    "schema": view_schema,
    "report": report,
}


class _Text(HTMLParser):
    """The words inside the element with id ``text``, without the labels that were added."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.inside, self.skip, self.words = 0, 0, []

    def handle_starttag(self, tag, attrs):
        if self.inside or ("id", "text") in attrs:
            self.inside += 1
        self.skip += tag == "small"

    def handle_endtag(self, tag):
        self.inside -= self.inside > 0
        self.skip -= tag == "small"

    def handle_data(self, data):
        if self.inside and not self.skip:
            self.words.append(data)


def data_of(page):
    found = re.search(r'<script type="application/json" id="neo4j-viz-data">(.*?)</script>', page.html, re.DOTALL)
    return json.loads(found[1])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_in_itself(g, name):
    page = PAGES[name](g)
    assert page.html.lower().startswith("<!doctype html>")
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)\s*=\s*["']?(?:https?:)?//""", page.html)
    assert not re.search(r"@import|url\(\s*['\"]?https?:", page.html)
    assert 'name="viewport"' in page.html
    assert f"<title>{page.title.replace('&', '&amp;')}" in page.html or name == "hostile"


@pytest.mark.parametrize("paper", ["rook", "swan", "crow"])
def test_the_abstract_is_shown_as_it_was_read(g, paper):
    parser = _Text()
    parser.feed(view_paper(g, paper).html)
    assert "".join(parser.words) == next(r.paper.abstract for r in PAPERS if r.paper.id == paper)


def test_markup_in_a_text_stays_text(g):
    html = view_paper(g, "swan").html
    assert "<script>alert" not in html
    assert "<b>markup</b>" not in html
    assert "&lt;script&gt;alert" in html


def test_mentions_are_marked_and_claims_drawn_between_them(g):
    html = view_paper(g, "rook").html
    assert html.count("<mark ") == 5
    assert "proposes</small>" in html
    arcs = json.loads(re.search(r'id="data">(.*?)</script>', html)[1])
    assert [(a["from"], a["to"], a["label"]) for a in arcs] == [(0, 1, "subclass of")]


def test_a_neighbourhood_has_its_neighbours_and_their_sentences(g):
    data = data_of(view_entity(g, "gnn"))
    assert {n["properties"]["id"] for n in data["nodes"]} == {
        "method:graph-neural-network", "rook", "crow", "wren", "method:rooknet",
    }  # fmt: skip
    assert {(e["from"], e["caption"], e["to"]) for e in data["relationships"]} == {
        ("rook", "USES", "method:graph-neural-network"),
        ("crow", "USES", "method:graph-neural-network"),
        ("wren", "USES", "method:graph-neural-network"),
        ("method:rooknet", "SUBCLASS_OF", "method:graph-neural-network"),
    }
    assert all(e["properties"]["sentence"] for e in data["relationships"])
    assert len(data_of(view_entity(g, "gnn", limit=2))["nodes"]) == 3


def test_a_task_has_its_map(g):
    names = {n["properties"]["name"] for n in data_of(view_task(g, "node labeling"))["nodes"]}
    assert {"node labeling", "CrowNet", "RookNet", "Pebble-40", "Rooks keep the detail"} <= names


def test_the_model_is_drawn_with_its_counts(g):
    data = data_of(view_schema(g))
    assert {n["caption"] for n in data["nodes"]} == {"Paper (7)", "Method (6)", "Task (5)", "Dataset (2)"}


def test_the_report_counts_what_the_graph_holds(g):
    html = report(g).html
    counts = g.counts()
    for type_ in ("Paper", "Method", "Task", "Dataset"):
        assert f'<div class="{type_}"><b>{counts[type_]}</b>' in html
    assert "neural network" in html
    assert "node labeling" in html


def test_saving_writes_the_page_or_nothing(g, tmp_path):
    page = view_paper(g, "rook")
    with pytest.raises(InputError, match="cannot be written"):
        page.save(tmp_path / "a" / "rook.html")
    assert not (tmp_path / "a").exists()
    assert page.save(tmp_path / "rook.html").read_text(encoding="utf-8") == page.html
    assert "<iframe" in page._repr_html_()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        page.save(tmp_path / "file" / "rook.html")


def test_what_cannot_be_drawn_is_one_line(g, monkeypatch):
    with pytest.raises(NotFoundError, match="GNN"):
        view_entity(g, "GNM")

    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(extras.importlib, "import_module", missing)
    with pytest.raises(KGError, match=r"pip install neo4j-viz, .* extra viz"):
        view_schema(g)
