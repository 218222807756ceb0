"""Annotated texts as training examples: words, mention spans, relations between mentions, roles of entities."""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.clean import clean
from kg.pipeline.scheme import ROLE_LABELS, relation_label
from kg.pipeline.sentences import split_sentences
from kg.pipeline.tags import TAGS
from kg.pipeline.words import Word, split_words

RELATION_NAMES = {
    "used-for": "USED_FOR",
    "part-of": "PART_OF",
    "subclass-of": "SUBCLASS_OF",
    "subtask-of": "SUBTASK_OF",
    "compare-with": "COMPARES_WITH",
    "evaluated-with": "EVALUATED_ON",
    "trained-with": "TRAINED_ON",
    "benchmark-for": "BENCHMARK_FOR",
    "synonym-of": "SYNONYM_OF",
}
"""SciER's names of relations (in small letters) and ours."""
IGNORE = -100
Probabilities = npt.NDArray[np.float32]


@dataclass
class Example:
    """One text. Spans count words, ends exclusive; ``weight`` scales its loss."""

    id: str
    source: str
    text: str
    words: tuple[Word, ...]
    mentions: list[tuple[int, int, str]]
    clusters: list[int]
    """The entity of each mention."""
    sentences: list[tuple[int, int]]
    """Word spans of sentences."""
    pairs: dict[tuple[int, int], int] = field(default_factory=dict)
    """Label of each pair of mentions (earlier, later) of one sentence: an index of RELATION_LABELS, IGNORE, or none."""
    roles: dict[int, list[float]] | None = None
    """How likely each of ROLE_LABELS is, by entity (0 or 1 by annotators); None where the source has none."""
    weight: float = 1.0
    soft_tags: dict[str, Probabilities] = field(default_factory=dict)
    """What a teacher says of each word, words x TAGS, by tag head; empty where annotators spoke."""
    soft_pairs: dict[tuple[int, int], Probabilities] = field(default_factory=dict)
    """What a teacher says of pairs of mentions, for each of RELATION_LABELS."""


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf8").split("\n") if line]


def word_span(words: tuple[Word, ...], start: int, end: int) -> tuple[int, int] | None:
    """The words that characters start:end cover exactly, or None."""
    first = next((i for i, w in enumerate(words) if w.start == start), None)
    last = next((i for i, w in enumerate(words) if w.end == end), None)
    return None if first is None or last is None or last < first else (first, last + 1)


def sentence_words(text: str, words: tuple[Word, ...]) -> list[tuple[int, int]]:
    """Word spans of the sentences of a text."""
    spans = []
    i = 0
    for _, end in split_sentences(text):
        j = i
        while j < len(words) and words[j].start < end:
            j += 1
        if j > i:
            spans.append((i, j))
        i = j
    return spans


def annotated(path: Path) -> Iterator[Example]:
    """The abstracts of data/annotated or gold, cleaned as kg cleans them, with every offset moved along."""
    for row in read_rows(path):
        yield annotated_example(row)


def labelled(path: Path, weight: float) -> Iterator[Example]:
    """Abstracts that a teacher read (``training.label``), with its probabilities as what there is to learn."""
    for row in read_rows(path):
        text = row["text"]
        words = split_words(text)
        yield Example(
            row["id"],
            "abstracts",
            text,
            words,
            [(a, b, kind) for a, b, kind in row["mentions"]],
            row["clusters"],
            sentence_words(text, words),
            roles=dict(enumerate(row["roles"])),
            weight=weight,
            soft_tags={head: unpacked(rows) for head, rows in row["tags"].items()},
            soft_pairs={(i, j): np.array(p, np.float32) for i, j, p in row["pairs"]},
        )


def packed(probabilities: Probabilities) -> list[dict[str, float]]:
    """Rows of probabilities by column, those under half a percent left out.

    >>> packed(np.array([[0.999, 0.001], [0.25, 0.75]], np.float32))
    [{'0': 0.999}, {'0': 0.25, '1': 0.75}]
    """
    return [{str(i): round(float(p), 3) for i, p in enumerate(row) if p >= 0.005} for row in probabilities]


def unpacked(rows: Sequence[Mapping[str, float]]) -> Probabilities:
    """Probabilities of TAGS, each row summing to one again.

    >>> unpacked([{"0": 0.99}])[0, :2].tolist()
    [1.0, 0.0]
    """
    full = np.zeros((len(rows), len(TAGS)), np.float32)
    for row, found in zip(full, rows, strict=True):
        for i, p in found.items():
            row[int(i)] = p
    return full / full.sum(1, keepdims=True)


