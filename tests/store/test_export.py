"""``kg export`` and ``kg load`` of what it wrote."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from kg.cli import main
from kg.store import open_store
from kg.types import Decision
from tests.store.made import contribution

PAPERS = [
    contribution("p1"),
    contribution("p2", ["Brook", "Tidy", "sorting"], [("Tidy", "PART_OF", "Brook"), ("P", "ADDRESSES", "sorting")]),
    contribution("p3", ['x"}) DETACH DELETE n //', "强化学习"], ()),
]


def kg(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(p.record.model_dump_json() + "\n" for p in PAPERS), encoding="utf-8")
    return path


def test_an_export_is_loaded_back_to_the_same_bytes(tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]):
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    assert kg("load", records, "--store", tmp_path / "first.db") == 0
    with open_store(str(tmp_path / "first.db"), mode="write") as store:
        store.put_decisions([Decision("d1", "split", "Method:brook", "Method:tidy", "not the same")])
    assert kg("export", first, "--store", tmp_path / "first.db") == 0
    assert kg("load", first, "--store", tmp_path / "again.db") == 0
    assert "3 papers read: 3 loaded" in capsys.readouterr().out
    assert kg("export", again, "--store", tmp_path / "again.db") == 0
    assert first.read_bytes() == again.read_bytes()
    capsys.readouterr()
    assert kg("export", "-", "--store", tmp_path / "again.db") == 0
    assert capsys.readouterr().out == first.read_text(encoding="utf-8")
    assert kg("load", first, "--store", tmp_path / "again.db") == 0
    assert kg("export", again, "--store", tmp_path / "again.db") == 0
    assert first.read_bytes() == again.read_bytes()


def test_what_cannot_be_exported_is_one_line(tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]):
    assert kg("load", records, "--store", tmp_path / "first.db") == 0
    before = sorted(tmp_path.iterdir())
    capsys.readouterr()
    for file, store in (("nowhere/x.jsonl", "first.db"), ("x.jsonl", "none.db")):
        assert kg("export", tmp_path / file, "--store", tmp_path / store) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert str(tmp_path) in err
    assert sorted(tmp_path.iterdir()) == before


def test_a_cut_off_export_changes_nothing(tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "first.jsonl"
    assert kg("load", records, "--store", tmp_path / "first.db") == 0
    assert kg("export", file, "--store", tmp_path / "first.db") == 0
    whole = file.read_bytes()
    file.write_bytes(whole[:-30])
    capsys.readouterr()
    assert kg("load", file, "--store", tmp_path / "first.db") == 1
    assert "is the file cut off?" in capsys.readouterr().err
    file.unlink()
    assert kg("export", file, "--store", tmp_path / "first.db") == 0
    assert file.read_bytes() == whole


@pytest.fixture
def decided(tmp_path: Path, records: Path) -> bytes:
    """An export with a decision, which only restoring it brings back."""
    assert kg("load", records, "--store", tmp_path / "first.db") == 0
    with open_store(str(tmp_path / "first.db"), mode="write") as store:
        store.put_decisions([Decision("d1", "split", "Method:brook", "Method:tidy", "not the same")])
    assert kg("export", tmp_path / "first.jsonl", "--store", tmp_path / "first.db") == 0
    return (tmp_path / "first.jsonl").read_bytes()


def zipped(folder: Path, whole: bytes) -> Path:
    with zipfile.ZipFile(folder / "copy.zip", "w") as archive:
        archive.writestr("graph.jsonl", whole)
    return folder / "copy.zip"


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


COPIES = {
    "gz": lambda folder, whole: written(folder / "copy.jsonl.gz", gzip.compress(whole)),
    "zip": zipped,
    "BOM, CRLF": lambda folder, whole: written(folder / "copy.jsonl", b"\xef\xbb\xbf" + whole.replace(b"\n", b"\r\n")),
    "UTF-16": lambda folder, whole: written(folder / "copy.jsonl", whole.decode().encode("utf-16")),
    "blank lines": lambda folder, whole: written(folder / "copy.jsonl", b"\n" + whole.replace(b"\n", b"\n\n")),
    "shuffled": lambda folder, whole: written(folder / "copy.jsonl", b"".join(whole.splitlines(keepends=True)[::-1])),
    "folder": lambda folder, whole: written(folder / "copies" / "copy.jsonl", whole).parent,
}


@pytest.mark.parametrize("copy", COPIES)
def test_an_export_is_restored_however_it_was_copied(tmp_path: Path, decided: bytes, copy: str):
    assert kg("load", COPIES[copy](tmp_path, decided), "--store", tmp_path / "again.db") == 0
    assert kg("export", tmp_path / "again.jsonl", "--store", tmp_path / "again.db") == 0
    assert (tmp_path / "again.jsonl").read_bytes() == decided


def test_an_export_that_cannot_be_restored_makes_no_graph(
    tmp_path: Path, decided: bytes, capsys: pytest.CaptureFixture[str]
):
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("graph.jsonl", decided)
        archive.writestr("papers.csv", "id,abstract\nr1,Rooks sort what they see.\n")
    at_line_end = decided[: decided.rindex(b"\n", 0, -1) + 1]
    for file, reason in (
        (tmp_path / "two.zip", "unpack it"),
        (written(tmp_path / "cut.jsonl", at_line_end), "is the file cut off?"),
        (written(tmp_path / "cut.jsonl.gz", gzip.compress(decided)[:-20]), "cut off"),
    ):
        capsys.readouterr()
        assert kg("load", file, "--store", tmp_path / "none.db") == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert reason in err
        assert str(file) in err
        assert not (tmp_path / "none.db").exists()


def test_what_a_pipe_cannot_bring_back_is_listed(
    tmp_path: Path, decided: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(decided)))
    capsys.readouterr()
    assert kg("load", "-", "--store", tmp_path / "again.db") == 0
    out, err = capsys.readouterr()
    assert "3 papers read: 3 loaded, 0 unchanged; 1 row skipped" in out
    assert "skipped -:" in err
    assert "come back only from a file" in err


def test_an_alias_table_that_is_given_goes_before_the_one_in_the_export(tmp_path: Path, decided: bytes):
    for name, alias in (("old", "elder"), ("new", "younger")):
        (tmp_path / f"{name}.csv").write_text(f"name,alias,type,reason\nTidy,{alias},Method,by hand\n")
    file = tmp_path / "first.jsonl"
    assert kg("load", file, "--aliases", tmp_path / "old.csv", "--store", tmp_path / "first.db") == 0
    assert kg("export", file, "--store", tmp_path / "first.db") == 0
    assert kg("load", file, "--aliases", tmp_path / "new.csv", "--store", tmp_path / "again.db") == 0
    with open_store(str(tmp_path / "again.db")) as store:
        assert "younger" in (store.state("aliases") or "")


def test_the_files_of_a_graph_in_a_folder_are_no_lists_of_papers(
    tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]
):
    assert kg("load", records, "--store", tmp_path / "first.db") == 0
    assert kg("load", tmp_path, "--strict", "--store", tmp_path / "again.db") == 0
    assert capsys.readouterr().err == ""
