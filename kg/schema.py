"""The graph model as plain data: entity and node types, relations, and which types each may join.

It imports nothing that takes time, so that ``kg --help`` can name the types; ``kg.types`` passes all of it on.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

EntityType = Literal["Method", "Task", "Dataset"]
NodeType = Literal["Paper", "Method", "Task", "Dataset"]

ENTITY_TYPES: tuple[EntityType, ...] = ("Method", "Task", "Dataset")


class RelationSpec(NamedTuple):
    """One relation type: the (head, tail) node types it may join, whether it is symmetric, and what it says."""

    pairs: tuple[tuple[NodeType, NodeType], ...]
    symmetric: bool
    says: str


SCHEMA: Mapping[str, RelationSpec] = MappingProxyType(
    {
        "MENTIONS": RelationSpec(
            (("Paper", "Method"), ("Paper", "Task"), ("Paper", "Dataset")), False, "the abstract names it"
        ),
        "PROPOSES": RelationSpec((("Paper", "Method"),), False, "it is the paper's own"),
        "INTRODUCES": RelationSpec((("Paper", "Dataset"), ("Paper", "Task")), False, "newly made or newly posed"),
        "USES": RelationSpec((("Paper", "Method"),), False, "built on, contains, studies, benchmarks"),
        "COMPARES_WITH": RelationSpec(
            (("Paper", "Method"), ("Method", "Method")), True, "baseline, beaten or criticised"
        ),
        "ADDRESSES": RelationSpec((("Paper", "Task"),), False, "what it sets out to solve"),
        "EVALUATED_ON": RelationSpec((("Paper", "Dataset"), ("Method", "Dataset")), False, "results reported on"),
        "TRAINED_ON": RelationSpec((("Method", "Dataset"),), False, "trained on"),
        "USED_FOR": RelationSpec((("Method", "Task"), ("Method", "Method")), False, "used for"),
        "PART_OF": RelationSpec((("Method", "Method"),), False, "component of"),
        "SUBCLASS_OF": RelationSpec((("Method", "Method"),), False, "a kind of"),
        "SUBTASK_OF": RelationSpec((("Task", "Task"),), False, "a narrower form of"),
        "BENCHMARK_FOR": RelationSpec((("Dataset", "Task"),), False, "measures progress on"),
    }
)
"""The graph model, once: validation, constraints, the embedded engine's DDL and the recipe checks all come from it."""
