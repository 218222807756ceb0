"""Scores of extraction records against annotated abstracts.

Micro precision, recall and F1, in per cent. Papers are matched by their abstract's text, white space aside, so ids may
differ; an annotated paper without a record counts as all missed.

mentions          exact span and type (also a type at a time)
mentions~         any overlap, same type
paper triples     (relation, entity) a paper (also a relation at a time)
entity triples    (head, relation, tail) a paper
clusters          pairs of rightly found mentions in different papers that are said to be one entity
share-a-method    pairs of papers that share at least one Method

Two entities match when a name, mention or alias of one equals one of the other after folding case, markup, hyphens and
plural -s. ``clusters`` and ``share-a-method`` take the records' own entity names; with ``resolved`` after them, the
entities that resolution over all the records makes of those names.

With the annotated mentions taken as found (``gold_mentions``) these last two measure naming and resolution alone.
"""

from pathlib import Path
from typing import cast

from kg.clean import clean
from kg.evaluate.gold import GoldPaper, read_gold
from kg.evaluate.scoring import Evaluation, Figure, score, score_naming
from kg.extract import extract
from kg.read import read
from kg.resolve import name_document
from kg.types import ENTITY_TYPES, EntityType, Extraction, Mention, Paper

__all__ = ["Evaluation", "Figure", "evaluate", "read_gold", "score", "score_naming"]


def evaluate(
    gold: str | Path,
    records: str | Path | None = None,
    *,
    gold_mentions: bool = False,
    model: str | None = None,
    min_score: float | None = None,
    workers: int = 1,
) -> Evaluation:
    """Measure extraction records, or the extraction of this moment, against annotated abstracts.

    ``gold``: a file for ``read_gold``. ``records``: a file of extraction records; without it the annotated texts are
    extracted now, with ``model``, ``min_score`` and ``workers`` as for ``kg.extract``. ``gold_mentions``: take the
    annotated mentions as found and measure only what names and resolution make of them.

    Raises InputError for a file that cannot be read, ModelError when the model cannot be loaded.
    """
    papers = read_gold(gold)
    if gold_mentions:
        return score_naming(papers, [_annotated(paper) for paper in papers])
    if records is not None:
        return score(papers, read_records(records))
    texts = [Paper(id=paper.id, abstract=paper.text) for paper in papers]
    return score(papers, list(extract(texts, model=model, min_score=min_score, workers=workers)))


def read_records(path: str | Path) -> list[Extraction]:
    """The extraction records of a file; InputError, naming file and line, for the first that is none."""
    found = []
    for item in read([path], format="records", strict=True):
        assert isinstance(item, Extraction)
        found.append(item)
    return found


def _annotated(paper: GoldPaper) -> Extraction:
    """A record that has the annotated mentions, named as the package names them: nothing of the annotated names."""
    from kg.pipeline.abbreviations import find_abbreviations

    text = paper.text
    plain = clean(text).text
    pairs = [(plain[p.short_start : p.short_end], plain[p.long_start : p.long_end]) for p in find_abbreviations(plain)]
    spans = [m for m in paper.mentions if m.type in ENTITY_TYPES]
    names = name_document([(m.name, cast(EntityType, m.type)) for m in spans], pairs)
    return Extraction(
        paper=Paper(id=paper.id, abstract=text),
        mentions=tuple(
            Mention(
                start=m.start,
                end=m.end,
                text=text[m.start : m.end],
                name=m.name,
                type=cast(EntityType, m.type),
                entity=name,
                score=1,
            )
            for m, name in zip(spans, names, strict=True)
        ),
        extractor="annotation",
    )
