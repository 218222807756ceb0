"""What the model can say: relations and roles, with the entity types that each may join (after SciER, 2024)."""

from kg.types import EntityType

RELATIONS: dict[str, tuple[tuple[EntityType, EntityType], ...]] = {
    "USED_FOR": (("Method", "Task"), ("Method", "Method")),
    "PART_OF": (("Method", "Method"),),
    "SUBCLASS_OF": (("Method", "Method"),),
    "SUBTASK_OF": (("Task", "Task"),),
    "COMPARES_WITH": (("Method", "Method"),),
    "EVALUATED_ON": (("Method", "Dataset"),),
    "TRAINED_ON": (("Method", "Dataset"),),
    "BENCHMARK_FOR": (("Dataset", "Task"),),
    "SYNONYM_OF": (("Method", "Method"), ("Task", "Task"), ("Dataset", "Dataset")),
}
"""Relations between mentions and the (head, tail) types they may join."""

SYMMETRIC = frozenset({"COMPARES_WITH", "SYNONYM_OF"})

RELATION_LABELS: tuple[str, ...] = ("", *(f"{name}{way}" for name in RELATIONS for way in (">", "<")))
"""Labels of a pair (earlier, later): none, or a relation whose head is the earlier (``>``) or the later (``<``)."""

ROLES: dict[str, tuple[EntityType, ...]] = {
    "PROPOSES": ("Method",),
    "USES": ("Method",),
    "COMPARES_WITH": ("Method",),
    "ADDRESSES": ("Task",),
    "EVALUATED_ON": ("Dataset",),
    "INTRODUCES": ("Dataset", "Task"),
}
"""Roles an entity plays in its paper and the types that may play them."""

ROLE_LABELS: tuple[str, ...] = tuple(ROLES)

DISTANCES = 10
"""How many buckets of distance there are."""


def relation_label(name: str, forward: bool) -> int:
    """The index of a relation in RELATION_LABELS; ``forward`` when the earlier mention is the head."""
    return RELATION_LABELS.index(f"{name}{'>' if forward else '<'}")


def bucket(n: int) -> int:
    """A count as one of DISTANCES buckets: 0 to 4 as they are, then 5-6, 7-9, 10-14, 15-24, 25 and more."""
    for i, limit in enumerate((1, 2, 3, 4, 5, 7, 10, 15, 25)):
        if n < limit:
            return i
    return DISTANCES - 1
