"""The row types of the look-ups, and the two cards: all that is known of one entity, all that is known of one paper."""

import html
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from kg.graph.results import Row, Table, as_text, printable
from kg.types import EntityType, Mention, NodeType, Record, Status


class Claim(Row):
    """One edge with its evidence: ``abstract[start:end]`` of the paper is ``sentence``, which says it.

    ``count`` and ``surfaces`` are there for MENTIONS only: how often the abstract names it, and in which words.
    """

    shown = ("head_name", "relation", "tail_name", "paper", "score", "sentence")
    id: str
    relation: str
    head: str
    head_type: NodeType
    head_name: str
    tail: str
    tail_type: EntityType
    tail_name: str
    paper: str
    title: str = ""
    year: int | None = None
    sentence: str
    start: int
    end: int
    score: float
    extractor: str
    count: int | None = None
    surfaces: tuple[str, ...] = ()


class PaperUse(Row):
    """A paper that proposes, uses or compares with a method, and the sentence that says so; one row a statement."""

    shown = ("title", "year", "relation", "score", "paper", "sentence")
    method: str
    paper: str
    title: str | None
    year: int | None
    relation: str
    sentence: str
    score: float


class SharedEntity(Row):
    """An entity that two papers share. ``papers``: how many papers name it in all; ``weight``: its rarity weight.

    A relation and sentence a paper: what it says of the entity, the surest statement where there are several.
    """

    shown = (
        "name",
        "type",
        "papers",
        "weight",
        "first_relation",
        "first_sentence",
        "second_relation",
        "second_sentence",
    )
    entity: str
    type: EntityType
    name: str
    papers: int
    weight: float
    first_relation: str
    first_sentence: str
    second_relation: str
    second_sentence: str

    def __str__(self) -> str:
        return f"{self.name} ({self.weight:.2f}; {self.papers} papers name it)"


class SimilarPaper(Row):
    """A paper near another one; ``similarity`` is the sum of the weights of its ``reasons``, the rarest first.

    ``covers``: that sum over the sum of the weights of all that the first paper works with, so 1 when it shares it all.
    In a reason, ``first`` is the paper asked about and ``second`` this one.
    """

    shown = ("paper", "title", "year", "similarity", "covers", "reasons")
    paper: str
    title: str | None
    year: int | None
    similarity: float
    covers: float
    reasons: tuple[SharedEntity, ...]


class TaskMethod(Row):
    """A statement that ties a method to a task; ``papers``: how many papers make one for this method."""

    shown = ("name", "papers", "relation", "paper", "score", "sentence")
    task: str
    method: str
    name: str
    papers: int
    paper: str
    relation: str
    sentence: str
    score: float


class TaskDataset(Row):
    """A statement that ties a dataset to a task; ``papers``: how many papers make one for this dataset."""

    shown = ("name", "papers", "relation", "paper", "score", "sentence")
    task: str
    dataset: str
    name: str
    papers: int
    paper: str
    relation: str
    sentence: str
    score: float


class Comparison(Row):
    """A method compared with the one asked for, how often, by how many papers, and the surest sentence."""

    shown = ("name", "papers", "statements", "paper", "score", "sentence")
    method: str
    other: str
    name: str
    statements: int
    papers: int
    paper: str
    sentence: str
    score: float


class TripleEvidence(Row):
    """A sentence that states a triple: ``abstract[start:end]`` of the paper. ``edge`` is the stored edge's id."""

    shown = ("head", "relation", "tail", "paper", "score", "sentence")
    head: str
    relation: str
    tail: str
    paper: str
    sentence: str
    start: int
    end: int
    score: float
    extractor: str
    edge: str


class Hit(Row):
    """One result of a full-text search over titles, names and aliases; a higher ``score`` is better."""

    shown = ("name", "type", "id", "score")
    id: str
    type: NodeType
    name: str
    score: float


class Ranked(Row):
    """A node and its score in a ranking; a higher score is better."""

    shown = ("name", "type", "score")
    id: str
    type: NodeType
    name: str
    score: float


class Support(Record):
    """A neighbouring task that uses a method: how near it is, the methods that make it near, and who says so."""

    task: str
    name: str
    nearness: float
    shared: tuple[str, ...]
    paper: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.name} ({self.nearness:.2f})"


