"""Words as the encoder sees them: runs of letters and digits, and every other visible character on its own.

BERT's own first step splits text the same way, so a word never straddles two of its tokens, and a mention that starts
inside a hyphenated compound (``[GP]-based``) still starts at a word.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+|\S")


class Word(NamedTuple):
    """A word and its place in the text (code points, end exclusive)."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=256)
def split_words(text: str) -> tuple[Word, ...]:
    """The words of a text in order; whitespace belongs to none of them.

    Kept for a few batches of texts, because tokenizer and encoder ask for the same.
    """
    return tuple(Word(m[0], *m.span()) for m in _WORD.finditer(text))


def shape(word: str) -> int:
    """The case shape of a word as a small number (1 to 11), which an uncased encoder cannot see for itself.

    1 punctuation, 2 number, 3 lower case, 4 one capital letter, 5 capitalised, 6 all capitals, 7 capitals with a plural
    s (``GANs``), 8 inner capitals (``ResNet``, ``mBERT``), 9 letters with digits, lower case, 10 the same with
    capitals, 11 anything else. 0 is kept for the encoder's own special tokens.
    """
    if word.isalpha() and word.islower():
        return 3
    if not word[0].isalnum():
        return 1
    if word.isdigit():
        return 2
    if any(map(str.isdigit, word)):
        return 10 if any(map(str.isupper, word)) else 9
    if word.islower():
        return 3
    if word.isupper():
        return 4 if len(word) == 1 else 6
    if word[:-1].isupper() and word.endswith("s") and len(word) > 2:
        return 7
    if word[0].isupper() and word[1:].islower():
        return 5
    return 8 if word.isalpha() else 11


SHAPES = 12
"""How many shapes there are, the 0 of special tokens included."""
