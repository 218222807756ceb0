"""A stream in pieces."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """``items`` in lists of ``size``, the last one shorter; itertools.batched, which Python 3.11 lacks.

    >>> list(batched("ABCDE", 2))
    [['A', 'B'], ['C', 'D'], ['E']]
    """
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch
