"""What looks like a name and is none: a field, a metric, a thing, a bare noun, a class named by a general word alone.

A graph in which "learning-based method" or "evaluation metric" is a method joins papers that have nothing in common.
"""

from functools import cache, lru_cache

from kg.names import canonical, fold, plain, singular
from kg.types import EntityType
from kg.words import (
    BARE_MODIFIERS,
    DETERMINERS,
    GENERAL_HEADS,
    GENERAL_WORDS,
    HEADS,
    LEADING_NOISE,
    MODIFIER_ENDINGS,
    NO_NAMES,
    STAND_INS,
    UNNAMED_DATA,
)


@lru_cache(maxsize=1 << 16)
def names_nothing(name: str, type: EntityType) -> bool:
    """Whether a mention of that type is no name of a method, task or data set, in any paper.

    >>> [names_nothing(n, "Method") for n in ("BLEU", "learning-based methods", "end-to-end", "a data driven approach")]
    [True, True, True, True]
    >>> [names_nothing(n, "Method") for n in ("gradient-based kind", "iterative manner", "generative ones")]
    [True, True, True]
    >>> [names_nothing(n, "Method") for n in ("3D models", "$d$", "machine learning methods")]
    [True, True, True]
    >>> [names_nothing(n, "Method") for n in ("gradient-based method", "language model", "end-to-end RL", "ELBO")]
    [False, False, False, False]
    >>> [names_nothing(n, "Dataset") for n in ("two real-world datasets", "Wikipedia", "synthetic data", "Adult")]
    [True, False, True, False]
    """
    if fold(name) in _no_names() or fold(canonical(name, type)) in _no_names():
        return True
    words = plain(name).lower().replace(" based", "-based").replace(" driven", "-driven").split()
    while len(words) > 1 and words[0] in DETERMINERS:
        words = words[1:]
    *before, last = words
    last = singular(last)
    if type == "Dataset":
        named = any(map(str.isupper, name[1:]))
        return not named and (all(word in UNNAMED_DATA for word in (*before, last)) and last in HEADS[type])
    if not before:
        return len(last) == 1 or last in BARE_MODIFIERS or last.endswith(MODIFIER_ENDINGS)
    if last in STAND_INS and plain(name).split()[-1].islower():
        return True
    return last in GENERAL_HEADS and all(word in GENERAL_WORDS or word in LEADING_NOISE for word in before)


@cache
def _no_names() -> frozenset[str]:
    return frozenset(map(fold, NO_NAMES))
