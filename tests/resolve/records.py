"""Small records for tests: one call a paper."""

from collections.abc import Iterable, Sequence

from kg.resolve import name_document
from kg.types import EntityType, Extraction, Mention, Paper, Triple


def record(
    paper: str,
    names: Iterable[tuple[EntityType, str] | tuple[EntityType, str, str]],
    *,
    triples: Sequence[tuple[str, str]] = (),
    abbreviations: Sequence[tuple[str, str]] = (),
) -> Extraction:
    """A record whose abstract lists these names, each ``(type, name)`` or ``(type, name, entity)``.

    ``triples``: (relation, name) facts about the paper. Entities are named as extraction names them, unless given.
    """
    given = list(names)
    named = name_document([(n[1], n[0]) for n in given], abbreviations)
    text, mentions = "", []
    for each, entity in zip(given, named, strict=True):
        start = len(text)
        text += each[1]
        mentions.append(
            Mention(
                start=start,
                end=len(text),
                text=each[1],
                name=each[1],
                type=each[0],
                entity=each[2] if len(each) == 3 else entity,
                score=0.9,
            )
        )
        text += ". "
    by_name = {m.name: m for m in mentions}
    facts = tuple(
        Triple(
            head=paper,
            head_type="Paper",
            relation=relation,
            tail=by_name[name].entity,
            tail_type=by_name[name].type,
            start=by_name[name].start,
            end=by_name[name].end,
            score=0.8,
        )
        for relation, name in triples
    )
    return Extraction(paper=Paper(id=paper, abstract=text), mentions=tuple(mentions), triples=facts, extractor="test 1")
