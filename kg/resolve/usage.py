"""What one record says of names: the only thing that resolution reads of a paper."""

from collections import Counter
from dataclasses import dataclass

from kg.types import EntityType, Extraction


@dataclass(frozen=True, slots=True)
class Use:
    """In one paper, ``name`` stands for ``entity`` (a canonical name of that paper) ``count`` times."""

    type: EntityType
    entity: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Uses:
    """All uses of one paper, sorted; ``own`` holds the (type, entity) pairs that it proposes or introduces itself."""

    paper: str
    names: tuple[Use, ...]
    own: frozenset[tuple[EntityType, str]]


def uses(extraction: Extraction) -> Uses:
    """What a record says of names."""
    counts = Counter((m.type, m.entity, m.name) for m in extraction.mentions)
    own = frozenset((t.tail_type, t.tail) for t in extraction.triples if t.relation in {"PROPOSES", "INTRODUCES"})
    return Uses(extraction.paper.id, tuple(Use(*key, count) for key, count in sorted(counts.items())), own)


def most_common(found: Counter[str]) -> str:
    """The most common well-formed spelling; of equals the one with fewer capitals, then the first by letters."""

    def rank(name: str) -> tuple[bool, int, int, str]:
        broken = name.count("(") != name.count(")") or name.endswith(("-", "/", "(", ","))
        return (broken, -found[name], sum(map(str.isupper, name)), name)

    return min(found, key=rank)
