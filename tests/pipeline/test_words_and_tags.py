from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.pipeline.entities import trimmed
from kg.pipeline.scheme import DISTANCES, bucket
from kg.pipeline.tags import TAGS, decode, encode, viterbi
from kg.pipeline.words import SHAPES, shape, split_words


@given(st.text())
def test_words_hold_every_visible_character_once_and_in_order(text):
    words = split_words(text)
    assert all(text[w.start : w.end] == w.text for w in words)
    assert "".join(w.text for w in words) == "".join(text.split())
    assert all(0 < shape(w.text) < SHAPES for w in words)


def test_a_compound_is_words():
    assert [w.text for w in split_words("GP-based k_means")] == ["GP", "-", "based", "k", "_", "means"]


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("-", 1),
        ("12", 2),
        ("net", 3),
        ("A", 4),
        ("Net", 5),
        ("GAN", 6),
        ("GANs", 7),
        ("ResNet", 8),
        ("l2", 9),
        ("L2", 10),
    ],
)
def test_shapes(word, number):
    assert shape(word) == number


def test_tags_and_spans_are_each_others_inverse():
    spans = [(0, 1, "Task"), (1, 4, "Method"), (5, 7, "Dataset")]
    assert decode(encode(spans, 8)) == spans


@given(st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_viterbi_gives_legal_tags(n, seed):
    scores = np.random.default_rng(seed).normal(size=(n, len(TAGS))).astype(np.float32)
    tags = viterbi(scores)
    assert len(tags) == n
    assert encode(decode(tags), n) == tags


@cache
def _legal(n):
    return [tags for tags in product(range(len(TAGS)), repeat=n) if encode(decode(tags), n) == list(tags)]


@given(st.integers(1, 3), st.integers(0, 10**6))
def test_viterbi_is_as_good_as_trying_every_legal_sequence(n, seed):
    scores = np.random.default_rng(seed).normal(size=(n, len(TAGS))).astype(np.float32)
    best = max(_legal(n), key=lambda tags: sum(float(scores[i, tag]) for i, tag in enumerate(tags)))
    assert viterbi(scores) == list(best)


def test_viterbi_takes_the_best_legal_path_and_not_the_best_tags():
    scores = np.full((2, len(TAGS)), -9.0, np.float32)
    scores[0, TAGS.index("B-Task")] = -0.1
    scores[1, TAGS.index("O")] = -0.1
    scores[1, TAGS.index("L-Task")] = -0.2
    assert decode(viterbi(scores)) == [(0, 2, "Task")]


def test_buckets_grow_and_end():
    found = [bucket(n) for n in range(200)]
    assert found == sorted(found)
    assert set(found) == set(range(DISTANCES))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("RAG) based methods", "RAG"),
        ("(RAG)", "(RAG)"),
        ("out-of-distribution (OOD) detection", "out-of-distribution (OOD) detection"),
        ("BERT (", "BERT"),
        (") BERT", "BERT"),
        ("“BERT”,", "BERT"),
        ("C++", "C++"),
        (").(", ""),
    ],
)
def test_mentions_hold_no_half_bracket_and_no_punctuation_at_their_ends(text, kept):
    words = split_words(text)
    start, end = trimmed(words, 0, len(words))
    assert (text[words[start].start : words[end - 1].end] if start < end else "") == kept


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("GPT-3.5 is", "GPT-3", "GPT-3.5"),
        ("on Human3.6M.", "Human3", "Human3.6M"),
        ("in 2014.It", "2014", "2014"),
        ("a RT-RRT* planner", "RT-RRT", "RT-RRT*"),
        ("as *probes*: when", "probes", "probes"),
        ("the **SheetRM** set", "SheetRM", "SheetRM"),
        ("ends in A", "A", "A"),
    ],
)
def test_names_end_neither_inside_a_number_nor_before_their_star(text, found, whole):
    words = split_words(text)
    at = text.index(found)
    start = next(i for i, w in enumerate(words) if w.start == at)
    end = next(i for i, w in enumerate(words) if w.end == at + len(found)) + 1
    start, end = trimmed(words, start, end)
    assert text[words[start].start : words[end - 1].end] == whole
