"""Mentions as BILOU tags, and the best legal sequence of tags (Viterbi).

One tag a word: ``O``, or Begin, Inside, Last, Unit with a type. Ratinov and Roth (2009) found BILOU the better scheme
for named entities.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kg.types import ENTITY_TYPES

TAGS: tuple[str, ...] = ("O", *(f"{p}-{t}" for t in ENTITY_TYPES for p in "BILU"))
"""All tags; the order is the order of the model's outputs."""

Span = tuple[int, int, str]
"""First word, one past the last word, type."""


_CLOSED = tuple(i for i, tag in enumerate(TAGS) if tag[0] in "OLU")
"""Tags after which no mention is open, so that O, any B and any U may follow."""
_OPEN = tuple(tuple(TAGS.index(f"{p}-{t}") for p in "BIL") for t in ENTITY_TYPES)
"""B, I and L of each type: after its B or I comes its I or L and nothing else."""


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
    """The most probable legal tag sequence; ``log_probs`` is words x tags.

    Of the tags before a word only the best closed one and the best open one of each type can matter.
    """
    rows: list[list[float]] = log_probs.tolist()
    if not rows:
        return []
    score = [p if TAGS[i][0] in "OBU" else -1e9 for i, p in enumerate(rows[0])]
    back = []
    for row in rows[1:]:
        closed = [score[i] for i in _CLOSED]
        best = max(closed)
        new = [best + p for p in row]
        pointers = [_CLOSED[closed.index(best)]] * len(row)
        for begin, inside, last in _OPEN:
            at = begin if score[begin] >= score[inside] else inside
            new[inside], new[last] = score[at] + row[inside], score[at] + row[last]
            pointers[inside] = pointers[last] = at
        back.append(pointers)
        score = new
    tags = [max(_CLOSED, key=lambda i: score[i])]
    for pointers in reversed(back):
        tags.append(pointers[tags[-1]])
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
