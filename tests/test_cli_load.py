"""kg load and kg extract on all that people hand them: one line a problem, no traceback, the good rows loaded."""

import io
import json
import os
import sys
import threading

import pytest
from small import corpus, write_records

import kg
from kg.cli import main
from kg.cli.load import _summary

GOOD = {"id": "good", "title": "WidgetNet", "abstract": "We propose WidgetNet, a neural network for bolt sorting."}


@pytest.fixture
def command(capsys):
    """Run one kg command: exit code, standard output, standard error."""

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return int(left.value.code or 0), out, err

    return run


def nothing_loadable(tmp_path):
    files = {
        "empty.jsonl": b"",
        "blank.txt": b"\n\n  \n",
        "binary.bin": bytes(range(256)) * 50,
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(200),
        "columns.csv": b"name,price\nbolt,3\n",
        "cut.jsonl": b'{"id": "a", "abstract": "We prop',
        "list.json": b"[1, 2, 3]",
        "latin.csv": "id,abstract\n1,caf\xe9".encode("latin-1"),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.md").write_text("nothing here", encoding="utf-8")
    return [*files, "folder", "missing.jsonl"]


NOTHING = [
    "empty.jsonl",
    "blank.txt",
    "binary.bin",
    "picture.png",
    "columns.csv",
    "cut.jsonl",
    "list.json",
    "latin.csv",
    "folder",
    "missing.jsonl",
]


@pytest.mark.parametrize("name", NOTHING)
def test_what_cannot_be_read_is_one_line_that_names_it(name, tmp_path, command):
    assert nothing_loadable(tmp_path) == NOTHING
    code, _, err = command("load", tmp_path / name, "--store", tmp_path / "g.db")
    lines = [line for line in err.splitlines() if line.startswith("skipped")]
    assert code == 1
    assert lines
    assert all(name in line for line in lines)
    assert err.splitlines()[-1] == f"kg: nothing could be loaded: {tmp_path / name}"


def in_line(values):
    return json.dumps(values, ensure_ascii=False)


SOME = {
    "cut": (in_line(GOOD) + '\n{"id": "b", "abstract": "We prop', 2),
    "not-an-object": ("7\n" + in_line(GOOD), 1),
    "too-long": (in_line({"id": "long", "abstract": "We prune. " * 20_001}) + "\n" + in_line(GOOD), 1),
    "no-abstract-field": (in_line(GOOD) + "\n" + in_line({"id": "x", "price": 3}), 2),
}


@pytest.mark.parametrize("name", SOME)
def test_a_bad_row_is_named_by_its_line_and_the_rest_is_loaded(name, tmp_path, command):
    text, line = SOME[name]
    file = tmp_path / f"{name}.jsonl"
    file.write_text(text, encoding="utf-8")
    code, out, err = command("load", file, "--store", tmp_path / "g.db", "--rejects", tmp_path / "rejects.jsonl")
    assert code == 0
    assert f"skipped {file}:{line}: " in err
    assert "1 loaded" in out
    [rejected] = [json.loads(row) for row in (tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (rejected["file"], rejected["line"]) == (str(file), line)


LONG = "".join(
    f"We train WidgetNet number {n} for bolt sorting, and it is better than the others of its kind. "
    for n in range(1100)
)
ODD = {
    "long": in_line({**GOOD, "abstract": LONG}),
    "nul": in_line({**GOOD, "abstract": "We use \x00 WidgetNet\x07 for \x1b[31mbolts\x85."}),
    "surrogate": '{"id": "s", "abstract": "We use \\ud800 WidgetNet for bolt sorting."}',
    "bom": "\ufeff" + in_line(GOOD),
    "crlf": in_line(GOOD) + "\r\n" + in_line({**GOOD, "id": "other"}) + "\r\n",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_text_is_loaded_with_its_offsets_right(name, tmp_path, command):
    file = tmp_path / f"{name}.jsonl"
    file.write_bytes(ODD[name].encode())
    code, _out, err = command("load", file, "--store", tmp_path / "g.db")
    assert (code, err) == (0, "")
    with kg.open_store(str(tmp_path / "g.db")) as store:
        for record in store.records():
            assert record.mentions
            assert all(record.paper.abstract[m.start : m.end] == m.text for m in record.mentions)


def test_the_end_report_and_a_second_time(tmp_path, command):
    file = write_records(tmp_path / "r.jsonl", corpus())
    code, out, err = command("load", file, "--store", tmp_path / "g.db")
    assert (code, err) == (0, "")
    first = out.splitlines()
    assert first[0] == "12 papers read: 12 loaded, 0 unchanged; 0 rows skipped"
    assert first[1] == "1 paper without edges: no-abstract"
    assert first[3].startswith(f"{tmp_path / 'g.db'}: 12 papers, 4 entities, ")
    code, out, _ = command("load", file, "--store", tmp_path / "g.db")
    assert (code, out.splitlines()[0]) == (0, "12 papers read: 0 loaded, 12 unchanged; 0 rows skipped")


def test_many_bad_rows_are_listed_briefly(tmp_path, command):
    file = tmp_path / "many.jsonl"
    file.write_text("x\n" * 50, encoding="utf-8")
    code, _, err = command("load", file, "--store", tmp_path / "g.db")
    assert code == 1
    assert len(err.splitlines()) == 22
    assert "... and 30 more; --rejects FILE lists all of them" in err


def test_extract_writes_records_that_load_takes(tmp_path, command):
    papers = tmp_path / "papers.jsonl"
    papers.write_text(in_line(GOOD), encoding="utf-8")
    code, out, err = command("extract", papers)
    assert code == 0
    assert err == "1 record written, 0 skipped\n"
    assert json.loads(out)["paper"]["id"] == "good"
    assert command("extract", papers, "-o", tmp_path / "records.jsonl")[0] == 0
    assert (tmp_path / "records.jsonl").read_text(encoding="utf-8") == out
    assert command("load", tmp_path / "records.jsonl", "--store", tmp_path / "g.db")[0] == 0


def test_extract_of_nothing_readable_keeps_the_file_that_was_there(tmp_path, command):
    bad, out = tmp_path / "bad.jsonl", tmp_path / "out.jsonl"
    bad.write_text('{"id": "p1"\n')
    out.write_text("kept\n")
    code, _, err = command("extract", bad, "-o", out)
    assert code != 0
    assert "nothing could be read" in err
    assert "skipped" in err
    assert out.read_text() == "kept\n"


def test_extract_leaves_no_half_file(tmp_path, command):
    code, _, err = command("extract", tmp_path / "missing.jsonl", "-o", tmp_path / "out.jsonl")
    assert code == 1
    assert "missing.jsonl" in err
    assert (
        command("extract", write_records(tmp_path / "r.jsonl", corpus()[:1]), "-o", tmp_path / "no" / "out.jsonl")[0]
        == 1
    )


def test_standard_input(tmp_path, command, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(in_line(GOOD).encode())))
    code, out, err = command("load", "-", "--store", tmp_path / "g.db")
    assert (code, err) == (0, "")
    assert out.startswith("1 paper read: 1 loaded")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("options", [[], ["--strict"]])
def test_a_pipe_is_read_once_as_standard_input_is(options, tmp_path, command):
    pipe = tmp_path / "papers.pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(in_line(GOOD),), daemon=True)
    writer.start()
    code, out, err = command("load", pipe, "--store", tmp_path / "g.db", *options)
    assert (code, err) == (0, "")
    assert out.startswith("1 paper read: 1 loaded")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--map", "abstract"], "--map abstract: write FIELD=COLUMN"),
        (["--map", "colour=red"], "unknown field 'colour'"),
        (["--format", "word"], "unknown format 'word'"),
        (["--model", "no-such-model"], "no-such-model"),
        (["--aliases", "missing.csv"], "missing.csv"),
        (["--strict"], "cut.jsonl:1"),
    ],
)
def test_a_wrong_option_is_one_line(options, says, tmp_path, command):
    (tmp_path / "papers.jsonl").write_text(in_line(GOOD), encoding="utf-8")
    (tmp_path / "cut.jsonl").write_text('{"id": ', encoding="utf-8")
    name = "cut.jsonl" if "--strict" in options else "papers.jsonl"
    code, out, err = command("load", tmp_path / name, "--store", tmp_path / "g.db", *options)
    assert code == 1
    assert out == ""
    assert err.count("\n") == 1
    assert says in err


def test_an_address_is_refused(tmp_path, command):
    code, _, err = command("load", "https://example.org/papers.jsonl", "--store", tmp_path / "g.db")
    assert code == 1
    assert "offline" in err


def test_an_empty_path_is_not_this_folder(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "r.jsonl", corpus())
    for subcommand in (("load", "--store", "g.db"), ("extract",)):
        code, out, err = command(*subcommand, "")
        assert (code, out) == (1, "")
        assert err == "kg: one of the paths is empty: give a file, a folder, or - for standard input\n"
    assert not (tmp_path / "g.db").exists()


def test_a_name_with_line_ends_and_codes_stays_one_line(tmp_path, command):
    code, _, err = command("load", "a\nb\x1b[31m\u202e.jsonl", "--store", tmp_path / "g.db")
    assert code == 1
    assert err.splitlines()[-1] == "kg: nothing could be loaded: a b\ufffd[31m\ufffd.jsonl"
    assert all(line.isprintable() for line in err.splitlines())


@pytest.mark.parametrize("place", ["nowhere/rejects.jsonl", "folder"])
def test_a_place_for_rejects_that_cannot_be_written_is_said_before_the_work(place, tmp_path, command):
    (tmp_path / "folder").mkdir()
    file = write_records(tmp_path / "r.jsonl", corpus())
    for subcommand in (("load", "--store", tmp_path / "g.db"), ("extract", "--output", tmp_path / "out.jsonl")):
        code, out, err = command(*subcommand, file, "--rejects", tmp_path / place)
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert str(tmp_path / place) in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "r.jsonl"]


