"""Loading: the graph is a function of the set of records, whatever the order, the split, or who was killed when."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small import QBN, corpus, dump, record, write_records

import kg
from kg.errors import InputError

ROOT = Path(__file__).parents[1]


@pytest.fixture
def load(tmp_path):
    """Load records into a store of this test; the report."""

    def load_records(records, name="graph.db", **options):
        file = write_records(tmp_path / "records.jsonl", records)
        return kg.load([file], store=str(tmp_path / name), **options)

    return load_records


@pytest.fixture
def graph(tmp_path):
    """The graph of a store of this test, as text."""

    def read(name="graph.db"):
        with kg.open_store(str(tmp_path / name)) as store:
            return dump(store)

    return read


def test_the_report_counts_what_happened(load):
    report = load(corpus())
    assert (report.read, report.loaded, report.unchanged, report.skipped) == (12, 12, 0, ())
    assert report.mentions == sum(len(r.mentions) for r in corpus())
    assert report.triples == sum(len(r.triples) for r in corpus())
    assert report.without == {"no-abstract": 1}
    assert report.graph["Paper"] == 12
    assert report.graph["Method"] == 2


def test_the_last_text_of_an_id_stands_and_is_told(load, graph):
    first, other = record("p", "We use Widgets here."), record("p", "We study something else.")
    load([other], "other.db")
    report = load([first, other, first, other])
    assert (report.read, report.loaded, report.unchanged, report.replaced) == (4, 1, 0, 3)
    assert (report.mentions, report.graph["Paper"]) == (len(other.mentions), 1)
    assert graph() == graph("other.db")


def test_a_bare_short_form_is_what_the_corpus_means_by_it(load, tmp_path):
    load(corpus()[:1])
    with kg.open_store(str(tmp_path / "graph.db")) as store:
        assert [e.name for e in store.entities() if e.type == "Method"] == ["QBN"]
    load(corpus())
    with kg.open_store(str(tmp_path / "graph.db")) as store:
        assert sorted(e.name for e in store.entities() if e.type == "Method") == ["GearNet", QBN]


def test_loading_twice_changes_nothing(load, graph):
    load(corpus())
    before = graph()
    report = load(corpus())
    assert (report.loaded, report.unchanged) == (0, 12)
    assert graph() == before
    assert load(corpus(), force=True).loaded == 12
    assert graph() == before


def test_half_and_then_all_is_all_at_once(load, graph):
    load(corpus(), "all.db")
    load(corpus()[6:], "halves.db")
    report = load(corpus(), "halves.db")
    assert (report.loaded, report.unchanged) == (6, 6)
    assert graph("halves.db") == graph("all.db")


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(12)), cut=st.integers(0, 12))
def test_any_order_and_split_gives_the_same_graph(order, cut, tmp_path_factory):
    folder = tmp_path_factory.mktemp("order")
    records = [corpus()[i] for i in order]
    texts = []
    for name, parts in (("whole.db", [corpus()]), ("parts.db", [records[:cut], records[cut:]])):
        for part in parts:
            if part:
                kg.load([write_records(folder / "part.jsonl", part)], store=str(folder / name))
        with kg.open_store(str(folder / name)) as store:
            texts.append(dump(store))
    assert texts[0] == texts[1]


def test_a_changed_abstract_replaces_what_the_paper_said(load, graph):
    load(corpus())
    changed = record("gear", "GearNet sorts.", ("GearNet", "Method", "GearNet"), triples=[(None, "USES", "GearNet")])
    rest = [r for r in corpus() if r.paper.id != "gear"]
    assert load([changed]).loaded == 1
    load([*rest, changed], "fresh.db")
    assert graph() == graph("fresh.db")
    assert "BoltBench" not in graph()


def test_a_new_extractor_version_loads_again(load):
    load(corpus())
    newer = [r.model_copy(update={"extractor": "by hand 2"}) for r in corpus()]
    assert load(newer).loaded == 12


@pytest.mark.parametrize("when", [1, 2, 5])
def test_a_load_that_is_killed_is_healed_by_the_next(when, load, graph, tmp_path):
    """``when``: after which batch the process is killed, the last time in the midst of making names agree."""
    file = write_records(tmp_path / "records.jsonl", corpus())
    store = str(tmp_path / "killed.db")
    script = f"""
import os, signal
import kg, kg.build, kg.reconcile
kg.build.BATCH = kg.reconcile.BATCH = 3
batches = 0
def count(*_):
    global batches
    batches += 1
    if batches == {when}:
        os.kill(os.getpid(), signal.SIGKILL)
write = kg.reconcile._rewrite
kg.reconcile._rewrite = lambda *a: (write(*a), count())[0]
kg.load([{file!r}], store={store!r}, progress=count)
"""
    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    load(corpus(), "killed.db")
    load(corpus(), "whole.db")
    assert graph("killed.db") == graph("whole.db")


def test_a_dump_loads_back_to_the_same_graph(load, graph, tmp_path):
    (tmp_path / "mine.csv").write_text("name,alias,type,reason\ncog mesh,GearNet,Method,ours\n", encoding="utf-8")
    load(corpus(), aliases=tmp_path / "mine.csv")
    (tmp_path / "dump.jsonl").write_text(graph() + "\n", encoding="utf-8")
    report = kg.load([tmp_path / "dump.jsonl"], store=str(tmp_path / "back.db"))
    assert (report.loaded, report.skipped) == (12, ())
    assert graph("back.db") == graph()
    assert "cog mesh" in graph()
    load(corpus()[:1], "back.db", force=True)
    assert graph("back.db") == graph()


def test_strict_writes_nothing(tmp_path, load, graph):
    load(corpus()[:2])
    before = graph()
    file = tmp_path / "bad.jsonl"
    file.write_text(corpus()[3].model_dump_json() + '\n{"paper": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.jsonl:2"):
        kg.load([file], store=str(tmp_path / "graph.db"), strict=True)
    assert graph() == before
    assert kg.load([file], store=str(tmp_path / "graph.db")).loaded == 1


def test_ones_own_alias_table_is_kept_with_the_graph(load, graph, tmp_path):
    aliases = tmp_path / "mine.csv"
    aliases.write_text("name,alias,type,reason\ncog wheel mesh,GearNet,Method,what we call it\n", encoding="utf-8")
    load(corpus(), aliases=aliases)
    before = graph()
    assert "cog wheel mesh" in before
    load([record("new", "GearNet again.", ("GearNet", "Method", "GearNet"), triples=[(None, "USES", "GearNet")])])
    with kg.open_store(str(tmp_path / "graph.db")) as store:
        assert [e.name for e in store.entities() if e.type == "Method"] == ["cog wheel mesh", QBN]
    aliases.write_text("name,alias,type\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.csv:1"):
        load(corpus(), aliases=aliases)


@pytest.mark.parametrize("wrong", [{"aliases": "none.csv"}, {"never_merge": "."}, {"model": "no-such-model"}])
def test_a_mistyped_setting_makes_no_graph(tmp_path, wrong):
    file = write_records(tmp_path / "records.jsonl", corpus())
    with pytest.raises(kg.KGError):
        kg.load([file], store=str(tmp_path / "graph.db"), **wrong)
    assert not (tmp_path / "graph.db").exists()


def test_nothing_is_read_again_where_nothing_changed(load, monkeypatch):
    load(corpus())
    monkeypatch.setattr("kg.reconcile._rewrite", lambda *_: pytest.fail("the graph was resolved already"))
    load(corpus())


def test_progress_says_how_many_are_done(load):
    seen = []
    load(corpus(), progress=seen.append)
    assert seen[-1] == 12
