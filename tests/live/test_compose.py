"""The README's Docker way: docker-compose.yml up, load, ask, and what was loaded is there after a restart."""

import subprocess
import sys

import pytest
import yaml

from kg.store import open_store
from kg.store.neo4j import LOCAL_PASSWORD
from tests.live.fixtures import ROOT, reached
from tests.live.papers import corpus, dumped

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(900)]


def compose_file():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["neo4j"]


def test_the_file_is_pinned_and_keeps_to_this_machine():
    service = compose_file()
    assert service["image"].startswith("neo4j:20")
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["environment"]["NEO4J_AUTH"] == f"neo4j/${{NEO4J_PASSWORD:-{LOCAL_PASSWORD}}}"
    assert not {"NEO4J_PASSWORD", "NEO4J_USERNAME", "NEO4J_URI"} & service["environment"].keys()


def test_up_load_down_up(compose_server, compose, docker_services, monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", compose_server.password)
    url = compose_server.uri.replace("bolt://", "neo4j://")
    papers, entities = corpus(30)
    with open_store(url, mode="write") as store:
        store.prepare()
        store.write(papers, entities)
        before = dumped(store)
    done = subprocess.run(
        [sys.executable, "-m", "kg", "query", "graph-statistics", "--store", url], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    compose("down")
    compose("up", "-d")
    docker_services._services.clear()  # the ports that Docker picked are others now
    again = reached(docker_services)
    with open_store(again.uri) as store:
        assert dumped(store) == before
