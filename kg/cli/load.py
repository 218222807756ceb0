"""``kg load``, ``kg extract`` and ``kg evaluate``: from abstracts to the graph, to records, to figures."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from kg.cli.base import BUILD, DEFAULT_STORE, StoreOption, app, checked_score, note
from kg.errors import InputError, counted
from kg.files import replacing
from kg.schema import ENTITY_TYPES, SCHEMA

if TYPE_CHECKING:
    from kg.build import LoadReport
    from kg.read import Rejected
    from kg.types import Paper

SHOWN = 20
"""Skipped rows that are listed on the screen; --rejects lists all."""

PathsArgument = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Files or folders of papers, or - for standard input.")
]
InputFormat = Annotated[
    str | None, typer.Option("--format", "-f", metavar="NAME", help="Read the input as this format, not as detected.")
]
MapOption = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="FIELD=COLUMN", help="Where a field is found, e.g. abstract=summary; repeatable."),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Stop at the first bad row, with nothing written.")]
RejectsOption = Annotated[
    Path | None, typer.Option("--rejects", metavar="FILE", help="Write what was skipped there, as JSON lines.")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|PATH",
        help="accurate (larger, slower), or a pipeline that sets Method, Task and Dataset.",
    ),
]
MinScoreOption = Annotated[
    float | None,
    typer.Option(
        "--min-score",
        metavar="SCORE",
        callback=checked_score,
        help="Leave out facts less certain than this (0 to 1).",
        show_default="per relation",
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", "-w", metavar="N", min=1, help="Processes that extract.")]


@app.command(rich_help_panel=BUILD)
def load(
    paths: PathsArgument,
    store: StoreOption = DEFAULT_STORE,
    format: InputFormat = None,
    map: MapOption = None,
    strict: StrictOption = False,
    rejects: RejectsOption = None,
    model: ModelOption = None,
    min_score: MinScoreOption = None,
    workers: WorkersOption = 1,
    aliases: Annotated[
        Path | None, typer.Option("--aliases", metavar="FILE", help="Your own alias table; the graph keeps it.")
    ] = None,
    never_merge: Annotated[
        Path | None,
        typer.Option("--never-merge", metavar="FILE", help="Your own never-merge list; the graph keeps it."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Load papers that are stored already once more.")] = False,
) -> None:
    """Load papers, extraction records or a graph's export into the graph."""
    import kg
    from kg.cli.progress import papers_done

    fields = _fields(map)
    _must_be_writable(rejects)
    with papers_done(lambda: _count(paths, format, fields)) as progress:
        report = kg.load(
            paths,
            store=store,
            format=format,
            map=fields,
            strict=strict,
            model=model,
            min_score=min_score,
            workers=workers,
            aliases=aliases,
            never_merge=never_merge,
            force=force,
            progress=progress,
        )
    _list_skipped(report.skipped, rejects)
    if not report.loaded and not report.unchanged:
        raise InputError("nothing could be loaded: " + ", ".join(paths))
    for line in _summary(report, store):
        print(line)


@app.command(rich_help_panel=BUILD)
def extract(
    paths: PathsArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there; standard output without it.")
    ] = None,
    format: InputFormat = None,
    map: MapOption = None,
    strict: StrictOption = False,
    rejects: RejectsOption = None,
    model: ModelOption = None,
    min_score: MinScoreOption = None,
    workers: WorkersOption = 1,
) -> None:
    """Write one extraction record a paper, as JSON lines; kg load takes them."""
    import kg
    from kg.cli.progress import papers_done

    fields = _fields(map)
    _must_be_writable(rejects)
    skipped: list[Rejected] = []
    written = 0
    with _writer(output) as out:
        with papers_done(lambda: _count(paths, format, fields)) as progress:
            papers = _papers(paths, format, fields, strict, skipped)
            for record in kg.extract(papers, model=model, workers=workers, min_score=min_score):
                out.write(record.model_dump_json() + "\n")
                written += 1
                progress(written)
        _list_skipped(skipped, rejects)
        # Said before the file takes its name, so that an earlier one stays.
        if not written:
            raise InputError("nothing could be read: " + ", ".join(paths))
    note(f"{counted(written, 'record')} written, {len(skipped)} skipped")


