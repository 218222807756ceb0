"""What can go wrong, as one small tree.

KGError                 everything kg raises on purpose; str(error) is one line that says what to do next
├── InputError          a file or row that cannot be read (names the file and, where there is one, the line)
├── ModelError          a pipeline that cannot be loaded or does not set what kg needs
├── NotFoundError       no such paper, entity, recipe or parameter (suggests the nearest)
├── RecipeError         a recipe file that is malformed, or parameters that do not fit it
├── ResolutionError     an alias table or a merge decision that contradicts itself
└── StoreError          the graph cannot be opened, read or written
    ├── ConnectionLost  the server went away; what was committed stays, a rerun finishes
    └── ReadOnlyError   a write was tried where only reading is allowed
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from operator import index
from typing import Any

QUOTED = 80
"""Characters of a name that a message repeats."""


def quoted(name: object) -> str:
    """A name as messages quote it, cut with an ellipsis where it is so long that it would hide what the message says.

    >>> quoted("GNN"), len(quoted("x" * 9000))
    ("'GNN'", 82)
    """
    text = str(name)
    return repr(text if len(text) <= QUOTED else text[: QUOTED - 1] + "…")


def counted(number: int, what: str) -> str:
    """A number of things as people say it.

    >>> counted(1, "paper"), counted(0, "paper"), counted(25731, "entity")
    ('1 paper', '0 papers', '25,731 entities')
    """
    plural = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{number:,} {what if number == 1 else plural}"


def nearest(wanted: str, names: Iterable[str]) -> list[str]:
    """Up to three of ``names`` that are spelt most like ``wanted``, best first, compared without regard to case.

    >>> nearest("resnt", ["ResNet", "DenseNet", "BERT"])
    ['ResNet']
    """
    by_key: dict[str, str] = {}
    for name in names:
        by_key.setdefault(name.casefold(), name)
    return [by_key[k] for k in get_close_matches(wanted.casefold(), by_key, n=3, cutoff=0.6)]


def perhaps(near: Sequence[str]) -> str:
    """The end of a message that suggests what may have been meant; nothing where there is nothing to suggest.

    >>> "no such bird" + perhaps(["'rook'", "'raven'"])
    "no such bird; did you mean 'rook' or 'raven'?"
    """
    return f"; did you mean {' or '.join(near)}?" if near else ""


def must_be_text(value: Any, argument: str) -> str:
    """``value`` where it is a str; a TypeError that names the argument where it is not.

    >>> must_be_text(None, "method")
    Traceback (most recent call last):
    TypeError: method must be text, not None
    """
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be text, not {quoted(value)[1:-1]}")
    return value


def must_be_limit(value: Any, argument: str = "limit") -> int:
    """``value`` where it is a number of rows, 1 at least; else an InputError (a TypeError where it is no whole number).

    A limit has this one meaning wherever kg takes one: rows at most. Asking for none of them is a slip.

    >>> must_be_limit(5)
    5
    >>> must_be_limit(0)
    Traceback (most recent call last):
    kg.errors.InputError: limit must be 1 or more, not 0
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{argument} must be a whole number, not {quoted(value)[1:-1]}")
    if index(value) < 1:
        raise InputError(f"{argument} must be 1 or more, not {index(value)}")
    return index(value)


class KGError(Exception):
    """Base of every error that kg raises on purpose; its text is one line for the person at the keyboard."""


class InputError(KGError):
    """A file, row or argument that cannot be read; the text names the place."""


class ModelError(KGError):
    """A pipeline that cannot be loaded, or that does not set Method, Task or Dataset entities."""


class NotFoundError(KGError):
    """Nothing goes by that name; the text suggests the nearest that does."""


class RecipeError(KGError):
    """A recipe whose header and query disagree, or parameters that do not fit its declaration."""


class ResolutionError(KGError):
    """An alias table, never-merge list or decision that contradicts itself or another."""


class StoreError(KGError):
    """The graph cannot be opened, read or written."""


class ConnectionLost(StoreError):
    """The server could not be reached or went away; what was committed stays, and a rerun finishes the rest."""


class ReadOnlyError(StoreError):
    """A write was tried in a place that only reads."""
