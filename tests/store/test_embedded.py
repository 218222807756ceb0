"""What only the embedded store has: a folder, a lock, a JVM of its own."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import KGError, NotFoundError, StoreError
from kg.store import open_store
from kg.store.embedded import LOCK_SECONDS
from tests.store.made import contribution, entities

ROOT = Path(__file__).parents[2]
PAPER = contribution("p1")
OPEN = "import sys\nfrom kg.store import open_store\nstore = open_store(sys.argv[1])\n"
# Writes papers without end, twenty to a transaction, and says after each how many are stored.
WRITER = """
import sys
from kg.store import open_store
from tests.store.made import contribution, entities
store = open_store(sys.argv[1], mode="write")
store.prepare()
for start in range(0, 100_000, 20):
    papers = [contribution(f"p{i:06}", ["Tidy", "sorting", f"own {i}"]  , ()) for i in range(start, start + 20)]
    store.write(papers, entities(*papers))
    print(start + 20, flush=True)
"""


def python(code: str, *arguments: str, cwd: Path = ROOT, **options) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=cwd, env=environment, stdout=pipe, stderr=pipe, text=True, **options)


def refused(url: Path | str, mode: str = "read") -> str:
    """The one line with which an opening is refused."""
    with pytest.raises(KGError) as error:
        open_store(str(url), mode=mode)
    assert "\n" not in str(error.value)
    assert "Exception" not in str(error.value)
    return str(error.value)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A closed graph of one paper."""
    path = tmp_path / "kg.db"
    with open_store(str(path), mode="write") as store:
        store.write([PAPER], entities(PAPER))
    return path


@pytest.fixture
def holder(graph: Path) -> Iterator[subprocess.Popen]:
    """Another process that writes to the graph until the test ends."""
    process = python(WRITER, str(graph))
    assert process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


