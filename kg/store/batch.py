"""What both engines do alike with what is written: cut it into transactions, check it before any of it is sent."""

from collections.abc import Iterator, Sequence

from kg.errors import StoreError
from kg.types import SCHEMA, Contribution


def transactions(contributions: Sequence[Contribution], edges: int) -> Iterator[list[Contribution]]:
    """Contributions sorted by paper, cut where a transaction holds about ``edges`` edges; a paper is never cut.

    Raises StoreError, before the first is yielded, when one cannot be stored: see ``check``.
    """
    for contribution in contributions:
        check(contribution)
    chunk: list[Contribution] = []
    held = 0
    for contribution in sorted({c.record.paper.id: c for c in contributions}.values(), key=lambda c: c.record.paper.id):
        if chunk and held + len(contribution.edges) > edges:
            yield chunk
            chunk, held = [], 0
        chunk.append(contribution)
        held += len(contribution.edges)
    if chunk:
        yield chunk


def check(contribution: Contribution) -> None:
    """Raise StoreError unless every edge is of SCHEMA, belongs to the paper, and has an id of its own."""
    paper = contribution.record.paper.id
    seen = set()
    for edge in contribution.edges:
        spec = SCHEMA.get(edge.type)
        if spec is None or (edge.head_type, edge.tail_type) not in spec.pairs:
            raise StoreError(f"{paper}: {edge.head_type} -{edge.type}-> {edge.tail_type} is not an edge of the schema")
        if edge.paper != paper or (edge.head_type == "Paper" and edge.head != paper):
            raise StoreError(f"{paper}: edge {edge.id} belongs to another paper ({edge.paper})")
        if edge.id in seen:
            raise StoreError(f"{paper}: two edges have the id {edge.id}")
        seen.add(edge.id)
