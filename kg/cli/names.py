"""Names: what kg proposes to join, and what people decide; every decision can be taken back exactly."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.base import DEFAULT_STORE, NAMES, Format, FormatOption, LimitOption, StoreOption, app, checked_score, note
from kg.errors import counted
from kg.schema import EntityType

if TYPE_CHECKING:
    from kg.review import Candidate, Change


LIKELY = 0.5
"""The score from which on a candidate is listed, unless another is given."""
EXCERPT = 108
"""Characters of a sentence in a table, so that it stays on one line of 120."""


class What(StrEnum):
    """What ``kg review`` lists."""

    candidates = "candidates"
    ambiguous = "ambiguous"
    types = "types"
    joins = "joins"


ReasonOption = Annotated[str, typer.Option("--reason", "-r", metavar="TEXT", help="Why; kept with the decision.")]
TypeOption = Annotated[EntityType | None, typer.Option("--type", help="Which type is meant, where a name has several.")]


@app.command(rich_help_panel=NAMES)
def review(
    what: Annotated[
        What,
        typer.Argument(
            help="candidates: pairs that may be one thing; ambiguous: short forms left open; types: names with several "
            "types; joins: what was joined and why."
        ),
    ] = What.candidates,
    type: Annotated[EntityType | None, typer.Option("--type", help="Only candidates of this type.")] = None,
    min_score: Annotated[
        float | None,
        typer.Option(
            "--min-score",
            metavar="SCORE",
            callback=checked_score,
            help="Leave out less likely candidates (0 to 1).",
            show_default=str(LIKELY),
        ),
    ] = None,
    limit: LimitOption = 20,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """List names to decide about, with the evidence. Nothing is changed."""
    narrowed = [option for option, value in (("--type", type), ("--min-score", min_score)) if value is not None]
    if narrowed and what is not What.candidates:
        raise typer.BadParameter(f"{' and '.join(narrowed)} can narrow candidates, not {what.value}")

    from kg import review as names
    from kg.cli.output import show_rows
    from kg.store import open_store

    with open_store(store) as graph:
        if what is What.candidates:
            least = LIKELY if min_score is None else min_score
            found = names.candidates(graph, limit=limit, min_score=least, type=type)
            if format is Format.table:
                _print_candidates(found)
                return
            rows = [
                {
                    "score": c.score,
                    "a": f"{c.a} ({c.papers_a})",
                    "b": f"{c.b} ({c.papers_b})",
                    "letters": c.string,
                    "company": c.context,
                    "together": c.together,
                    "shared": ", ".join(c.shared),
                    "a says": c.sentence_a,
                    "b says": c.sentence_b,
                }
                for c in found
            ]
            columns = ["score", "a", "b", "letters", "company", "together", "shared", "a says", "b says"]
            show_rows(rows, format, columns=columns, title="May be one thing")
        elif what is What.ambiguous:
            columns = ["name", "type", "papers"] if format is Format.table else ["id", "name", "papers"]
            show_rows(names.ambiguous(graph)[:limit], format, columns=columns, title="Short forms left open")
        elif what is What.types:
            columns = ["name", "Method", "Task", "Dataset"]
            rows = [{c: row.get(c, "") for c in columns} for row in names.conflicts(graph)[:limit]]
            show_rows(rows, format, columns=columns, title="Papers a type of names with several types")
        else:
            columns = ["type", "name", "into", "why", "reason"]
            show_rows(names.joins(graph)[:limit], format, columns=columns, title="Joined beyond equal spelling")


@app.command(rich_help_panel=NAMES)
def merge(
    a: Annotated[str, typer.Argument(metavar="A", help="Id, name or alias of the entity that stays.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Id, name or alias of the entity that joins it.")],
    reason: ReasonOption,
    type: TypeOption = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Make one entity of two; kg undo takes it back."""
    from kg import review as names
    from kg.store import open_store

    with open_store(store, mode="write") as graph:
        _done(names.merge(graph, a, b, reason=reason, type=type))


@app.command(rich_help_panel=NAMES)
def split(
    a: Annotated[str, typer.Argument(metavar="A", help="Id, name or alias of an entity.")],
    b: Annotated[str | None, typer.Argument(metavar="ALIAS", help="The alias that is another thing.")] = None,
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="ID", help="Instead: the paper that means another thing by it.")
    ] = None,
    *,
    reason: ReasonOption,
    type: TypeOption = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Take an alias, or one paper's use, out of an entity; kg undo takes it back."""
    from kg import review as names
    from kg.store import open_store

    with open_store(store, mode="write") as graph:
        _done(names.split(graph, a, b, paper=paper, reason=reason, type=type))


