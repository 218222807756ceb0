"""Small contributions made by hand, in this project's own words, for tests of what is stored."""

from kg.names import entity_id
from kg.store import Store
from kg.types import Contribution, Edge, Entity, Extraction, Mention, Paper

SENTENCE = "We sort bolts with BoltNet."


def entity(type_: str, name: str, *aliases: str) -> Entity:
    return Entity(id=entity_id(type_, name), type=type_, name=name, aliases=tuple(sorted(aliases)))


def contribution(number: int, *entities: Entity, extractor: str = "test 1") -> Contribution:
    """Paper ``number`` mentions the entities; it uses the methods, and they are used for the tasks."""
    id_ = f"p{number:05}"
    paper = Paper(id=id_, title=f"On bolts, part {number}", abstract=SENTENCE, year=2020 + number % 5)
    mentions = tuple(
        Mention(start=19, end=26, text="BoltNet", name=e.name, type=e.type, entity=e.name, score=0.9) for e in entities
    )
    edges = []
    for e in entities:
        edges.append(_edge("MENTIONS", id_, "Paper", id_, e, count=1, surfaces=[e.name]))
        if e.type == "Method":
            edges.append(_edge("USES", id_, "Paper", id_, e))
            edges += [_edge("USED_FOR", id_, "Method", e.id, t) for t in entities if t.type == "Task"]
    return Contribution(Extraction(paper=paper, mentions=mentions, extractor=extractor), tuple(edges))


def _edge(relation: str, paper: str, head_type: str, head: str, tail: Entity, **properties: object) -> Edge:
    return Edge(
        id=f"{paper}/{relation}/{head}/{tail.id}",
        type=relation,
        head_type=head_type,
        head=head,
        tail_type=tail.type,
        tail=tail.id,
        paper=paper,
        sentence=SENTENCE,
        start=0,
        end=len(SENTENCE),
        score=0.9,
        extractor="test 1",
        properties=properties,
    )


def corpus(papers: int, *, extractor: str = "test 1") -> tuple[list[Contribution], list[Entity]]:
    """Papers that share their entities, in an order that collides when it is not sorted."""
    methods = [entity("Method", f"bolt net {i}", f"BN{i}") for i in range(20)]
    tasks = [entity("Task", f"bolt sorting {i}") for i in range(7)]
    datasets = [entity("Dataset", f"Bolts-{i}") for i in range(5)]
    found = [
        contribution(n, methods[n % 20], methods[-n % 19], tasks[n % 7], datasets[n % 5], extractor=extractor)
        if n % 20 != -n % 19
        else contribution(n, methods[n % 20], tasks[n % 7], extractor=extractor)
        for n in range(papers)
    ]
    return found, [*methods, *tasks, *datasets]


def dumped(store: Store) -> list[dict[str, object]]:
    return list(store.dump())
