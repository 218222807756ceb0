"""The parts of training that need no PyTorch: reading annotations, and fitting calibration."""

import json
import random

import numpy as np
import pytest

from kg.pipeline.scheme import RELATION_LABELS, ROLE_LABELS
from kg.pipeline.tags import TAGS
from kg.pipeline.words import split_words
from training.calibrate import fit, reliability, threshold
from training.examples import (
    IGNORE,
    annotated_example,
    candidate_pairs,
    detokenise,
    labelled,
    packed,
    passages,
    scier,
)

TEXT = r"We propose \emph{FooNet} (FN) for parsing. FooNet beats BarNet. We call it FooNet."


def row():
    def entity(surface, kind, canonical, nth=0):
        start = -1
        for _ in range(nth + 1):
            start = TEXT.index(surface, start + 1)
        return {"start": start, "end": start + len(surface), "text": surface, "type": kind, "canonical": canonical}

    return {
        "id": "p",
        "text": TEXT,
        "entities": [
            entity("FooNet", "Method", "FooNet"),
            entity("FN", "Method", "FooNet"),
            entity("parsing", "Task", "parsing"),
            entity("FooNet", "Method", "FooNet", 1),
            entity("BarNet", "Method", "BarNet"),
            entity("FooNet", "Method", "FooNet", 2),
        ],
        "paper_relations": [{"relation": "PROPOSES", "type": "Method", "canonical": "FooNet"}],
        "relations": [
            {
                "head": "FooNet",
                "head_type": "Method",
                "relation": "Used-For",
                "tail": "parsing",
                "tail_type": "Task",
                "sentence_start": 0,
                "sentence_end": 42,
            },
            {
                "head": "FooNet",
                "head_type": "Method",
                "relation": "Synonym-Of",
                "tail": "FooNet",
                "tail_type": "Method",
                "sentence_start": 0,
                "sentence_end": 42,
                "head_text": "FN",
                "tail_text": "FooNet",
            },
        ],
    }


def test_annotations_follow_the_text_through_cleaning():
    example = annotated_example(row())
    surfaces = [example.text[example.words[a].start : example.words[b - 1].end] for a, b, _ in example.mentions]
    assert surfaces == ["FooNet", "FN", "parsing", "FooNet", "BarNet", "FooNet"]
    assert example.clusters == [0, 0, 1, 0, 2, 0]
    assert len(example.sentences) == 3
    assert example.roles is not None
    assert example.roles[0][ROLE_LABELS.index("PROPOSES")] == 1
    assert not any(example.roles[1])


def test_the_nearest_pair_states_a_relation_and_the_others_are_left_open():
    example = annotated_example(row())
    named = {pair: RELATION_LABELS[v] if v != IGNORE else "?" for pair, v in example.pairs.items()}
    assert named == {(1, 2): "USED_FOR>", (0, 2): "?", (0, 1): "SYNONYM_OF<"}
    assert set(example.pairs) <= set(candidate_pairs(example))
    assert (3, 5) not in candidate_pairs(example)


def test_tokens_become_text_and_keep_their_places():
    tokens = ["The", "top", "-", "1", "score", "is", "4", "2", ".", "5", "%", "(", "see", "Fig", ".", "2", ")", "."]
    text, places = detokenise(tokens)
    assert text.startswith("The top-1 score is 42.5% (see Fig. 2)")
    assert [text[a:b] for a, b in places] == tokens


def test_scier_rows_become_examples(tmp_path):
    line = {
        "doc_id": "1",
        "sentence": "BarNet , a BarNet - based net for parsing",
        "ner": [["BarNet", "Method"], ["BarNet - based net", "Method"], ["parsing", "Task"]],
        "rel": [["BarNet - based net", "Used-For", "parsing"]],
    }
    path = tmp_path / "scier.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf8")
    [example] = scier(path)
    assert [kind for _, _, kind in example.mentions] == ["Method", "Method", "Task"]
    assert example.pairs == {(1, 2): RELATION_LABELS.index("USED_FOR>")}


def test_sentences_of_one_document_are_read_together(tmp_path):
    def line(document, sentence, ner, rel=()):
        return json.dumps({"doc_id": document, "sentence": sentence, "ner": ner, "rel": list(rel)})

    lines = [
        line("1", "A net", [["net", "Method"]]),
        line(
            "1", "BarNet for parsing", [["BarNet", "Method"], ["parsing", "Task"]], [("BarNet", "Used-For", "parsing")]
        ),
        line("2", "The net", [["net", "Method"]]),
        line("2", "a longer sentence", []),
    ]
    path = tmp_path / "scier.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    sentences = list(scier(path))
    first, second = passages(sentences, 5)
    assert [first.text, second.text] == ["A net BarNet for parsing", "The net a longer sentence"]
    assert first.words == split_words(first.text)
    assert first.mentions == [(1, 2, "Method"), (2, 3, "Method"), (4, 5, "Task")]
    assert len(set(first.clusters)) == 3
    assert first.pairs == {(1, 2): RELATION_LABELS.index("USED_FOR>")}
    assert candidate_pairs(first) == [(1, 2)]
    cut = [passages(sentences, 5, random.Random(seed)) for seed in range(20)]
    assert len({len(c) for c in cut}) > 1
    assert all([s for p in c for s in p.text.split()] == [w for s in sentences for w in s.text.split()] for c in cut)


def test_what_a_teacher_says_is_read_back_as_probabilities(tmp_path):
    tags = np.zeros((5, len(TAGS)), np.float32)
    tags[:, 0], tags[:, 1], tags[:, 2] = 0.898, 0.1, 0.002
    sure = [0.0] * len(RELATION_LABELS)
    row = {
        "id": "p",
        "text": "FooNet beats BarNet. Good",
        "mentions": [[0, 1, "Method"], [2, 3, "Method"]],
        "clusters": [0, 1],
        "tags": {"abstracts": packed(tags), "scier": packed(tags)},
        "pairs": [[0, 1, [1.0, *sure[1:]]]],
        "roles": [[0.25] * len(ROLE_LABELS), [0.75] * len(ROLE_LABELS)],
    }
    path = tmp_path / "labelled.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf8")
    [example] = labelled(path, weight=0.5)
    assert example.soft_tags["scier"].shape == (5, len(TAGS))
    assert example.soft_tags["abstracts"][0, :3].tolist() == pytest.approx([0.9, 0.1, 0.0], abs=0.001)
    assert example.soft_pairs[0, 1].tolist() == [1.0, *sure[1:]]
    assert example.roles is not None
    assert example.roles[1][0] == 0.75


def test_fitted_scores_agree_with_how_often_they_were_right():
    rows = [("USES", [x], i < n) for x, n in ((-2.0, 10), (0.0, 40), (2.0, 70)) for i in range(100)]
    weights = fit(rows, ["USES"])["USES"]
    assert weights[0] == pytest.approx(0.78, abs=0.05)
    assert weights[-1] == pytest.approx(-0.6, abs=0.2)


def test_the_threshold_is_where_f1_is_best():
    scores = [(0.9, True), (0.8, True), (0.7, True), (0.6, False), (0.5, False), (0.4, False)]
    assert 0.6 < threshold(scores, 3) <= 0.7


def test_reliability_counts():
    [low, high] = reliability([(0.1, False), (0.95, True), (0.93, True), (0.91, False)])
    assert (low["right"], high["n"], high["right"]) == (0.0, 3, 0.667)