def annotated_example(row: dict[str, Any]) -> Example:
    """One annotated abstract."""
    cleaned = clean(row["text"])
    text = cleaned.text
    words = split_words(text)
    kept: list[Kept] = []
    for e in sorted(row["entities"], key=lambda e: e["start"]):
        span = word_span(words, *cleaned.to_clean(e["start"], e["end"]))
        if span and (not kept or span[0] >= kept[-1].span[1]):
            kept.append(Kept(span, e["start"], e["end"], e["text"], (e["type"], e["canonical"])))
    names: dict[tuple[str, str], int] = {}
    clusters = [names.setdefault(k.entity, len(names)) for k in kept]
    mentions = [(*k.span, k.entity[0]) for k in kept]
    example = Example(row["id"], "abstracts", text, words, mentions, clusters, sentence_words(text, words))
    _annotated_relations(example, row, kept, names)
    _annotated_roles(example, row, kept, names)
    return example


class Kept(NamedTuple):
    """An annotated mention: words of the clean text, characters of the raw one, surface and entity."""

    span: tuple[int, int]
    start: int
    end: int
    text: str
    entity: tuple[str, str]


def _annotated_relations(
    example: Example, row: dict[str, Any], kept: list[Kept], names: dict[tuple[str, str], int]
) -> None:
    for r in row["relations"]:
        name = RELATION_NAMES[r["relation"].lower()]
        inside = [i for i, k in enumerate(kept) if k.start >= r["sentence_start"] and k.end <= r["sentence_end"]]
        head, tail = names.get((r["head_type"], r["head"])), names.get((r["tail_type"], r["tail"]))
        heads = [i for i in inside if example.clusters[i] == head]
        tails = [i for i in inside if example.clusters[i] == tail]
        if name == "SYNONYM_OF":
            heads = [i for i in heads if kept[i].text == r["head_text"]]
            tails = [i for i in tails if kept[i].text == r["tail_text"]]
        options = sorted((abs(h - t), h, t) for h in heads for t in tails if h != t)
        for rank, (_, h, t) in enumerate(options):
            pair = (min(h, t), max(h, t))
            if rank == 0:
                example.pairs[pair] = relation_label(name, h < t)
            elif name != "SYNONYM_OF":
                # The annotation is of entities, not of mentions: which of the other pairs also states it is unknown
                example.pairs.setdefault(pair, IGNORE)


def _annotated_roles(
    example: Example, row: dict[str, Any], kept: list[Kept], names: dict[tuple[str, str], int]
) -> None:
    roles = {c: [0.0] * len(ROLE_LABELS) for c in set(example.clusters)}
    for r in row["paper_relations"]:
        c = names.get((r["type"], r["canonical"]))
        if c is not None:
            roles[c][ROLE_LABELS.index(r["relation"])] = 1.0
    example.roles = roles


