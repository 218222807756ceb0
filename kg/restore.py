"""The way back from an exported graph: the whole file is checked, each line and all against each other, then written.

People edit such files and copy them badly, so nothing in them is believed: types and names of properties, ids that come
once, ends that are there, evidence that stands in the abstract, a statement for all that a paper's record says.
"""

import json
import stat
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model

from kg.batches import batched
from kg.errors import InputError, ResolutionError, quoted
from kg.own_names import ALIASES, NEVER_MERGE, aliases_in, never_merge_in, resolver
from kg.read.detection import detect_source
from kg.read.jsonlines import first_problem
from kg.read.source import TOO_LONG, Broken, mode_of, sources
from kg.reconcile import RESOLVED
from kg.resolve.aliases import parse_key
from kg.store import STATE, TABLES, Store
from kg.store.dump import ENDS
from kg.types import (
    COMMON_PROPERTIES,
    DECISION_PROPERTIES,
    ENTITY_TYPES,
    OWN_PROPERTIES,
    PAPER_PROPERTIES,
    SCHEMA,
    Contribution,
    Decision,
    Edge,
    Entity,
    Extraction,
    edge_properties,
    record_of,
)

BATCH = 500
"""Papers restored at once."""
BLANK = b" \t\r\n\x00\x1a"
NODES = ("Paper", *ENTITY_TYPES, "Decision", STATE)
CUT = "is the file cut off?"

Line = tuple[int, int]
"""Where a line begins, in bytes, and its number."""


def _form(relation: str) -> type[BaseModel]:
    """What the line of an edge holds besides its relation."""
    types = get_type_hints(Edge, include_extras=True) | dict(OWN_PROPERTIES.get(relation, {}))
    columns: dict[str, Any] = {name: (types[name], ...) for name in (*ENDS, *edge_properties(relation))}
    return create_model(relation, __config__=ConfigDict(extra="forbid", strict=True), **columns)


_EDGES: Mapping[str, type[BaseModel]] = {relation: _form(relation) for relation in SCHEMA}
_DECISION = TypeAdapter(Decision)


def is_dump(path: str | Path) -> bool:
    """Whether a file, compressed or not, is an exported graph; False where it cannot be read, or not twice.

    Raises InputError for an archive that holds one beside other files: it could be neither restored nor read.
    """
    if not stat.S_ISREG(mode_of(path)):
        return False
    try:
        kinds = {detect_source(source) == "dump" for source in sources(str(path))}
    except Broken:
        return False
    if kinds == {True, False}:
        raise InputError(f"{path} holds an exported graph and other files: unpack it, then give the files")
    return True in kinds


def restore(
    path: Path, store: Store, *, written: Callable[[Sequence[Contribution]], object] = lambda _: None
) -> dict[str, int]:
    """Make the graph of a dump again in ``store``, with its decisions; the counts of nodes and edges restored.

    ``written`` is called with each batch of papers once it is stored. Papers that ``store`` holds and the dump does not
    stay. Raises InputError, naming the line, for a file that is no dump, is cut off or was edited so that it does not
    hold together; nothing is written then.
    """
    with opened(path) as dump:
        dump.restore(store, written)
        return dump.counts


@contextmanager
def opened(path: str | Path) -> Iterator["Dump"]:
    """A dump that has been read and checked, compressed or not; InputError, naming the line, where it is none."""
    try:
        with tempfile.TemporaryFile() as copy:
            for source in sources(str(path)):
                if source.path is not None and source.encoding == "utf-8":
                    with source.path.open("rb") as file:
                        yield Dump(path, file)
                    return
                for number, text in source.lines():
                    if text is None:
                        raise InputError(f"{path}:{number}: {TOO_LONG}")
                    copy.write(text)
            copy.seek(0)
            yield Dump(path, copy)
    except Broken as error:
        raise InputError(f"{path}: {error}") from None


