"""Every way a server can fail, on real servers: one line that says what to do, and nothing half-written."""

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kg.errors import ConnectionLost, StoreError
from kg.store import open_store
from kg.store.neo4j import Neo4jStore
from kg.store.neo4j_errors import too_old
from tests.live.fixtures import unavailable
from tests.live.papers import corpus, dumped
from tests.live.server import PASSWORD, VERSIONS, JarServer, Unavailable

pytestmark = pytest.mark.neo4j


def line(error) -> str:
    """The message, which must be one line without the password."""
    text = str(error.value)
    assert text
    assert "\n" not in text
    assert PASSWORD not in text
    return text


def test_no_server_is_said_at_once(neo4j_url):
    start = time.monotonic()
    with pytest.raises(ConnectionLost, match="no Neo4j answers at bolt://127") as error:
        open_store("bolt://127.0.0.1:1")
    assert "start it or check the address" in line(error)
    with pytest.raises(ConnectionLost):
        open_store("neo4j://127.0.0.1:1")
    assert time.monotonic() - start < 10


def test_a_server_that_accepts_and_never_answers_is_given_up(neo4j_url):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.monotonic()
        with pytest.raises(ConnectionLost):
            open_store(f"bolt://127.0.0.1:{silent.getsockname()[1]}")
        assert time.monotonic() - start < 30


def test_wrong_password_user_and_database(neo4j_url, monkeypatch):
    with pytest.raises(StoreError, match=r"there is no database 'nowhere'.*NEO4J_DATABASE") as error:
        open_store(f"{neo4j_url}/nowhere")
    line(error)
    monkeypatch.setenv("NEO4J_PASSWORD", "not-the-password")
    start = time.monotonic()
    with pytest.raises(StoreError, match="refuses user 'neo4j': check NEO4J_USERNAME and NEO4J_PASSWORD") as error:
        open_store(neo4j_url)
    assert time.monotonic() - start < 10
    assert "not-the-password" not in line(error)
    with pytest.raises(StoreError, match="refuses user 'somebody'"):
        open_store(neo4j_url.replace("://", "://somebody@"))


def test_an_encrypted_address_of_a_plain_server(neo4j_url):
    with pytest.raises(ConnectionLost) as error:
        open_store(neo4j_url.replace("bolt://", "bolt+s://"))
    line(error)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("bolt://neo4j:secret-word@localhost", "NEO4J_PASSWORD"),
        ("neo4j://", "no host"),
        ("bolt://localhost:port", "not the address"),
        ("neo4j://no-such-host.invalid:7687", "no Neo4j answers"),
    ],
)
def test_addresses_that_cannot_be(url, says):
    with pytest.raises(StoreError, match=says) as error:
        open_store(url)
    assert "secret-word" not in line(error)


@pytest.mark.parametrize("agent", ["Neo4j/4.4.40", "Neo4j/5.25.1"])
def test_too_old_a_server(agent):
    with pytest.raises(StoreError, match=r"too old: kg needs Neo4j 5\.26") as error:
        too_old(agent, "bolt://here")
    line(error)


@pytest.mark.parametrize("agent", ["Neo4j/5.26.0", "Neo4j/5.27-aura", "Neo4j/2026.08.1", "Memgraph/3.0"])
def test_new_enough_a_server(agent):
    too_old(agent, "bolt://here")


def test_the_password_is_not_in_the_process_title(neo4j_server, neo4j_url):
    """What `ps` shows of a running command, and all that it prints, is free of the password."""
    environment = os.environ | {"NEO4J_PASSWORD": neo4j_server.password, "KG_DEBUG": "1"}
    command = [sys.executable, "-m", "kg", "schema", "--store", neo4j_url]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert neo4j_server.password not in Path(f"/proc/{process.pid}/cmdline").read_text()
        assert neo4j_server.password not in (process.communicate(timeout=60)[0] or "")


# -- a server of its own, to be hurt -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def victim(tmp_path_factory):
    try:
        server = JarServer(VERSIONS[-1], tmp_path_factory.mktemp("victim"), heap="256m")
        server.start()
    except Unavailable as error:
        unavailable(str(error))
    yield server
    server.stop()


@pytest.fixture
def victim_url(victim, monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", victim.password)
    return victim.uri


def test_a_server_killed_in_mid_load(victim, victim_url, monkeypatch):
    papers, entities = corpus(400)

    def load(store):
        for i in range(0, len(papers), 20):
            chunk = papers[i : i + 20]
            named = {edge.tail for c in chunk for edge in c.edges}
            store.write(chunk, [e for e in entities if e.id in named])

    with Neo4jStore(victim_url, mode="write", retry_seconds=1) as store:
        store.prepare()
        store.write(papers[:20], entities)
        threading.Timer(0.5, victim.kill).start()

        def load_for_ever():
            while True:
                load(store)

        with pytest.raises(ConnectionLost, match="what was committed stays; run the command again") as error:
            load_for_ever()
        line(error)
    victim.start()
    with Neo4jStore(victim_url, mode="write") as store:
        kept = store.ledger()
        assert len(kept) >= 20
        for record in store.records(list(kept)):
            paper = next(c for c in papers if c.record.paper.id == record.paper.id)
            edges = store.query("MATCH ()-[r]->() WHERE r.paper = $id RETURN count(r) AS n", {"id": record.paper.id})
            assert edges == [{"n": len(paper.edges)}]
        load(store)
        healed = dumped(store)
        store.remove([c.record.paper.id for c in papers])
        store.sweep()
        store.write(papers, entities)
        store.sweep()
        assert dumped(store) == healed


def test_no_right_to_write(victim, victim_url):
    papers, entities = corpus(3)
    with open_store(victim_url, mode="write") as store:
        store.prepare()
        store.write(papers, entities)
        before = dumped(store)
    victim.stop()
    victim.configure(heap="256m", settings={"server.databases.default_to_read_only": "true"})
    victim.start()
    try:
        with open_store(victim_url, mode="write") as store:
            with pytest.raises(StoreError, match="no right to do this") as error:
                store.write(papers[:1], entities)
            line(error)
            assert dumped(store) == before
    finally:
        victim.stop()
        victim.configure(heap="256m")
        victim.start()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk(tmp_path, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    server = None
    try:
        server = JarServer(VERSIONS[-1], disk, heap="256m", settings={"db.logs.query.enabled": "OFF"})
        monkeypatch.setenv("NEO4J_PASSWORD", server.password)
        server.start()
        with Neo4jStore(server.uri, mode="write", retry_seconds=1) as store:
            store.prepare()

            def fill():
                papers, entities = corpus(1000)
                while True:
                    store.write(papers, entities)

            with pytest.raises(StoreError, match="disk may be full") as error:
                fill()
            line(error)
    finally:
        if server:
            server.kill()
        subprocess.run(["umount", "-l", disk], check=False)
