import pytest

from kg import review
from kg.build import load
from kg.cli import main
from kg.errors import InputError, NotFoundError, ResolutionError
from kg.graph import Graph
from kg.store import open_store
from tests.resolve.records import record

RECORDS = [
    record("p1", [("Method", "roost norm"), ("Method", "EM"), ("Task", "catastrophic forgetting")]),
    record(
        "p2", [("Method", "perch norm"), ("Method", "expectation maximization"), ("Task", "catastropic forgetting")]
    ),
    record("p3", [("Method", "PRISMA"), ("Method", "perch norm"), ("Task", "roost norm")]),
    record("p4", [("Method", "PRISMA"), ("Method", "Adam"), ("Method", "AdamW")], triples=[("PROPOSES", "PRISMA")]),
    record("p5", [("Task", "catastrophic forgetting"), ("Method", "perch norm")]),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review")
    path = folder / "records.jsonl"
    path.write_text("".join(r.model_dump_json() + "\n" for r in RECORDS), encoding="utf-8")
    with open_store(str(folder / "graph.db"), mode="write") as store:
        load([path], store=store)
        yield store


@pytest.fixture
def unchanged(graph):
    """The graph's content before; afterwards every decision is undone and the graph must be as it was."""
    before = list(graph.dump())
    yield graph
    for decision in graph.decisions():
        review.undo(graph, decision.id)
    assert list(graph.dump()) == before


def mentioned(graph, paper):
    rows = graph.query("MATCH (p:Paper {id: $p})-[:MENTIONS]->(e) RETURN e.id AS id", {"p": paper})
    return {row["id"] for row in rows}


def test_a_merge_moves_the_papers_and_is_undone_exactly(unchanged):
    change = review.merge(unchanged, "roost norm", "perch norm", reason="one rule", type="Method")
    assert change.papers == 3
    assert "method:roost-norm" in mentioned(unchanged, "p2")
    assert "method:perch-norm" not in {e.id for e in unchanged.entities()}


def test_a_split_of_an_alias_is_undone_exactly(unchanged):
    review.split(unchanged, "expectation-maximization", "EM", reason="electron microscopy")
    assert "method:em" in mentioned(unchanged, "p1")
    assert "method:expectation-maximization" in mentioned(unchanged, "p2")


def test_a_split_of_one_paper_s_use_is_undone_exactly(unchanged):
    review.split(unchanged, "PRISMA", paper="p4", reason="another system")
    assert "method:prisma" in mentioned(unchanged, "p3")
    assert mentioned(unchanged, "p3") & mentioned(unchanged, "p4") == set()


def test_an_alias_holds_for_papers_to_come(unchanged, tmp_path):
    review.alias(unchanged, "perch norm", "branch norm", reason="older name")
    late = tmp_path / "late.jsonl"
    late.write_text(record("late", [("Method", "branch norm")]).model_dump_json() + "\n", encoding="utf-8")
    load([late], store=unchanged)
    assert mentioned(unchanged, "late") == {"method:perch-norm"}
    unchanged.remove(["late"])


def test_decisions_travel_in_a_file(unchanged, tmp_path):
    review.merge(unchanged, "method:roost-norm", "method:perch-norm", reason='one, "rule"')
    review.split(unchanged, "PRISMA", paper="p4", reason="another system")
    merged = list(unchanged.dump())
    file = tmp_path / "decisions.csv"
    assert review.write_decisions(unchanged, file) == 2
    for decision in unchanged.decisions():
        review.undo(unchanged, decision.id)
    assert review.read_decisions(unchanged, file) == 2
    assert review.read_decisions(unchanged, file) == 0
    assert list(unchanged.dump()) == merged


ROW = "merge,Method:roost norm,Method:perch norm,x\n"
ALSO = ROW.replace("merge", "split")


@pytest.mark.parametrize(
    ("rows", "error", "says"),
    [
        (ROW + ALSO, ResolutionError, r":3: contradicts the merge"),
        (ROW + "merge,Method:prisma,Task:catastrophic forgetting,x\n", ResolutionError, r":3: .* different types"),
        (ROW + "alias,Method:prisma,Dataset:birds,x\n", ResolutionError, r":3: .* different types"),
        (ROW + "split,Method:prisma,Dataset:birds,x\n", ResolutionError, r":3: .* different types"),
        (ROW + "merge,Method:prisma,Method:PRISMA,x\n", ResolutionError, r":3: .* both sides"),
        (ROW + "merge,Method:adam,Method:adamw,x\n", ResolutionError, r":3: .* never-merge list"),
        ("merge,Method:x,Method:adam,x\nmerge,Method:x,Method:adamw,x\n", ResolutionError, r":3: .* never-merge list"),
        ("alias,Method:x,Method:adam,x\nalias,Method:x,Method:adamw,x\n", ResolutionError, r":3: .* never-merge list"),
        (
            ROW + "merge,Method:prisma,Method:roost norm,x\nmerge,Method:perch norm,Method:prisma,x\n",
            ResolutionError,
            r":4: contradicts the merge of Method:prisma and Method:roost norm",
        ),
        (
            ROW + "alias,Method:perch norm,Method:roost norm,x\n",
            ResolutionError,
            r":3: contradicts the merge of Method:roost norm and Method:perch norm",
        ),
        ("merge,Model:roost norm,Method:perch norm,x\n", InputError, r":2: column a: 'Model:roost norm' is no name"),
        (ROW + "merge,Method:prisma,perch norm,x\n", InputError, r":3: column b: 'perch norm' is no name"),
        (ROW + "merge,Method:prisma,Paper:p1,x\n", InputError, r":3: column b: 'Paper:p1' is no name"),
        (ROW + "split,Method:prisma,Paper:,x\n", InputError, r":3: column b: 'Paper:' is no name"),
        (ROW + "join,Method:prisma,Method:em,x\n", InputError, r":3: the kind 'join' is none of merge, split, alias"),
        (ROW + "split,Method:prisma,Paper:p4,\n", InputError, r":3: reason is empty"),
        (ROW + 'split,Method:prisma,Paper:p4,"x\n', InputError, r":3: a quote in this row is never closed"),
    ],
)
def test_a_bad_file_changes_nothing(unchanged, tmp_path, rows, error, says):
    file = tmp_path / "bad.csv"
    file.write_text("kind,a,b,reason\n" + rows, encoding="utf-8")
    with pytest.raises(error, match=r"bad\.csv" + says) as caught:
        review.read_decisions(unchanged, file)
    assert "\n" not in str(caught.value)
    assert unchanged.decisions() == []


def test_a_file_without_its_header_is_refused(unchanged, tmp_path):
    file = tmp_path / "bad.csv"
    for text in ("", ROW):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="first line must be kind,a,b,reason"):
            review.read_decisions(unchanged, file)
    assert unchanged.decisions() == []


