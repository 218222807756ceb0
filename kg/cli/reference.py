"""docs/cli.md: every command with its arguments and options, from the commands themselves.

``python -m kg.cli.reference`` prints the page.
"""

import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import typer.main

from kg.cli import app

PREFACE = """# The command line

Every command takes the graph by `--store URL`, or from `KG_STORE` or `NEO4J_URI`: `neo4j://host`, `bolt://host`
(and their `+s` and `+ssc` forms) or the path of an embedded graph, by default `kg.db`.

Results go to standard output, all else to standard error; progress is drawn on a terminal only. The exit code is 0
when the command did its work, 1 when it could not (one line says why and what to do), also where a recipe, a parameter
of one, a field or an input format goes by another name; 2 when the command line is not kg's: an unknown command or
option, a missing argument, a value that an option does not take; 130 after Ctrl-C.
`--limit` (`-n`) is rows at most and 1 or more, wherever there is one, recipes included.
`KG_DEBUG=1` shows the traceback of an error that kg did not foresee. `kg --install-completion` teaches the shell the
commands. This page is printed by `python -m kg.cli.reference`.
"""


def page() -> str:
    """The whole page as Markdown."""
    lines = [PREFACE]
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for name, command in _flat(commands):
        lines += [f"## kg {name}", "", inspect.cleandoc(command.help or ""), ""]
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        needed = [
            f"{max(p.opts, key=len)}{_value(p)}" for p in command.params if p.param_type_name == "option" and p.required
        ]
        usage = " ".join(["kg", name, *(_argument(p) for p in arguments), *needed, "[OPTIONS]"])
        lines += [f"    {usage}", ""]
        lines += [f"- `{_argument(p)}`: {p.help}" for p in arguments if p.help]
        lines += list(_options(command))
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _flat(commands: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The commands; in place of a group, the commands in it."""
    for name, command in commands.items():
        inner = getattr(command, "commands", None)
        yield from ((f"{name} {part}", one) for part, one in inner.items()) if inner else [(name, command)]


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name.upper()) + ("..." if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def _options(command: Any) -> Iterator[str]:
    for option in command.params:
        if option.param_type_name == "option" and not option.hidden and "--help" not in option.opts:
            names = ", ".join(sorted(option.opts, key=len))
            required = " (required)" if option.required else ""
            yield f"- `{names}{_value(option)}`{required}: {option.help}{_default(option)}"


def _value(option: Any) -> str:
    """What stands after an option's name; nothing for a flag."""
    return "" if option.is_flag else f" {option.metavar or _choices(option.default) or option.name.upper()}"


def _choices(default: Any) -> str:
    return "|".join(choice.value for choice in type(default)) if isinstance(default, Enum) else ""


def _default(option: Any) -> str:
    if isinstance(option.show_default, str):
        return f" Default: {option.show_default}."
    if option.default in (None, False, ()) or option.is_flag:
        return ""
    return f" Default: {getattr(option.default, 'value', option.default)}."


if __name__ == "__main__":
    print(page(), end="")
