"""Joins: one key pointing at another, and where the pointers lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from kg.resolve.aliases import Key
from kg.types import EntityType

Why = Literal["table", "short form", "spelling", "word order", "merge", "alias"]


@dataclass(frozen=True, slots=True)
class Join:
    """``key`` was joined to ``into``: by which step, and for what reason."""

    type: EntityType
    key: str
    into: str
    why: Why
    reason: str


def root_of_key(key: Key, pointers: Mapping[Key, Join]) -> str:
    """Where a key's pointers end; a circle, which only contradicting decisions could make, ends at its smallest key."""
    seen = [key[1]]
    while (join := pointers.get((key[0], seen[-1]))) is not None:
        if join.into in seen:
            return min(seen[seen.index(join.into) :])
        seen.append(join.into)
    return seen[-1]


def passes(key: str, through: str, type_: EntityType, pointers: Mapping[Key, Join]) -> bool:
    """Whether the pointers of a key lead through another."""
    seen = {key}
    while (join := pointers.get((type_, key))) is not None and join.into not in seen:
        key = join.into
        if key == through:
            return True
        seen.add(key)
    return False