def test_names_written_as_people_do_are_found(unchanged, tmp_path):
    file = tmp_path / "own.csv"
    file.write_text("kind,a,b,reason\nmerge,Method:Roost-Norm,Method:perch norms,x\n", encoding="utf-8")
    assert review.read_decisions(unchanged, file) == 1
    assert "method:roost-norm" in mentioned(unchanged, "p2")
    (made,) = unchanged.decisions()
    assert review.shown(made) == ("Method:Roost-Norm", "Method:perch norms")


def test_decisions_are_written_as_a_whole_or_not_at_all(unchanged, tmp_path, monkeypatch):
    review.merge(unchanged, "method:roost-norm", "method:perch-norm", reason="one rule")
    file = tmp_path / "decisions.csv"
    file.write_text("before", encoding="utf-8")
    monkeypatch.setattr("kg.review.decisions.COLUMNS", 5)  # the header fails when the file is open already
    with pytest.raises(Exception, match="iterable"):
        review.write_decisions(unchanged, file)
    assert file.read_text(encoding="utf-8") == "before"
    monkeypatch.undo()
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        review.write_decisions(unchanged, tmp_path)


@pytest.mark.parametrize(
    ("decide", "error", "says"),
    [
        (lambda g: review.merge(g, "Adam", "AdamW", reason="x"), ResolutionError, "never-merge"),
        (lambda g: review.alias(g, "Adam", "AdamW", reason="x"), ResolutionError, "never-merge"),
        (
            lambda g: review.merge(g, "EM", "expectation maximization", reason="x"),
            ResolutionError,
            "one entity already",
        ),
        (
            lambda g: review.merge(g, "PRISMA", "catastrophic forgetting", reason="x"),
            ResolutionError,
            "different types",
        ),
        (
            lambda g: review.merge(g, "roost norm", "PRISMA", reason="x"),
            NotFoundError,
            r"could be method:roost-norm, task:roost-norm; give the id, or --type Method\|Task$",
        ),
        (lambda g: review.merge(g, "PRISMA", "prism", reason="x"), NotFoundError, "did you mean 'PRISMA'"),
        (lambda g: review.merge(g, "PRISMA", "perch norm", reason=" "), InputError, "--reason"),
        (lambda g: review.split(g, "PRISMA", "EM", reason="x"), NotFoundError, "no alias of 'PRISMA'"),
        (lambda g: review.split(g, "PRISMA", paper="p1", reason="x"), NotFoundError, "no paper 'p1' mentions"),
        (lambda g: review.split(g, "PRISMA", reason="x"), InputError, "--paper"),
        (lambda g: review.undo(g, "none"), NotFoundError, "kg decisions"),
    ],
)
def test_what_cannot_be_decided_is_one_line(unchanged, decide, error, says):
    with pytest.raises(error, match=says) as caught:
        decide(unchanged)
    assert "\n" not in str(caught.value)


