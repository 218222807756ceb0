"""Every recipe on every engine against the same hand-worked answers; on Neo4j also its plan and its notifications."""

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kg.errors import NotFoundError, ReadOnlyError, RecipeError
from kg.recipes import Recipe, parse, recipe, recipes, run
from kg.store import Store, open_store
from tests.live.fixtures import Server, empty, notifications
from tests.recipes.answers import CASES, Case
from tests.recipes.aviary import ENTITIES, contributions


def by_id(value: object) -> object:
    """Nodes and edges that a recipe draws, as their ids."""
    if isinstance(value, dict):
        return value["id"]
    if isinstance(value, list):
        return [by_id(item) for item in value]
    return value


def loaded(url: str) -> Iterator[Store]:
    """The aviary in the graph at ``url``, opened for reading."""
    with open_store(url, mode="write") as store:
        store.prepare()
        store.write(list(contributions()), ENTITIES.values())
    with open_store(url) as store:
        yield store


@pytest.fixture(scope="module")
def on_arcadedb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    yield from loaded(str(tmp_path_factory.mktemp("aviary") / "aviary.db"))


@pytest.fixture(scope="module")
def on_neo4j(neo4j_server: Server) -> Iterator[Store]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NEO4J_USERNAME", neo4j_server.username)
        patch.setenv("NEO4J_PASSWORD", neo4j_server.password)
        empty(neo4j_server)
        yield from loaded(neo4j_server.uri)


def test_every_recipe_has_a_case_with_rows():
    assert {case.recipe for case in CASES if case.rows} == {one.name for one in recipes()}


class Answers:
    """What holds on every engine."""

    @pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.recipe}-{'-'.join(map(str, case.given.values()))}")
    def test_a_recipe_answers_as_worked_out_by_hand(self, graph: Store, case: Case):
        asked = recipe(case.recipe)
        rows = run(graph, asked, **case.given)
        assert [tuple(map(by_id, row.values())) for row in rows] == case.rows
        assert all(tuple(row) == asked.returns for row in rows)

    @pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.recipe)
    def test_limit_cuts_the_same_rows(self, graph: Store, case: Case):
        rows = run(graph, case.recipe, **case.given | {"limit": 1})
        assert [tuple(row.values()) for row in rows] == case.rows[:1]
        with pytest.raises(RecipeError, match="'limit' must be a whole number from 1 to "):
            run(graph, case.recipe, **case.given | {"limit": 0})

    @pytest.mark.parametrize(
        "typed", ["graph neural network", "GRAPH NEURAL NETWORK", "Graph-Neural Networks", " gnns "]
    )
    def test_a_name_is_found_however_it_is_typed(self, graph: Store, typed: str):
        assert [row["paper"] for row in run(graph, "papers-sharing-method", method=typed)] == ["p7", "p4", "p2"]

    def test_an_entity_is_found_by_its_id_too(self, graph: Store):
        rows = run(graph, "papers-sharing-method", method="method:graph-neural-network")
        assert [row["paper"] for row in rows] == ["p7", "p4", "p2"]

    def test_an_unknown_name_suggests_what_there_is(self, graph: Store):
        with pytest.raises(NotFoundError, match=r"'sparse atention'; did you mean 'sparse attention'"):
            run(graph, "papers-sharing-method", method="sparse atention")
        with pytest.raises(NotFoundError, match=r"^no paper has the id or title 'p99'$"):
            run(graph, "paper-card", paper="p99")
        with pytest.raises(NotFoundError, match=r"^no paper or entity goes by 'zzz'$"):
            run(graph, "triple-evidence", head="zzz", tail="gnn")
        with pytest.raises(
            NotFoundError, match=r"^no paper or entity goes by 'grph neural network'; did you mean 'gra"
        ):
            run(graph, "triple-evidence", head="grph neural network", tail="gnn")

    @pytest.mark.parametrize("name", ["a`b", 'x"}) DETACH DELETE n //', 'O\'Neil "net"', "β-鸟", "\\", "e" * 9000])
    def test_a_name_is_never_read_as_cypher(self, graph: Store, name: str):
        before = graph.counts()
        with pytest.raises(NotFoundError):
            run(graph, "entity-card", name=name)
        assert run(graph, "names-starting-with", prefix=name) == []
        assert graph.counts() == before

    @pytest.mark.parametrize(
        "write",
        [
            "CREATE (p:Paper {id: 'new'})",
            "MATCH (p:Paper) SET p.title = 'changed'",
            "MATCH (p:Paper) DETACH DELETE p",
            "MERGE (m:Method {id: 'method:new'})",
        ],
    )
    def test_a_recipe_that_writes_is_refused_by_the_engine(self, graph: Store, tmp_path: Path, write: str):
        file = tmp_path / "write.cypher"
        variable = write.partition("(")[2][0]
        file.write_text(f"// title: Write\n// group: None\n// returns: id\n{write}\nRETURN {variable}.id AS id;\n")
        before = list(graph.dump())
        with pytest.raises(ReadOnlyError):
            run(graph, parse(file))
        assert list(graph.dump()) == before


class TestArcadeDB(Answers):
    @pytest.fixture
    def graph(self, on_arcadedb: Store) -> Store:
        return on_arcadedb


@pytest.mark.neo4j
class TestNeo4j(Answers):
    @pytest.fixture
    def graph(self, on_neo4j: Store) -> Store:
        return on_neo4j

    @pytest.fixture(autouse=True)
    def no_notification(self) -> Iterator[None]:
        with notifications() as said:
            yield
        assert not said

    @pytest.mark.parametrize("one", recipes(), ids=lambda one: one.name)
    def test_no_recipe_scans_what_an_index_could_serve(self, graph: Store, neo4j_server: Server, one: Recipe):
        case = next(case for case in CASES if case.recipe == one.name)
        used = operators(neo4j_server, one, one.values(case.given))
        assert used, "the plan was not profiled"
        assert bool(used & SCANS) == (one.scans is not None), f"{sorted(used)}; declared: {one.scans}"


# Rows out of the whole store, where an index or a neighbour would have led to them.
SCANS = {"AllNodesScan", "NodeByLabelScan", "UnionNodeByLabelsScan", "IntersectionNodeByLabelsScan"}
SCANS |= {"DirectedRelationshipTypeScan", "UndirectedRelationshipTypeScan", "DirectedAllRelationshipsScan"}
SCANS |= {
    "UndirectedAllRelationshipsScan",
    "DirectedUnionRelationshipTypesScan",
    "UndirectedUnionRelationshipTypesScan",
}


def operators(server: Server, one: Recipe, values: dict[str, object]) -> set[str]:
    """The operators of the profiled plan, asked of the driver itself: a store gives rows only."""
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as driver:
        plan = driver.execute_query(f"PROFILE {one.cypher}", values, routing_="r").summary.profile
    found: set[str] = set()
    todo = [plan] if plan else []
    while todo:
        step = todo.pop()
        found.add(step["operatorType"].partition("@")[0])
        todo += step.get("children", [])
    return found
