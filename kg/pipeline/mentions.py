"""Mentions as the heads see them: first and last word, type, sentence, in arrays."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from spacy.tokens import Doc

from kg.pipeline.encoder import encoding_of
from kg.pipeline.network import Ints
from kg.types import ENTITY_TYPES


@dataclass(frozen=True, slots=True)
class Mentions:
    """Arrays with a row for each of ``doc.ents``; sentences are numbered through the document."""

    spans: Ints
    """First and last word."""
    types: Ints
    sentence: list[int]
    around: Ints
    """First and last word of each mention's sentence."""
    n_sentences: int
    tokens: list[tuple[int, int]]
    """First token and end token of each sentence."""


def read_mentions(doc: Doc) -> Mentions:
    """The mentions of a Doc."""
    words = encoding_of(doc).words
    starts = [w.start for w in words]
    sents = [(s.start_char, s.end_char, s.start, s.end) for s in doc.sents]
    sentence_starts = [s[0] for s in sents]
    spans, types, sentence, around = [], [], [], []
    for ent in doc.ents:
        first = _word_at(starts, ent.start_char)
        spans.append((first, max(first, _word_at(starts, ent.end_char - 1))))
        types.append(ENTITY_TYPES.index(ent.label_))
        s = _word_at(sentence_starts, ent.start_char)
        sentence.append(s)
        # From the first word at or after the sentence's start to the last before its end
        a = bisect_left(starts, sents[s][0])
        b = bisect_left(starts, sents[s][1]) - 1
        around.append((a, max(a, b)))
    return Mentions(
        np.array(spans, np.int64).reshape(-1, 2),
        np.array(types, np.int64),
        sentence,
        np.array(around, np.int64).reshape(-1, 2),
        len(sents),
        [(s[2], s[3]) for s in sents],
    )


def _word_at(starts: Sequence[int], offset: int) -> int:
    return max(0, bisect_right(starts, offset) - 1)
