from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from tests.graph.made import PAPERS


def write_records(path: Path) -> Path:
    path.write_text("".join(r.model_dump_json() + "\n" for r in PAPERS), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made papers as a file of extraction records."""
    return write_records(tmp_path_factory.mktemp("records") / "made.jsonl")


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory, records: Path) -> str:
    """An embedded graph of the made papers."""
    url = str(tmp_path_factory.mktemp("graph") / "made.db")
    report = kg.load([records], store=url)
    assert report.loaded == len(PAPERS), report
    return url


@pytest.fixture(scope="session")
def g(url: str) -> Iterator[kg.Graph]:
    with kg.open_graph(url) as graph:
        yield graph
