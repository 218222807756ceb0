"""Papers to extraction records: clean the abstract, run the pipeline, write down what it found.

``record`` says how a processed Doc becomes a record. Everything is streamed: order is kept, memory is bounded.
"""

import json
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.batches import batched
from kg.clean import clean
from kg.errors import ModelError
from kg.extract.record import record_from
from kg.types import Extraction, Paper

if TYPE_CHECKING:
    from spacy.language import Language

BATCH = 64
"""Papers handed to the pipeline, or to a worker, at once."""

_AHEAD = 3
"""Batches a worker has waiting, so that it never idles while memory stays bounded."""


def extract(
    papers: Iterable[Paper], *, model: str | None = None, workers: int = 1, min_score: float | None = None
) -> Iterator[Extraction]:
    """One record a paper, in the papers' order; a paper whose status is not ``ok`` gives an empty record.

    ``model``: a name or path for ``load_pipeline``, by default the one that is shipped. ``workers``: processes to
    share the work, each with the model of its own; the records are the same whatever their number. ``min_score``: leave
    out triples less certain than this instead of the pipeline's own threshold a relation.

    Raises TypeError for what is no Paper (of what ``kg.read`` gives, a Rejected), ModelError when the model cannot be
    loaded or a worker dies. With more than one worker a script of yours needs the usual ``if __name__ == "__main__":``
    guard, because workers are spawned.

    >>> import kg
    >>> paper = kg.Paper(id="p", abstract="We propose WidgetNet, a graph neural network for link prediction.")
    >>> [record] = kg.extract([paper])
    >>> all(paper.abstract[m.start : m.end] == m.text for m in record.mentions)
    True
    """
    batches = batched(_papers_alone(papers), BATCH)
    if workers <= 1:
        reader = _Reader(model, min_score)
        for batch in batches:
            yield from reader.records(batch)
    else:
        yield from _in_workers(batches, model, min_score, workers)


def _papers_alone(papers: Iterable[Paper]) -> Iterator[Paper]:
    for paper in papers:
        if not isinstance(paper, Paper):
            what = type(paper).__name__
            raise TypeError(
                f"extract takes papers, not a value of type {what}; of what kg.read gives, pass on each Paper"
            )
        yield paper


def extractor_name(model: str | None, min_score: float | None) -> str:
    """What ``Extraction.extractor`` will be; a shipped model is not loaded for it, so that it costs nothing to ask."""
    shipped = Path(__file__).parent.parent / "model"
    about = shipped / (model or "default") / "meta.json"
    if about.is_file() and about.is_relative_to(shipped):
        meta = json.loads(about.read_text(encoding="utf-8"))
        return _named(f"{meta['name']} {meta['version']}", min_score)
    from kg.pipeline import extractor_version, load_pipeline

    return _named(extractor_version(load_pipeline(model)), min_score)


def _named(version: str, min_score: float | None) -> str:
    """A threshold of one's own is part of what made a record: with another one the paper must be read again."""
    return version if min_score is None else f"{version} min-score={min_score:g}"


class _Reader:
    """A loaded pipeline and what turns its Docs into records; one a process."""

    def __init__(self, model: str | None, min_score: float | None) -> None:
        from kg.pipeline import extractor_version, load_pipeline

        self._nlp: Language = load_pipeline(model, min_score=min_score)
        self._extractor = _named(extractor_version(self._nlp), min_score)

    def records(self, papers: Sequence[Paper]) -> list[Extraction]:
        """The records of one batch, in its order."""
        cleaned = {i: clean(paper.abstract) for i, paper in enumerate(papers) if paper.status == "ok"}
        docs = self._nlp.pipe([c.text for c in cleaned.values()], batch_size=BATCH)
        found = dict(zip(cleaned, docs, strict=True))
        return [
            record_from(paper, found[i], cleaned[i], self._extractor)
            if i in found
            else Extraction(paper=paper, extractor=self._extractor)
            for i, paper in enumerate(papers)
        ]


_reader: _Reader | None = None
"""The pipeline of a worker process; the main process never sets it."""


def _start_worker() -> None:
    # Ctrl-C reaches the whole process group; the parent alone decides what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A worker whose parent was killed would wait for work for ever.
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(papers: Sequence[Paper], model: str | None, min_score: float | None) -> list[Extraction]:
    global _reader
    # Loaded with the first batch, not in the initializer, so that a ModelError comes back as what it is.
    if _reader is None:
        _reader = _Reader(model, min_score)
    return _reader.records(papers)


class _Spawning(SpawnContext):
    """Spawned, not forked: a fork copies the embedded graph's JVM threads in a state that hangs. Knows what it made."""

    def __init__(self) -> None:
        self.made: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]
        """A process to come, as the context's own."""
        process = SpawnProcess(*args, **kwargs)
        self.made.append(process)
        return process


@contextmanager
def _held_interrupt() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and never reaches processes that are started: it would end them with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows; there the workers ignore it once they run
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_workers(
    batches: Iterator[list[Paper]], model: str | None, min_score: float | None, workers: int
) -> Iterator[Extraction]:
    context = _Spawning()
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker)
    waiting: deque[Future[list[Extraction]]] = deque()
    done = False
    try:
        for batch in batches:
            with _held_interrupt():
                waiting.append(executor.submit(_work, batch, model, min_score))
            if len(waiting) >= workers * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
        done = True
    except BrokenProcessPool as error:
        raise ModelError(
            f"an extraction worker ended unexpectedly; too little memory for {workers} workers is the usual reason, "
            "so try fewer with --workers"
        ) from error
    finally:
        if not done:  # nobody wants what they are at; a batch takes them seconds
            for process in context.made:
                if process.pid is not None:
                    process.terminate()
        executor.shutdown(wait=True, cancel_futures=True)
