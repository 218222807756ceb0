"""Words that decide what a hyphen at a line's end was: a cut through a word, or part of a compound."""

from collections.abc import Set
from functools import cache
from importlib.resources import files
from typing import Literal

CONJUNCTIONS = frozenset(
    [
        "and",
        "or",
        "to",
        "nor",
        "but",
        "versus",
        "vs",
        "as",
        "than",
        "from",
        "in",
        "of",
        "on",
        "for",
        "with",
        "by",
        "is",
        "are",
    ]
)


@cache
def _known() -> frozenset[str]:
    return frozenset((files("kg.clean") / "words.txt").read_text(encoding="utf-8").split())


def joins(before: str, after: str, words: Set[str]) -> Literal["join", "keep", "apart"]:
    """What to do with ``before-`` and ``after``, cut apart by a line end.

    ``join`` when the text itself (``words``) or the language knows the whole word, ``keep`` the hyphen for a compound,
    ``apart`` when the hyphen is a suspended one (``pre- and post-training``).
    """
    rest = after.lower()
    if rest in CONJUNCTIONS:
        return "apart"
    rest = rest.rstrip("-")  # the next word may be a compound's middle (state-\nof-the-art), then it is no conjunction
    whole = before + rest
    if f"{before}-{rest}" in words:
        return "keep"
    if whole in words or whole in _known():
        return "join"
    return "keep"
