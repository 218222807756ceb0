"""What every store must do, written once: a subclass an engine gives ``url``, the URL of an empty graph."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError, ReadOnlyError, StoreError
from kg.restore import restore
from kg.store import SCHEMA_VERSION, Store, lookup_key, open_store
from kg.store.dump import write_dump
from kg.types import SCHEMA, Contribution, Decision, Edge
from tests.store.made import contribution, entities, entity

NASTY = [
    "a`b",
    'O\'Neil "net"',
    'x"}) DETACH DELETE n //',
    "back\\slash \\u0041 \\",
    "$param {brace} :Label",
    "强化学习",
    "🤖🏳️‍🌈 bot",
    "β-VAE",
    "𝒢raph",
    "tab\tand\u00a0space",
    "İstanbul",
    "long " + "name " * 1799,
]
WAYS = [
    ("P", "USES", "Tidy"),
    ("Tidy", "PART_OF", "Brook"),
    ("Brook", "COMPARES_WITH", "Tidy"),
    ("P", "COMPARES_WITH", "Brook"),
]

# The lines of a dump of contribution("p1"): Dataset, Method, Paper, Task, EVALUATED_ON, three MENTIONS, PROPOSES,
# USED_FOR. What may be done to them, and how the message goes on behind the file's name.


def swapped(old: str, new: str):
    """The first ``old`` replaced."""
    return lambda text: text.replace(old, new, 1)


def line_changed(number: int, old: str, new: str):
    """The first ``old`` of a line replaced."""
    return lambda text: "".join(
        line.replace(old, new, 1) if i == number else line for i, line in enumerate(text.splitlines(keepends=True), 1)
    )


def put_before(*rows: str):
    """Further lines at the top."""
    return lambda text: "\n".join((*rows, text))


def kept(*numbers: int):
    """Those lines alone."""
    return lambda text: "".join(text.splitlines(keepends=True)[number - 1] for number in numbers)


MERGE = '{"node":"Decision","id":"d1","kind":"merge","a":"Method:a","b":"Method:b","reason":"so"}'
TABLE = '{"node":"State","id":"aliases","value":"%s"}'
DAMAGES = [
    (lambda _: "", ": no node of a graph in it"),
    (lambda text: text[:-40], ":10: not a line of JSON"),
    (put_before("[]"), ":1: neither a node nor an edge"),
    (swapped('"node":"Dataset"', '"node":"Dataset","edge":"USES"'), ":1: neither a node nor an edge"),
    (swapped('"name":"Tidy"', '"nom":"Tidy"'), ":2: Method 'method:Tidy': name is missing"),
    (swapped('"name":"Tidy"', '"name":" "'), ":2: Method 'method:Tidy': its name is empty"),
    (swapped('"name":"Tidy"', '"name":"Tidy","mood":1'), ":2: Method 'method:Tidy': it has no 'mood'"),
    (swapped('"node":"Method"', '"node":"Bird"'), ":2: no node of a graph is a 'Bird'"),
    (swapped('"node":"Method"', '"node":["Method"]'), ":2: no node of a graph is a"),
    (swapped('"node":"Method"', '"node":"Task"'), ":2: Task 'method:Tidy': the id of a Task begins with task:"),
    (kept(2, 3, 4, 5, 6, 7, 8, 9, 10), ":4: edge p1|EVALUATED_ON|p1|Shells leads to dataset:Shells"),
    (kept(1, 2, 4, 5, 6, 7, 8, 9, 10), ":4: an edge of paper 'p1', which the dump does not hold"),
    (kept(1, 2, 2, 3), ":3: the Method 'method:Tidy' stands on line 2 already"),
    (kept(1, 2, 3, 3), ":4: the Paper 'p1' stands on line 3 already"),
    (
        kept(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10),
        ":11: the USED_FOR 'p1|USED_FOR|method:Tidy|sorting' stands on line 10 already",
    ),
    (kept(1, 2, 3, 4), ":3: paper 'p1': it mentions 'Tidy', and no MENTIONS edge"),
    (kept(1, 2, 3, 4, 5, 6, 7, 8), ":3: paper 'p1': it states PROPOSES 'Tidy', and no edge of the dump does"),
    (kept(1, 2, 3, 4, 5, 6, 7, 8, 9), ":3: paper 'p1': it states USED_FOR 'sorting', and no edge of the dump does"),
    (swapped('"count":1', '"count":2'), ":3: paper 'p1': it has 3 mentions, and its MENTIONS edges count 4"),
    (swapped('"count":1', '"count":"1"'), ":6: MENTIONS 'p1|MENTIONS|p1|Shells': count: "),
    (swapped('"surfaces":["Shells"]', '"surfaces":"Shells"'), ":6: MENTIONS 'p1|MENTIONS|p1|Shells': surfaces: "),
    (swapped('"sentence"', '"sense"'), ":5: EVALUATED_ON 'p1|EVALUATED_ON|p1|Shells': sentence is missing"),
    (swapped('"sentence"', '"mood":1,"sentence"'), ":5: EVALUATED_ON 'p1|EVALUATED_ON|p1|Shells': it has no 'mood'"),
    (
        swapped('"sentence":"Here', '"sentence":"There'),
        ":5: the sentence of edge p1|EVALUATED_ON|p1|Shells is not what",
    ),
    (line_changed(5, '"end":', '"end":9'), ":5: the sentence of edge p1|EVALUATED_ON|p1|Shells is not what"),
    (line_changed(5, '"score":1.0', '"score":NaN'), ":5: EVALUATED_ON 'p1|EVALUATED_ON|p1|Shells': score: "),
    (line_changed(5, '"start":0', '"start":"0"'), ":5: EVALUATED_ON 'p1|EVALUATED_ON|p1|Shells': start: "),
    (
        swapped('"edge":"EVALUATED_ON"', '"edge":"USES"'),
        ":5: USES 'p1|EVALUATED_ON|p1|Shells': none leads from a Paper to",
    ),
    (swapped('"edge":"EVALUATED_ON"', '"edge":["USES"]'), ":5: no edge of a graph is a"),
    (
        swapped('"head":"p1"', '"head":"p2"'),
        ":5: EVALUATED_ON 'p1|EVALUATED_ON|p1|Shells': it is of paper 'p1', but leaves",
    ),
    (swapped('"year":2024', '"year":"MMXXIV"'), ":3: Paper 'p1': its record is damaged (year: "),
    (swapped('"ids":["doi:10.1/p1"]', '"ids":"doi"'), ":3: Paper 'p1': its record is damaged (ids: "),
    (swapped('"record":', '"score":'), ":3: Paper 'p1': it has no 'score'"),
    (
        swapped('"abstract":"Here', '"abstract":"There'),
        ":5: the sentence of edge p1|EVALUATED_ON|p1|Shells is not what",
    ),
    (put_before(MERGE.replace("merge", "marry")), ":1: Decision 'd1': kind: "),
    (put_before(MERGE.replace("Method:a", "a")), ":1: Decision 'd1': 'a' is no name of a decision"),
    (put_before(MERGE.replace("Method:a", "Task:a")), ":1: Decision 'd1': 'Task:a' and 'Method:b' are not two names"),
    (put_before(MERGE.replace('"a"', '"c"')), ":1: Decision 'd1': it has no 'c'"),
    (put_before(MERGE, MERGE.replace("so", "no")), ":2: the Decision 'd1' stands on line 1 already"),
    (put_before(TABLE.replace("aliases", "schema") % 9), ":1: State 'schema': no such table"),
    (put_before(TABLE % "{"), ":1: State 'aliases': its rows are damaged"),
    (put_before(TABLE % "[[1]]"), ":1: State 'aliases': its rows are damaged"),
    (put_before(TABLE.replace('"%s"', "5")), ":1: State 'aliases': its value is no text"),
]


def lines(store: Store) -> list[str]:
    return [json.dumps(row, sort_keys=True) for row in store.dump()]


class StoreSuite:
    """The shared tests."""

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        with open_store(url, mode="write") as opened:
            opened.prepare()
            yield opened

    def test_empty_graph(self, store: Store):
        assert lines(store) == []
        assert set(store.counts().values()) == {0}
        assert store.ledger() == {}
        assert list(store.records()) == list(store.entities()) == store.decisions() == []
        assert store.search("anything") == []
        assert store.state("schema") == SCHEMA_VERSION

    def test_prepare_is_idempotent_and_all_is_online(self, store: Store):
        before = store.schema_state()
        store.prepare()
        assert store.schema_state() == before
        assert {row["state"] for row in before} == {"online"}
        assert {"Paper.id", "Method.id", "Name.key"} <= {row["on"] for row in before if row["kind"] == "unique"}

    def test_all_of_a_contribution_comes_back(self, store: Store):
        paper = contribution("p1")
        store.write([paper], entities(paper))
        assert list(store.records()) == [paper.record]
        assert list(store.entities()) == sorted(entities(paper), key=lambda e: e.id)
        assert store.ledger() == {"p1": (paper.record.paper.content_hash, "made 1")}
        rows = list(store.dump())
        assert [row.get("node") or row["edge"] for row in rows] == [
            "Dataset", "Method", "Paper", "Task",
            "EVALUATED_ON", "MENTIONS", "MENTIONS", "MENTIONS", "PROPOSES", "USED_FOR",
        ]  # fmt: skip
        stored = {row["id"]: row for row in rows if "edge" in row}
        for edge in paper.edges:
            ends = {"head": edge.head, "head_type": edge.head_type, "tail": edge.tail, "tail_type": edge.tail_type}
            assert stored[edge.id] == {"edge": edge.type} | ends | edge.values()
        assert store.counts() | {"Paper": 1, "Method": 1, "MENTIONS": 3, "USED_FOR": 1, "USES": 0} == store.counts()

    def test_writing_the_same_again_changes_nothing(self, store: Store):
        papers = [contribution("p1"), contribution("p2", ["Brook", "Tidy"], WAYS)]
        store.write(papers, entities(*papers))
        before = lines(store)
        store.write(papers, entities(*papers))
        store.write(papers[::-1], reversed(entities(*papers)))
        assert lines(store) == before

    def test_order_and_split_do_not_matter(self, store: Store):
        papers = [contribution(f"p{i}", ["Brook", "Tidy"], WAYS) for i in range(4)]
        store.write(papers, entities(*papers))
        before = lines(store)
        store.remove([f"p{i}" for i in range(4)])
        store.sweep()
        assert lines(store) == []
        for paper in reversed(papers):
            store.write([paper], entities(paper))
        assert lines(store) == before

    def test_a_paper_is_replaced_whole(self, store: Store):
        old, other = contribution("p1", ["Brook", "Tidy", "Shells"], WAYS), contribution("p2", ["Brook", "Tidy"], WAYS)
        new = contribution("p1", ["Tidy", "sorting"], [("Tidy", "USED_FOR", "sorting")], title="Anew", year=None)
        store.write([old, other], entities(old, other))
        store.write([new], entities(new))
        assert list(store.records(["p1"])) == [new.record]
        mine = {row["id"] for row in store.dump() if row.get("paper") == "p1"}
        assert mine == {edge.id for edge in new.edges}
        assert {row["id"] for row in store.dump() if row.get("paper") == "p2"} == {edge.id for edge in other.edges}
        assert next(row for row in store.dump() if row["id"] == "p1").get("year") is None

    def test_edges_between_one_pair_are_kept_apart(self, store: Store):
        papers = [contribution(f"p{i}", ["Brook", "Tidy"], [("Tidy", "PART_OF", "Brook")]) for i in range(3)]
        store.write(papers, entities(*papers))
        assert store.counts()["PART_OF"] == 3

    def test_remove_and_sweep(self, store: Store):
        papers = [contribution("p1"), contribution("p2", ["Brook", "Tidy"], WAYS)]
        store.write(papers, entities(*papers))
        assert store.remove(["p1", "never there", "p1"]) == 1
        assert store.sweep() == 2  # sorting and Shells; Tidy is in p2 as well
        assert {e.name for e in store.entities()} == {"Brook", "Tidy"}
        assert list(store.ledger()) == ["p2"]
        assert store.remove(["p2"]) == 1
        assert store.sweep() == 2
        assert lines(store) == []
        assert store.query("MATCH (n:Name) RETURN count(n) AS n") == [{"n": 0}]

    def test_an_edge_without_its_end_takes_the_whole_transaction_back(self, store: Store):
        good, bad = contribution("p1"), contribution("p2", ["Brook"], ())
        store.write([good], entities(good))
        before = lines(store)
        with pytest.raises(StoreError) as error:
            store.write([bad, contribution("p1", ["Tidy"], ())], [])
        assert "\n" not in str(error.value)
        assert lines(store) == before
        store.write([bad], entities(bad))
        assert store.counts()["Paper"] == 2

    def test_what_is_not_of_the_schema_is_refused_before_anything_is_sent(self, store: Store):
        paper = contribution("p1")
        for wrong in (
            {"type": "MENTIONS]->() //"},
            {"head_type": "Dataset"},
            {"paper": "p2"},
        ):
            edge = paper.edges[0]
            values = {f: getattr(edge, f) for f in edge.__dataclass_fields__} | wrong
            with pytest.raises(StoreError, match="p1"):
                store.write([Contribution(paper.record, (Edge(**values),))], entities(paper))
        with pytest.raises(StoreError, match="p1"):
            store.write([Contribution(paper.record, (paper.edges[0], paper.edges[0]))], entities(paper))
        assert lines(store) == []

    @pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
    def test_any_name_is_stored_verbatim_and_found_again(self, store: Store, name: str):
        paper = contribution("p " + name[:50], [name, "sorting"], [(name, "USED_FOR", "sorting")], title=name)
        store.write([paper], entities(paper))
        assert next(store.records()) == paper.record
        assert name in {e.name for e in store.entities()}
        found = "MATCH (:Name {key: $key})-[:NAMES]->(m:Method) RETURN m.name AS name"
        for key in (name.strip().lower()[:500], lookup_key(name)):
            assert store.query(found, {"key": key}) == [{"name": name}]
        assert store.query("MATCH (p:Paper {title: $t}) RETURN p.id AS id", {"t": name}) == [
            {"id": paper.record.paper.id}
        ]
        assert store.remove([paper.record.paper.id]) == 1
        assert store.sweep() == 2

    def test_names_follow_their_entity(self, store: Store):
        paper = contribution("p1", ["Tidy", "Brook"], ())
        first = [entity("Tidy", aliases=["TD", "Tidies"]), entity("Brook", aliases=["TD"])]
        store.write([paper], first)
        ask = "MATCH (:Name {key: $key})-[:NAMES]->(e) RETURN e.name AS name ORDER BY name"
        assert [row["name"] for row in store.query(ask, {"key": "td"})] == ["Brook", "Tidy"]
        store.put_entities([entity("Tidy", aliases=["Neat"], ambiguous=True)])
        assert [row["name"] for row in store.query(ask, {"key": "td"})] == ["Brook"]
        assert [row["name"] for row in store.query(ask, {"key": "neat"})] == ["Tidy"]
        assert store.query(ask, {"key": "tidies"}) == []
        changed = next(e for e in store.entities() if e.name == "Tidy")
        assert changed == entity("Tidy", aliases=["Neat"], ambiguous=True)
        before = lines(store)
        store.put_entities([changed])
        assert lines(store) == before
        store.put_entities(first)
        names = store.query("MATCH (n:Name) RETURN n.key AS key ORDER BY key")
        assert [row["key"] for row in names] == ["brook", "td", "tidies", "tidy"]

    @pytest.mark.parametrize(
        "cypher",
        [
            "CREATE (:Method {id: 'method:x'})",
            "MATCH (p:Paper) SET p.title = 'x'",
            "MATCH (p:Paper) REMOVE p.title",
            "MATCH (p:Paper) DETACH DELETE p",
            "MERGE (m:Method {id: 'method:x'}) RETURN m",
            "MATCH (p:Paper) CALL { WITH p CREATE (m:Method {id: p.id}) RETURN m } RETURN m",
            "MATCH (p:Paper) FOREACH (x IN [1] | CREATE (:Method {id: 'method:x'}))",
        ],
    )
    def test_a_query_that_writes_is_refused(self, store: Store, cypher: str):
        paper = contribution("p1")
        store.write([paper], entities(paper))
        before = lines(store)
        with pytest.raises(ReadOnlyError) as error:
            store.query(cypher)
        assert "\n" not in str(error.value)
        assert lines(store) == before

    def test_a_store_opened_to_read_does_not_write(self, url: str):
        paper = contribution("p1")
        with open_store(url, mode="write") as store:
            store.prepare()
            store.write([paper], entities(paper))
        with open_store(url) as store:
            for write in (
                lambda: store.prepare(),
                lambda: store.write([paper], []),
                lambda: store.put_entities([]),
                lambda: store.remove(["p1"]),
                lambda: store.sweep(),
                lambda: store.put_decisions([]),
                lambda: store.put_state("a", "b"),
            ):
                with pytest.raises(ReadOnlyError):
                    write()
            assert list(store.records()) == [paper.record]

    def test_query_gives_plain_values(self, store: Store):
        paper = contribution("p1")
        store.write([paper], entities(paper))
        row = store.query(
            "MATCH path = (p:Paper {id: $id})-[r:PROPOSES]->(m:Method) "
            "RETURN p.ids AS ids, r.score AS score, r.start AS start, p.url AS nothing, m AS node, r AS edge, "
            "[m, {deep: m}] AS many, path, m.ambiguous AS flag, type(r) AS relation",
            {"id": "p1"},
        )[0]
        node = {"id": "method:Tidy", "name": "Tidy", "aliases": [], "ambiguous": False}
        assert row["node"] == node
        assert row["many"] == [node, {"deep": node}]
        assert row["edge"] == next(e for e in paper.edges if e.type == "PROPOSES").values()
        assert [step.get("name") for step in row["path"]] == [None, None, "Tidy"]
        assert row["ids"] == ["doi:10.1/p1"]
        assert (row["score"], row["start"], row["nothing"], row["flag"]) == (1.0, 0, None, False)
        assert type(row["score"]) is float
        assert row["relation"] == "PROPOSES"
        assert list(row)[:2] == ["ids", "score"]

    @pytest.mark.parametrize("cypher", ["MATCH (n RETURN n", "RETURN nobody", "RETURN $missing", "RETURN 1/0 AS x", ""])
    def test_a_query_that_does_not_run_is_one_line(self, store: Store, cypher: str):
        with pytest.raises(StoreError) as error:
            store.query(cypher)
        assert "\n" not in str(error.value)
        assert not isinstance(error.value, ReadOnlyError)
        assert "Exception" not in str(error.value)

    def test_a_query_can_be_given_a_time_limit(self, store: Store):
        endless = (
            "UNWIND range(1, 40000) AS a UNWIND range(1, 40000) AS b WITH a, b WHERE a * b = -1 RETURN count(*) AS n"
        )
        with pytest.raises(StoreError, match="too long"):
            store.query(endless, timeout=0.3)
        assert store.query("RETURN 1 AS one", timeout=5) == [{"one": 1}]
        assert store.query("RETURN 1 AS one") == [{"one": 1}]

    def test_search(self, store: Store):
        papers = [
            contribution("p1", ["Tidy", "sorting"], (), title="Sorting shells by hand"),
            contribution("p2", ["Brook"], (), title="On rivers"),
        ]
        store.write(papers, [entity("Tidy", aliases=["neat sorting"]), entity("sorting"), entity("Brook")])
        found = store.search("Sorting")
        assert {(row["type"], row["id"]) for row in found} == {
            ("Paper", "p1"), ("Method", "method:Tidy"), ("Task", "task:sorting"),
        }  # fmt: skip
        assert all(list(row) == ["id", "type", "name", "score"] for row in found)
        assert [row["score"] for row in found] == sorted((row["score"] for row in found), reverse=True)
        assert found[0]["name"] in ("sorting", "Tidy")
        assert len(store.search("sorting", limit=1)) == 1
        assert store.search('rivers" OR (*:* [a TO {')[0]["id"] == "p2"
        assert store.search("  ") == store.search("!!") == []
        store.write([contribution("p2", ["Brook"], (), title="On lakes")], [])
        assert store.search("rivers") == []
        store.remove(["p1"])
        store.sweep()
        assert store.search("sorting") == []

    def test_state(self, store: Store):
        assert store.state("resolved") is None
        store.put_state("resolved", "1")
        store.put_state("resolved", "日本 `2`")
        store.put_state("other", "")
        assert (store.state("resolved"), store.state("other"), store.state("none")) == ("日本 `2`", "", None)
        assert lines(store) == []

    def test_decisions(self, store: Store):
        first = Decision("d2", "merge", "Method:a", "Method:b", "the same, says O'Neil")
        second = Decision("d1", "alias", "Task:x", "Task:`y`", "")
        store.put_decisions([first, second])
        assert store.decisions() == [second, first]
        assert [row["node"] for row in store.dump()] == ["Decision", "Decision"]
        store.put_decisions([first])
        assert store.decisions() == [first]
        store.put_decisions([])
        assert store.decisions() == []

    def test_records_are_streamed_in_order_while_papers_are_rewritten(self, store: Store):
        ids = ["p10", "p2", "Ω", "😀", "\uff5a", "a b"]
        papers = [contribution(id_) for id_ in ids]
        store.write(papers, entities(*papers))
        seen = []
        for record in store.records():
            seen.append(record.paper.id)
            store.write([contribution(record.paper.id, ["Brook"], ())], [entity("Brook")])
        assert seen == sorted(ids)
        assert [r.paper.id for r in store.records(["😀", "a b", "none"])] == ["a b", "😀"]
        assert [row["id"] for row in store.dump() if row.get("node") == "Paper"] == sorted(ids)

    def test_edges_come_as_columns_that_agree_with_the_dump(self, store: Store):
        assert [found["id"] for _, found in store.edges(["USES"], ["score"])] == [[]]
        papers = [contribution("p1", ["Brook", "Tidy"], WAYS), contribution("a`b", ["Brook", "Tidy"], WAYS)]
        store.write(papers, entities(*papers))
        dumped = [row for row in store.dump() if "edge" in row]
        asked = ("paper", "sentence", "start", "end", "score", "extractor", "count", "surfaces")
        names = ("id", "head", "tail", *asked)
        for relation, found in store.edges(sorted(SCHEMA), asked):
            rows = [dict(zip(names, row, strict=True)) for row in zip(*(found[name] for name in names), strict=True)]
            expected = [{name: row.get(name) for name in names} for row in dumped if row["edge"] == relation]
            assert sorted(rows, key=lambda row: row["id"]) == expected, relation
        assert all(found["id"] == [] for _, found in store.edges(sorted(SCHEMA), [], min_score=1.01))

    def test_a_dump_is_restored_exactly(self, store: Store, tmp_path):
        papers = [contribution("p1"), contribution("p2", ["Brook", "Tidy"], WAYS), contribution("p3", [], ())]
        named = [entity("Tidy", aliases=["TD"], ambiguous=True), *entities(*papers)]
        store.write(papers, {e.id: e for e in reversed(named)}.values())
        store.put_decisions([Decision("d1", "split", "Method:a", "Method:b", "no")])
        first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
        assert write_dump(store, first) == len(first.read_text(encoding="utf-8").splitlines()) == 20
        self.empty(store)
        store.put_decisions([])
        assert restore(first, store)["Paper"] == 3
        write_dump(store, again)
        assert again.read_bytes() == first.read_bytes()
        assert store.query("MATCH (:Name {key: 'td'})-[:NAMES]->(m) RETURN m.id AS id") == [{"id": "method:Tidy"}]
        assert sorted(path.name for path in tmp_path.glob("*.jsonl*")) == ["again.jsonl", "first.jsonl"]

    def test_a_damaged_dump_is_refused_before_anything_is_written(self, store: Store, tmp_path):
        paper = contribution("p1")
        store.write([paper], entities(paper))
        file = tmp_path / "dump.jsonl"
        write_dump(store, file)
        whole = file.read_text(encoding="utf-8")
        self.empty(store)
        for damage, where in DAMAGES:
            damaged = damage(whole)
            assert damaged != whole, where
            file.write_text(damaged, encoding="utf-8")
            with pytest.raises(InputError) as error:
                restore(file, store)
            assert str(error.value).startswith(str(file) + where)
            assert "\n" not in str(error.value)
            assert lines(store) == []
            assert store.state("aliases") is None
        assert store.state("schema") == SCHEMA_VERSION

    def test_closing_twice_is_harmless(self, url: str):
        store = open_store(url, mode="write")
        store.close()
        store.close()

    @settings(
        max_examples=12,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(data=st.data())
    def test_any_sequence_of_writes_ends_as_a_fresh_load_of_what_is_left(self, store: Store, data: st.DataObject):
        self.empty(store)
        left: dict[str, Contribution] = {}
        variants = st.builds(
            lambda names, facts, title: (names, [f for f in facts if {f[0], f[2]} <= {"P", *names}], title),
            st.lists(st.sampled_from(["Tidy", "Brook", "Cove", "sorting", "Shells"]), unique=True),
            st.lists(st.sampled_from(WAYS), unique=True),
            st.sampled_from(["One", "Two"]),
        )
        for _ in range(data.draw(st.integers(1, 6), label="steps")):
            step = data.draw(st.sampled_from(["write", "write", "remove", "sweep"]), label="step")
            ids = data.draw(st.lists(st.sampled_from(["p1", "p2", "p3"]), unique=True, min_size=1), label="papers")
            if step == "write":
                batch = []
                for id_ in ids:
                    names, facts, title = data.draw(variants, label=id_)
                    batch.append(contribution(id_, names, facts, title=title))
                store.write(batch, entities(*batch))
                left |= {c.record.paper.id: c for c in batch}
            elif step == "remove":
                assert store.remove(ids) == len(left.keys() & set(ids))
                left = {id_: c for id_, c in left.items() if id_ not in ids}
            else:
                store.sweep()
        store.sweep()
        found, names = lines(store), store.query("MATCH (n:Name) RETURN n.key AS key ORDER BY key")
        self.empty(store)
        store.write(list(left.values()), entities(*left.values()))
        assert found == lines(store)
        assert names == store.query("MATCH (n:Name) RETURN n.key AS key ORDER BY key")

    def empty(self, store: Store) -> None:
        store.remove(store.ledger())
        store.sweep()
        assert list(store.entities()) == []