class Dump:
    """A dump read once: entities and decisions kept, papers and edges by their place in the file."""

    def __init__(self, path: str | Path, file: IO[bytes]) -> None:
        self.path, self.file = path, file
        self.counts: dict[str, int] = defaultdict(int)
        """Nodes a label and edges a type."""
        self._entities: dict[tuple[str, str], Entity] = {}
        self._decisions: dict[str, Decision] = {}
        self._tables: dict[str, str] = {}
        self._papers: dict[str, Line] = {}
        self._edges: dict[str, list[Line]] = defaultdict(list)
        self._numbers: dict[tuple[str, str], int] = {}
        place = 0
        for number, text in enumerate(file, 1):
            if text.strip(BLANK):
                self._take((place, number), self._row(text, number))
            place += len(text)
        if not self._numbers:
            raise InputError(f"{path}: no node of a graph in it; {CUT}")
        for paper, lines in self._edges.items():
            if paper not in self._papers:
                raise self._wrong(lines[0][1], f"an edge of paper {quoted(paper)}, which the dump does not hold")
        for paper in self._papers:
            self._check(paper)
        self._numbers = {}

    def restore(self, store: Store, written: Callable[[Sequence[Contribution]], object]) -> None:
        """Write all of it; ``written`` is called with each batch of papers once it is stored."""
        store.prepare()
        decisions = {d.id: d for d in store.decisions()} | self._decisions
        tables = {name: self._tables.get(name, store.state(name)) for name in TABLES}
        try:
            resolver(tables, [decisions[id_] for id_ in sorted(decisions)])
        except ResolutionError as error:
            raise InputError(
                f"{self.path}: its decisions and tables of names contradict the graph's: {error}"
            ) from None
        if self._decisions:
            store.put_decisions([decisions[id_] for id_ in sorted(decisions)])
        for name, value in self._tables.items():
            store.put_state(name, value)
        store.put_state(RESOLVED, "")
        for papers in batched(sorted(self._papers), BATCH):
            contributions = [
                Contribution(self._record(paper), tuple(edge for _, edge in self._edges_of(paper))) for paper in papers
            ]
            named = {end for c in contributions for edge in c.edges for end in _ends(edge)}
            store.write(contributions, [self._entities[end] for end in sorted(named)])
            written(contributions)

    # -- a line by itself ------------------------------------------------------------------------------------------
    def _wrong(self, number: int, what: str) -> InputError:
        return InputError(f"{self.path}:{number}: {what}")

    def _row(self, text: bytes, number: int) -> dict[str, Any]:
        try:
            row = json.loads(text)
        except json.JSONDecodeError as error:
            raise self._wrong(number, f"not a line of JSON ({error}); {CUT}") from None
        except (ValueError, RecursionError):  # bytes that are no text, or a number of thousands of digits
            raise self._wrong(number, "not a line of a dump; is the file damaged?") from None
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or ("node" in row) == ("edge" in row):
            raise self._wrong(number, "neither a node nor an edge of a dump")
        return row

    def _take(self, line: Line, row: dict[str, Any]) -> None:
        """Check a line and keep what it says, or where it says it."""
        number, is_edge = line[1], "edge" in row
        kind = row.pop("edge") if is_edge else row.pop("node")
        known = tuple(SCHEMA) if is_edge else NODES
        if kind not in known:
            what = "edge" if is_edge else "node"
            raise self._wrong(number, f"no {what} of a graph is a {quoted(kind)}; it has {', '.join(known)}")
        if not row["id"].strip():
            raise self._wrong(number, f"a {kind} with an empty id")
        before = self._numbers.setdefault((kind, row["id"]), number)
        if before != number:
            raise self._wrong(
                number, f"the {kind} {quoted(row['id'])} stands on line {before} already; keep one of them"
            )
        try:
            if is_edge:
                self._take_edge(kind, row, line)
            elif kind == "Paper":
                self._take_paper(row, line)
            elif kind == "Decision":
                self._take_decision(row)
            elif kind == STATE:
                self._take_table(row)
            else:
                self._take_entity(kind, row)
        except ValidationError as error:
            raise self._wrong(number, f"{kind} {quoted(row['id'])}: {_why(error)}") from None
        except (KeyError, TypeError, ValueError, ResolutionError) as error:
            raise self._wrong(number, f"{kind} {quoted(row['id'])}: {error}") from None
        if kind not in ("Decision", STATE):
            self.counts[kind] += 1

    def _take_edge(self, relation: str, row: dict[str, Any], line: Line) -> None:
        _EDGES[relation].model_validate(row)
        if (row["head_type"], row["tail_type"]) not in SCHEMA[relation].pairs:
            raise ValueError(f"none leads from a {row['head_type']} to a {row['tail_type']}")
        if row["head_type"] == "Paper" and row["head"] != row["paper"]:
            raise ValueError(f"it is of paper {quoted(row['paper'])}, but leaves paper {quoted(row['head'])}")
        self._edges[row["paper"]].append(line)

    def _take_paper(self, row: dict[str, Any], line: Line) -> None:
        _known(row, PAPER_PROPERTIES)
        _record(row)
        self._papers[row["id"]] = line

    def _take_entity(self, type_: str, row: dict[str, Any]) -> None:
        if "type" in row:
            raise ValueError("it has no type beside its label")
        entity = Entity.model_validate(row | {"type": type_})
        if not entity.id.startswith(f"{type_.lower()}:"):
            raise ValueError(f"the id of a {type_} begins with {type_.lower()}:")
        if not entity.name.strip():
            raise ValueError("its name is empty")
        self._entities[type_, entity.id] = entity

    def _take_decision(self, row: dict[str, Any]) -> None:
        _known(row, DECISION_PROPERTIES)
        decision = _DECISION.validate_python(row)
        a = parse_key(decision.a)
        if not (decision.kind == "split" and decision.b.startswith("Paper:")):
            b = parse_key(decision.b)
            if a[0] != b[0] or a == b:
                raise ValueError(f"{quoted(decision.a)} and {quoted(decision.b)} are not two names of one type")
        self._decisions[decision.id] = decision

    def _take_table(self, row: dict[str, Any]) -> None:
        _known(row, ("id", "value"))
        if row["id"] not in TABLES:
            raise ValueError(f"no such table; known are {', '.join(TABLES)}")
        if not isinstance(row.get("value"), str):
            raise ValueError("its value is no text")
        try:
            {ALIASES: aliases_in, NEVER_MERGE: never_merge_in}[row["id"]](row["value"])
        except ValidationError as error:
            raise ValueError(f"its rows are damaged ({_why(error)})") from None
        self._tables[row["id"]] = row["value"]

    # -- the lines of one paper --------------------------------------------------------------------------------------
    def _at(self, line: Line) -> dict[str, Any]:
        self.file.seek(line[0])
        return self._row(self.file.readline(), line[1])

    def _record(self, paper: str) -> Extraction:
        return _record(self._at(self._papers[paper]))

    def _edges_of(self, paper: str) -> Iterator[tuple[int, Edge]]:
        """The edges of a paper with the numbers of their lines."""
        for line in self._edges.get(paper, ()):
            row = self._at(line)
            values = {name: row[name] for name in (*ENDS, *COMMON_PROPERTIES)}
            own = {name: row[name] for name in OWN_PROPERTIES.get(row["edge"], ())}
            yield line[1], Edge(type=row["edge"], properties=own, **values)

    def _check(self, paper: str) -> None:
        """Raise InputError unless the edges of a paper lead to what is there, quote it, and say all its record does."""
        record = self._record(paper)
        edges = []
        for number, edge in self._edges_of(paper):
            for end in _ends(edge):
                if end not in self._entities:
                    raise self._wrong(number, f"edge {edge.id} leads to {end[1]}, which the dump does not hold")
            evidence = record.paper.abstract[edge.start : edge.end]
            if not evidence or evidence != edge.sentence or edge.end - edge.start != len(evidence):
                raise self._wrong(
                    number, f"the sentence of edge {edge.id} is not what the abstract says at {edge.start}:{edge.end}"
                )
            edges.append(edge)
        if missing := _unsaid(record, edges):
            raise self._wrong(self._papers[paper][1], f"paper {quoted(paper)}: {missing}; {CUT}")


