"""A live Neo4j for the tests that need one: KG_TEST_NEO4J_URI, else Docker with docker-compose.yml, else jars.

KG_TEST_NEO4J names server versions instead (``5.26.30,2026.08.1``): each is started from its jars and the tests run on
all of them. With no server at all these tests are skipped; KG_REQUIRE_NEO4J=1 makes that a failure.
"""

import logging
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import ServiceUnavailable

from tests.live.server import PASSWORD, VERSIONS, JarServer, Unavailable

ROOT = Path(__file__).parents[2]
REQUIRED = os.environ.get("KG_REQUIRE_NEO4J") == "1"
_said: list[str] = []


@dataclass(frozen=True)
class Server:
    """Where a live server is and how to log in; ``http`` is where it serves Neo4j Browser, if that is known."""

    uri: str
    username: str
    password: str
    database: str | None = None
    http: str | None = None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in _said:
        terminalreporter.write_line(line)


def unavailable(reason: str) -> None:
    """Skip, or fail where a live server is required."""
    line = f"no live Neo4j: {reason} (see docs/neo4j.md)"
    if REQUIRED:
        pytest.fail(line, pytrace=False)
    pytest.skip(line)


def versions() -> list[str]:
    """The versions named by KG_TEST_NEO4J; none means whichever server is found first."""
    return [v.strip() for v in os.environ.get("KG_TEST_NEO4J", "").split(",") if v.strip()]


@pytest.fixture(scope="session", params=versions() or ["found"])
def neo4j_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if request.param != "found":
        yield from _from_jars(request.param, tmp_path_factory.mktemp("neo4j"))
        return
    uri = os.environ.get("KG_TEST_NEO4J_URI")
    if uri:
        _said.append(f"Neo4j: {uri} (KG_TEST_NEO4J_URI)")
        name, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", PASSWORD)
        yield Server(uri, name, password, os.environ.get("NEO4J_DATABASE"), os.environ.get("KG_TEST_NEO4J_HTTP"))
        return
    reason = no_docker()
    if reason is None:
        try:
            server = request.getfixturevalue("compose_server")
        except pytest.skip.Exception as error:
            reason = str(error)
        else:
            yield server
            return
    _said.append(f"Neo4j: not through Docker ({reason})")
    yield from _from_jars(VERSIONS[-1], tmp_path_factory.mktemp("neo4j"))


def _from_jars(version: str, home: Path) -> Iterator[Server]:
    try:
        server = JarServer(version, home)
        server.start()
    except Unavailable as error:
        unavailable(str(error))
        return
    _said.append(f"Neo4j: {version} started from its jars at {server.uri}")
    try:
        yield Server(server.uri, "neo4j", server.password, http=server.http)
    finally:
        server.stop()


# -- Docker through pytest-docker and this repository's compose file ---------------------------------------------------
def no_docker() -> str | None:
    """Why Docker cannot be used here; None if it can."""
    if not shutil.which("docker"):
        return "docker is not installed"
    if subprocess.run(["docker", "info"], capture_output=True, check=False).returncode:
        return "the Docker daemon does not answer"
    return None


@pytest.fixture(scope="session")
def docker_compose_command() -> str:
    plugin = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return "docker-compose" if plugin.returncode and shutil.which("docker-compose") else "docker compose"


@pytest.fixture(scope="session")
def docker_compose_file() -> str:
    return str(ROOT / "docker-compose.yml")


@pytest.fixture(scope="session")
def docker_compose_project_name() -> str:
    return f"kgtest{os.getpid()}"


@pytest.fixture(scope="session")
def docker_setup() -> list[str]:
    return ["up -d"]


@pytest.fixture(scope="session")
def docker_cleanup() -> list[str]:
    return []  # compose_server takes it down itself: pytest-docker does not when `up` has failed half-way


@pytest.fixture(scope="session")
def compose(docker_compose_command: str, docker_compose_project_name: str) -> Iterator[Callable[..., str]]:
    """Run docker compose on this project with ports of Docker's choice; everything is taken down at the end."""
    environment = {"NEO4J_BOLT_PORT": "0", "NEO4J_HTTP_PORT": "0", "NEO4J_PASSWORD": PASSWORD}
    command = [*docker_compose_command.split(), "-f", str(ROOT / "docker-compose.yml")]
    command += ["-p", docker_compose_project_name]

    def run(*arguments: str) -> str:
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"docker compose {' '.join(arguments)}: {done.stderr.strip()[-500:]}")
        return done.stdout

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        yield run
        run("down", "-v")


@pytest.fixture(scope="session")
def compose_server(request: pytest.FixtureRequest, compose: Callable[..., str]) -> Server:
    """The server of docker-compose.yml, up and answering."""
    reason = no_docker()
    if reason:
        unavailable(reason)
    try:
        services = request.getfixturevalue("docker_services")
    except Exception as error:
        unavailable(f"docker compose up failed: {error}")
    return reached(services)


def reached(services: object) -> Server:
    """Wait until the compose file's server answers; only a server that is not up yet is waited for."""
    bolt, http = (services.port_for("neo4j", port) for port in (7687, 7474))  # type: ignore[attr-defined]
    server = Server(f"bolt://127.0.0.1:{bolt}", "neo4j", PASSWORD, http=f"http://127.0.0.1:{http}")
    until = time.monotonic() + 240
    while True:
        try:
            with neo4j.GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as driver:
                driver.verify_connectivity()
            break
        except ServiceUnavailable:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
    _said.append(f"Neo4j: docker-compose.yml at {server.uri}")
    return server


# -- one empty graph a test --------------------------------------------------------------------------------------------
@pytest.fixture
def neo4j_url(neo4j_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty graph; a notification of the server (deprecation, missing index, ...) fails the test."""
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    if neo4j_server.database:
        monkeypatch.setenv("NEO4J_DATABASE", neo4j_server.database)
    empty(neo4j_server)
    with notifications() as found:
        yield neo4j_server.uri
    assert not found, "\n".join(found)


def empty(server: Server) -> None:
    """Delete every node; constraints and indexes stay."""
    with (
        neo4j.GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as driver,
        driver.session(database=server.database) as session,
    ):
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()


class notifications(logging.Handler):
    """Collects what the driver reports of the server's notifications while the block runs."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.found: list[str] = []
        self._logger = logging.getLogger("neo4j.notifications")

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())

    def __enter__(self) -> list[str]:
        self._level = self._logger.level
        self._logger.setLevel(logging.INFO)
        self._logger.addHandler(self)
        return self.found

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.setLevel(self._level)
