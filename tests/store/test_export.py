"""``kg export`` and ``kg load`` of what it wrote."""

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