class Suggestion(Row):
    """A method worth trying for a task; ``score`` is the sum of the nearness of its ``reasons``, the nearest first."""

    shown = ("name", "score", "reasons")
    method: str
    name: str
    score: float
    reasons: tuple[Support, ...]


class QueryRow(Row):
    """A row of a recipe or a Cypher query: ``row["column"]`` or ``row.column`` for each column that it returns."""

    values: dict[str, Any]

    def __getattr__(self, column: str) -> Any:
        try:
            return self.__dict__["values"][column]
        except KeyError:
            raise AttributeError(f"the query returns no column {column!r}") from None

    def __getitem__(self, column: str) -> Any:
        return self.values[column]

    def to_dict(self) -> dict[str, Any]:
        """The columns and their values."""
        return dict(self.values)


class _Card(Record):
    """What entity and paper cards share: they print as text and, in Jupyter, as HTML."""

    def _lines(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def _tables(self) -> list[Table[Any]]:
        raise NotImplementedError

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for label, value in self._lines():
            yield Text.assemble((f"{label}: " if label else "", "bold"), printable(value))
        for table in self._tables():
            if table:
                yield Text()
                yield table

    def __repr__(self) -> str:
        return as_text(self)

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        lines = "".join(
            f"<p>{f'<strong>{html.escape(label)}</strong>: ' if label else ''}{html.escape(value)}</p>"
            for label, value in self._lines()
        )
        return lines + "".join(table._repr_html_() for table in self._tables() if table)


class EntityCard(_Card):
    """One entity and what the graph says of it.

    ``papers``: how many papers name it; ``weight``: its rarity weight (see docs/similarity.md); ``relations``: edges by
    relation, MENTIONS among them; ``claims``: the edges above MENTIONS, newest papers first, cut at the limit asked
    for; ``same_name``: ids of other entities that go by the name asked for.
    """

    id: str
    type: EntityType
    name: str
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False
    papers: int
    weight: float
    relations: dict[str, int]
    claims: tuple[Claim, ...]
    same_name: tuple[str, ...] = ()

    def table(self) -> Table[Claim]:
        """The claims as a table."""
        total = sum(n for relation, n in self.relations.items() if relation != "MENTIONS")
        note = f"the newest {len(self.claims)} of {total}" if total > len(self.claims) else ""
        return Table(self.claims, of=Claim, title=f"What is said of {self.name}", note=note)

    def _lines(self) -> list[tuple[str, str]]:
        lines = [("", f"{self.name} ({self.type}, {self.id})")]
        if self.aliases:
            lines.append(("also written", "; ".join(self.aliases)))
        lines.append(("papers that name it", str(self.papers)))
        said = "; ".join(f"{relation} {n}" for relation, n in self.relations.items() if relation != "MENTIONS")
        if said:
            lines.append(("claims", said))
        if self.ambiguous:
            lines.append(("ambiguous", "its name or an alias also stands for something else"))
        if self.same_name:
            lines.append(("same name", "; ".join(self.same_name)))
        return lines

    def _tables(self) -> list[Table[Any]]:
        return [self.table()]


class PaperCard(_Card):
    """One paper and what was found in it: mentions in the order of the text, claims by where they are said."""

    id: str
    title: str
    abstract: str
    year: int | None
    venue: str | None
    url: str | None
    ids: tuple[str, ...] = ()
    status: Status
    extractor: str
    mentions: tuple[Mention, ...]
    entities: tuple[Claim, ...]
    claims: tuple[Claim, ...]

    def table(self) -> Table[Claim]:
        """The claims as a table."""
        return Table(
            self.claims,
            of=Claim,
            title="What it says",
            shown=("head_name", "relation", "tail_name", "score", "sentence"),
        )

    def _lines(self) -> list[tuple[str, str]]:
        place = ", ".join(str(part) for part in (self.venue, self.year) if part)
        lines = [("", self.title or "(no title)"), ("id", self.id)]
        lines += [("published", place)] if place else []
        lines += [("url", self.url)] if self.url else []
        lines += [("also known as", "; ".join(self.ids))] if self.ids else []
        lines += [("status", self.status)] if self.status != "ok" else []
        lines.append(("abstract", self.abstract))
        for type_ in ("Method", "Task", "Dataset"):
            names = [c.tail_name for c in self.entities if c.tail_type == type_]
            lines += [(type_.lower() + "s", "; ".join(names))] if names else []
        return lines

    def _tables(self) -> list[Table[Any]]:
        return [self.table()]