@app.command(rich_help_panel=BUILD)
def evaluate(
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="Annotated abstracts, JSON lines.")],
    records: Annotated[
        Path | None, typer.Argument(metavar="RECORDS", help="Extraction records; made from GOLD's texts without it.")
    ] = None,
    gold_mentions: Annotated[
        bool, typer.Option("--gold-mentions", help="Take the annotated mentions as found: measures naming alone.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    model: ModelOption = None,
    min_score: MinScoreOption = None,
    workers: WorkersOption = 1,
) -> None:
    """Measure extraction against annotated abstracts: precision, recall and F1."""
    import kg
    from kg.cli.output import as_json as to_json

    found = kg.evaluate(gold, records, gold_mentions=gold_mentions, model=model, min_score=min_score, workers=workers)
    print(to_json(found.as_dict()) if as_json else found)


def _fields(pairs: Sequence[str] | None) -> dict[str, str] | None:
    """``--map`` as a dict; InputError where a pair has no ``=``."""
    if not pairs:
        return None
    split = [pair.partition("=") for pair in pairs]
    for field, equals, column in split:
        if not (field and equals and column):
            raise InputError(f"--map {field}{equals}{column}: write FIELD=COLUMN, for example --map abstract=summary")
    return {field: column for field, _, column in split}


def _count(paths: Sequence[str], format: str | None, fields: dict[str, str] | None) -> int | None:
    """How many papers there are to read; None where a path, as standard input, can be read only once."""
    from kg.read import Rejected, read
    from kg.read.source import only_once

    if any(map(only_once, paths)):
        return None
    return sum(not isinstance(item, Rejected) for item in read(paths, format=format, map=fields))


@contextmanager
def _writer(path: Path | None) -> Iterator[TextIO]:
    """Where to write: standard output, or a file that has its name only once it is whole."""
    if path is None:
        yield sys.stdout
        return
    try:
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as out:
            yield out
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def _must_be_writable(path: Path | None) -> None:
    """Raise InputError where what was skipped could not be written there: not only once the work is done."""
    if path is None:
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError(f"{path} is a folder; give --rejects a file")
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {target.parent}")
    if not os.access(target.parent if target.is_file() or not target.exists() else target, os.W_OK):
        raise InputError(f"{path} cannot be written: permission denied")


def _papers(
    paths: Sequence[str], format: str | None, fields: dict[str, str] | None, strict: bool, skipped: list["Rejected"]
) -> Iterator["Paper"]:
    """The papers to extract from; what cannot be read is put on ``skipped``."""
    from kg.read import Rejected, read
    from kg.types import Extraction

    for item in read(paths, format=format, map=fields, strict=strict):
        if isinstance(item, Rejected):
            skipped.append(item)
        else:
            yield item.paper if isinstance(item, Extraction) else item


def _list_skipped(skipped: Sequence["Rejected"], rejects: Path | None) -> None:
    """Say what was skipped and why, on standard error and in the file that was asked for."""
    for row in skipped[:SHOWN]:
        note(f"skipped {row}")
    if len(skipped) > SHOWN:
        note(f"... and {len(skipped) - SHOWN:,} more" + ("" if rejects else "; --rejects FILE lists all of them"))
    if rejects is not None:
        with _writer(rejects) as out:
            for row in skipped:
                out.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def _summary(report: "LoadReport", store: str) -> Iterator[str]:
    yield (
        f"{counted(report.read, 'paper')} read: {report.loaded:,} loaded, {report.unchanged:,} unchanged; "
        f"{counted(len(report.skipped), 'row')} skipped"
    )
    if report.replaced:
        again = counted(report.replaced, "paper")
        yield f"{again} given again under the same id with another text: the last one stands"
    for status, number in report.without.items():
        yield f"{counted(number, 'paper')} without edges: {status}"
    slow = report.loaded < report.seconds
    each = f"{report.seconds / report.loaded:.1f} s a paper" if report.loaded and slow else ""
    rate = f" ({each or f'{report.loaded / report.seconds:.1f} papers a second'})" if report.loaded else ""
    found = f"{counted(report.mentions, 'mention')} and {counted(report.triples, 'triple')}"
    yield f"{found} in {report.seconds:.1f} s{rate}"
    nodes = {label: report.graph.get(label, 0) for label in ("Paper", *ENTITY_TYPES)}
    entities = sum(nodes[type_] for type_ in ENTITY_TYPES)
    edges = sum(number for name, number in report.graph.items() if name in SCHEMA)
    yield f"{store}: {counted(nodes['Paper'], 'paper')}, {counted(entities, 'entity')}, {counted(edges, 'edge')}"
