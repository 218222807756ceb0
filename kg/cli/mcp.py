"""The look-ups for assistants."""

from kg.cli.base import DEFAULT_STORE, KEEP, StoreOption, app


@app.command(rich_help_panel=KEEP)
def mcp(store: StoreOption = DEFAULT_STORE) -> None:
    """Serve the look-ups to an assistant over the Model Context Protocol, on standard input and output, read-only."""
    from kg.graph import open_graph
    from kg.mcp import server

    with open_graph(store) as graph:
        server(graph).run()
