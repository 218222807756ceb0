"""A whole graph as JSON lines: the same bytes for the same graph on any engine, and the way back.

First the nodes, a label after the other in alphabetical order (Dataset, Decision, Method, Paper, State, Task), then the
edges, a type after the other; within each by id, by code point. A line starts with ``node`` or ``edge`` (its label or
type) and ``id``, an edge goes on with its ends; the properties follow in alphabetical order, those without a value left
out. Text is UTF-8, not escaped. Name nodes and states are left out, since they follow from the rest; all but a person's
own alias table and never-merge list.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from kg.batches import batched
from kg.errors import InputError, StoreError
from kg.files import replacing
from kg.store import STATE, TABLES, Store
from kg.types import COMMON_PROPERTIES, OWN_PROPERTIES, Contribution, Decision, Edge, Entity, record_of

ENDS = ("head", "head_type", "tail", "tail_type")
BATCH = 500
"""Papers restored at once."""


def node_row(label: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """A node as it is dumped, from the properties that a store keeps of it."""
    return {"node": label, "id": values["id"]} | _properties(values, {"id"})


def edge_row(type_: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """An edge as it is dumped, from its properties and ``head, head_type, tail, tail_type``."""
    ends = {end: values[end] for end in ENDS}
    return {"edge": type_, "id": values["id"]} | ends | _properties(values, {"id", *ENDS})


def decision_row(decision: Decision) -> dict[str, Any]:
    """The properties of a stored Decision node."""
    values = {"id": decision.id, "kind": decision.kind, "a": decision.a, "b": decision.b, "reason": decision.reason}
    names = {"name_a": decision.name_a, "name_b": decision.name_b}
    return values | {side: name for side, name in names.items() if name}


def table_rows(store: Store) -> Iterator[dict[str, Any]]:
    """A person's own tables of names as they are dumped: resolution needs them, and nothing else has them."""
    for name in TABLES:
        value = store.state(name)
        if value is not None:
            yield {"node": STATE, "id": name, "value": value}


def _properties(values: Mapping[str, Any], without: set[str]) -> dict[str, Any]:
    found = {}
    for name in sorted(values.keys() - without):
        value = values[name]
        if value is not None:
            found[name] = float(value) if name == "score" else list(value) if isinstance(value, tuple) else value
    return found


def line(row: Mapping[str, Any]) -> str:
    """One line of a dump, with its end."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_dump(store: Store, path: Path) -> int:
    """Write the graph to ``path``, whole or not at all; the number of lines. Raises StoreError when it cannot."""
    count = 0
    try:
        with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as out:
            for row in store.dump():
                out.write(line(row))
                count += 1
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None
    return count


def is_dump(path: Path) -> bool:
    """Whether a file starts as a dump does; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            row = json.loads(file.readline(1 << 22))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(row, dict) and isinstance(row.get("id"), str) and ("node" in row or "edge" in row)


def restore(
    path: Path, store: Store, *, written: Callable[[Sequence[Contribution]], object] = lambda _: None
) -> dict[str, int]:
    """Make the graph of a dump again in ``store``, with its decisions; the counts of nodes and edges restored.

    ``written`` is called with each batch of papers once it is stored. Papers that ``store`` holds and the dump does not
    stay. Raises InputError, naming the line, for a file that is no dump or is cut off; nothing is written before the
    whole file has been read once.
    """
    with path.open("rb") as file:
        dump = _Dump(path, file)
        store.prepare()
        if dump.decisions:
            kept = {d.id: d for d in store.decisions()} | {d.id: d for d in dump.decisions}
            store.put_decisions([kept[id_] for id_ in sorted(kept)])
        for name, value in dump.tables.items():
            store.put_state(name, value)
        store.put_state("resolved", "")
        for papers in dump.batches():
            contributions = [dump.contribution(paper) for paper in papers]
            named = {edge.tail for c in contributions for edge in c.edges}
            named |= {edge.head for c in contributions for edge in c.edges if edge.head_type != "Paper"}
            store.write(contributions, [dump.entities[id_] for id_ in sorted(named & dump.entities.keys())])
            written(contributions)
        return dump.counts


