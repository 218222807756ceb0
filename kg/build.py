"""The whole line: read, leave out what is stored already, extract, link names to entities, write, make names agree.

Every batch is written with a provisional resolution of its own names, so that nothing extracted is lost; at the end
``reconcile`` resolves over all stored records. So the graph is a function of the set of records, whatever their order
and however they were split over loads, and a load that was killed is healed by the next one.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from itertools import chain, groupby, islice
from pathlib import Path
from typing import TypeAlias

from kg.batches import batched
from kg.extract import extract, extractor_name
from kg.own_names import keep_tables, resolver_of
from kg.read import Rejected, files, path_list, read
from kg.read.source import only_once
from kg.reconcile import BATCH, RESOLVED, entities_of, reconcile
from kg.resolve import link, load_aliases, load_never_merge, uses
from kg.restore import Dump, is_dump, opened
from kg.store import Store, default_url, open_store
from kg.types import Contribution, Extraction, Paper
from kg.works import Works

__all__ = ["LoadReport", "load", "reconcile"]

Item: TypeAlias = Paper | Extraction | Rejected


@dataclass(frozen=True)
class LoadReport:
    """What one load did.

    ``loaded``: papers, each once. ``replaced``: how often an id came again with another text; the last one stands, and
    is the one that counts. ``mentions`` and ``triples`` are those of the papers loaded now. ``without``: how many of
    these have no edges because of what they are (no abstract, withdrawn, another language, ...), by status. ``graph``:
    nodes a label and edges a type after the load.
    """

    read: int
    loaded: int
    unchanged: int
    replaced: int
    skipped: tuple[Rejected, ...]
    mentions: int
    triples: int
    without: Mapping[str, int]
    graph: Mapping[str, int]
    seconds: float


def load(
    paths: str | Path | Iterable[str | Path],
    *,
    store: str | Path | Store | None = None,
    format: str | None = None,
    map: Mapping[str, str] | None = None,
    strict: bool = False,
    model: str | None = None,
    min_score: float | None = None,
    workers: int = 1,
    aliases: str | Path | None = None,
    never_merge: str | Path | None = None,
    force: bool = False,
    progress: Callable[[int], object] = lambda _: None,
) -> LoadReport:
    """Load papers, extraction records or graph dumps into the graph at ``store``, by default that of ``open_graph``.

    ``paths``: one or more files, folders or ``-`` for standard input; ``format`` and ``map`` as for ``kg.read``. A
    paper whose content and extractor are stored already is left as it is, unless ``force``. Rows that cannot be read
    are skipped and listed in the report; with ``strict`` the first of them is an InputError, before anything is
    written. ``model``, ``min_score`` and ``workers`` are those of ``kg.extract``. ``aliases`` and ``never_merge`` are
    files of a person's own, laid over the shipped ones; the graph keeps them, so that later loads resolve alike.
    ``progress`` is called with the number of papers done so far.

    Raises InputError for ``strict`` and for a table that cannot be read, ModelError when the model cannot be loaded,
    ResolutionError for a table that contradicts itself, StoreError when the engine fails; what was written until then
    stays, and the next load goes on from there.

    >>> report = load([records], store=str(folder / "new.db"))  # a file of extraction records
    >>> report.loaded
    7
    """
    start = time.perf_counter()
    paths = path_list(paths)
    store = default_url() if store is None else store
    # What a person got wrong is said before there is a graph.
    own_aliases = None if aliases is None else load_aliases(Path(aliases))
    own_never_merge = None if never_merge is None else load_never_merge(Path(never_merge))
    extractor = extractor_name(model, min_score)
    dumps, rest = _told_apart(paths, format)
    passed = _Passed()
    good = passed.good(_all_good(rest, format, map) if strict else read(rest, format=format, map=map))
    # The first good item is waited for, so that a load of nothing makes no graph.
    first = list(islice(good, 1))
    if first or dumps:
        with ExitStack() as stack:
            checked: list[Dump] = [stack.enter_context(opened(path)) for path in dumps]
            graph = stack.enter_context(_opened(store))
            graph.prepare()
            for dump in checked:
                dump.restore(graph, passed.restored(progress))
            keep_tables(graph, own_aliases, own_never_merge)
            line = _Line(graph, passed, progress)
            new = line.new(chain(first, good), extractor, force)
            for batch in batched(_records(new, model, min_score, workers), BATCH):
                line.write(batch)
            reconcile(graph)
            passed.graph = graph.counts()
    return LoadReport(
        read=passed.read,
        loaded=len(passed.loaded),
        unchanged=passed.unchanged,
        replaced=passed.replaced,
        skipped=tuple(passed.skipped),
        mentions=sum(mentions for mentions, _, _ in passed.loaded.values()),
        triples=sum(triples for _, triples, _ in passed.loaded.values()),
        without=dict(sorted(Counter(status for _, _, status in passed.loaded.values() if status != "ok").items())),
        graph=passed.graph,
        seconds=time.perf_counter() - start,
    )


def _told_apart(paths: Iterable[str | Path], format: str | None) -> tuple[list[str], list[str | Path]]:
    """Exported graphs, also those in folders, which are restored with what people decided; and all else, to be read.

    Only a file can be checked to its end before it is written: what comes through a pipe is read as records.
    """
    dumps: list[str] = []
    rest: list[str | Path] = []
    for path in paths:
        here = bool(str(path)) and not only_once(path) and format in (None, "dump")
        inside = list(files(str(path))) if here else []
        found = [file for file in inside if is_dump(file)]
        dumps += found
        rest += [file for file in inside if file not in found] if found else [path]
    return dumps, rest


def _opened(store: str | Path | Store) -> AbstractContextManager[Store]:
    """The store of a URL, closed at the end; one that is open already stays open."""
    return open_store(str(store), mode="write") if isinstance(store, str | Path) else nullcontext(store)


def _all_good(paths: Sequence[str | Path], format: str | None, map: Mapping[str, str] | None) -> Iterator[Item]:
    """All that can be read, once it has been read to the end without a bad row; an InputError otherwise."""
    checked = read(paths, format=format, map=map, strict=True)
    if any(only_once(path) for path in paths):
        return iter(list(checked))
    for _ in checked:
        pass
    return read(paths, format=format, map=map)


def _records(
    items: Iterable[Paper | Extraction], model: str | None, min_score: float | None, workers: int
) -> Iterator[Extraction]:
    """Papers through extraction, records as they are; a run of either is streamed."""
    for is_paper, run in groupby(items, key=lambda item: isinstance(item, Paper)):
        if is_paper:
            papers = (item for item in run if isinstance(item, Paper))
            yield from extract(papers, model=model, workers=workers, min_score=min_score)
        else:
            yield from (item for item in run if isinstance(item, Extraction))


@dataclass
class _Passed:
    """What passed so far, by what became of it."""

    read: int = 0
    loaded: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """Paper id -> how many mentions and triples its last text has, and its status."""

    unchanged: int = 0
    replaced: int = 0
    skipped: list[Rejected] = field(default_factory=list)
    graph: Mapping[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """How many of the items read are dealt with."""
        return len(self.loaded) + self.replaced + self.unchanged

    def good(self, items: Iterable[Item]) -> Iterator[Paper | Extraction]:
        """Papers and records; what cannot be read is put on the list."""
        for item in items:
            if isinstance(item, Rejected):
                self.skipped.append(item)
            else:
                self.read += 1
                yield item

    def written(self, batch: Iterable[Extraction]) -> None:
        """Count what is stored now."""
        for record in batch:
            self.replaced += record.paper.id in self.loaded
            self.loaded[record.paper.id] = (len(record.mentions), len(record.triples), record.paper.status)

    def restored(self, progress: Callable[[int], object]) -> Callable[[Sequence[Contribution]], None]:
        """What counts the papers of a dump as they are written."""

        def count(contributions: Sequence[Contribution]) -> None:
            self.read += len(contributions)
            self.written(contribution.record for contribution in contributions)
            progress(self.done)

        return count


class _Line:
    """One load in progress on an open graph."""

    def __init__(self, graph: Store, passed: _Passed, progress: Callable[[int], object]) -> None:
        self._graph = graph
        self._passed = passed
        self._progress = progress
        self._resolver = resolver_of(graph)

    def new(self, items: Iterable[Paper | Extraction], extractor: str, force: bool) -> Iterator[Paper | Extraction]:
        """What the graph does not hold yet, or with ``force`` everything, each paper once."""
        stored = {} if force else self._graph.ledger()
        works = Works(self._graph)
        seen: dict[str, str] = {}
        for item in items:
            paper, by = (item, extractor) if isinstance(item, Paper) else (item.paper, item.extractor)
            known = paper.id not in seen and stored.get(paper.id) == (paper.content_hash, by)
            merged = None if known else works.merged(paper, None if force else by)
            if merged is None or seen.get(merged.id) == merged.content_hash:
                self._passed.unchanged += 1
                self._progress(self._passed.done)
                continue
            seen[merged.id] = merged.content_hash
            yield merged if isinstance(item, Paper) else item.model_copy(update={"paper": merged})

    def write(self, batch: Sequence[Extraction]) -> None:
        """Write one batch, its names resolved among themselves for now."""
        if not self._passed.loaded:
            self._graph.put_state(RESOLVED, "")
        resolution = self._resolver.resolve(uses(record) for record in batch)
        contributions = [link(record, resolution) for record in batch]
        self._graph.write(contributions, entities_of(contributions, resolution.entities))
        self._passed.written(batch)
        self._progress(self._passed.done)
