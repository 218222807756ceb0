"""Look-ups: recipes by name, and the questions people ask most as commands of their own."""

import re
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.base import ASK, DEFAULT_STORE, Format, FormatOption, LimitOption, StoreOption, app
from kg.errors import InputError
from kg.schema import EntityType

if TYPE_CHECKING:
    from kg.recipes import Parameter, Recipe

HELP_WIDTH = 100
"""Columns of the text of a recipe's help."""

PaperArgument = Annotated[str, typer.Argument(metavar="PAPER", help="Its id, another identifier, or its title.")]


@app.command(
    rich_help_panel=ASK,
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def query(
    context: typer.Context,
    recipe: Annotated[
        str | None, typer.Argument(metavar="RECIPE", help="A recipe's name, or one read-only Cypher query in quotes.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
    help: Annotated[bool, typer.Option("--help", "-h", help="Show this, or the help of RECIPE.")] = False,
) -> None:
    """Ask a recipe: kg query RECIPE --PARAMETER VALUE ... (kg recipes lists them).

    Every recipe takes --limit N (or -n N) as other look-ups do. kg query RECIPE --help explains one.
    """
    from kg.recipes import recipe as find

    if recipe is None:
        if not help:
            raise typer.BadParameter("name a recipe; 'kg recipes' lists them", ctx=context)
        typer.echo(context.get_help())
        return
    if recipe.startswith("-"):
        raise typer.BadParameter(f"name the recipe first: kg query RECIPE {recipe} ...", ctx=context)
    if help:
        print(_recipe_help(find(recipe)))
        return
    is_cypher = len(recipe.split()) > 1
    parameters = _parameters(context.args)
    if is_cypher:
        parameters = {name: _value(text) for name, text in parameters.items()}
    else:
        find(recipe).values(parameters)

    from kg.cli.output import show
    from kg.graph import open_graph

    with open_graph(store) as graph:
        show(graph.query(recipe, **parameters), format)


@app.command(rich_help_panel=ASK)
def recipes(format: FormatOption = Format.table) -> None:
    """List the recipes with their parameters."""
    from kg.cli.output import show_rows
    from kg.recipes import recipes as all_recipes

    rows = [
        {"recipe": one.name, "parameters": " ".join(_usage(p) for p in one.parameters), "title": one.title}
        for one in all_recipes()
    ]
    show_rows(rows, format, columns=("recipe", "parameters", "title"), title="Recipes")


@app.command(rich_help_panel=ASK)
def shared(
    method: Annotated[
        str | None, typer.Argument(metavar="METHOD", help="A method's name or alias, in any case.")
    ] = None,
    papers: Annotated[
        tuple[str, str] | None, typer.Option("--papers", metavar="A B", help="Instead: what two papers share.")
    ] = None,
    relation: Annotated[
        list[str] | None,
        typer.Option("--relation", metavar="NAME", help="Only papers with this relation to it; repeatable."),
    ] = None,
    mentions: Annotated[bool, typer.Option("--mentions", help="Also what is merely named.")] = False,
    limit: LimitOption = 20,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """The papers that use, propose or compare with a method, with the sentences; or what two papers share."""
    if (method is None) == (papers is None):
        raise typer.BadParameter("give a METHOD, or two papers with --papers A B")
    if papers is not None and relation:
        raise typer.BadParameter("--relation goes with a METHOD, not with --papers")

    from kg.cli.output import show
    from kg.graph import open_graph

    with open_graph(store) as graph:
        if papers is not None:
            show(graph.shared(*papers, mentions=mentions)[:limit], format)
        elif method is not None:
            found = graph.papers_sharing_method(method, relations=relation, mentions=mentions, limit=limit)
            show(found, format)


@app.command(rich_help_panel=ASK)
def similar(
    paper: PaperArgument,
    limit: LimitOption = 10,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """The papers nearest to one by what they share, rare things weighing more, each with the reasons."""
    from kg.cli.output import show
    from kg.graph import open_graph

    with open_graph(store) as graph:
        show(graph.similar(paper, limit), format)


@app.command(rich_help_panel=ASK)
def entity(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, alias or id, in any case.")],
    type: Annotated[EntityType | None, typer.Option("--type", help="Only an entity of this type.")] = None,
    limit: LimitOption = 50,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """One method, task or dataset and all that is said of it."""
    from kg.cli.output import show
    from kg.graph import open_graph

    with open_graph(store) as graph:
        show(graph.entity(name, type=type, limit=limit), format)


@app.command(rich_help_panel=ASK)
def paper(
    paper: PaperArgument,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """One paper: what it names, and what it claims, with the sentences."""
    from kg.cli.output import show
    from kg.graph import open_graph

    with open_graph(store) as graph:
        show(graph.paper(paper), format)


@app.command(rich_help_panel=ASK)
def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words of a title, name or alias.")],
    limit: LimitOption = 20,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """Full-text search over titles, names and aliases, for when the exact name is not known."""
    from kg.cli.output import show
    from kg.graph import open_graph

    with open_graph(store) as graph:
        show(graph.search(text, limit=limit), format)


def _parameters(arguments: Sequence[str]) -> dict[str, str]:
    """``--name value``, ``--name=value`` and bare ``--name`` (true) as a dict; ``-n`` is ``--limit`` as elsewhere."""
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        option = re.sub(r"^-n=?(?=\d|$)", "--limit=", rest.pop(0))
        if option == "--limit=" and rest:
            option += rest.pop(0)
        if not option.startswith("--") or option == "--":
            raise InputError(f"{option!r} is no parameter; write --NAME VALUE")
        name, equals, value = option[2:].partition("=")
        if not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("--") else "true"
        found[name.replace("-", "_")] = value
    return found


def _value(text: str) -> Any:
    """A parameter of a free query: a number or truth value where it is written as one in Cypher, else the text."""
    if re.fullmatch(r"-?(0|[1-9][0-9]*)", text):
        return int(text)
    if re.fullmatch(r"-?(0|[1-9][0-9]*)\.[0-9]+", text):
        return float(text)
    return {"true": True, "false": False}.get(text, text)


def _usage(parameter: "Parameter") -> str:
    usage = f"--{parameter.name.replace('_', '-')} {parameter.type.upper()}"
    return usage if parameter.required else f"[{usage}]"


def _recipe_help(one: "Recipe") -> str:
    """The help of one recipe, as its header says it."""
    lines = [f"Usage: kg query {one.name} " + " ".join(_usage(p) for p in one.parameters), "", one.title + ".", ""]
    if one.notes:
        lines += [fill(" ".join(one.notes), HELP_WIDTH), ""]
    width = max((len(_usage(p)) for p in one.parameters), default=0)
    for parameter in one.parameters:
        default = "" if parameter.required else f" (default: {parameter.default!r})"
        lines.append(f"  {_usage(parameter):{width}}  {parameter.text}{default}")
    return "\n".join([*lines, "", "Columns: " + ", ".join(one.returns), f"File: {one.path}"])