class _Dump:
    """A dump read once: entities and decisions kept, papers and edges by their place in the file."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path, self.file = path, file
        self.entities: dict[str, Entity] = {}
        self.decisions: list[Decision] = []
        self.tables: dict[str, str] = {}
        self.counts: dict[str, int] = defaultdict(int)
        self._papers: dict[str, tuple[int, int]] = {}
        self._edges: dict[str, list[tuple[int, int]]] = defaultdict(list)
        place = 0
        for number, text in enumerate(file, 1):
            self._take((place, number), self._row(text, number))
            place += len(text)
        for paper, places in self._edges.items():
            if paper not in self._papers:
                raise InputError(f"{path}:{places[0][1]}: an edge of paper {paper!r}, which the dump does not hold")
        self._check_ends()

    def _row(self, text: bytes, number: int) -> dict[str, Any]:
        try:
            row = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"{self.path}:{number}: not a line of JSON ({error}); is the file cut off?") from None
        except (ValueError, RecursionError):  # bytes that are no text, or a number of thousands of digits
            raise InputError(f"{self.path}:{number}: not a line of a dump; is the file damaged?") from None
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise InputError(f"{self.path}:{number}: neither a node nor an edge of a dump")
        return row

    def _take(self, at: tuple[int, int], row: dict[str, Any]) -> None:
        kind = row.get("node") or row.get("edge")
        values = {name: value for name, value in row.items() if name not in ("node", "edge")}
        try:
            if "edge" in row:
                self._edges[row["paper"]].append(at)
            elif kind == "Paper":
                self._papers[row["id"]] = at
            elif kind == "Decision":
                self.decisions.append(Decision(**values))
            elif kind == STATE:
                self.tables[row["id"]] = str(row["value"])
            else:
                self.entities[row["id"]] = Entity(**values, type=row["node"])
        except (KeyError, TypeError, ValidationError) as error:
            raise InputError(f"{self.path}:{at[1]}: not a node or edge of a dump ({_why(error)})") from None
        if kind not in ("Decision", STATE):
            self.counts[str(kind)] += 1

    def _check_ends(self) -> None:
        for paper in self._papers:
            for edge, number in self._edges_of(paper):
                ends = {edge.tail} if edge.head_type == "Paper" else {edge.head, edge.tail}
                for end in sorted(ends - self.entities.keys()):
                    raise InputError(
                        f"{self.path}:{number}: edge {edge.id} leads to {end}, which the dump does not hold"
                    )

    def batches(self) -> Iterator[list[str]]:
        """The ids of the papers, in order."""
        return batched(sorted(self._papers), BATCH)

    def contribution(self, paper: str) -> Contribution:
        """All that one paper adds."""
        place, number = self._papers[paper]
        try:
            record = record_of(self._at(place, number))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{self.path}:{number}: the record of paper {paper!r} is damaged ({_why(error)})"
            ) from None
        return Contribution(record, tuple(edge for edge, _ in self._edges_of(paper)))

    def _at(self, place: int, number: int) -> dict[str, Any]:
        self.file.seek(place)
        return self._row(self.file.readline(), number)

    def _edges_of(self, paper: str) -> Sequence[tuple[Edge, int]]:
        found = []
        for place, number in self._edges.get(paper, ()):
            row = self._at(place, number)
            common: dict[str, Any] = {n: row.get(n) for n in dict.fromkeys(("id", *ENDS, *COMMON_PROPERTIES))}
            if None in common.values():
                missing = ", ".join(name for name, value in common.items() if value is None)
                raise InputError(f"{self.path}:{number}: an edge without {missing}")
            rest = {name: value for name, value in row.items() if name not in common and name != "edge"}
            if unknown := sorted(rest.keys() - set(OWN_PROPERTIES.get(row["edge"], ()))):
                raise InputError(f"{self.path}:{number}: {row['edge']} edges have no {', '.join(unknown)}")
            found.append((Edge(type=row["edge"], properties=rest, **common), number))
        return found


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"{type(error).__name__}: {error}"