def detokenise(tokens: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """SciER's tokens as running text, and where each token lies in it; digits that it set apart are joined again."""
    text = ""
    places = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else ""
        glued = (
            not i
            or (before[-1:].isdigit() and token[:1].isdigit())
            or (before in (".", ",") and i > 1 and tokens[i - 2][-1:].isdigit() and token[:1].isdigit())
            or token in (".", ",", ";", ":", ")", "]", "%", "!", "?", "-", "’s", "'s")
            or before in ("(", "[", "-")
        )
        text += token if glued else " " + token
        places.append((len(text) - len(token), len(text)))
    return text, places


def _find(tokens: list[str], wanted: list[str], taken: list[bool], start: int) -> int | None:
    for i in range(start, len(tokens) - len(wanted) + 1):
        if tokens[i : i + len(wanted)] == wanted and not any(taken[i : i + len(wanted)]):
            return i
    return None


def scier(path: Path) -> Iterator[Example]:
    """SciER's sentences (scier_*.jsonl): mentions in text order, relations between strings."""
    for number, row in enumerate(read_rows(path)):
        tokens = row["sentence"].split()
        taken = [False] * len(tokens)
        found: list[tuple[int, int, str, str]] = []
        cursor = 0
        for surface, kind in row["ner"]:
            wanted = surface.split()
            at = _find(tokens, wanted, taken, cursor)
            if at is None:
                at = _find(tokens, wanted, taken, 0)
            if at is None:
                continue
            taken[at : at + len(wanted)] = [True] * len(wanted)
            found.append((at, at + len(wanted), kind, surface))
            cursor = at + len(wanted)
        relations = [(h, r, t) for h, r, t in row["rel"]]
        yield _scier_example(f"{row['doc_id']}:{number}", tokens, found, relations)


def _scier_example(
    id: str, tokens: list[str], found: list[tuple[int, int, str, str]], relations: list[tuple[str, str, str]]
) -> Example:
    text, places = detokenise(tokens)
    words = split_words(text)
    mentions = []
    for start, end, kind, surface in sorted(found):
        span = word_span(words, places[start][0], places[end - 1][1])
        if span:
            mentions.append((*span, kind, surface))
    names: dict[str, int] = {}
    clusters = [names.setdefault(f"{k}:{s.lower()}", len(names)) for _, _, k, s in mentions]
    example = Example(
        id, "scier", text, words, [(a, b, k) for a, b, k, _ in mentions], clusters, [(0, len(words))] if words else []
    )
    for head, relation, tail in relations:
        name = RELATION_NAMES[relation.lower()]
        heads = [i for i, m in enumerate(mentions) if m[3] == head]
        tails = [i for i, m in enumerate(mentions) if m[3] == tail]
        options = sorted((abs(h - t), h, t) for h in heads for t in tails if h != t)
        for rank, (_, h, t) in enumerate(options):
            pair = (min(h, t), max(h, t))
            if rank == 0:
                example.pairs[pair] = relation_label(name, h < t)
            else:
                example.pairs.setdefault(pair, IGNORE)
    return example


def scier_documents(path: Path) -> Iterator[Example]:
    """SciER's dev and test with token offsets (plm_*.jsonl), a sentence an example: what scores are counted on."""
    for row in read_rows(path):
        offset = 0
        for k, tokens in enumerate(row["sentences"]):
            text, places = detokenise(tokens)
            words = split_words(text)
            index: dict[tuple[int, int], int] = {}
            mentions = []
            for start, end, kind in sorted(row["ner"][k]):
                span = word_span(words, places[start - offset][0], places[end - offset][1])
                if span:
                    index[start, end] = len(mentions)
                    mentions.append((*span, kind))
            example = Example(
                f"{row['doc_id']}:{k}",
                "scier",
                text,
                words,
                mentions,
                list(range(len(mentions))),
                [(0, len(words))] if words else [],
            )
            for a, b, c, d, relation in row["relations"][k]:
                h, t = index.get((a, b)), index.get((c, d))
                if h is None or t is None or h == t:
                    continue
                label = relation_label(RELATION_NAMES[relation.lower()], h < t)
                example.pairs[min(h, t), max(h, t)] = label
            offset += len(tokens)
            yield example


def joined(sentences: Sequence[Example]) -> Example:
    """Sentences of one document as one text, a space between them."""
    whole = Example(sentences[0].id, sentences[0].source, "", (), [], [], [])
    words: list[Word] = []
    for sentence in sentences:
        shift, first, mention = len(whole.text) + bool(whole.text), len(words), len(whole.mentions)
        whole.text = f"{whole.text} {sentence.text}" if whole.text else sentence.text
        words += [w._replace(start=w.start + shift, end=w.end + shift) for w in sentence.words]
        entity = max(whole.clusters, default=-1) + 1
        whole.mentions += [(a + first, b + first, kind) for a, b, kind in sentence.mentions]
        whole.clusters += [c + entity for c in sentence.clusters]
        whole.sentences += [(a + first, b + first) for a, b in sentence.sentences]
        whole.pairs |= {(i + mention, j + mention): label for (i, j), label in sentence.pairs.items()}
    whole.words = tuple(words)
    return whole


def document(example: Example) -> str:
    """The document of one of SciER's sentences."""
    return example.id.rsplit(":", 1)[0]


def passages(sentences: Sequence[Example], n_words: int, rng: random.Random | None = None) -> list[Example]:
    """Neighbouring sentences of each document as texts of at most ``n_words``, so that each is read in its context.

    With ``rng`` every text has its own limit, at random up to ``n_words``, so that each epoch cuts elsewhere and some
    sentences come alone. A sentence that is longer than the limit stands alone.
    """
    made: list[Example] = []
    for _, group in groupby(sentences, document):
        current: list[Example] = []
        room = 0
        for sentence in group:
            if not current or sum(len(s.words) for s in current) + len(sentence.words) > room:
                made += [joined(current)] if current else []
                current = []
                room = rng.randint(1, n_words) if rng else n_words
            current.append(sentence)
        made.append(joined(current))
    return made


def candidate_pairs(example: Example) -> list[tuple[int, int]]:
    """All pairs (earlier, later) of mentions that lie in one sentence."""
    by_sentence: dict[int, list[int]] = defaultdict(list)
    for i, (start, _, _) in enumerate(example.mentions):
        for s, (a, b) in enumerate(example.sentences):
            if a <= start < b:
                by_sentence[s].append(i)
    return [(i, j) for group in by_sentence.values() for n, i in enumerate(group) for j in group[n + 1 :]]


def mask_words(words: list[str], rate: float, mask: str, rng: random.Random) -> list[str]:
    """A copy in which some words are hidden, so that the model reads the context and not the name alone."""
    return [w if rng.random() >= rate or not w[0].isalnum() else mask for w in words]
