"""Rows on standard output: a table for people, JSON and CSV for programs."""

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.cli.base import Format, note

# What a terminal would obey rather than show: an abstract is other people's text and may hold escape sequences.
_CONTROLS = {
    code: "\N{REPLACEMENT CHARACTER}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"
}
_PIPE_WIDTH = 120


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return "; ".join(_cell(v) for v in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_cell(v)}" for k, v in value.items())
    return str(value)


def visible(text: str) -> str:
    """``text`` with control characters replaced, safe to print on a terminal."""
    return text.translate(_CONTROLS)


def as_json(value: Any) -> str:
    """``value`` as indented JSON, non-ASCII characters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def show(
    rows: Iterable[Mapping[str, Any]],
    format: Format,
    *,
    columns: Sequence[str] | None = None,
    title: str | None = None,
    empty: str = "nothing found",
) -> None:
    """Print ``rows`` to standard output; ``columns`` fixes their order where there may be no row to tell it.

    As a table an empty result is said on standard error (``empty``); as JSON it is ``[]`` and as CSV the header alone.
    """
    rows = list(rows)
    names = list(columns or (rows[0] if rows else ()))
    if format is Format.json:
        print(as_json([{name: row.get(name) for name in names} for row in rows]))
    elif format is Format.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        if names:
            writer.writerow(names)
        for row in rows:
            writer.writerow(["" if row.get(n) is None else _csv_cell(row[n]) for n in names])
    elif not rows:
        note(empty)
    else:
        _table(rows, names, title)


def _csv_cell(value: Any) -> Any:
    return value if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False, default=str)


def _table(rows: Sequence[Mapping[str, Any]], names: Sequence[str], title: str | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for name in names:
        number = all(isinstance(row.get(name), int | float | None) for row in rows)
        table.add_column(name, justify="right" if number else "left", overflow="fold", vertical="top")
    for row in rows:
        table.add_row(*(Text(visible(_cell(row.get(name)))) for name in names))
    out = Console(file=sys.stdout, highlight=False, markup=False)
    if not out.is_terminal:
        out.width = _PIPE_WIDTH
    out.print(table)
