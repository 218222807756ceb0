"""Mentions as BILOU tags, and the best legal sequence of tags (Viterbi).

One tag a word: ``O``, or Begin, Inside, Last, Unit with a type. Ratinov and Roth (2009) found BILOU the better scheme
for named entities.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kg.types import ENTITY_TYPES

TAGS: tuple[str, ...] = ("O", *(f"{p}-{t}" for t in ENTITY_TYPES for p in "BILU"))
"""All tags; the order is the order of the model's outputs."""

Span = tuple[int, int, str]
"""First word, one past the last word, type."""


def _may_follow(a: str, b: str) -> bool:
    inside = a[0] in "BI"
    if inside:
        return b[0] in "IL" and b[2:] == a[2:]
    return b[0] in "OBU"


_FORBIDDEN = np.array([[0.0 if _may_follow(a, b) else -1e9 for b in TAGS] for a in TAGS], dtype=np.float32)
_START = np.array([0.0 if t[0] in "OBU" else -1e9 for t in TAGS], dtype=np.float32)
_STOP = np.array([0.0 if t[0] in "OLU" else -1e9 for t in TAGS], dtype=np.float32)


def encode(spans: Iterable[Span], n_words: int) -> list[int]:
    """The tag of each word, as its index in TAGS; spans must not overlap."""
    tags = [0] * n_words
    for start, end, kind in spans:
        if end - start == 1:
            tags[start] = TAGS.index(f"U-{kind}")
            continue
        tags[start] = TAGS.index(f"B-{kind}")
        tags[end - 1] = TAGS.index(f"L-{kind}")
        for i in range(start + 1, end - 1):
            tags[i] = TAGS.index(f"I-{kind}")
    return tags


def viterbi(log_probs: npt.NDArray[np.float32]) -> list[int]:
    """The most probable legal tag sequence; ``log_probs`` is words x tags."""
    if not len(log_probs):
        return []
    score = log_probs[0] + _START
    back = []
    for row in log_probs[1:]:
        paths = score[:, None] + _FORBIDDEN
        back.append(paths.argmax(0))
        score = paths.max(0) + row
    tag = int((score + _STOP).argmax())
    tags = [tag]
    for pointers in reversed(back):
        tag = int(pointers[tag])
        tags.append(tag)
    return tags[::-1]


def decode(tags: Sequence[int]) -> list[Span]:
    """The spans of a legal tag sequence, in order."""
    spans = []
    start = 0
    for i, tag in enumerate(tags):
        name = TAGS[tag]
        if name[0] in "BU":
            start = i
        if name[0] in "LU":
            spans.append((start, i + 1, name[2:]))
    return spans


def sentence_of(position: int, bounds: Sequence[tuple[int, int]]) -> int:
    """The index of the (start, end) interval that holds a position; the last that starts before it if none does."""
    for i, (_, (start, _end)) in enumerate(pairwise(bounds)):
        if position < start:
            return i
    return len(bounds) - 1
