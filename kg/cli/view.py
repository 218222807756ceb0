"""Pictures: one HTML file each, complete in itself."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.base import DEFAULT_STORE, SEE, StoreOption, app

if TYPE_CHECKING:
    from kg.view import Page

pictures = typer.Typer(no_args_is_help=True, help="Draw an entity, a paper, a task or the model as one HTML file.")
app.add_typer(pictures, name="view", rich_help_panel=SEE)

OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write; else named after what is drawn.")
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open it in the browser.")]
NeighboursOption = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", min=1, max=500, help="Neighbours at most.")
]


@pictures.command()
def entity(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, alias or id, in any case.")],
    output: OutputOption = None,
    limit: NeighboursOption = 24,
    open_: OpenOption = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """A method, task or dataset amid what is said of it."""
    from kg.graph import open_graph
    from kg.view import view_entity

    with open_graph(store) as graph:
        _deliver(view_entity(graph, name, limit=limit), output, open_)


@pictures.command()
def paper(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="Its id, another identifier, or its title.")],
    output: OutputOption = None,
    open_: OpenOption = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """A paper's abstract with its mentions marked and its claims drawn."""
    from kg.graph import open_graph
    from kg.view import view_paper

    with open_graph(store) as graph:
        _deliver(view_paper(graph, paper), output, open_)


@pictures.command()
def task(
    name: Annotated[str, typer.Argument(metavar="TASK", help="A task's name or alias, in any case.")],
    output: OutputOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=100, help="Of each kind at most.")] = 8,
    open_: OpenOption = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """A task's map: the papers, methods, datasets and tasks around it."""
    from kg.graph import open_graph
    from kg.view import view_task

    with open_graph(store) as graph:
        _deliver(view_task(graph, name, limit=limit), output, open_)


@pictures.command()
def schema(output: OutputOption = None, open_: OpenOption = False, store: StoreOption = DEFAULT_STORE) -> None:
    """The graph model, with how much of each the graph holds."""
    from kg.graph import open_graph
    from kg.view import view_schema

    with open_graph(store) as graph:
        _deliver(view_schema(graph), output, open_)


@app.command(rich_help_panel=SEE)
def report(output: OutputOption = None, open_: OpenOption = False, store: StoreOption = DEFAULT_STORE) -> None:
    """One page about the whole graph: counts, methods by year, the map of tasks, what to review."""
    from kg.graph import open_graph
    from kg.view import report as draw

    with open_graph(store) as graph:
        _deliver(draw(graph), output or Path("report.html"), open_)


def _deliver(page: "Page", output: Path | None, open_: bool) -> None:
    """Write the page and print its path."""
    stem = re.sub(r"[^\w-]+", "-", page.title).strip("-").lower()[:60] or "picture"
    path = page.save(output or Path(f"{stem}.html"))
    print(path)
    if open_:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