def _unsaid(record: Extraction, edges: Iterable[Edge]) -> str | None:
    """What a paper's record says and none of its edges does."""
    targets: dict[str, set[str]] = defaultdict(set)
    counted = 0
    said = set()
    for edge in edges:
        said.add((edge.type, edge.head_type, edge.tail_type, edge.start, edge.end))
        if edge.type == "MENTIONS":
            counted += edge.properties["count"]
            for surface in edge.properties["surfaces"]:
                targets[surface].add(edge.tail)
    entities: dict[tuple[str, str], set[str]] = defaultdict(set)
    for mention in record.mentions:
        if mention.name not in targets:
            return f"it mentions {quoted(mention.name)}, and no MENTIONS edge of the dump says so"
        entities[mention.type, mention.entity] |= targets[mention.name]
    if counted != len(record.mentions):
        return f"it has {len(record.mentions)} mentions, and its MENTIONS edges count {counted}"
    for t in record.triples:
        if (t.relation, t.head_type, t.tail_type, t.start, t.end) in said:
            continue
        # What names that have become one entity say of each other gives no edge.
        if not entities[t.head_type, t.head] & entities[t.tail_type, t.tail]:
            return f"it states {t.relation} {quoted(t.tail)}, and no edge of the dump does"
    return None


def _ends(edge: Edge) -> set[tuple[str, str]]:
    """The entities that an edge joins, by type and id."""
    tail = (edge.tail_type, edge.tail)
    return {tail} if edge.head_type == "Paper" else {(edge.head_type, edge.head), tail}


def _record(row: Mapping[str, Any]) -> Extraction:
    """The record behind a Paper node; a ValueError that says what is wrong with it."""
    try:
        return record_of(row)
    except ValidationError as error:
        raise ValueError(f"its record is damaged ({_why(error)})") from None
    except KeyError as error:
        raise ValueError(f"its record is damaged ({error.args[0]} is missing)") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"its record is damaged ({error})") from None


def _known(row: Mapping[str, Any], names: Iterable[str]) -> None:
    if unknown := sorted(row.keys() - set(names)):
        raise ValueError(f"it has no {', '.join(map(quoted, unknown))}")


def _why(error: ValidationError) -> str:
    """The first of pydantic's findings, as one says it of a line."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    match first["type"]:
        case "missing" | "missing_argument":
            return f"{place} is missing"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"it has no {quoted(place)}"
    return first_problem(error)
