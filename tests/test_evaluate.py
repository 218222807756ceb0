"""The figures of kg.evaluate: known by hand on two small papers, and equal to the stand-alone scorer's on real ones."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.evaluate import Figure, read_gold, score
from kg.types import SCHEMA, Extraction

SHARED = Path(os.environ.get("KG_SHARED", Path(__file__).parents[2] / "shared"))

ONE = "WidgetNets rank bolts. We train WidgetNet on BoltBench."
TWO = "The widget net is beaten by CogFlow on BoltBench."


def span(text, surface, type_, canonical):
    start = text.index(surface)
    return {
        "start": start,
        "end": start + len(surface),
        "text": surface,
        "norm": surface,
        "type": type_,
        "canonical": canonical,
    }


def gold_lines():
    role = {"relation": "PROPOSES", "type": "Method", "canonical": "WidgetNet"}
    fact = {"relation": "Trained-With", "head": "WidgetNet", "head_type": "Method", "tail": "BoltBench"}
    synonym = {"relation": "Synonym-Of", "head": "WidgetNet", "head_type": "Method", "tail": "WidgetNet"}
    contrast = {"relation": "Compare-With", "head": "CogFlow", "head_type": "Method", "tail": "widget net"}
    return [
        {
            "id": "g1",
            "text": ONE,
            "entities": [
                span(ONE, "WidgetNets", "Method", "WidgetNet"),
                span(ONE, "BoltBench", "Dataset", "BoltBench"),
            ],
            "paper_relations": [role],
            "relations": [fact | {"tail_type": "Dataset"}, synonym | {"tail_type": "Method"}],
        },
        {
            "id": "g2",
            "text": TWO,
            "entities": [
                span(TWO, "widget net", "Method", "widget net"),
                span(TWO, "CogFlow", "Method", "CogFlow"),
                span(TWO, "BoltBench", "Dataset", "BoltBench"),
            ],
            "paper_relations": [],
            "relations": [contrast | {"tail_type": "Method"}],
        },
    ]


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in gold_lines()), encoding="utf-8")
    return path


def record(text, mentions, triples=(), lead=""):
    """A record whose abstract is ``text`` behind ``lead``; mentions are (surface, type, entity)."""
    abstract = lead + text
    whole = {"start": len(lead), "end": len(abstract), "score": 0.9}
    return Extraction.model_validate(
        {
            "paper": {"id": "r", "abstract": abstract},
            "mentions": [
                {
                    "start": abstract.index(surface),
                    "end": abstract.index(surface) + len(surface),
                    "text": surface,
                    "name": surface,
                    "type": type_,
                    "entity": entity,
                    "score": 0.9,
                }
                for surface, type_, entity in mentions
            ],
            "triples": [
                {"head": h, "head_type": ht, "relation": r, "tail": t, "tail_type": tt} | whole
                for h, ht, r, t, tt in triples
            ],
            "extractor": "by hand 1",
        }
    )


def test_figures_known_by_hand(gold):
    one = record(
        ONE,
        [("WidgetNets", "Method", "widgetnet"), ("bolts", "Task", "bolt"), ("BoltBench", "Dataset", "BoltBench")],
        [
            ("r", "Paper", "PROPOSES", "widgetnet", "Method"),
            ("r", "Paper", "ADDRESSES", "bolt", "Task"),
            ("widgetnet", "Method", "TRAINED_ON", "BoltBench", "Dataset"),
        ],
        lead="  ",
    )
    two = record(
        TWO,
        [
            ("The widget net", "Method", "widgetnet"),
            ("CogFlow", "Method", "CogFlow"),
            ("BoltBench", "Dataset", "other"),
        ],
        [("widgetnet", "Method", "COMPARES_WITH", "CogFlow", "Method")],
    )
    result = score(read_gold(gold), [one, two])
    assert (result.papers, result.found) == (2, 2)
    figures = result.figures
    assert figures["mentions"] == Figure(4, 5, 6)
    assert figures["mentions Task"] == Figure(0, 0, 1)
    assert figures["mentions~"] == Figure(5, 5, 6)
    assert figures["paper triples"] == Figure(1, 1, 2)
    # "The widget net" does not fold to "widget net", so the crossed comparison is not found.
    assert figures["entity triples"] == Figure(1, 2, 2)
    assert figures["clusters"] == Figure(0, 1, 0)
    assert figures["share-a-method"] == Figure(0, 0, 1)


def test_a_symmetric_relation_counts_either_way_round(gold):
    two = record(
        TWO,
        [("widget net", "Method", "widget nets"), ("CogFlow", "Method", "CogFlow")],
        [("widget nets", "Method", "COMPARES_WITH", "CogFlow", "Method")],
    )
    assert score(read_gold(gold), [two]).figures["entity triples"] == Figure(1, 2, 1)


def test_a_paper_without_a_record_is_all_missed(gold):
    result = score(read_gold(gold), [])
    assert result.found == 0
    assert result.figures["mentions"] == Figure(0, 5, 0)
    assert result.figures["mentions"].f1 == 0.0


@pytest.mark.parametrize(
    ("line", "what"),
    [('{"id": 1', ":2: not an annotated abstract"), ('{"id": "x", "text": "t"}', "no 'entities'")],
)
def test_a_malformed_gold_line_is_named(gold, line, what):
    lines = gold.read_text(encoding="utf-8").splitlines()
    gold.write_text("\n".join([lines[0], line]), encoding="utf-8")
    with pytest.raises(InputError, match=r"gold\.jsonl:2") as error:
        read_gold(gold)
    assert what in str(error.value)


def test_gold_that_is_not_there_or_empty_is_one_line(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_gold(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(InputError, match="no annotated abstract"):
        read_gold(tmp_path / "empty.jsonl")


@pytest.mark.shared
@pytest.mark.parametrize("name", ["gold/gold-dev.jsonl", "data/annotated/dev.jsonl"])
def test_the_stand_alone_scorer_agrees(name, tmp_path):
    gold_file, scorer = SHARED / name, SHARED / "tools" / "score.py"
    if not scorer.is_file():
        pytest.skip(f"no annotated abstracts at {SHARED}: set KG_SHARED")
    records = tmp_path / "records.jsonl"
    gold = read_gold(gold_file)
    made = list(_noisy(gold))
    records.write_text("".join(r.model_dump_json() + "\n" for r in made), encoding="utf-8")
    said = subprocess.run(
        [sys.executable, scorer, gold_file, records, "--json"], capture_output=True, text=True, check=True
    )
    ours = score(gold, made).as_dict()
    theirs = json.loads(said.stdout)
    assert theirs == {name: ours[name] for name in theirs}
    assert ours.keys() - theirs.keys() == {"clusters resolved", "share-a-method resolved"}


def _noisy(gold):
    """Records as an imperfect reader would make them: mentions lost, widened, renamed; facts lost, turned round."""
    chance = random.Random(7)
    for paper in gold[:-1]:
        mentions = []
        for m in paper.mentions:
            if chance.random() < 0.8:
                end = m.end + (chance.random() < 0.1 and m.end < len(paper.text))
                entity = m.canonical.upper() if chance.random() < 0.2 else m.canonical
                mentions.append((m.start, end, m.type, m.name, entity))
        named = {(type_, entity) for _, _, type_, _, entity in mentions}
        whole = {"start": 0, "end": len(paper.text), "score": 0.5}
        triples = [
            {"head": paper.id, "head_type": "Paper", "relation": r, "tail": n, "tail_type": t} | whole
            for r, (t, n) in paper.roles
            if (t, n) in named and chance.random() < 0.8 and ("Paper", t) in SCHEMA[r].pairs
        ]
        for r, (ht, h), (tt, t) in paper.relations:
            if (ht, h) in named and (tt, t) in named and (ht, tt) in SCHEMA[r].pairs:
                if SCHEMA[r].symmetric and chance.random() < 0.5:
                    h, t = t, h
                triples.append({"head": h, "head_type": ht, "relation": r, "tail": t, "tail_type": tt} | whole)
        yield Extraction.model_validate(
            {
                "paper": {"id": paper.id, "abstract": paper.text},
                "mentions": [
                    {"start": s, "end": e, "text": paper.text[s:e], "name": n, "type": t, "entity": c, "score": 0.5}
                    for s, e, t, n, c in mentions
                ],
                "triples": triples,
                "extractor": "noise 1",
            }
        )
