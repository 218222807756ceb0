"""A small corpus of extraction records, made by hand, whose names need each other to be resolved."""

import json
from pathlib import Path

from kg.types import Extraction


def record(id, text, *mentions, triples=(), extractor="by hand 1", **paper):
    """A record of ``text``: mentions are (surface, type, entity), triples (head or None, relation, tail)."""
    whole = {"start": 0, "end": len(text), "score": 0.8}
    types = {entity: type_ for _, type_, entity in mentions}
    return Extraction.model_validate(
        {
            "paper": {"id": id, "title": f"On {id}", "abstract": text, "year": 2020, **paper},
            "mentions": [
                {
                    "start": text.index(surface),
                    "end": text.index(surface) + len(surface),
                    "text": surface,
                    "name": surface,
                    "type": type_,
                    "entity": entity,
                    "score": 0.9,
                }
                for surface, type_, entity in mentions
            ],
            "triples": [
                {
                    "head": head or id,
                    "head_type": types[head] if head else "Paper",
                    "relation": relation,
                    "tail": tail,
                    "tail_type": types[tail],
                    **whole,
                }
                for head, relation, tail in triples
            ],
            "extractor": extractor,
        }
    )


QBN = "quilted bolt network"


def corpus():
    """Twelve papers. ``QBN`` alone means the long form only because enough other papers say so."""
    papers = [
        record(
            "bare",
            "We use QBN for bolt sorting.",
            ("QBN", "Method", "QBN"),
            ("bolt sorting", "Task", "bolt sorting"),
            triples=[(None, "USES", "QBN"), (None, "ADDRESSES", "bolt sorting"), ("QBN", "USED_FOR", "bolt sorting")],
        ),
        record("none", "", status="no-abstract"),
        record(
            "gear",
            "GearNet beats the quilted bolt network on BoltBench.",
            ("GearNet", "Method", "GearNet"),
            ("quilted bolt network", "Method", QBN),
            ("BoltBench", "Dataset", "BoltBench"),
            triples=[
                (None, "PROPOSES", "GearNet"),
                (None, "COMPARES_WITH", QBN),
                (None, "EVALUATED_ON", "BoltBench"),
                ("GearNet", "COMPARES_WITH", QBN),
            ],
        ),
        record(
            "plural",
            "GearNets need no tuning.",
            ("GearNets", "Method", "GearNet"),
            triples=[(None, "USES", "GearNet")],
        ),
    ]
    for number in range(8):
        text = f"Here a quilted bolt network (QBN) number {number} sorts bolts."
        papers.append(
            record(
                f"long{number}",
                text,
                ("quilted bolt network", "Method", QBN),
                ("QBN", "Method", QBN),
                triples=[(None, "USES", QBN)],
                year=2010 + number,
            )
        )
    return papers


def write_records(path: Path, records) -> str:
    """The records as a JSON Lines file; its path as text."""
    path.write_text("".join(r.model_dump_json() + "\n" for r in records), encoding="utf-8")
    return str(path)


def dump(store) -> str:
    """The graph of an open store as one text: equal texts, equal graphs."""
    return "\n".join(json.dumps(row, sort_keys=True, default=str) for row in store.dump())
