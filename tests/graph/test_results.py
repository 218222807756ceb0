import csv
import io
import json

import pytest

from kg.errors import KGError
from kg.graph import Row, Table, extras


class Bird(Row):
    shown = ("name", "sentence")
    name: str
    wings: int | None
    colours: tuple[str, ...] = ()
    sentence: str = ""


BIRDS = Table(
    [
        Bird(name="<b>rook</b>", wings=2, colours=("black", "grey"), sentence="Says \x1b[31mkraa\x1b[0m, \"often\"."),
        Bird(name="kiwi", wings=None),
    ],
    of=Bird, title="Birds & more",
)  # fmt: skip
NONE = Table([], of=Bird, title="None")


def test_a_table_is_a_sequence_of_typed_rows():
    assert len(BIRDS) == 2
    assert BIRDS[1].wings is None
    assert BIRDS[0]["name"] == "<b>rook</b>"
    assert [b.name for b in BIRDS[1:]] == ["kiwi"]
    assert BIRDS[:] == BIRDS
    with pytest.raises(ValueError, match="frozen"):
        BIRDS[0].name = "crow"


def test_it_prints_for_people_and_obeys_no_escape_sequence():
    text = repr(BIRDS)
    assert text.startswith("Birds & more (2)")
    assert "\x1b" not in text
    assert "kraa" in text
    assert "None (0)" in repr(NONE)


def test_jupyter_gets_escaped_html():
    html = BIRDS._repr_html_()
    assert "&lt;b&gt;rook&lt;/b&gt;" in html
    assert "<b>rook" not in html
    assert "Birds &amp; more" in html


def test_json_and_csv_have_every_field():
    assert json.loads(BIRDS.to_json()) == BIRDS.to_dicts()
    rows = list(csv.DictReader(io.StringIO(BIRDS.to_csv())))
    assert rows[0]["sentence"] == BIRDS[0].sentence
    assert json.loads(rows[0]["colours"]) == ["black", "grey"]
    assert NONE.to_csv() == "name,wings,colours,sentence\n"


def test_data_frames_have_every_field(g):
    for table in (BIRDS, NONE, g.similar("rook", 3), g.papers_sharing_method("GNN")):
        pandas, polars = table.to_pandas(), table.to_polars()
        assert list(pandas.columns) == list(polars.columns) == list(table.columns)
        assert len(pandas) == len(polars) == len(table)
    assert BIRDS.to_polars()["colours"].to_list() == [["black", "grey"], []]
    assert g.papers_sharing_method("GNN").to_pandas()["paper"].tolist() == ["rook", "wren", "crow"]


def test_a_missing_package_is_one_line_that_names_the_extra(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(extras.importlib, "import_module", missing)
    with pytest.raises(KGError, match=r"pip install pandas, .* extra pandas"):
        BIRDS.to_pandas()
    with pytest.raises(KGError, match=r"pip install polars, .* extra polars"):
        BIRDS.to_polars()
