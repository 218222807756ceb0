"""A progress bar on standard error, where that is a terminal; nothing at all where it is not."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def watched() -> bool:
    """Whether somebody is there to see progress."""
    return sys.stderr.isatty()


@contextmanager
def papers_done(total: Callable[[], int | None]) -> Iterator[Callable[[int], object]]:
    """A function to call with the number of papers done so far; draws papers, rate and time left.

    ``total`` is asked for the number of papers to come only when there is a terminal; None where it cannot be known.
    """
    if not watched():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(show_speed=True),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("papers", total=None)
        bar.update(task, total=total())
        yield lambda done: bar.update(task, completed=done)
