"""``kg export``: the whole graph as a file that ``kg load`` takes back."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.base import DEFAULT_STORE, KEEP, StoreOption, app, note


@app.command(rich_help_panel=KEEP)
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write, or - for standard output.")],
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write every node and edge as JSON lines, sorted: the back-up, and what two graphs are compared by."""
    from kg.store import open_store
    from kg.store.dump import line, write_dump

    with open_store(store) as graph:
        if str(file) == "-":
            for row in graph.dump():
                sys.stdout.write(line(row))
        else:
            note(f"{file}: {write_dump(graph, file):,} nodes and edges of {store}")
