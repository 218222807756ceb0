"""The look-ups for assistants."""

import os
import signal
from typing import NoReturn

from kg.cli.base import DEFAULT_STORE, KEEP, StoreOption, app, note


@app.command(rich_help_panel=KEEP)
def mcp(store: StoreOption = DEFAULT_STORE) -> None:
    """Serve the look-ups to an assistant over the Model Context Protocol, on standard input and output, read-only."""
    from kg.graph import open_graph
    from kg.mcp import server

    with open_graph(store) as graph:
        signal.signal(signal.SIGINT, _leave)
        server(graph).run()


def _leave(*_: object) -> NoReturn:
    # The SDK waits for standard input in a thread that nothing ends; there is nothing to save, since this only reads.
    note("kg: interrupted")
    os._exit(130)
