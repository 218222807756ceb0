"""The shared suite on every engine."""

from pathlib import Path

import pytest

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
