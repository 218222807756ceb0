"""The frame of the command: errors in one line, exit codes, start-up without what the command does not need."""

import os
import subprocess
import sys

import pytest

from kg.cli import main
from kg.cli.base import app
from kg.cli.look import _value
from kg.errors import StoreError
from kg.recipes import recipe


def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kg", *arguments], capture_output=True, text=True, env=env, check=False
    )


def leave(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.fixture
def failing(monkeypatch):
    """A command ``fail`` that raises what it is given, registered for one test."""
    known = list(app.registered_commands)

    def register(error: BaseException) -> None:
        @app.command("fail")
        def fail() -> None:
            raise error

    yield register
    app.registered_commands[:] = known


def test_version_and_no_arguments(capsys):
    assert leave("--version") == 0
    assert capsys.readouterr().out.startswith("kg 0.")
    assert leave() in (0, 2)


def test_a_command_asked_wrongly_is_one_line_and_exit_2(capsys):
    assert leave("no-such-command") == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("recipes", "--no-such-option"), 2),
        (("recipes", "--format", "word"), 2),
        (("similar",), 2),
        (("shared", "--papers", "a", "b", "--relation", "USES"), 2),
        (("shared", "A", "--limit", "0"), 2),
        (("query", "most-used-methods", "--limit", "0"), 1),
        (("query", "most-used-methods", "-n", "0"), 1),
        (("shared", "A", "--limit", "none"), 2),
        (("query", "no-such-recipe"), 1),
        (("query", "methods-for-task"), 1),
        (("query", "methods-for-task", "--tsk", "x"), 1),
        (("query", "methods-for-task", "--task", "x", "--limit", "none"), 1),
        (("extract", "none.txt", "--format", "word"), 1),
        (("extract", "none.txt", "--map", "nothing"), 1),
        (("extract", "none.txt"), 1),
    ],
)
def test_exit_codes_are_those_of_the_docs(arguments, code, capsys):
    assert leave(*arguments) == code
    assert capsys.readouterr().err.splitlines()[-1].startswith("kg: ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("extract", "none.txt", "--min-score", "nan"), "give a number from 0 to 1, not nan"),
        (("review", "--min-score", "1.5"), "give a number from 0 to 1, not 1.5"),
        (("shared", "A", "--limit", "9" * 21), "less than or equal to 1000000000"),
    ],
)
def test_a_number_out_of_range_says_the_range(arguments, says, capsys):
    assert leave(*arguments) == 2
    assert says in capsys.readouterr().err


def test_the_help_of_a_recipe_is_one_paragraph_of_whole_lines(capsys):
    assert leave("query", "methods-for-task", "--help") == 0
    usage, title, notes, parameters, rest = capsys.readouterr().out.split("\n\n")
    assert usage.startswith("Usage: kg query methods-for-task --task")
    assert title == "Methods for a task, and the papers that say so."
    assert " ".join(notes.split()) == " ".join(recipe("methods-for-task").notes)
    assert "rows at most (default: 20)" in parameters
    assert rest.startswith("Columns: ")


@pytest.mark.parametrize(
    ("text", "value"),
    [("2020", 2020), ("-3", -3), ("0", 0), ("0.5", 0.5), ("-1.0", -1.0), ("true", True), ("false", False)]
    + [
        (t, t)
        for t in ("", "007", "1_000", "\u0663", "inf", "nan", "1e3", "yes", "on", "True", "2020\n", "BERT", "10.1/rook")
    ],
)
def test_a_parameter_of_a_free_query_is_a_number_or_truth_value_only_where_written_as_one(text, value):
    assert (_value(text), type(_value(text))) == (value, type(value))


def test_an_error_of_kg_is_one_line_and_exit_1(failing, capsys):
    failing(StoreError("no graph at x.db: make one with kg load"))
    assert leave("fail") == 1
    assert capsys.readouterr().err == "kg: no graph at x.db: make one with kg load\n"


def test_an_unforeseen_error_says_how_to_see_the_traceback(failing, capsys, monkeypatch):
    failing(ZeroDivisionError("two\nlines"))
    assert leave("fail") == 1
    said = capsys.readouterr().err
    assert "KG_DEBUG=1" in said
    assert said.count("\n") == 1
    monkeypatch.setenv("KG_DEBUG", "1")
    assert leave("fail") == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_quiet(failing, capsys):
    failing(KeyboardInterrupt())
    assert leave("fail") == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(failing, capsys):
    failing(PermissionError(13, "Permission denied", "out.jsonl"))
    assert leave("fail") == 1
    assert capsys.readouterr().err == "kg: Permission denied: out.jsonl\n"


def test_help_is_fast_and_imports_no_engine_nor_spacy():
    code = "import sys, kg.cli; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {
        "spacy",
        "neo4j",
        "jpype",
        "onnxruntime",
        "networkx",
        "numpy",
        "pydantic",
        "pyarrow",
        "pylatexenc",
    } & set(loaded)
    # Processor time, since the clock also counts what else the machine is busy with.
    assert min(_processor_seconds("--help") for _ in range(3)) < 0.5


def _processor_seconds(*arguments: str) -> float:
    before = os.times()
    assert run(*arguments).returncode == 0
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that can close a stream")
def test_closed_streams_are_no_defect():
    def closed(stream: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        shell = ["sh", "-c", f'exec "$@" {stream}', "sh", sys.executable, "-m", "kg", *arguments]
        return subprocess.run(shell, capture_output=True, text=True, check=False)

    left = closed(">&-", "recipes")
    assert (left.returncode, left.stderr.count("\n")) == (1, 1)
    assert "standard output" in left.stderr
    left = closed("2>&-", "no-such-command")
    assert (left.returncode, left.stdout) == (2, "")
    assert "standard input is closed" in closed("<&-", "extract", "-").stderr
