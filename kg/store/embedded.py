"""The JVM behind the embedded engine, and who may open which database folder.

The JVM starts once a process, on first use, from the JRE that the engine's wheel brings along. A folder is written by
one process and nobody else, or read by any number of them: a lock on ``kg.lock`` in the folder holds it. Within a
process all openings of a folder share one database.
"""

import atexit
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from kg.errors import NotFoundError, StoreError
from kg.store.embedded_errors import explained, first_line
from kg.store.embedded_values import bridge, java

Mode = Literal["read", "write"]

HEAP = "1g"
"""Most memory of the JVM unless KG_HEAP says otherwise (``2g``, ``1500m``)."""

LOCK_SECONDS = 2.0
"""How long an opening waits for another process to let go."""

# The engine needs these of the jars that come with it; the rest is servers and protocols.
JARS = (
    "arcadedb-engine", "arcadedb-python-bridge", "antlr4", "collections", "commons-lang", "gson", "HdrHistogram",
    "jspecify", "jts", "jvector", "agrona", "lucene", "lz4", "micrometer", "slf4j", "spatial4j", "xz",
)  # fmt: skip

_gate = threading.RLock()
_open: dict[str, "Folder"] = {}


@dataclass
class Folder:
    """One open database folder, shared by the stores of this process that opened it."""

    path: Path
    mode: Mode
    database: Any
    lock: Any
    users: int = 1

    def release(self) -> None:
        """One user less; the last one closes the database and lets go of the lock."""
        with _gate:
            self.users -= 1
            if self.users == 0:
                _open.pop(str(self.path), None)
                try:
                    self.database.close()
                finally:
                    _unlock(self.lock)


def start() -> None:
    """Start the JVM unless it runs: quiet, heap bounded, no file left in the working directory."""
    jpype = bridge()
    if jpype.isJVMStarted():
        return
    from arcadedb_embedded.jvm import get_bundled_jre_lib_path, get_jar_path

    jars = [str(jar) for jar in sorted(Path(get_jar_path()).glob("*.jar")) if jar.name.startswith(JARS)]
    heap = os.environ.get("KG_HEAP") or HEAP
    if not re.fullmatch(r"[1-9]\d*[mMgG]", heap):
        raise StoreError(f"KG_HEAP={heap} is no size of memory: write for example KG_HEAP=2g or KG_HEAP=1500m")
    opens = ("java.util.concurrent.atomic", "java.nio.channels.spi", "java.lang")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        jpype.startJVM(
            get_bundled_jre_lib_path(),
            f"-Xmx{heap}",
            "-XX:+UseSerialGC",  # starts fastest, and one person asks at a time
            "-XX:TieredStopAtLevel=1",  # a command ends before the optimizing compiler would pay
            "-XX:+UseCompactObjectHeaders",
            f"-XX:ErrorFile={Path(tempfile.gettempdir()) / 'kg-jvm-%p.log'}",
            "-Xlog:disable",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF8",
            f"-Djava.util.logging.config.file={Path(__file__).with_name('arcadedb-log.properties')}",
            "-Darcadedb.polyglotEngineEnabled=false",
            "-Darcadedb.opencypher.loadCsv.allowFileUrls=false",
            "--enable-native-access=ALL-UNNAMED",
            *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in opens),
            classpath=jars,
            interrupt=False,
            convertStrings=False,
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(f"the embedded engine does not start (heap KG_HEAP={heap}): {first_line(error)}") from None
    if threading.current_thread() is threading.main_thread():
        # The bridge's own handlers end the process from within a Java thread, which can crash it.
        for number, handler in handlers.items():
            if handler is not None:
                signal.signal(number, handler)
    atexit.register(_close_all)


def acquire(path: Path, mode: Mode, create: Callable[[Any], None]) -> Folder:
    """Open the database folder at ``path``; ``create`` makes the schema of a new one.

    Raises NotFoundError when there is nothing to read, StoreError (one line) when it cannot be opened.
    """
    path = Path(os.path.realpath(path))
    with _gate:
        shared = _open.get(str(path))
        if shared:
            if mode == "write" and shared.mode == "read":
                raise StoreError(f"{path} is open for reading in this process: close that graph before writing to it")
            shared.users += 1
            return shared
        try:
            _check(path, mode)
        except OSError as error:
            raise StoreError(_unmade(path, error)) from None
        with explained(path):
            start()
            if not path.exists() or not any(path.iterdir()):
                _create(path, create)
            elif mode == "read" and (path / "database.lck").exists():
                _recover(path)
            lock = _lock(path, shared=mode == "read")
            try:
                database = _open_database(path, mode)
            except BaseException:
                _unlock(lock)
                raise
        folder = _open[str(path)] = Folder(path, mode, database, lock)
        return folder


