"""A Neo4j Community server from its published jars, for tests and benchmarks: started, killed and restarted at will.

Needs Maven once a version (the jars are kept in the user's cache folder) and a Java: 17 or 21 for 5.26, 21 or newer for
the calendar releases, which the one that comes with the embedded engine will do for. Everything the server writes lies
in one folder of the caller's.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

VERSIONS = ("5.26.30", "2026.08.1")
PASSWORD = "a-test-password"  # of servers that listen on the loopback address for the length of a test run

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>kg.test</groupId><artifactId>server</artifactId><version>1</version><packaging>pom</packaging><dependencies>
<dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{version}</version></dependency>
<dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
<dependency><groupId>org.neo4j.client</groupId><artifactId>neo4j-browser</artifactId><version>5.24.0</version></dependency>
</dependencies></project>
"""
_OPENS = tuple(
    f"--add-opens=java.base/{name}=ALL-UNNAMED"
    for name in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
)


class Unavailable(Exception):
    """This machine cannot start such a server; the text says what is missing."""


def java_for(version: str) -> Path:
    """The ``java`` that runs this server version: JAVA_HOME's, the path's, the system's, the embedded engine's."""
    lowest, highest = (17, 21) if version.startswith("5.") else (21, 99)
    candidates = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    on_path = shutil.which("java")
    if on_path:
        candidates.append(Path(on_path).resolve().parent.parent)
    candidates += sorted(Path("/usr/lib/jvm").glob("*"))
    engine = find_spec("arcadedb_embedded")
    if engine and engine.origin:
        candidates.append(Path(engine.origin).parent / "jre")
    for home in candidates:
        java = home / "bin" / "java"
        if java.is_file() and lowest <= _java_version(java) <= highest:
            return java
    raise Unavailable(f"Neo4j {version} needs a Java between {lowest} and {highest}, and there is none")


def _java_version(java: Path) -> int:
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


def jars_for(version: str) -> Path:
    """The folder of this version's jars, fetched through Maven the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    lib = cache / f"neo4j-jars-{version}"
    if (lib / ".done").exists():
        return lib
    maven = shutil.which("mvn")
    if not maven:
        raise Unavailable("Maven (mvn) is not installed")
    lib.mkdir(parents=True, exist_ok=True)
    (lib / "pom.xml").write_text(_POM.format(version=version))
    command = [maven, "-B", "-q", "-f", lib / "pom.xml", "dependency:copy-dependencies", f"-DoutputDirectory={lib}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"Maven could not fetch Neo4j {version}: {done.stdout.strip()[-300:]}")
    (lib / ".done").touch()
    return lib


def free_port() -> int:
    """A TCP port of the loopback address that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
    return port


class JarServer:
    """One server in ``home``; ``settings`` are further lines of neo4j.conf, ``plugins`` jars for its plugins folder."""

    def __init__(
        self,
        version: str,
        home: Path,
        *,
        heap: str = "512m",
        settings: Mapping[str, str] | None = None,
        plugins: tuple[Path, ...] = (),
    ) -> None:
        self.version, self.home = version, home
        self.bolt_port, self.http_port = free_port(), free_port()
        self.uri = f"bolt://127.0.0.1:{self.bolt_port}"
        self.http = f"http://127.0.0.1:{self.http_port}"
        self.password = PASSWORD
        self._java, self._jars = java_for(version), jars_for(version)
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("conf", "data", "logs", "plugins", "import", "run"):
            (home / name).mkdir(parents=True, exist_ok=True)
        for jar in plugins:
            shutil.copy(jar, home / "plugins")
        self.configure(heap=heap, settings=settings)
        self._set_password()

    def configure(self, *, heap: str = "512m", settings: Mapping[str, str] | None = None) -> None:
        """Write neo4j.conf; takes effect at the next start."""
        lines = {
            "server.default_listen_address": "127.0.0.1",
            "server.bolt.listen_address": f"127.0.0.1:{self.bolt_port}",
            "server.bolt.advertised_address": f"127.0.0.1:{self.bolt_port}",
            "server.http.listen_address": f"127.0.0.1:{self.http_port}",
            "server.https.enabled": "false",
            "dbms.usage_report.enabled": "false",
            "server.memory.heap.initial_size": heap,
            "server.memory.heap.max_size": heap,
            "server.memory.pagecache.size": "128m",
            "db.tx_log.preallocate": "false",
        } | dict(settings or {})
        self._heap = heap
        (self.home / "conf" / "neo4j.conf").write_text("".join(f"{k}={v}\n" for k, v in lines.items()))

    def _set_password(self) -> None:
        env = os.environ | {
            "NEO4J_HOME": str(self.home),
            "NEO4J_CONF": str(self.home / "conf"),
            "JAVA_HOME": str(self._java.parent.parent),
        }
        admin = "org.neo4j.server.startup.Neo4jAdminCommand"
        command = [self._java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"{self._jars}/*", admin]
        subprocess.run(
            [*command, "dbms", "set-initial-password", self.password], env=env, check=True, capture_output=True
        )

    def start(self, *, wait: float = 240) -> "JarServer":
        """Start it and wait until it answers."""
        main = "org.neo4j.server.CommunityEntryPoint" if self.version.startswith("5.") else _NEWER_MAIN
        command = [
            str(self._java),
            f"-Xms{self._heap}",
            f"-Xmx{self._heap}",
            "-XX:+UseSerialGC",
            *_OPENS,
            "-cp",
            f"{self._jars}/*{os.pathsep}{self.home}/plugins/*",
            main,
            f"--home-dir={self.home}",
            f"--config-dir={self.home}/conf",
        ]
        log = self.home / "logs" / "console.log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=out, cwd=self.home, start_new_session=True)
        until = time.monotonic() + wait
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                with urlopen(self.http, timeout=2):
                    return self
            except (URLError, OSError):
                time.sleep(0.25)
        self.kill()
        raise Unavailable(f"Neo4j {self.version} did not start: {log.read_text(errors='replace')[-1500:]}")

    def cpu_seconds(self) -> float:
        """Processor time that the server has used (Linux)."""
        if self._process is None:
            return 0.0
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in good order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


_NEWER_MAIN = "org.neo4j.server.Neo4jCommunity"
