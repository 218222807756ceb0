"""Two `kg load` at once on overlapping records end in the same graph as one after the other; twice is once."""

import subprocess
import sys

import pytest

import kg
from kg.store import open_store
from tests.live.papers import dumped
from tests.recipes.aviary import contributions

pytestmark = pytest.mark.neo4j


@pytest.fixture
def files(tmp_path):
    records = [c.record for c in contributions()]
    parts = {"one": records[:5], "two": records[2:], "all": records}
    for name, part in parts.items():
        text = "".join(record.model_dump_json() + "\n" for record in part)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def graph_of(url):
    with open_store(url, mode="write") as store:
        return dumped(store), store.state("resolved")


def test_two_loaders_at_once_and_one_twice(neo4j_server, neo4j_url, files):
    kg.load([files / "all.jsonl"], store=neo4j_url)
    once = graph_of(neo4j_url)
    assert once[0]
    again = kg.load([files / "all.jsonl"], store=neo4j_url)
    assert (again.loaded, graph_of(neo4j_url)) == (0, once)
    with open_store(neo4j_url, mode="write") as store:
        store.remove(list(store.ledger()))
        store.sweep()
    command = [sys.executable, "-m", "kg", "load", "--store", neo4j_url]
    running = [
        subprocess.Popen([*command, str(files / name)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for name in ("one.jsonl", "two.jsonl")
    ]
    for process in running:
        _, said = process.communicate(timeout=240)
        assert process.returncode == 0, said
    assert graph_of(neo4j_url) == once


def test_the_same_graph_on_both_engines(neo4j_url, files, tmp_path):
    kg.load([files / "all.jsonl"], store=neo4j_url)
    kg.load([files / "all.jsonl"], store=str(tmp_path / "kg.db"))
    with open_store(neo4j_url) as server, open_store(str(tmp_path / "kg.db")) as folder:
        assert dumped(server) == dumped(folder)
