"""Answers on standard output: a table for people, JSON and CSV for programs."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kg.cli.base import Format

if TYPE_CHECKING:
    from kg.graph import EntityCard, PaperCard
    from kg.graph.results import Table

PIPE_WIDTH = 120
"""Columns of a table that is not printed on a terminal."""


def as_json(value: Any) -> str:
    """``value`` as indented JSON, non-ASCII characters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def show(answer: "Table[Any] | EntityCard | PaperCard", format: Format) -> None:
    """Print an answer of the graph API; of a card CSV has its claims, JSON all of it."""
    from kg.graph.results import Table

    if format is Format.table:
        from rich.console import Console

        out = Console(file=sys.stdout, highlight=False, markup=False)
        if not out.is_terminal:
            out.width = PIPE_WIDTH
        out.print(answer)
    elif format is Format.csv:
        print((answer if isinstance(answer, Table) else answer.table()).to_csv(), end="")
    else:
        print(answer.to_json() if isinstance(answer, Table) else answer.model_dump_json(indent=2))


def show_rows(rows: Iterable[Mapping[str, Any]], format: Format, *, columns: Sequence[str], title: str) -> None:
    """Print plain rows, all with these ``columns``, as ``show`` prints answers."""
    from kg.graph.answers import QueryRow
    from kg.graph.results import Table

    show(Table((QueryRow(values=dict(row)) for row in rows), of=QueryRow, title=title, columns=columns), format)
