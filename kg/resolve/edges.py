"""A record and a resolution make the edges that the paper contributes."""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from kg.resolve.corpus import Resolution
from kg.types import SCHEMA, Contribution, Edge, EntityType, Extraction, Mention, NodeType

SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(\[$])")
NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|a\.k\.a|i\.i\.d|w\.h\.p|et al|vs|cf|w\.r\.t|Fig|Alg|Eq|Sec|Tab|resp|approx|Dr|Prof|St|No)\.)$"
)


def link(extraction: Extraction, resolution: Resolution) -> Contribution:
    """All that a paper adds to the graph under this resolution.

    One MENTIONS edge an entity, with ``count`` and the ``surfaces`` it goes by; one edge a triple. A triple whose ends
    have become one entity gives no edge, and of triples that say the same in the same sentence the best scored stays.
    Raises KeyError when the record is not among those resolved.
    """
    paper = extraction.paper.id
    mentions: dict[str, list[Mention]] = defaultdict(list)
    votes: dict[tuple[EntityType, str], Counter[str]] = defaultdict(Counter)
    for mention in extraction.mentions:
        target = resolution.id_of(paper, mention.type, mention.entity, mention.name)
        mentions[target].append(mention)
        votes[mention.type, mention.entity][target] += 1
    # A triple names an entity, not a surface: where a split sent its mentions two ways, the more frequent way holds.
    ends = {named: min(found, key=lambda t: (-found[t], t)) for named, found in votes.items()}
    edges = [_mentions_edge(extraction, target, found) for target, found in mentions.items()]
    edges += _triple_edges(extraction, ends)
    return Contribution(extraction, tuple(sorted(edges, key=lambda edge: edge.id)))


def edge_id(*parts: str | int) -> str:
    """An id derived from what the edge says and where: the same on every run and every engine."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()[:24]


def sentence_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Bounds of the sentence around a span, by punctuation alone.

    >>> sentence_at("We use X. It beats Y, e.g. On Z. Done.", 19, 20)
    (10, 32)
    """
    left, right = 0, len(text)
    for match in SENTENCE_END.finditer(text):
        if NO_END.search(text, 0, match.start()):
            continue
        if match.end() <= start:
            left = match.end()
        elif match.start() >= end:
            right = match.start()
            break
    while right > left and text[right - 1].isspace():
        right -= 1
    while left < start and text[left].isspace():
        left += 1
    return left, max(right, end)


def _mentions_edge(extraction: Extraction, target: str, found: list[Mention]) -> Edge:
    text, first = extraction.paper.abstract, min(found, key=lambda m: m.start)
    around = [t for t in extraction.triples if t.start <= first.start and first.end <= t.end]
    if around:
        shortest = min(around, key=lambda t: (t.end - t.start, t.start))
        start, end = shortest.start, shortest.end
    else:
        start, end = sentence_at(text, first.start, first.end)
    return Edge(
        id=edge_id(extraction.paper.id, "MENTIONS", target),
        type="MENTIONS",
        head_type="Paper",
        head=extraction.paper.id,
        tail_type=first.type,
        tail=target,
        paper=extraction.paper.id,
        sentence=text[start:end],
        start=start,
        end=end,
        score=max(m.score for m in found),
        extractor=extraction.extractor,
        properties={"count": len(found), "surfaces": sorted({m.name for m in found})},
    )


def _triple_edges(extraction: Extraction, ends: Mapping[tuple[EntityType, str], str]) -> list[Edge]:
    best: dict[tuple[object, ...], Edge] = {}
    for t in extraction.triples:
        head = t.head if t.head_type == "Paper" else ends[t.head_type, t.head]
        tail = ends[t.tail_type, t.tail]
        if head == tail:
            continue
        edge = Edge(
            id=edge_id(extraction.paper.id, t.relation, t.head_type, t.head, t.tail_type, t.tail, t.start, t.end),
            type=t.relation,
            head_type=t.head_type,
            head=head,
            tail_type=t.tail_type,
            tail=tail,
            paper=extraction.paper.id,
            sentence=extraction.paper.abstract[t.start : t.end],
            start=t.start,
            end=t.end,
            score=t.score,
            extractor=extraction.extractor,
        )
        says = _says(t.relation, t.head_type, head, tail, t.start, t.end)
        known = best.get(says)
        if known is None or (-edge.score, edge.id) < (-known.score, known.id):
            best[says] = edge
    return list(best.values())


def _says(relation: str, head_type: NodeType, head: str, tail: str, start: int, end: int) -> tuple[object, ...]:
    both: tuple[str, ...] = (head, tail)
    if SCHEMA[relation].symmetric and head_type != "Paper":
        both = tuple(sorted(both))
    return (relation, *both, start, end)
