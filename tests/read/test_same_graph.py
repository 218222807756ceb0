"""A list of papers gives one graph, byte for byte of its export, in whatever format it comes."""

import importlib

import pytest

import kg
from kg.read import FORMATS, Rejected
from kg.store import open_store
from kg.store.dump import write_dump
from tests.read import samples
from tests.read.test_basic import TEXT

BUILD = importlib.import_module("kg.build")


def text():
    """A text file, and what its papers are as JSON Lines records."""
    return TEXT.encode(), []


SAMPLES = {name: (file, make) for name, (file, _, make) in samples.FORMATS.items()} | {"text": ("x.txt", text)}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A sample of every format, and the same papers as JSON Lines: name -> (file, JSON Lines file)."""
    folder = tmp_path_factory.mktemp("formats")
    found = {}
    for name, (file, make) in SAMPLES.items():
        content, records = make()
        (folder / name).mkdir()
        path, expected = folder / name / file, folder / name / "expected.jsonl"
        path.write_bytes(content)
        papers = "".join(paper.model_dump_json() + "\n" for paper in kg.read([path]) if not records)
        expected.write_bytes(samples.lines(records) or papers.encode())
        found[name] = path, expected
    return found


@pytest.fixture(scope="module")
def extracted(files):
    """What the shipped pipeline finds in each of the papers that the JSON Lines files hold."""
    papers = [item for _, expected in files.values() for item in kg.read([expected])]
    assert not any(isinstance(paper, Rejected) for paper in papers)
    return dict(zip(papers, kg.extract(papers), strict=True))


@pytest.fixture(scope="module")
def graph(tmp_path_factory, extracted):
    """The export of the graph that a file gives, made from nothing; the pipeline reads each paper once for all."""
    folder = tmp_path_factory.mktemp("graph")

    def extract(papers, **_):
        return (extracted[paper] for paper in papers)

    with open_store(str(folder / "graph.db"), mode="write") as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(BUILD, "extract", extract)

        def exported(path):
            if ledger := list(store.ledger()) if store.counts()["Paper"] else []:
                store.remove(ledger)
                store.sweep()
            report = kg.load([path], store=store)
            assert report.loaded
            assert not report.skipped
            write_dump(store, folder / "export.jsonl")
            return (folder / "export.jsonl").read_bytes()

        yield exported


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_gives_the_graph_that_json_lines_gives(files, graph, name):
    path, expected = files[name]
    found = graph(path)
    assert found == graph(expected)
    assert found.count(b'"edge":') > 3
    assert found.count(b'"node":"Paper"') == (2 if name == "text" else len(samples.PAPERS))


def test_records_and_exports_give_the_graph_of_their_papers(files, graph, extracted, tmp_path):
    _, expected = files["arxiv"]
    found = graph(expected)
    (tmp_path / "export.jsonl").write_bytes(found)
    records = (extracted[paper].model_dump_json() + "\n" for paper in kg.read([expected]))
    (tmp_path / "records.jsonl").write_text("".join(records), encoding="utf-8")
    assert graph(tmp_path / "records.jsonl") == found
    assert graph(tmp_path / "export.jsonl") == found


def test_every_format_is_compared():
    detected = {samples.FORMATS[name][1] for name in samples.FORMATS} | {"text", "records", "dump"}
    assert detected == set(FORMATS)
