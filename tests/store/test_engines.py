"""The shared suite on every engine."""

from pathlib import Path

import pytest

from kg.store import embedded_ddl, neo4j_statements
from kg.types import (
    COMMON_PROPERTIES,
    DECISION_PROPERTIES,
    ENTITY_PROPERTIES,
    OWN_PROPERTIES,
    PAPER_PROPERTIES,
    Decision,
)
from tests.store.made import contribution
from tests.store.suite import StoreSuite


class TestArcadeDB(StoreSuite):
    """In a folder of its own."""

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return str(tmp_path / "kg.db")


@pytest.mark.neo4j
class TestNeo4j(StoreSuite):
    """On a live server."""

    @pytest.fixture
    def url(self, neo4j_url: str) -> str:
        return neo4j_url


def test_both_engines_take_the_names_of_properties_from_one_place():
    paper = contribution("p1")
    assert set(paper.paper_values()) == set(PAPER_PROPERTIES)
    assert set(Decision("d", "merge", "Method:a", "Method:b", "why").__slots__) == set(DECISION_PROPERTIES)
    for edge in paper.edges:
        own = OWN_PROPERTIES.get(edge.type, {})
        assert set(edge.values()) == {*COMMON_PROPERTIES, *own}
        assert all(f"`{name}`" in embedded_ddl.EDGE_COLUMNS[edge.type] for name in edge.values())
        assert all(
            f"{name}: row[" in neo4j_statements.PUT_EDGES[edge.type, edge.head_type, edge.tail_type]
            for name in edge.values()
        )
        assert edge.values().keys() <= set(neo4j_statements.PROPERTIES)
    assert {*PAPER_PROPERTIES, *ENTITY_PROPERTIES, *DECISION_PROPERTIES, "key", "value"} <= set(
        neo4j_statements.PROPERTIES
    )