# -- what is no graph ------------------------------------------------------------------------------------------------
def test_reading_where_there_is_nothing_says_how_to_make_a_graph(tmp_path: Path):
    with pytest.raises(NotFoundError, match=r"kg load PATH --store .*none\.db"):
        open_store(str(tmp_path / "none.db"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match="kg load"):
        open_store(str(tmp_path / "empty"))
    assert list(tmp_path.rglob("*")) == [tmp_path / "empty"]


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_path_that_is_no_graph_is_left_alone(tmp_path: Path, mode: str):
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    assert "is a file, not a graph" in refused(file, mode)
    assert "no graph (it has no schema.json)" in refused(tmp_path, mode)
    assert "is a file" in refused(file / "below.db", "write")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    (tmp_path / "schema.json").write_text("{}")
    assert "no graph (it has no *.bucket)" in refused(tmp_path, mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "schema.json"]


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_path_that_leads_nowhere_is_one_line(tmp_path: Path, mode: str):
    (tmp_path / "round.db").symlink_to(tmp_path / "round.db")
    for path in (tmp_path / "round.db" / "below.db", tmp_path / ("n" * 300)):
        said = refused(path, mode)
        assert str(path) in said
        assert "\n" not in said
        if mode == "write":
            assert "give --store another path" in said


@pytest.mark.parametrize("mode", ["read", "write"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda graph: (graph / "schema.json").write_text("{}"),
        lambda graph: next(graph.glob("Paper_0.*.bucket")).write_bytes(b"\x07" * 70_000),
        lambda graph: next(graph.glob("Paper_0.*.bucket")).unlink(),
        lambda graph: next(graph.glob("dictionary.*")).write_bytes(b"\xff" * 65_536),
        lambda graph: next(graph.glob("State_0.*.bucket")).write_bytes(b""),
    ],
    ids=["no types", "papers", "papers gone", "dictionary", "state"],
)
def test_a_damaged_graph_is_one_line(graph: Path, mode: str, damage):
    damage(graph)
    with pytest.raises(StoreError) as error, open_store(str(graph), mode=mode) as store:
        assert list(store.records()) == [PAPER.record]
    assert "\n" not in str(error.value)
    assert str(graph) in str(error.value)


def test_a_cut_off_schema_is_recovered_from_the_one_before(graph: Path):
    (graph / "schema.json").write_text("{")
    with open_store(str(graph), mode="write") as store:
        assert list(store.records()) == [PAPER.record]


def test_a_graph_of_another_version_is_refused(graph: Path):
    with open_store(str(graph), mode="write") as store:
        store.put_state("schema", "0")
    assert re.search(r"made by an older kg .*version 0, this one reads 1", refused(graph))
    with open_store_unchecked(graph) as store:
        store.put_state("schema", "2")
    assert "made by a newer kg" in refused(graph, "write")


def open_store_unchecked(graph: Path):
    from kg.store.arcadedb import ArcadeStore

    class Unchecked(ArcadeStore):
        def _check(self) -> None:
            """Open it whatever it is."""

    return Unchecked(str(graph), mode="write")


@pytest.mark.parametrize("name", [".hidden.db", "a b.db", "\u202eé🤖`'\".db", "line\nend.db"])
def test_a_graph_may_have_any_name_that_the_engine_takes(tmp_path: Path, name: str):
    with open_store(str(tmp_path / name), mode="write") as store:
        store.write([PAPER], entities(PAPER))
    with open_store(str(tmp_path / name)) as store:
        assert list(store.records()) == [PAPER.record]
    assert "takes no name with .. in it" in refused(tmp_path / "up..down.db", "write")
    assert [path.name for path in tmp_path.iterdir()] == [name]


# -- rights and room -------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="the rights of another user take setresuid")
def test_a_graph_that_may_not_be_written_can_be_read(graph: Path):
    # Root may do anything, so that the process drops its rights once all it imports is there.
    code = """
import os, shutil, sys
from kg.store import open_store
with open_store(sys.argv[1]) as store:
    list(store.records())
for name, mode in (("kg.db", 0o444), ("closed.db", 0o400)):
    shutil.copytree(sys.argv[1], sys.argv[2] + "/" + name)
    for file in os.listdir(sys.argv[2] + "/" + name):
        os.chmod(sys.argv[2] + "/" + name + "/" + file, mode)
os.chmod(sys.argv[2] + "/kg.db", 0o555)
os.chmod(sys.argv[2], 0o555)
if os.geteuid() == 0:
    os.setresuid(65534, 65534, 0)
for name, mode in (("kg.db", "read"), ("kg.db", "write"), ("new.db", "write"), ("closed.db", "read")):
    try:
        with open_store(sys.argv[2] + "/" + name, mode=mode) as store:
            print(len(list(store.records())))
    except Exception as error:
        print(type(error).__name__, error)
"""
    public = Path(tempfile.mkdtemp(prefix="kg-"))  # pytest's own folders are closed to others
    try:
        out, err = python(code, str(graph), str(public)).communicate(timeout=120)
        read, write, new, closed = out.splitlines()
    finally:
        public.chmod(0o755)
        (public / "kg.db").chmod(0o755)
        shutil.rmtree(public)
    assert err == ""
    assert read == "1"
    assert re.match("StoreError .* may not be written by you", write)
    assert re.match("StoreError .* you may not write in", new)
    assert re.match("StoreError .* may not be read by you", closed)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on file sizes to set")
def test_a_full_disk_is_one_line_and_what_was_written_stays(tmp_path: Path):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))\n"
    graph = tmp_path / "kg.db"
    _, err = python(limit + WRITER, str(graph)).communicate(timeout=240)
    assert re.search("StoreError: there is no room left", err.splitlines()[-1])  # not even for an empty graph
    assert list(tmp_path.iterdir()) == []
    open_store(str(graph), mode="write").close()
    out, err = python(limit + WRITER, str(graph)).communicate(timeout=240)
    assert re.search("StoreError: there is no room left", err.splitlines()[-1])
    whole(graph, at_least=int(out.split()[-1]))


# -- one writer or many readers --------------------------------------------------------------------------------------
def test_a_graph_being_written_is_refused_to_others(graph: Path, holder: subprocess.Popen):
    for mode in ("read", "write"):
        start = time.monotonic()
        said = refused(graph, mode)
        assert time.monotonic() - start < LOCK_SECONDS + 3
        assert re.search(rf"in use: process {holder.pid} \(.*\) has been writing to it since \d\d:\d\d; wait", said)


def test_many_processes_read_and_a_writer_is_refused_meanwhile(graph: Path):
    code = OPEN + "print(store.counts()['Paper'], flush=True); input()"
    readers = [python(code, str(graph), stdin=subprocess.PIPE) for _ in range(2)]
    assert [reader.stdout.readline() for reader in readers] == ["1\n", "1\n"]
    with open_store(str(graph)) as store:
        assert store.counts()["Paper"] == 1
    assert "another process is reading it" in refused(graph, "write")
    for reader in readers:
        out, err = reader.communicate("\n")
        assert (out, err, reader.returncode) == ("", "", 0)
    with open_store(str(graph), mode="write") as store:
        assert store.remove(["p1"]) == 1


def test_within_a_process_openings_share_the_graph(graph: Path):
    with open_store(str(graph)) as first, open_store(str(graph / ".." / "kg.db")) as second:
        assert list(first.records()) == list(second.records())
        assert "open for reading in this process" in refused(graph, "write")
        first.close()
        assert second.counts()["Paper"] == 1
    with open_store(str(graph), mode="write") as writer, open_store(str(graph)) as reader:
        writer.remove(["p1"])
        assert reader.counts()["Paper"] == 0
    with pytest.raises(StoreError, match="closed"):
        writer.query("RETURN 1 AS one")


# -- killed ----------------------------------------------------------------------------------------------------------
def whole(graph: Path, *, at_least: int) -> None:
    """Every stored paper has all its edges, every edge its paper, every entity its names; the rest can be written."""
    with open_store(str(graph), mode="write") as store:
        papers = {record.paper.id: record for record in store.records()}
        assert len(papers) >= at_least
        edges: dict[str, set[str]] = {}
        for row in store.dump():
            if "edge" in row:
                edges.setdefault(row["paper"], set()).add(row["id"])
        for id_, record in papers.items():
            assert record == contribution(id_, [m.name for m in record.mentions], ()).record
            assert edges.pop(id_) == {f"{id_}|MENTIONS|P|{m.name}" for m in record.mentions} | set() or len(
                record.mentions
            )
        assert edges == {}
        names = store.query("MATCH (:Name)-[:NAMES]->(e) RETURN count(DISTINCT e) AS entities")
        assert names == [{"entities": sum(1 for _ in store.entities())}]
        assert store.counts()["MENTIONS"] == 3 * len(papers)
        again = [contribution(f"p{i:06}", ["Tidy", "sorting", f"own {i}"], ()) for i in range(40)]
        store.write(again, entities(*again))
        assert store.counts()["Paper"] == max(len(papers), 40)
        assert store.counts()["MENTIONS"] == 3 * max(len(papers), 40)


@pytest.mark.parametrize("after", [0.0, 0.03, 0.11])
@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_killed_writer_leaves_nothing_half_written(tmp_path: Path, after: float, mode: str):
    graph = tmp_path / "kg.db"
    process = python(WRITER, str(graph))
    stored = 0
    while stored < 100:
        stored = int(process.stdout.readline())
    time.sleep(after)
    process.kill()
    out, _ = process.communicate()
    stored = max([stored, *map(int, out.split())])
    with open_store(str(graph), mode=mode) as store:
        assert store.counts()["Paper"] in range(stored, stored + 21, 20)
    whole(graph, at_least=stored)


def test_a_process_killed_while_it_makes_the_graph_leaves_none(tmp_path: Path):
    code = """
import os, signal, sys
from kg.store import embedded_ddl, open_store
embedded_ddl.create = lambda database: os.kill(os.getpid(), signal.SIGKILL)
open_store(sys.argv[1], mode="write")
"""
    process = python(code, str(tmp_path / "kg.db"))
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    with pytest.raises(NotFoundError):
        open_store(str(tmp_path / "kg.db"))
    with open_store(str(tmp_path / "kg.db"), mode="write") as store:
        store.write([PAPER], entities(PAPER))


def test_a_writer_told_to_end_ends(tmp_path: Path):
    process = python(WRITER, str(tmp_path / "kg.db"))
    process.stdout.readline()
    process.terminate()
    _, err = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM
    assert err == ""
    whole(tmp_path / "kg.db", at_least=20)


# -- quiet and quick -------------------------------------------------------------------------------------------------
def test_nothing_is_said_and_no_file_is_left(tmp_path: Path):
    code = """
import sys
from kg.store import open_store
from tests.store.made import contribution, entities
paper = contribution("p1")
with open_store("kg.db", mode="write") as store:
    store.write([paper], entities(paper))
store = open_store("kg.db")
store.query("MATCH (p:Paper) RETURN p.id")
sys.exit(3)  # and left open
"""
    process = python(code, cwd=tmp_path)
    out, err = process.communicate(timeout=120)
    assert (out, err, process.returncode) == ("", "", 3)
    assert [path.name for path in tmp_path.iterdir()] == ["kg.db"]
    assert not (tmp_path / "kg.db" / "database.lck").exists()


def test_the_heap_is_a_setting(graph: Path):
    process = python("import os; os.environ['KG_HEAP'] = 'lots'\n" + OPEN, str(graph))
    _, err = process.communicate(timeout=60)
    assert re.search("StoreError: KG_HEAP=lots is no size of memory", err.splitlines()[-1])
    code = "import os; os.environ['KG_HEAP'] = '300m'\n" + OPEN
    code += "from kg.store.embedded_values import java\nprint(java('java.lang.Runtime').getRuntime().maxMemory())"
    out, err = python(code, str(graph)).communicate(timeout=60)
    assert err == ""
    assert 200 < int(out) / 2**20 <= 300


def test_opening_a_store_imports_neither_the_server_driver_nor_the_pipeline(graph: Path):
    code = OPEN + "import json; print(json.dumps(list(sys.modules)))"
    process = python(code, str(graph))
    out, err = process.communicate(timeout=60)
    assert err == ""
    assert not {"neo4j", "spacy", "onnxruntime", "networkx"} & set(json.loads(out))
