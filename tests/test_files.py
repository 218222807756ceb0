"""Outputs: whole or not at all, links followed, devices and pipes never replaced."""

import os
import stat
import subprocess
import sys
import threading

import pytest

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