def test_what_a_folder_keeps_closed_is_listed(tmp_path, command, monkeypatch):
    write_records(tmp_path / "r.jsonl", corpus())
    (tmp_path / "closed").mkdir()
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "round").symlink_to(tmp_path)
    scandir = os.scandir

    def closed(path="."):
        if str(path) == str(tmp_path / "closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    code, out, err = command("load", tmp_path, "--store", tmp_path / ".g.db")
    assert code == 0, err
    assert "12 papers read: 12 loaded, 0 unchanged; 2 rows skipped" in out
    assert [line.split(": ")[0] for line in err.splitlines()] == [
        f"skipped {tmp_path / 'closed'}", f"skipped {tmp_path / 'gone.jsonl'}",
    ]  # fmt: skip


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path, command):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    code, _, err = command("load", write_records(tmp_path / "r.jsonl", corpus()), "--store", closed / "g.db")
    assert code == 1
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("loaded", "seconds", "says"),
    [(0, 3.0, "in 3.0 s"), (2, 20.0, "in 20.0 s (10.0 s a paper)"), (90, 30.0, "in 30.0 s (3.0 papers a second)")],
)
def test_the_pace_is_told_in_the_unit_that_says_something(loaded, seconds, says):
    report = kg.LoadReport(
        read=loaded, loaded=loaded, unchanged=0, replaced=0, skipped=(), mentions=0, triples=0, without={}, graph={},
        seconds=seconds,
    )  # fmt: skip
    assert [line for line in _summary(report, "kg.db") if line.endswith(says)]
