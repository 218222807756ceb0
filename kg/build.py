"""The whole line: read, leave out what is stored already, extract, link names to entities, write, make names agree.

Every batch is written with a provisional resolution of its own names, so that nothing extracted is lost; at the end
``reconcile`` resolves over all stored records. So the graph is a function of the set of records, whatever their order
and however they were split over loads, and a load that was killed is healed by the next one.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from kg.extract import extract, extractor_name
from kg.read import Rejected, read
from kg.reconcile import BATCH, RESOLVED, batches, entities_of, keep_tables, reconcile, resolver_of, several_names
from kg.resolve import identifiers, link, update, uses
from kg.store import Store, open_store
from kg.store.dump import is_dump, restore
from kg.types import Contribution, Extraction, Paper

__all__ = ["LoadReport", "load", "reconcile"]

Item: TypeAlias = Paper | Extraction | Rejected


@dataclass(frozen=True)
class LoadReport:
    """What one load did.

    ``mentions`` and ``triples`` are those of the papers loaded now. ``without``: how many of these have no edges
    because of what they are (no abstract, withdrawn, another language, ...), by status. ``graph``: nodes a label and
    edges a type after the load.
    """

    read: int
    loaded: int
    unchanged: int
    skipped: tuple[Rejected, ...]
    mentions: int
    triples: int
    without: Mapping[str, int]
    graph: Mapping[str, int]
    seconds: float


def load(
    paths: Iterable[str | Path],
    *,
    store: str | Store = "kg.db",
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
    """Load papers, extraction records or graph dumps into the graph at ``store``.

    ``paths``: files, folders or ``-`` for standard input; ``format`` and ``map`` as for ``kg.read``. A paper whose
    content and extractor are stored already is left as it is, unless ``force``. Rows that cannot be read are skipped
    and listed in the report; with ``strict`` the first of them is an InputError, before anything is written.
    ``model``, ``min_score`` and ``workers`` are those of ``kg.extract``. ``aliases`` and ``never_merge`` are files of a
    person's own, laid over the shipped ones; the graph keeps them, so that later loads resolve alike. ``progress`` is
    called with the number of papers done so far.

    Raises InputError for ``strict``, ModelError when the model cannot be loaded, ResolutionError for a table that
    contradicts itself, StoreError when the engine fails; what was written until then stays, and the next load goes on
    from there.
    """
    start = time.perf_counter()
    paths = list(paths)
    dumps = [path for path in paths if str(path) != "-" and format is None and is_dump(Path(path))]
    rest = [path for path in paths if path not in dumps]
    items = _all_good(rest, format, map) if strict else read(rest, format=format, map=map)
    with _opened(store) as graph:
        graph.prepare()
        keep_tables(graph, aliases, never_merge)
        line = _Line(graph, extractor_name(model, min_score), force, progress)
        for path in dumps:
            restore(Path(path), graph, written=line.restored)
        for batch in batches(_records(line.fresh(items), model, min_score, workers), BATCH):
            line.write(batch)
        reconcile(graph)
        return LoadReport(
            read=line.read,
            loaded=line.loaded,
            unchanged=line.unchanged,
            skipped=tuple(line.skipped),
            mentions=line.mentions,
            triples=line.triples,
            without=dict(sorted(line.without.items())),
            graph=graph.counts(),
            seconds=time.perf_counter() - start,
        )


def _opened(store: str | Store) -> AbstractContextManager[Store]:
    """The store of a URL, closed at the end; one that is open already stays open."""
    return open_store(store, mode="write") if isinstance(store, str) else nullcontext(store)


def _all_good(paths: Sequence[str | Path], format: str | None, map: Mapping[str, str] | None) -> Iterator[Item]:
    """All that can be read, once it has been read to the end without a bad row; an InputError otherwise."""
    checked = read(paths, format=format, map=map, strict=True)
    if "-" in paths:
        return iter(list(checked))  # standard input cannot be read a second time
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


class _Line:
    """One load in progress: what is stored already, and counts of what passed."""

    def __init__(self, graph: Store, extractor: str, force: bool, progress: Callable[[int], object]) -> None:
        self.read = self.loaded = self.unchanged = self.mentions = self.triples = 0
        self.skipped: list[Rejected] = []
        self.without: Counter[str] = Counter()
        self._graph = graph
        self._resolver = resolver_of(graph)
        self._stored = {} if force else graph.ledger()
        # Only works that go by several names: whether anything else is stored, the ledger knows.
        self._owners = {} if force else several_names(graph)
        self._extractor = extractor
        self._seen: dict[str, str] = {}
        self._progress = progress

    def fresh(self, items: Iterable[Item]) -> Iterator[Paper | Extraction]:
        """The papers and records that are not in the graph yet; what cannot be read is listed."""
        for item in items:
            if isinstance(item, Rejected):
                self.skipped.append(item)
                continue
            self.read += 1
            paper, extractor = (item, self._extractor) if isinstance(item, Paper) else (item.paper, item.extractor)
            content = paper.content_hash
            known = self._stored.get(paper.id) == (content, extractor) or self._seen.get(paper.id) == content
            changed = None if known else self._update_of(paper, extractor)
            if changed is None:
                self.unchanged += 1
                self._progress(self.loaded + self.unchanged)
                continue
            if changed != paper:
                item = changed if isinstance(item, Paper) else item.model_copy(update={"paper": changed})
            self._seen[paper.id] = content
            yield item

    def _update_of(self, paper: Paper, extractor: str) -> Paper | None:
        """What reading ``paper`` makes of the work, where it is stored under this or another id; None: nothing new."""
        owner = next((self._owners[name] for name in sorted(identifiers(paper)) if name in self._owners), None)
        if owner is None:
            return paper
        stored = next(iter(self._graph.records([owner])), None)
        if stored is None or stored.paper == paper:
            return paper
        changed = update(paper, stored.paper)
        if changed is None and paper.id == stored.paper.id and extractor != stored.extractor:
            return stored.paper
        return changed

    def write(self, batch: Sequence[Extraction]) -> None:
        """Write one batch, its names resolved among themselves for now."""
        if not self.loaded:
            self._graph.put_state(RESOLVED, "")
        resolution = self._resolver.resolve(uses(record) for record in batch)
        contributions = [link(record, resolution) for record in batch]
        self._graph.write(contributions, entities_of(contributions, resolution.entities))
        self._count(batch)

    def restored(self, contributions: Sequence[Contribution]) -> None:
        """Count the papers of a dump as they are written."""
        self.read += len(contributions)
        self._count([contribution.record for contribution in contributions])

    def _count(self, batch: Sequence[Extraction]) -> None:
        for record in batch:
            self.mentions += len(record.mentions)
            self.triples += len(record.triples)
            if record.paper.status != "ok":
                self.without[record.paper.status] += 1
        self.loaded += len(batch)
        self._progress(self.loaded + self.unchanged)
