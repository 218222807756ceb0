"""The graph as one object to ask: open it, look things up, get typed rows with the sentences that say so."""

from collections.abc import Container, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kg.errors import NotFoundError, must_be_limit, must_be_text, quoted
from kg.finding import find_either, find_entities, find_paper, set_apart
from kg.graph import claims, similarity
from kg.graph.answers import (
    Comparison,
    EntityCard,
    Hit,
    PaperCard,
    PaperUse,
    QueryRow,
    SharedEntity,
    SimilarPaper,
    TaskDataset,
    TaskMethod,
    TripleEvidence,
)
from kg.graph.results import R, Table
from kg.recipes import find_relation, find_relations, recipe, run
from kg.store import Store, default_url, open_store
from kg.types import ENTITY_TYPES, SCHEMA, EntityType

if TYPE_CHECKING:
    import networkx


def open_graph(url: str | Path | None = None) -> "Graph":
    """Open a graph for reading: the path of an embedded one, or ``neo4j://...``; a context manager.

    Without ``url`` it is what the environment variable KG_STORE says, else NEO4J_URI, else ``kg.db`` in the current
    folder.

    >>> import kg
    >>> with kg.open_graph(url) as g:
    ...     [row.name for row in g.search("CrowNet")]
    ['CrowNet']

    Raises
    ------
    NotFoundError
        There is no graph at that path.
    StoreError
        The server cannot be reached, or refuses.
    """
    return Graph(open_store(str(url or default_url())))


