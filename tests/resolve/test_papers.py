import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kg.resolve.papers
from kg.build import load
from kg.resolve import merge_papers, same_works, update
from kg.store import open_store
from kg.types import Paper
from tests.resolve.records import record

OLD = Paper(id="2101.00001v1", title="Nests", abstract="We study nests.", year=2021, ids=("arxiv:2101.00001",))
NEW = Paper(id="doi:10.1/nest", title="On nests", abstract="We study.", year=2022, ids=("arxiv:2101.00001",))


def test_the_examples_hold():
    assert doctest.testmod(kg.resolve.papers).failed == 0


def test_one_work_keeps_the_latest_text_and_every_identifier():
    merged = merge_papers([OLD, NEW])
    assert (merged.id, merged.title) == (NEW.id, "On nests")
    assert merged.ids == ("2101.00001v1", "arxiv:2101.00001")


def test_a_later_arxiv_version_is_later():
    second = Paper(id="2101.00001v2", abstract="Short.", year=2021, ids=("arxiv:2101.00001",))
    assert merge_papers([second, OLD]).id == "2101.00001v2"


def test_a_retraction_of_any_version_holds():
    assert merge_papers([OLD.model_copy(update={"status": "retracted"}), NEW]).status == "retracted"


def test_titles_do_not_make_one_work():
    assert same_works({"a": [], "b": []}) == []


def test_an_older_version_adds_nothing_and_a_correction_holds():
    stored = merge_papers([OLD, NEW])
    assert update(OLD, stored) is None
    assert update(NEW, stored) is None
    corrected = update(NEW.model_copy(update={"abstract": "x"}), stored)
    assert corrected is not None
    assert (corrected.abstract, corrected.ids) == ("x", stored.ids)
    newer = NEW.model_copy(update={"id": "openreview:n", "year": 2023})
    assert update(newer, stored) == newer


PAPERS = st.lists(
    st.builds(
        Paper,
        id=st.sampled_from(["2101.00001v1", "2101.00001v2", "a", "b"]),
        abstract=st.sampled_from(["", "x", "xx", "yy"]),
        year=st.sampled_from([None, 2020, 2021]),
        ids=st.lists(st.sampled_from(["arxiv:1", "doi:1", "arxiv:2101.00001v1"]), max_size=2, unique=True).map(tuple),
        status=st.sampled_from(["ok", "withdrawn", "retracted"]),
    ),
    min_size=3,
    max_size=5,
    unique_by=lambda p: p.id,
)


@settings(deadline=None)
@given(PAPERS, st.randoms(use_true_random=False))
def test_merging_does_not_depend_on_order_or_grouping(papers, shuffler):
    shuffled = list(papers)
    shuffler.shuffle(shuffled)
    whole = merge_papers(papers)
    assert merge_papers(shuffled) == whole
    assert merge_papers([merge_papers(shuffled[:2]), *shuffled[2:]]) == whole


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_a_graph_holds_one_paper_a_work(tmp_path, order):
    def written(paper, *names):
        found = record(paper.id, [("Method", n) for n in names])
        return found.model_copy(update={"paper": paper.model_copy(update={"abstract": found.paper.abstract})})

    records = [
        written(OLD, "roost norm"),
        written(NEW, "roost norm", "perch norm"),
        written(Paper(id="twin", title="On nests"), "RL"),
    ]
    files = []
    for i in order:
        files.append(tmp_path / f"{i}.jsonl")
        files[-1].write_text(records[i].model_dump_json() + "\n", encoding="utf-8")
    with open_store(str(tmp_path / "graph.db"), mode="write") as graph:
        for file in files:
            load([file], store=graph)
        papers = {r.paper.id: r.paper for r in graph.records()}
        assert set(papers) == {NEW.id, "twin"}
        assert papers[NEW.id].ids == ("2101.00001v1", "arxiv:2101.00001")
        again = load(files, store=graph)
        assert (again.loaded, again.unchanged) == (0, 3)
        assert graph.counts()["Paper"] == 2
