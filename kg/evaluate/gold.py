"""Annotated abstracts: what there is to find."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kg.errors import InputError

# The annotated relation names are SciER's; Synonym-Of is no triple: it makes two mentions one entity.
_RELATIONS = {
    "Used-For": "USED_FOR",
    "Part-Of": "PART_OF",
    "Subclass-Of": "SUBCLASS_OF",
    "SubTask-Of": "SUBTASK_OF",
    "Compare-With": "COMPARES_WITH",
    "Evaluated-With": "EVALUATED_ON",
    "Trained-With": "TRAINED_ON",
    "Benchmark-For": "BENCHMARK_FOR",
}

Name = tuple[str, str]
"""An entity as a record or an annotation names it: (type, canonical name)."""


class GoldMention(NamedTuple):
    """An annotated span of the text; ``name`` is it without markup, ``canonical`` its entity."""

    start: int
    end: int
    type: str
    name: str
    canonical: str


@dataclass(frozen=True)
class GoldPaper:
    """One annotated abstract."""

    id: str
    text: str
    mentions: tuple[GoldMention, ...]
    roles: tuple[tuple[str, Name], ...]
    relations: tuple[tuple[str, Name, Name], ...]


def read_gold(path: str | Path) -> list[GoldPaper]:
    """The annotated abstracts of a JSON Lines file.

    Raises InputError with file and line where one is malformed, or when the file has none.
    """
    papers = []
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as annotated abstracts ({_reason(error)})") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                papers.append(_gold_paper(json.loads(line)))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise InputError(f"{path}:{number}: not an annotated abstract ({_reason(error)})") from error
    if not papers:
        raise InputError(f"{path}: no annotated abstract in it")
    return papers


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"no {error.args[0]!r}"
    if isinstance(error, OSError):
        return error.strerror or ""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    # What else has no value is a number of thousands of digits, of which Python speaks as to a programmer.
    known = isinstance(error, json.JSONDecodeError | UnicodeError | TypeError)
    return str(error) if known else "a number in it has too many digits"


def _gold_paper(values: Mapping[str, Any]) -> GoldPaper:
    return GoldPaper(
        id=str(values["id"]),
        text=values["text"],
        mentions=tuple(
            GoldMention(e["start"], e["end"], e["type"], e["norm"], e["canonical"]) for e in values["entities"]
        ),
        roles=tuple((r["relation"], (r["type"], r["canonical"])) for r in values["paper_relations"]),
        relations=tuple(
            (_RELATIONS[r["relation"]], (r["head_type"], r["head"]), (r["tail_type"], r["tail"]))
            for r in values["relations"]
            if r["relation"] in _RELATIONS
        ),
    )