class Graph:
    """An open graph and the questions it answers, the same on both engines.

    Names may be canonical names, aliases or ids, in any case; papers are asked for by id, other identifier or title.
    What is not there raises NotFoundError with the nearest names. A ``limit`` (``k`` of ``similar``) is rows at most, 1
    or more, else an InputError. ``timeout``: seconds that a free query may run.
    """

    def __init__(self, store: Store, *, timeout: float | None = None) -> None:
        self.store = store
        self.timeout = timeout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the engine; closing twice is harmless.

        >>> other = open_graph(g.store.url)
        >>> other.close()
        >>> other.close()
        """
        self.store.close()

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {name}" for name, n in self.store.counts().items() if name in ("Paper", *ENTITY_TYPES))
        return f"<Graph {self.store.url}: {counts}>"

    # -- by name -----------------------------------------------------------------------------------------------
    def papers_sharing_method(
        self,
        method: str,
        *,
        relations: str | Sequence[str] | None = None,
        mentions: bool = False,
        limit: int | None = None,
    ) -> Table[PaperUse]:
        """The papers that propose, use or compare with a method, newest first, each with the sentence that says so.

        ``relations`` narrows it (``"PROPOSES"``, or several), ``mentions`` adds the papers that merely name it. A row
        is a statement, of which a paper may make several; the table's note counts papers.

        >>> g.papers_sharing_method("GNNs")[0].relation
        'USES'
        """
        wanted = find_relations(relations or ())
        limit = None if limit is None else must_be_limit(limit)
        mentions = mentions or "MENTIONS" in wanted
        key, named = find_entities(self.store, method, ("Method",))
        title = f"Papers that share {method}"
        rows = self._rows(
            PaperUse, "papers-sharing-method", title, None if wanted else limit, method=key, mentions=mentions
        )
        if wanted:
            chosen = [row for row in rows if row.relation in wanted]
            rows = Table(chosen[:limit], of=PaperUse, title=title, note=_cut(limit, len(chosen)))
        if rows.note:
            return rows
        naming_it = claims.papers_naming(self.store, "Method", [row["id"] for row in named])
        note = f"{len({row.paper for row in rows})} of the {naming_it} papers that name it"
        return Table(rows, of=PaperUse, title=title, note=note)

    def shared(self, first: str, second: str, *, mentions: bool = False) -> Table[SharedEntity]:
        """What two papers share, the rarest first, with what each says of it; ``mentions`` adds what is only named.

        >>> [row.name for row in g.shared("lark", "finch")]
        ['dawn pooling', 'neural network']
        """
        a, b = find_paper(self.store, first), find_paper(self.store, second)
        rows = similarity.shared_entities(self.store, a, b, mentions=mentions)
        return Table(rows, of=SharedEntity, title=f"What {a} and {b} share")

    def similar(self, paper: str, k: int = 10, *, mentions: bool = False) -> Table[SimilarPaper]:
        """The ``k`` papers nearest to one, each score with its parts and sentences: rare things in common weigh more.

        The formula is in docs/similarity.md.

        >>> nearest = g.similar("lark", 1)[0]
        >>> nearest.paper, [reason.name for reason in nearest.reasons]
        ('finch', ['dawn pooling', 'neural network'])
        """
        id_ = find_paper(self.store, paper)
        rows = similarity.similar_papers(self.store, id_, must_be_limit(k, "k"), mentions=mentions)
        return Table(rows, of=SimilarPaper, title=f"Papers like {id_}")

    def methods_for_task(self, task: str, *, limit: int | None = None) -> Table[TaskMethod]:
        """The methods said to be used for a task, or proposed by papers on it; those most papers speak for first.

        >>> sorted({row.name for row in g.methods_for_task("node labeling")})
        ['CrowNet', 'RookNet']
        """
        key = find_entities(self.store, task, ("Task",))[0]
        return self._rows(TaskMethod, "methods-for-task", f"Methods for {task}", limit, task=key)

    def datasets_for_task(self, task: str, *, limit: int | None = None) -> Table[TaskDataset]:
        """The datasets said to measure a task, or that papers on it report on; those most papers speak for first.

        >>> sorted({row.name for row in g.datasets_for_task("node labeling")})
        ['Pebble-40']
        """
        key = find_entities(self.store, task, ("Task",))[0]
        return self._rows(TaskDataset, "datasets-for-task", f"Datasets for {task}", limit, task=key)

    def compare(self, method: str, *, limit: int | None = None) -> Table[Comparison]:
        """The methods that a method is compared with, each with the surest sentence.

        Two methods are compared by a sentence that sets them side by side, or by a paper that proposes the one and
        compares with the other.

        >>> [(row.name, row.paper) for row in g.compare("CrowNet")]
        [('RookNet', 'rook')]
        """
        key = find_entities(self.store, method, ("Method",))[0]
        return self._rows(Comparison, "method-comparisons", f"Compared with {method}", limit, method=key)

    def evidence(self, head: str, relation: str, tail: str, *, limit: int | None = None) -> Table[TripleEvidence]:
        """The sentences that state a triple, the surest first; ``head`` is a paper or an entity.

        >>> [row.sentence for row in g.evidence("RookNet", "subclass of", "GNN")]
        ['We propose RookNet, a graph neural network that keeps it.']

        Raises
        ------
        NotFoundError
            There is no such relation, head or tail. A triple that nobody states gives no rows.
        """
        wanted = find_relation(relation)
        head_key, (tail_key, tails) = find_either(self.store, head), find_entities(self.store, tail)
        title = f"{head} {wanted} {tail}"
        # The recipe looks at both directions
        ids = None if SCHEMA[wanted].symmetric else {row["id"] for row in tails}
        values = {"head": head_key, "tail": tail_key, "relation": wanted}
        return self._rows(TripleEvidence, "triple-evidence", title, limit, tails=ids, **values)

    # -- one thing ---------------------------------------------------------------------------------------------
    def entity(self, name: str, *, type: EntityType | None = None, limit: int = 50) -> EntityCard:
        """One method, task or dataset and all that is said of it; ``limit`` claims at most, the newest.

        Where several go by the name, the one that most papers name is shown and the others are listed with it.

        >>> card = g.entity("gnn")
        >>> card.name, card.papers, card.relations
        ('graph neural network', 3, {'MENTIONS': 3, 'USES': 3, 'SUBCLASS_OF': 1})
        """
        must_be_limit(limit)
        if type is not None and type not in ENTITY_TYPES:
            raise NotFoundError(f"no type is called {quoted(type)}; there are {', '.join(ENTITY_TYPES)}")
        rows = find_entities(self.store, name, (type,) if type else ENTITY_TYPES)[1]
        relations = [claims.relations_of(self.store, row["type"], row["id"]) for row in rows]
        most = max(range(len(rows)), key=lambda i: (relations[i].get("MENTIONS", 0), -i))
        row, papers = rows[most], relations[most].get("MENTIONS", 0)
        return EntityCard(
            **row,
            papers=papers,
            weight=similarity.weight(similarity.papers_in(self.store), papers) if papers else 0.0,
            relations=relations[most],
            claims=tuple(claims.claims_about(self.store, row["type"], row["id"], limit)),
            same_name=tuple(
                r["id"] for r in (*rows, *set_apart(self.store, row["type"], row["id"])) if r["id"] != row["id"]
            ),
        )

    def paper(self, ref: str) -> PaperCard:
        """One paper, its mentions in the order of the text, the entities they stand for, and the claims it makes.

        >>> card = g.paper("doi:10.1/rook")
        >>> [mention.text for mention in card.mentions][:2]
        ['RookNet', 'graph neural network']
        """
        id_ = find_paper(self.store, ref)
        record = claims.record_of_paper(self.store, id_)
        found = claims.claims_of_paper(self.store, id_)
        return PaperCard(
            **record.paper.model_dump(),
            extractor=record.extractor,
            mentions=tuple(sorted(record.mentions, key=lambda m: (m.start, m.end))),
            entities=tuple(c for c in found if c.relation == "MENTIONS"),
            claims=tuple(c for c in found if c.relation != "MENTIONS"),
        )

    # -- free questions ----------------------------------------------------------------------------------------
    def query(self, recipe_or_cypher: str, /, **params: Any) -> Table[QueryRow]:
        """The rows of a recipe (by name, parameters checked), or of one read-only Cypher query.

        The note of a recipe's table says where its limit may have left rows out.

        >>> g.query("MATCH (p:Paper {id: $id}) RETURN p.year AS year", id="rook")[0]["year"]
        2025
        >>> [row["name"] for row in g.query("most-used-methods", limit=2)]
        ['neural network', 'graph neural network']
        """
        if len(must_be_text(recipe_or_cypher, "recipe_or_cypher").split()) > 1:
            rows = self.store.query(recipe_or_cypher, params, timeout=self.timeout)
            columns: Sequence[str] = tuple(rows[0]) if rows else ()
            title, note = "Query", ""
        else:
            asked = recipe(recipe_or_cypher.strip())
            rows, columns, title = run(self.store, asked, **params), asked.returns, asked.title
            limit = asked.values(params).get("limit")
            note = f"the limit is {limit}; there may be more" if limit is not None and len(rows) >= limit else ""
        return Table((QueryRow(values=r) for r in rows), of=QueryRow, title=title, columns=columns, note=note)

    def search(self, text: str, *, limit: int = 20) -> Table[Hit]:
        """Full-text search over titles, names and aliases, best first.

        >>> [(hit.name, hit.type) for hit in g.search("CrowNet")]
        [('CrowNet', 'Method')]
        """
        hits = self.store.search(must_be_text(text, "text"), limit=must_be_limit(limit))
        rows = (Hit(**{f: row[f] for f in Hit.model_fields}) for row in hits)
        return Table(rows, of=Hit, title=f"Search for {text!r}")

    # -- as a network ------------------------------------------------------------------------------------------
    def to_networkx(
        self,
        *,
        relations: str | Sequence[str] | None = None,
        mentions: bool = True,
        min_score: float = 0.0,
        evidence: bool = True,
        abstracts: bool = False,
    ) -> "networkx.MultiDiGraph":
        """The graph as a networkx MultiDiGraph of typed nodes, with the evidence on its edges.

        ``relations`` keeps only those relations, ``mentions=False`` drops MENTIONS, ``min_score`` drops doubtful edges,
        ``evidence=False`` leaves out sentences and offsets (a third of the memory), ``abstracts`` puts the abstracts on
        the papers. Projections, communities, centrality and suggestions are in ``kg.graph.networks``, files in
        ``kg.graph.export``.

        >>> network = g.to_networkx(relations=["USES"])
        >>> {relation for _, _, relation in network.edges(data="relation")}
        {'USES'}
        """
        from kg.graph.networks import to_networkx  # networkx takes longer to import than a look-up to answer

        wanted = find_relations(SCHEMA if relations is None else relations)
        wanted = [r for r in wanted if mentions or r != "MENTIONS"]
        return to_networkx(self.store, relations=wanted, min_score=min_score, evidence=evidence, abstracts=abstracts)

    def counts(self) -> dict[str, int]:
        """How many nodes a label and edges a type there are.

        >>> g.counts()["Paper"], g.counts()["PROPOSES"]
        (7, 3)
        """
        return self.store.counts()

    def _rows(
        self,
        of: type[R],
        question: str,
        title: str,
        limit: int | None,
        *,
        tails: Container[str] | None = None,
        **values: Any,
    ) -> Table[R]:
        """The rows of a recipe, typed; one more than ``limit`` is asked for, to know whether it cut something.

        ``tails``: only rows that end there count, so all are asked for.
        """
        most = similarity.MOST if limit is None else must_be_limit(limit)
        asked = most if tails is None else similarity.MOST
        found = run(self.store, question, limit=asked + 1, **values)
        kept = [row for row in found[:asked] if tails is None or row["tail"] in tails]
        note = _cut(most, len(kept)) or _cut(asked, len(found))
        return Table((of(**row) for row in kept[:most]), of=of, title=title, note=note)


def _cut(limit: int | None, found: int) -> str:
    return f"the first {limit}; there are more" if limit is not None and found > limit else ""
