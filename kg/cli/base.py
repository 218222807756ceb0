"""What every command shares: the application, the options with one meaning everywhere, the two consoles.

Results go to standard output and nothing else does; progress, counts and errors go to standard error. A command
imports what it works with inside its function, so that ``kg --help`` and the look-ups start without spaCy.
"""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from kg.version import __version__

DEFAULT_STORE = "kg.db"

BUILD = "Build the graph"
ASK = "Ask it"
SEE = "See it"
NAMES = "Names: one thing, one node"
KEEP = "Keep and serve it"

app = typer.Typer(
    name="kg",
    help="Paper abstracts to a knowledge graph that can be checked: the sentence behind every edge.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


MOST_ROWS = 10**9
"""The largest ``--limit``: engines count rows in numbers of fixed size, and one beyond all graphs is room enough."""


class Format(StrEnum):
    """How a look-up prints its rows."""

    table = "table"
    json = "json"
    csv = "csv"


StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        "-s",
        envvar=["KG_STORE", "NEO4J_URI"],
        metavar="URL",
        help="The graph: neo4j://host, bolt://host or the path of an embedded graph.",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to print the rows.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=MOST_ROWS, help="Rows at most.")]


def checked_score(score: float | None) -> float | None:
    """A score as it is given, where it is one: Typer's own ranges say of nan that it is too large."""
    if score is not None and not 0 <= score <= 1:
        raise typer.BadParameter(f"give a number from 0 to 1, not {score:g}")
    return score


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kg {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Paper abstracts to a knowledge graph that can be checked: the sentence behind every edge."""


def note(text: str) -> None:
    """One line for the person, on standard error, so that piped results stay clean."""
    print(text, file=sys.stderr)
