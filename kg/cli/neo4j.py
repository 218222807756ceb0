"""Commands for a graph in a Neo4j server: its constraints and indexes, and what Neo4j Browser needs."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.base import DEFAULT_STORE, KEEP, SEE, Format, FormatOption, StoreOption, app, note


@app.command(rich_help_panel=KEEP)
def schema(store: StoreOption = DEFAULT_STORE, format: FormatOption = Format.table) -> None:
    """Show constraints and indexes: what is there against what should be."""
    from kg.cli.output import show_rows
    from kg.store import SERVER, open_store

    # A server is asked in any case, also where it holds no graph yet; a folder is not made by looking at it.
    with open_store(store, mode="write" if SERVER.match(store) else "read") as graph:
        rows = graph.schema_state()
    show_rows(rows, format, columns=("kind", "name", "on", "state"), title=f"Schema of {graph.url}")
    wrong = sum(row["state"] not in ("online", "not kg's") for row in rows)
    if wrong:
        note(f"{wrong} of {len(rows)} are not in place; `kg load` makes what is missing.")


@app.command(rich_help_panel=SEE)
def browser(
    store: StoreOption = DEFAULT_STORE,
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Folder for the files that Browser takes.")] = Path(
        "kg-browser"
    ),
    http: Annotated[
        str | None, typer.Option("--http", metavar="URL", help="Where Browser is served, if not on port 7474.")
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open Browser as well.")] = False,
) -> None:
    """Print the address of Neo4j Browser, and write what to import there: saved queries, style, guide."""
    from kg.browser import browser_address, write_browser_files
    from kg.store import open_store

    address = browser_address(store, http)
    with open_store(store) as graph:
        queries, style, guide = write_browser_files(graph, to)
    print(address)
    note(f"Log in, then drop {queries} on the saved queries (the star at the left)")
    note(f"and {style} on the window that `:style` opens; {guide} is a short tour.")
    if open and not webbrowser.open(address):
        note("No web browser could be opened here; open the address yourself.")