@app.command(rich_help_panel=NAMES)
def alias(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Id, name or alias of an entity.")],
    other: Annotated[str, typer.Argument(metavar="ALIAS", help="What it is also called.")],
    reason: ReasonOption,
    type: TypeOption = None,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Give an entity another name, for papers here and to come; kg undo takes it back."""
    from kg import review as names
    from kg.store import open_store

    with open_store(store, mode="write") as graph:
        _done(names.alias(graph, name, other, reason=reason, type=type))


@app.command(rich_help_panel=NAMES)
def undo(
    decision: Annotated[str, typer.Argument(metavar="ID", help="The id of a decision; kg decisions lists them.")],
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Take a merge, split or alias back: the graph is as if it had never been."""
    from kg import review as names
    from kg.store import open_store

    with open_store(store, mode="write") as graph:
        change = names.undo(graph, decision)
    a, b = names.shown(change.decision)
    note(f"undone: {change.decision.kind} of {a} and {b}; {counted(change.papers, 'paper')} changed")


@app.command(rich_help_panel=NAMES)
def decisions(
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", dir_okay=False, help="Write them to a CSV file.")
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", dir_okay=False, help="Add those of such a file.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    format: FormatOption = Format.table,
) -> None:
    """List the merges, splits and aliases that people decided, or carry them from one graph to another."""
    from kg import review as names
    from kg.cli.output import show_rows
    from kg.store import open_store

    if load is not None:
        with open_store(store, mode="write") as graph:
            added = names.read_decisions(graph, load)
            note(f"{added} decision{'' if added == 1 else 's'} added from {load}")
    with open_store(store) as graph:
        if export is not None:
            written = names.write_decisions(graph, export)
            note(f"{written} decision{'' if written == 1 else 's'} written to {export}")
        elif load is None:
            rows = [
                {"id": d.id, "kind": d.kind, "a": a, "b": b, "reason": d.reason}
                for d in graph.decisions()
                for a, b in [names.shown(d)]
            ]
            show_rows(rows, format, columns=["id", "kind", "a", "b", "reason"], title="Decisions")


def _print_candidates(found: "list[Candidate]") -> None:
    """Pairs for people: names, and below each pair what one paper says of either, cut to about a line."""
    from kg.cli.output import show_rows

    rows = [
        {
            "score": c.score,
            "type": c.type,
            "a": f"{c.name_a} ({c.papers_a})",
            "b": f"{c.name_b} ({c.papers_b})",
            "together": c.together,
            "a_sentence": excerpt(c.sentence_a, c.name_a),
            "b_sentence": excerpt(c.sentence_b, c.name_b),
        }
        for c in found
    ]
    columns = ["score", "type", "a", "b", "together", "a_sentence", "b_sentence"]
    show_rows(rows, Format.table, columns=columns, title="May be one thing (papers in brackets)")
    if rows:
        note("kg merge A B --reason ... joins two; --format json has ids, whole sentences and the parts of the score")


def excerpt(sentence: str, name: str, room: int = EXCERPT) -> str:
    """At most ``room`` characters of a sentence, whole words, those around ``name`` where it is found.

    >>> excerpt("A short one.", "one")
    'A short one.'
    >>> excerpt("Many birds of the wood build nests that hold through storms and rain.", "nests", 30)
    '... build nests that ...'
    """
    text = " ".join(sentence.split())
    if len(text) <= room:
        return text
    at = max(0, text.casefold().find(name.casefold()))
    start = max(0, min(at - (room - len(name)) // 2, len(text) - room))
    end = min(len(text), start + room)
    words = text[start:end]
    if start:
        words = "... " + words[4:].partition(" ")[2]
    if end < len(text):
        words = words[:-4].rpartition(" ")[0] + " ..."
    return words


def _done(change: "Change") -> None:
    from kg.review import shown

    made = change.decision
    a, b = shown(made)
    told = "".join(f"; {each}" for each in change.notes)
    note(
        f"{made.kind} of {a} and {b}: {counted(change.papers, 'paper')} changed{told}; kg undo {made.id} takes it back"
    )
