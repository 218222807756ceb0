"""Made-up papers for these tests: names in brackets are mentions, ``[text|Type]`` or ``[text|Type|entity]``."""

import re
from collections.abc import Iterable
from typing import Any

from kg.types import Extraction, Mention, Paper, Triple

Said = tuple[str, str, str]
"""Head entity (``"P"`` for the paper), relation, tail entity; the evidence is the first sentence that names them."""

_MARK = re.compile(r"\[([^|\]]+)\|(Method|Task|Dataset)(?:\|([^\]]+))?\]")


def record(id: str, title: str, marked: str, said: Iterable[Said], *, year: int = 2024, **paper: Any) -> Extraction:
    """An extraction record of a marked text."""
    text, mentions, at = "", [], 0
    for found in _MARK.finditer(marked):
        text += marked[at : found.start()]
        start = len(text)
        text += found[1]
        at = found.end()
        mentions.append(
            Mention(
                start=start, end=len(text), text=found[1], name=found[1], type=found[2], entity=found[3] or found[1],
                score=0.9,
            )
        )  # fmt: skip
    text += marked[at:]
    types = {m.entity: m.type for m in mentions}
    triples = []
    for head, relation, tail in said:
        start, end = _sentence(text, mentions, {head, tail} - {"P"})
        triples.append(
            Triple(
                head=id if head == "P" else head, head_type="Paper" if head == "P" else types[head],
                relation=relation, tail=tail, tail_type=types[tail], start=start, end=end, score=0.8,
            )
        )  # fmt: skip
    made = Paper(id=id, title=title, abstract=text, year=year, **paper)
    return Extraction(paper=made, mentions=tuple(mentions), triples=tuple(triples), extractor="made 1")


def _sentence(text: str, mentions: Iterable[Mention], names: set[str]) -> tuple[int, int]:
    for found in re.finditer(r"[^.]+\.", text):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if names <= {m.entity for m in mentions if start <= m.start < found.end()}:
            return start, found.end()
    raise ValueError(f"no sentence names {sorted(names)}")


GNN = "graph neural network"
PAPERS = [
    record(
        "rook", "Rooks keep the detail",
        f"Message passing loses detail when it is stacked. We propose [RookNet|Method], "
        f"a [{GNN}|Method] that keeps it. "
        "RookNet leads on [Pebble-40|Dataset] in [node labeling|Task], ahead of [CrowNet|Method].",
        [("P", "PROPOSES", "RookNet"), ("RookNet", "SUBCLASS_OF", GNN), ("P", "USES", GNN),
         ("P", "EVALUATED_ON", "Pebble-40"), ("P", "COMPARES_WITH", "CrowNet"), ("P", "ADDRESSES", "node labeling")],
        year=2025, venue="ICGB", ids=("doi:10.1/rook",), url="https://rooks.example/1",
    ),
    record(
        "crow", "Crows pass few messages",
        f"[CrowNet|Method] is a sparse [GNN|Method|{GNN}] for [node labeling|Task]. "
        "[Pebble-40|Dataset] is the yardstick for node labeling, and CrowNet is run on it with [ridge descent|Method].",
        [("P", "PROPOSES", "CrowNet"), ("P", "USES", GNN), ("CrowNet", "USED_FOR", "node labeling"),
         ("P", "ADDRESSES", "node labeling"), ("P", "EVALUATED_ON", "Pebble-40"), ("P", "USES", "ridge descent")],
        year=2023,
    ),
    record(
        "wren", "Wrens guess missing links",
        f"We guess missing links with a [{GNN}|Method] trained by [ridge descent|Method]. "
        "[Link guessing|Task|link guessing] stays hard on [Twig-7|Dataset].",
        [("P", "USES", GNN), ("P", "USES", "ridge descent"), ("P", "ADDRESSES", "link guessing"),
         ("P", "EVALUATED_ON", "Twig-7")],
        year=2024,
    ),
    record(
        "lark", "Larks sort their songs",
        "Sorting songs is slow. A [neural network|Method] with [dawn pooling|Method] "
        "does [song sorting|Task] in one pass. "
        "[Dawn pooling|Method|dawn pooling] is part of the neural network.",
        [("P", "USES", "neural network"), ("P", "PROPOSES", "dawn pooling"), ("P", "ADDRESSES", "song sorting")],
    ),
    record(
        "finch", "Finches sort seeds",
        "A [neural network|Method] sorts seeds by [dawn pooling|Method]. "
        "[Seed sorting|Task|seed sorting] is its whole aim.",
        [("P", "USES", "neural network"), ("P", "USES", "dawn pooling"), ("P", "ADDRESSES", "seed sorting")],
    ),
    record(
        "gull", "Gulls steal",
        "A [neural network|Method] predicts theft. This is [theft forecasting|Task].",
        [("P", "USES", "neural network"), ("P", "ADDRESSES", "theft forecasting")],
    ),
    record(
        "swan", "Swans & <script>alert('swan')</script>",
        "A [neural network|Method] reads <b>markup</b> & quotes. It names [song sorting|Task] in passing.",
        [("P", "USES", "neural network")],
        year=2022,
    ),
]  # fmt: skip
