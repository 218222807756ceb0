"""A server of the Model Context Protocol: the look-ups as tools for assistants, read-only (``kg[mcp]``).

Every tool is the look-up of the same name of ``kg.Graph``, with its sentences as evidence. Nothing here can write: the
graph is opened for reading, and a query that writes is refused by the database itself.
"""

from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kg.errors import KGError
from kg.graph import Graph
from kg.graph.extras import need
from kg.recipes import recipes
from kg.types import EntityType
from kg.version import __version__

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = """\
A knowledge graph of research papers, built from their abstracts: methods, tasks, datasets, and what each paper
proposes, uses, compares with, addresses and is evaluated on. Every row carries the sentence that states it: quote it,
and name the paper. Methods, tasks and datasets are found by any name or alias in any case, papers by id or title; use
`search` when the name is not certain. Nothing can be changed through this server."""

Limit = Annotated[int, Field(ge=1, le=500, description="Rows at most.")]
Method = Annotated[str, Field(description="A method's name or alias, in any case.")]
Task = Annotated[str, Field(description="A task's name or alias, in any case.")]
PaperRef = Annotated[str, Field(description="A paper's id, other identifier (arxiv:..., doi:...) or whole title.")]
Mentions = Annotated[bool, Field(description="Also count papers that merely name it.")]

Answer = dict[str, Any]
SECONDS = 30.0
"""How long a free query may run, unless the graph says otherwise."""


def server(graph: Graph) -> "MCPServer[Any]":
    """The server over an open graph; ``server(graph).run()`` serves standard input and output.

    Raises KGError, which says what to install, where the package ``mcp`` is missing.
    """
    need("mcp", "kg mcp")
    graph.timeout = graph.timeout or SECONDS
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations

    serving: MCPServer[Any] = MCPServer(
        "kg",
        title="kg: papers, methods, tasks, datasets",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
    )
    reads = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

    def tool(look_up: Any) -> Any:
        """Register a look-up; what a person would read as one line of error, the assistant reads as well."""

        @wraps(look_up)
        def asked(*args: Any, **kwargs: Any) -> Answer:
            try:
                answer: Answer = look_up(*args, **kwargs)
            except KGError as error:
                raise ToolError(str(error)) from error
            return answer

        serving.add_tool(asked, annotations=reads, structured_output=True)
        return look_up

    def rows(table: Any) -> Answer:
        return {"title": table.title, "rows": table.to_dicts()} | ({"note": table.note} if table.note else {})

    @tool
    def papers_sharing_method(method: Method, mentions: Mentions = False, limit: Limit = 50) -> Answer:
        """Which papers propose, use or compare with a method, newest first, each with the sentence that says so."""
        return rows(graph.papers_sharing_method(method, mentions=mentions, limit=limit))

    @tool
    def shared(first: PaperRef, second: PaperRef, mentions: Mentions = False) -> Answer:
        """What two papers share, the rarest first, with a sentence from each."""
        return rows(graph.shared(first, second, mentions=mentions))

    @tool
    def similar(paper: PaperRef, k: Limit = 10, mentions: Mentions = False) -> Answer:
        """The papers nearest to one by what they share, rare things weighing more, with the reasons of each score."""
        return rows(graph.similar(paper, k, mentions=mentions))

    @tool
    def methods_for_task(task: Task, limit: Limit = 50) -> Answer:
        """The methods used for a task, with the sentences that say so; those most papers speak for come first."""
        return rows(graph.methods_for_task(task, limit=limit))

    @tool
    def datasets_for_task(task: Task, limit: Limit = 50) -> Answer:
        """The datasets that measure a task, with the sentences that say so; those most papers speak for come first."""
        return rows(graph.datasets_for_task(task, limit=limit))

    @tool
    def compare(method: Method, limit: Limit = 50) -> Answer:
        """The methods that a method is compared with, each with the surest sentence."""
        return rows(graph.compare(method, limit=limit))

    @tool
    def entity(
        name: Annotated[str, Field(description="A name, alias or id, in any case.")],
        type: Annotated[EntityType | None, Field(description="Only an entity of this type.")] = None,
        limit: Limit = 50,
    ) -> Answer:
        """One method, task or dataset: its aliases, how many papers name it, and what is said of it."""
        return graph.entity(name, type=type, limit=limit).model_dump(mode="json")

    @tool
    def paper(paper: PaperRef) -> Answer:
        """One paper: its abstract, what it names, and the claims it makes with their sentences."""
        return graph.paper(paper).model_dump(mode="json")

    @tool
    def evidence(
        head: Annotated[str, Field(description="A paper, or an entity's name.")],
        relation: Annotated[str, Field(description="A relation, such as USES or EVALUATED_ON.")],
        tail: Annotated[str, Field(description="An entity's name.")],
        limit: Limit = 50,
    ) -> Answer:
        """The sentences that state a triple (head, relation, tail); no rows where nobody states it."""
        return rows(graph.evidence(head, relation, tail, limit=limit))

    @tool
    def search(text: str, limit: Limit = 20) -> Answer:
        """Full-text search over titles, names and aliases: for when the exact name is not known."""
        return rows(graph.search(text, limit=limit))

    @tool
    def list_recipes() -> Answer:
        """The prepared questions of the graph, with their parameters; ask one through `query`."""
        return {
            "rows": [
                {
                    "recipe": r.name,
                    "title": r.title,
                    "parameters": {
                        p.name: f"{p.type}{'' if p.required else f' = {p.default!r}'}  {p.text}" for p in r.parameters
                    },
                    "returns": list(r.returns),
                }
                for r in recipes()
            ]
        }

    @tool
    def query(
        question: Annotated[str, Field(description="A recipe's name, or one read-only Cypher query.")],
        parameters: Annotated[dict[str, Any] | None, Field(description="Its parameters, by name.")] = None,
        limit: Limit = 100,
    ) -> Answer:
        """The rows of a recipe or of one read-only Cypher query; a query that writes is refused."""
        table = graph.query(question, **(parameters or {}))
        answer = rows(table[:limit])
        return answer | ({"note": f"the first {limit} of {len(table)} rows"} if len(table) > limit else {})

    @tool
    def counts() -> Answer:
        """How many papers, methods, tasks, datasets and edges of each relation the graph holds."""
        return dict(graph.counts())

    return serving
