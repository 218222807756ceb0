"""One processed Doc to one extraction record: spans back to the raw abstract, mentions of one thing under one name.

What is read from the Doc, all spans being of the clean text:

doc.ents              Method, Task and Dataset mentions; ``span._.score`` where the pipeline sets it, else 1
doc._.relations       ``head``, ``relation``, ``tail``, ``score``: between members of doc.ents, in one sentence
doc._.roles           ``mentions``, ``role``, ``score``, ``sentence``: what an entity is to its paper
doc._.clusters        ``mentions``: members of doc.ents that name one thing in this document
doc._.abbreviations   ``short``, ``long``: spans

A pipeline that sets only ``doc.ents`` gives mentions alone, grouped by their names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from kg.clean import Cleaned
from kg.resolve import name_document
from kg.types import ENTITY_TYPES, SCHEMA, EntityType, Extraction, Mention, NodeType, Paper, Triple

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

INSIDE = re.compile(r"[\w,] +$")
"""What stands before a word that does not begin a sentence, a heading or a point of a list."""

Place = tuple[int, int]
"""Start and end of a span in the clean text."""


def record_from(paper: Paper, doc: "Doc", cleaned: Cleaned, extractor: str) -> Extraction:
    """The record of ``paper``, whose cleaned abstract the pipeline has made ``doc`` of."""
    spans = [span for span in doc.ents if span.label_ in ENTITY_TYPES]
    surfaces = [" ".join(cleaned.display(*_place(span)).split()) for span in spans]
    inside = [i for i, span in enumerate(spans) if INSIDE.search(doc.text, 0, span.start_char)]
    names = _name(spans, surfaces, inside, _layer(doc, "clusters"), _layer(doc, "abbreviations"))
    found: dict[tuple[int, int, str], Mention] = {}
    for span, surface in zip(spans, surfaces, strict=True):
        start, end = cleaned.to_raw(*_place(span))
        found.setdefault(
            (start, end, span.label_),
            Mention(
                start=start,
                end=end,
                text=paper.abstract[start:end],
                name=surface,
                type=cast(EntityType, span.label_),
                entity=names[_place(span)],
                score=_score(span),
            ),
        )
    # Two spans can fall on one stretch of raw text (markup around both); what only the second names is gone with it.
    named = {(m.type, m.entity) for m in found.values()}
    triples = [
        t
        for t in _triples(paper, doc, names, cleaned)
        if (t.tail_type, t.tail) in named and (t.head_type == "Paper" or (t.head_type, t.head) in named)
    ]
    return Extraction(
        paper=paper,
        mentions=tuple(found[place] for place in sorted(found)),
        triples=_best(triples),
        extractor=extractor,
    )


def _layer(doc: "Doc", name: str) -> Sequence[Any]:
    """What the pipeline set as ``doc._.name``; nothing where it sets no such thing."""
    return getattr(doc._, name) or () if doc.has_extension(name) else ()


def _place(span: "Span") -> Place:
    return span.start_char, span.end_char


def _score(span: "Span") -> float:
    return round(float(span._.score), 4) if span.has_extension("score") and span._.score is not None else 1.0


def _name(
    spans: Sequence["Span"],
    surfaces: Sequence[str],
    inside: Sequence[int],
    clusters: Iterable[Any],
    abbreviations: Iterable[Any],
) -> dict[Place, str]:
    """The name of the entity that each of ``spans`` mentions, by the span's place in the clean text."""
    index = {_place(span): i for i, span in enumerate(spans)}
    names = name_document(
        [(surface, cast(EntityType, span.label_)) for span, surface in zip(spans, surfaces, strict=True)],
        [(pair.short.text, pair.long.text) for pair in abbreviations],
        [[index[_place(span)] for span in cluster.mentions if _place(span) in index] for cluster in clusters],
        inside=inside,
    )
    return {_place(span): name for span, name in zip(spans, names, strict=True)}


def _triples(paper: Paper, doc: "Doc", names: Mapping[Place, str], cleaned: Cleaned) -> Iterator[Triple]:
    for found in _layer(doc, "relations"):
        head, tail = names[_place(found.head)], names[_place(found.tail)]
        # SYNONYM_OF is no triple: its mentions are one cluster and so have one name already.
        if found.relation in SCHEMA and (found.head.label_, head) != (found.tail.label_, tail):
            yield _triple(
                (head, found.head.label_), found.relation, found.tail, tail, found.score, found.tail.sent, cleaned
            )
    for found in _layer(doc, "roles"):
        for mention in found.mentions[:1]:
            name = names[_place(mention)]
            yield _triple((paper.id, "Paper"), found.role, mention, name, found.score, found.sentence, cleaned)


def _triple(
    head: tuple[str, str],
    relation: str,
    tail: "Span",
    tail_name: str,
    score: float,
    sentence: "Span",
    cleaned: Cleaned,
) -> Triple:
    start, end = cleaned.to_raw(*_place(sentence))
    return Triple(
        head=head[0],
        head_type=cast(NodeType, head[1]),
        relation=relation,
        tail=tail_name,
        tail_type=cast(EntityType, tail.label_),
        start=start,
        end=end,
        score=round(float(score), 4),
    )


def _best(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    """One triple a fact, the most certain, then the earliest; a symmetric fact is one, whichever way it is said."""
    best: dict[tuple[str, ...], Triple] = {}
    for triple in sorted(triples, key=lambda t: (-t.score, t.start, t.end, t.head, t.tail)):
        ends = [(triple.head_type, triple.head), (triple.tail_type, triple.tail)]
        if SCHEMA[triple.relation].symmetric and triple.head_type != "Paper":
            ends.sort()
        best.setdefault((triple.relation, *ends[0], *ends[1]), triple)
    return tuple(sorted(best.values(), key=lambda t: (t.start, t.end, t.relation, t.head, t.tail)))