def test_a_merge_against_a_split_is_refused(unchanged):
    review.split(unchanged, "expectation-maximization", "EM", reason="electron microscopy")
    with pytest.raises(ResolutionError, match="contradicts the split"):
        review.merge(unchanged, "expectation-maximization", "method:em", reason="x")


def test_candidates_propose_and_do_not_merge(unchanged):
    pairs = {(c.a, c.b): c for c in review.candidates(unchanged, min_score=0.4)}
    found = pairs["task:catastrophic-forgetting", "task:catastropic-forgetting"]
    assert found.string > 0.9
    assert found.sentence_a
    assert ("method:adam", "method:adamw") not in pairs
    assert len([e for e in unchanged.entities() if "forgetting" in e.id]) == 2


def test_names_of_several_types_are_listed_as_they_are_shown(tmp_path):
    found = [record("a", [("Method", "multi-nest Rook norm")]), record("b", [("Task", "multi-nest Rook norm")])]
    (tmp_path / "two.jsonl").write_text("".join(r.model_dump_json() + "\n" for r in found), encoding="utf-8")
    with open_store(str(tmp_path / "two.db"), mode="write") as store:
        load([tmp_path / "two.jsonl"], store=store)
        assert review.conflicts(store) == [{"name": "multi-nest Rook norm", "Method": 1, "Task": 1}]


def test_listings(unchanged):
    assert review.conflicts(unchanged)[0]["name"] == "roost norm"
    assert review.joins(unchanged) == []
    assert review.ambiguous(unchanged) == []


def test_the_commands(tmp_path, capsys):
    path = tmp_path / "records.jsonl"
    path.write_text("".join(r.model_dump_json() + "\n" for r in RECORDS), encoding="utf-8")
    url = str(tmp_path / "graph.db")
    load([path], store=url)

    def kg(*arguments):
        with pytest.raises(SystemExit) as left:
            main([*arguments, "--store", url])
        return left.value.code, *capsys.readouterr()

    code, out, _ = kg("review", "--format", "json")
    assert code == 0
    assert "catastropic" in out
    code, _, err = kg("merge", "catastrophic forgetting", "catastropic forgetting", "--reason", "a slip")
    assert (code, err.count("\n")) == (0, 1)
    id_ = err.split("kg undo ")[1].split()[0]
    code, out, _ = kg("decisions", "--format", "csv")
    assert f"{id_},merge,Task:catastrophic forgetting,Task:catastropic forgetting,a slip" in out
    assert kg("decisions", "--export", str(tmp_path / "d.csv"))[0] == 0
    assert kg("undo", id_)[0] == 0
    assert kg("decisions", "--import", str(tmp_path / "d.csv"))[0] == 0
    code, _, err = kg("merge", "Adam", "AdamW", "--reason", "x")
    assert code == 1
    assert err.startswith("kg: 'Adam' and 'AdamW' are on the never-merge list")
    for what in ("ambiguous", "types", "joins"):
        assert kg("review", what)[0] == 0


