"""Made-up papers for the stores: what they name and state is all that varies."""

from collections.abc import Iterable, Mapping, Sequence

from kg.types import Contribution, Edge, Entity, EntityType, Extraction, Mention, NodeType, Paper, Triple

Fact = tuple[str, str, str]
"""Head name (or ``"P"`` for the paper), relation, tail name."""

TYPES: Mapping[str, EntityType] = {"Tidy": "Method", "Brook": "Method", "sorting": "Task", "Shells": "Dataset"}
PLAIN: Sequence[Fact] = (("P", "PROPOSES", "Tidy"), ("Tidy", "USED_FOR", "sorting"), ("P", "EVALUATED_ON", "Shells"))


def entity(
    name: str, *, type: EntityType | None = None, aliases: Iterable[str] = (), ambiguous: bool = False
) -> Entity:
    """An entity whose id is its type and name as they are."""
    type_ = type or TYPES.get(name, "Method")
    aliases = tuple(sorted(aliases))
    return Entity(id=f"{type_.lower()}:{name[:200]}", type=type_, name=name, aliases=aliases, ambiguous=ambiguous)


def contribution(
    id: str,
    names: Iterable[str] = ("Tidy", "sorting", "Shells"),
    facts: Iterable[Fact] = PLAIN,
    *,
    title: str = "Tidying shells",
    year: int | None = 2024,
    version: str = "made 1",
) -> Contribution:
    """A paper that names each of ``names`` once and states ``facts``, all in one sentence."""
    names = list(names)
    text = "Here we meet " + ", ".join(names) + "."
    known = {name: entity(name) for name in names}
    mentions, place = [], len("Here we meet ")
    for name in names:
        mentions.append(
            Mention(
                start=place, end=place + len(name), text=name, name=name, type=known[name].type, entity=name, score=0.5
            )
        )
        place += len(name) + 2

    def edge(relation: str, head_type: NodeType, head: str, tail: str, score: float) -> Edge:
        end = known[tail]
        more = {"count": 1, "surfaces": [tail]} if relation == "MENTIONS" else {}
        key = f"{id}|{relation}|{head}|{tail}"[:300]
        return Edge(key, relation, head_type, head, end.type, end.id, id, text, 0, len(text), score, version, more)

    edges = [edge("MENTIONS", "Paper", id, name, 0.5) for name in names]
    triples = []
    for head, relation, tail in facts:
        head_type: NodeType = "Paper" if head == "P" else known[head].type
        edges.append(edge(relation, head_type, id if head == "P" else known[head].id, tail, 1.0))
        triples.append(
            Triple(head=id if head == "P" else head, head_type=head_type, relation=relation, tail=tail,
                   tail_type=known[tail].type, start=0, end=len(text), score=1.0)
        )  # fmt: skip
    paper = Paper(id=id, title=title, abstract=text, year=year, ids=(f"doi:10.1/{id}",))
    record = Extraction(paper=paper, mentions=tuple(mentions), triples=tuple(triples), extractor=version)
    return Contribution(record, tuple(edges))


def entities(*contributions: Contribution) -> list[Entity]:
    """The entities that these papers mention."""
    return [entity(name) for name in sorted({m.entity for c in contributions for m in c.record.mentions})]
