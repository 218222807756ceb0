"""Outputs: whole or not at all, links followed, devices and pipes never replaced."""

import errno
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kg.browser import write_browser_files
from kg.errors import StoreError
from kg.files import replacing
from kg.store import open_store


def test_a_file_is_replaced_only_when_all_went_well(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("before")

    def fail_half_way():
        with replacing(path) as part:
            part.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert path.read_text() == "before"
    with replacing(path) as part:
        part.write_text("after")
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_takes_the_place_of_no_folder(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(IsADirectoryError) as caught, replacing(folder) as part:
        part.write_text("x")
    assert caught.value.filename == str(folder)
    assert folder.is_dir()


def test_a_folder_of_any_name_is_replaced(tmp_path):
    for name in ("before", "made", "x"):
        for text in ("first", "second"):
            with replacing(tmp_path / name) as part:
                part.mkdir()
                (part / "a").write_text(text, encoding="utf-8")
        assert (tmp_path / name / "a").read_text(encoding="utf-8") == "second"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["before", "made", "x"]


def test_an_error_names_the_path_that_was_asked_for(tmp_path):
    """As a full disk does: an OSError without a file, or with the scratch file that nobody asked for."""
    path = tmp_path / "out.txt"

    def full(told):
        with replacing(path) as part:
            raise OSError(errno.ENOSPC, "No space left on device", *([str(part)] if told else []))

    for told in (True, False):
        with pytest.raises(OSError, match="No space left") as caught:
            full(told)
        assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "none" / "out.txt"):
        pass
    assert caught.value.filename == str(tmp_path / "none" / "out.txt")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("arguments", [("recipes",), ("extract", "papers.txt", "--output", "/dev/full")])
def test_a_full_disk_is_one_line_that_says_where(arguments, tmp_path):
    (tmp_path / "papers.txt").write_text("Dieses Verfahren ist neu und wird auf zwei Daten gezeigt, aber nicht mehr.\n")
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        kg = subprocess.run(
            [sys.executable, "-m", "kg", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        )
    assert kg.returncode == 1
    assert "No space left on device" in kg.stderr
    assert "standard output" in kg.stderr or "/dev/full" in kg.stderr
    assert kg.stderr.count("\n") == 1


def test_a_link_is_followed(tmp_path):
    target = tmp_path / "target.txt"
    target.write_text("before")
    link = tmp_path / "link"
    link.symlink_to(target)
    with replacing(link) as part:
        part.write_text("after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_a_pipe_is_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with replacing(pipe) as part:
        part.write_text("through")
    reader.join(10)
    assert read == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("url", ["noe4j://user:secret@localhost", "http://secret.example", "", " "])
def test_an_address_of_no_known_kind_is_no_path(url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="neo4j://") as caught:
        open_store(url, mode="write")
    assert "secret" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_closed_pipe_has_its_own_exit_code():
    out, reader = [sys.executable, "-m", "kg", "recipes"], ["head", "-c", "1"]
    with subprocess.Popen(
        out, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    ) as kg:
        subprocess.run(reader, stdin=kg.stdout, check=True, capture_output=True)
        kg.stdout.close()
        assert kg.wait(60) in {0, 141}
        assert kg.stderr.read() == b""


class Nothing:
    """A store in which every question finds nothing."""

    def query(self, *_):
        return []


def test_browser_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    for path in write_browser_files(Nothing(), tmp_path):
        path.write_bytes(b"before")

    def full(path, content):
        with path.open("wb") as out:
            out.write(content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreError, match="cannot be written"):
        write_browser_files(Nothing(), tmp_path)
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"before"}


def test_what_writes_files_writes_them_whole():
    writes = re.compile(r"^(?!\s*>>>).*(?:\.write_(?:text|bytes)\(|\.open\(\"[wax]|to_csv\(\w*path)", re.MULTILINE)
    modules = [
        path for path in (Path(__file__).parents[1] / "kg").rglob("*.py") if writes.search(path.read_text("utf-8"))
    ]
    assert len(modules) > 4
    assert [path.name for path in modules if "replacing(" not in path.read_text("utf-8")] == []
