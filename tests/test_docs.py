"""What the documentation says is so: commands run, pages are what the code prints, links lead somewhere."""

import json
import re
import shlex
from pathlib import Path

import pytest
import typer.main

import kg
from kg.cli import app, main
from kg.cli.reference import page

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

COMMANDS = [
    re.split(r"\s{2,}#", line)[0].strip().removeprefix("$ ")
    for line in README.splitlines()
    if re.match(r" {4}(\$ )?kg ", line) and "neo4j://" not in line
]
GOLD = {
    "id": "g",
    "text": "We propose WidgetNet for bolt sorting.",
    "entities": [{"start": 11, "end": 20, "norm": "WidgetNet", "type": "Method", "canonical": "WidgetNet"}],
    "paper_relations": [{"relation": "PROPOSES", "type": "Method", "canonical": "WidgetNet"}],
    "relations": [],
}


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder as README's reader has it after make demo: the seeds, demo.db, and a file of annotated abstracts."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "seeds").symlink_to(ROOT / "seeds", target_is_directory=True)
    (folder / "gold.jsonl").write_text(json.dumps(GOLD), encoding="utf-8")
    kg.load([folder / "seeds"], store=str(folder / "demo.db"))
    return folder


def test_readme_shows_commands():
    assert len(COMMANDS) > 15
    assert {"load", "extract", "query", "recipes", "shared", "similar", "entity", "paper", "export", "evaluate"} <= {
        command.split()[1] for command in COMMANDS
    }


@pytest.mark.parametrize("number", range(len(COMMANDS)), ids=[re.sub(r"\W+", "-", c)[:40] for c in COMMANDS])
def test_every_command_of_readme_does_its_work(number, clone, monkeypatch, capsys):
    monkeypatch.chdir(clone)
    monkeypatch.delenv("KG_STORE", raising=False)
    if number and not (clone / "kg.db").exists():
        kg.load([clone / "seeds"], store="kg.db")
    with pytest.raises(SystemExit) as left:
        main(shlex.split(COMMANDS[number])[1:])
    out, err = capsys.readouterr()
    assert left.value.code == 0, err
    made = re.search(r" (?:-o|export) (\S+)", COMMANDS[number])
    assert out.strip() or err.strip() or (made and (clone / made[1]).stat().st_size > 1000)


def test_the_python_of_readme_runs(clone, monkeypatch, capsys):
    monkeypatch.chdir(clone)
    if not (clone / "kg.db").exists():
        kg.load([clone / "seeds"], store="kg.db")
    [code] = re.findall(r"^    import kg\n(?:\n|    .*\n)+", README, re.MULTILINE)
    exec(re.sub(r"^    ", "", code, flags=re.MULTILINE), {})
    assert capsys.readouterr().out.strip()
    [first, second] = re.findall(r"^    >>> (.*)", README, re.MULTILINE)
    names: dict[str, object] = {}
    *steps, question = first.split("; ")
    exec("; ".join(steps), names)
    try:
        assert len(eval(question, names)) > 1
        assert eval(second, names).title
    finally:
        names["g"].close()


def test_the_make_targets_of_readme_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    texts = README + (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    for target in set(re.findall(r"^    make ([a-z-]+)", texts, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_page_of_commands_is_what_the_commands_say():
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == page(), "run: make docs"


def test_every_command_argument_and_option_has_help():
    commands = dict(typer.main.get_command(app).commands)
    for name, command in commands.items():
        assert command.help, name
        for parameter in command.params:
            assert parameter.help, (name, parameter.name)


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_every_link_leads_to_a_file(path):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        if not re.match(r"https?://", link):
            assert (path.parent / link).exists(), link


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_every_kg_command_that_a_page_names_exists(path):
    commands = set(typer.main.get_command(app).commands)
    named = set(re.findall(r"(?:`|^ {4}(?:\$ )?)kg ([a-z]+)\b", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= commands