def _unmade(path: Path, error: OSError) -> str:
    return f"no graph can be opened at {path}: {error.strerror or error}; give --store another path"


def _check(path: Path, mode: Mode) -> None:
    """What can be said before the JVM starts."""
    empty = not path.exists() or (path.is_dir() and not any(path.iterdir()))
    if empty and mode == "read":
        raise NotFoundError(f"there is no graph at {path}: make one with `kg load PATH --store {path}`")
    if not empty and not path.is_dir():
        raise StoreError(f"{path} is a file, not a graph: an embedded graph is a folder; give --store another path")
    files = [] if empty else list(path.iterdir())
    for made in () if empty else ("schema.json", "*.bucket"):  # by the engine, in every graph
        if not any(file.match(made) for file in files):
            raise StoreError(f"{path} is a folder but no graph (it has no {made}): give --store another path")
    if not all(os.access(file, os.R_OK) for file in files):
        raise StoreError(f"{path} may not be read by you: let its owner give you the right to its files")
    if not empty and mode == "write" and not all(os.access(file, os.W_OK) for file in (path, *files)):
        raise StoreError(f"{path} may not be written by you: change its rights, or load into another path")
    if ".." in path.name:
        raise StoreError(
            f"no graph can be opened at {path}: the engine takes no name with .. in it; give --store another"
        )
    above = nearest(path)
    if empty and not above.is_dir():
        raise StoreError(f"no graph can be made at {path}: {above} is a file; give --store another path")
    if empty and not os.access(above, os.W_OK):
        raise StoreError(f"no graph can be made at {path}: you may not write in {above}")


def nearest(path: Path) -> Path:
    """What is there of the folders above ``path``, the nearest."""
    return next(parent for parent in path.parents if parent.exists())


def _create(path: Path, create: Callable[[Any], None]) -> None:
    """Make the database beside its place and move it there whole, so that no half-made one is ever found."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=".kg-", dir=path.parent))
    except OSError as error:
        raise StoreError(_unmade(path, error)) from None
    try:
        database = _factory(making).create()
        try:
            create(database)
        finally:
            database.close()
        (making / "kg.lock").touch()
        making.chmod(0o777 & ~_umask())
        making.rename(path)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _recover(path: Path) -> None:
    """Replay the log of a process that was killed while writing; reading alone may not do that."""
    if not os.access(path, os.W_OK):
        raise StoreError(f"{path} was not closed properly, and you may not write to it: let its owner open it once")
    lock = _lock(path, shared=False)
    try:
        _open_database(path, "write").close()
    finally:
        _unlock(lock)


def _factory(path: Path) -> Any:
    return java("com.arcadedb.database.DatabaseFactory")(str(path))


def _open_database(path: Path, mode: Mode) -> Any:
    modes = java("com.arcadedb.engine.ComponentFile").MODE
    return _factory(path).open(modes.READ_ONLY if mode == "read" else modes.READ_WRITE)


# -- the lock ------------------------------------------------------------------------------------------------------
def _lock(path: Path, *, shared: bool) -> Any:
    """Hold ``kg.lock`` in the folder, alone or shared; None where it cannot be made (a medium to read only)."""
    file = path / "kg.lock"
    if shared and not file.exists():
        if not os.access(path, os.W_OK):
            return None
        file.touch()
    handle = java("java.io.RandomAccessFile")(str(file), "r" if shared else "rw")
    deadline = time.monotonic() + LOCK_SECONDS
    # The text of the file lies within the first bytes, the locked one far behind them, so that it can be read.
    while (held := handle.getChannel().tryLock(1 << 30, 1, shared)) is None:
        if time.monotonic() > deadline:
            handle.close()
            raise StoreError(_held(path, file))
        time.sleep(0.05)
    if not shared:
        handle.setLength(0)
        who = {"pid": os.getpid(), "command": _command(), "since": time.strftime("%H:%M")}
        handle.write(json.dumps(who).encode())
    return handle, held


def _unlock(lock: Any) -> None:
    if lock is not None:
        handle, held = lock
        if not held.isShared():
            handle.setLength(0)
        handle.close()


def _command() -> str:
    first = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    command = sys.argv[1] if first in ("kg", "__main__.py") and len(sys.argv) > 1 else ""
    return f"kg {command}".strip() if first in ("kg", "__main__.py") else first


def _held(path: Path, file: Path) -> str:
    try:
        who = json.loads(file.read_text())
        by = f"process {who['pid']} ({who['command']}) has been writing to it since {who['since']}"
    except (OSError, ValueError, KeyError):
        by = "another process is reading it (a notebook, `kg mcp`)"
    return f"{path} is in use: {by}; wait until it ends, or end it, and try again"


def _close_all() -> None:
    for folder in list(_open.values()):
        folder.users = 1
        folder.release()