def run(url, capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--store", url])
    return left.value.code, *capsys.readouterr()


@pytest.fixture
def url(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text("".join(r.model_dump_json() + "\n" for r in RECORDS), encoding="utf-8")
    load([path], store=str(tmp_path / "graph.db"))
    return str(tmp_path / "graph.db")


def test_an_alias_is_found_at_once_as_it_was_typed(url, capsys):
    assert run(url, capsys, "entity", "Branch-Norms")[0] == 1
    code, _, err = run(url, capsys, "alias", "perch norm", "Branch-Norms", "--reason", "older name")
    assert code == 0
    assert "alias of Method:perch norm and Method:Branch-Norms: 0 papers changed" in err
    for name in ("Branch-Norms", "branch norm"):
        code, out, _ = run(url, capsys, "entity", name, "--format", "json")
        assert code == 0
        assert '"method:perch-norm"' in out
    code, out, _ = run(url, capsys, "decisions", "--format", "csv")
    assert "alias,Method:perch norm,Method:Branch-Norms,older name" in out
    assert run(url, capsys, "undo", err.split("kg undo ")[1].split()[0])[0] == 0
    assert run(url, capsys, "entity", "Branch-Norms")[0] == 1


def test_an_alias_waits_for_an_entity_that_is_loaded_later(unchanged, tmp_path):
    review.alias(unchanged, "perch norm", "Branch-Norms", reason="older name")
    file = tmp_path / "decisions.csv"
    review.write_decisions(unchanged, file)
    records = tmp_path / "records.jsonl"
    records.write_text("".join(r.model_dump_json() + "\n" for r in RECORDS), encoding="utf-8")
    with open_store(str(tmp_path / "other.db"), mode="write") as other:
        other.prepare()
        assert review.read_decisions(other, file) == 1
        load([records], store=other)
        assert list(other.dump()) == list(unchanged.dump())
        assert next(e for e in other.entities() if e.id == "method:perch-norm").aliases == ("Branch-Norms",)


def test_a_file_without_spellings_still_loads(unchanged, tmp_path):
    file = tmp_path / "older.csv"
    file.write_text("kind,a,b,reason\nalias,Method:perch norm,Method:branch norm,older name\n", encoding="utf-8")
    assert review.read_decisions(unchanged, file) == 1
    assert next(e for e in unchanged.entities() if e.id == "method:perch-norm").aliases == ("branch norm",)


@pytest.mark.parametrize("other", ["perch norm", "Perch-Norms", "perchnorm"])
def test_an_alias_never_swallows_an_entity(unchanged, other):
    with pytest.raises(ResolutionError, match=r"entity of its own \(method:perch-norm, 3 papers\); kg merge") as caught:
        review.alias(unchanged, "PRISMA", other, reason="x")
    assert "\n" not in str(caught.value)
    assert unchanged.decisions() == []


@pytest.mark.parametrize("name", ["perch norm", "method:perch-norm"])
def test_a_merge_says_where_a_merged_name_leads(unchanged, name):
    first = review.merge(unchanged, "method:roost-norm", "method:perch-norm", reason="one rule")
    assert first.notes == ()
    second = review.merge(unchanged, "PRISMA", name, reason="x")
    (note,) = second.notes
    assert note == f"{name!r} belongs to 'roost norm' (method:roost-norm) by the merge {first.decision.id}"
    review.undo(unchanged, second.decision.id)


def test_one_paper_is_no_papers(url, capsys):
    code, _, err = run(url, capsys, "merge", "catastrophic forgetting", "catastropic forgetting", "--reason", "a slip")
    assert code == 0
    assert ": 1 paper changed" in err
    _, _, err = run(url, capsys, "undo", err.split("kg undo ")[1].split()[0])
    assert err.endswith("; 1 paper changed\n")


def test_the_review_table_shows_names_and_sentences(url, capsys):
    code, out, err = run(url, capsys, "review")
    assert code == 0
    assert "catastrophic forgetting (2)" in out
    assert "task:" not in out
    assert "b: perch norm. expectation maximization. catastropic forgetting." in out
    assert "kg merge" in err


def test_an_alias_of_another_entity_is_not_taken_from_it(unchanged):
    says = r"an alias of 'expectation-maximization' already \(method:expectation-maximization, 2 papers\); kg merge"
    with pytest.raises(ResolutionError, match=says):
        review.alias(unchanged, "PRISMA", "E.M.", reason="x")
    assert unchanged.decisions() == []


def test_after_a_split_by_paper_the_name_is_the_other_entity_s(unchanged):
    g, apart = Graph(unchanged), "method:prisma-@-p4"
    assert {row.paper for row in g.papers_sharing_method("PRISMA", mentions=True)} == {"p3", "p4"}
    review.split(unchanged, "PRISMA", paper="p4", reason="another system")
    for name in ("PRISMA", "method:prisma"):
        assert {row.paper for row in g.papers_sharing_method(name, mentions=True)} == {"p3"}
        assert {row["paper"] for row in g.query("papers-sharing-method", method=name, mentions=True)} == {"p3"}
        assert g.entity(name).same_name == (apart,)
    assert {row.paper for row in g.papers_sharing_method(apart, mentions=True)} == {"p4"}
    assert {row["paper"] for row in g.query("papers-sharing-method", method=apart)} == {"p4"}
    review.split(unchanged, "method:prisma", paper="p3", reason="a third")
    with pytest.raises(
        NotFoundError, match=r"'PRISMA' alone; did you mean 'method:prisma-@-p3' or 'method:prisma-@-p4'"
    ):
        g.entity("PRISMA")
    with pytest.raises(
        NotFoundError, match=r"by 'PRISMA'; did you mean 'method:prisma-@-p3' or 'method:prisma-@-p4'\?"
    ):
        review.alias(unchanged, "PRISMA", "the other", reason="x")


def test_decisions_on_a_name_leave_what_was_split_off_one_paper_alone(unchanged):
    apart = "method:prisma-@-p4"
    review.split(unchanged, "PRISMA", paper="p4", reason="another system")
    assert review.alias(unchanged, "PRISMA", "prism of norms", reason="x").decision.a == "Method:prisma"
    listed = Graph(unchanged).query("duplicates")
    assert not {row["entity"] for row in listed} & {"method:prisma", apart}
    pairs = review.candidates(unchanged, min_score=0, limit=100)
    assert not [pair for pair in pairs if apart in (pair.a, pair.b)]


@pytest.mark.parametrize("narrowing", [("--type", "Task"), ("--min-score", "0.9")])
def test_what_narrows_candidates_is_refused_elsewhere(narrowing, capsys):
    with pytest.raises(SystemExit) as left:
        main(["review", "types", *narrowing])
    assert left.value.code == 2
    assert f"{narrowing[0]} can narrow candidates, not types" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "rows"),
    [
        ("never_merge", "a,b,reason\nperch norm,branch norm,two rules\n"),
        ("aliases", "name,alias,type,reason\nbranch norm,perch norm,Method,older name\n"),
    ],
)
def test_a_table_against_a_decision_is_refused_and_not_kept(unchanged, tmp_path, option, rows):
    review.alias(unchanged, "perch norm", "branch norm", reason="older name")
    before = list(unchanged.dump())
    table, more = tmp_path / "own.csv", tmp_path / "records.jsonl"
    table.write_text(rows, encoding="utf-8")
    more.write_text(RECORDS[0].model_dump_json() + "\n", encoding="utf-8")
    with pytest.raises(ResolutionError, match=r"the tables contradict a decision in the graph: .*'branch norm'"):
        load([more], store=unchanged, **{option: table})
    assert list(unchanged.dump()) == before
    assert load([more], store=unchanged).unchanged == 1
