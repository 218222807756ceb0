import pytest

from kg.names import entity_id
from kg.resolve import Resolver, uses
from tests.resolve.pairs import DIFFERENT, SAME
from tests.resolve.records import record


def ids(type_, a, b):
    """The entity ids of two names, each from a paper of its own, resolved together."""
    records = [record("a", [(type_, a)]), record("b", [(type_, b)])]
    resolution = Resolver().resolve(map(uses, records))
    return tuple(resolution.id_of(r.paper.id, type_, r.mentions[0].entity) for r in records)


def test_there_are_enough_pairs():
    assert len(SAME) >= 60
    assert len(DIFFERENT) >= 60


@pytest.mark.parametrize(("type_", "a", "b"), SAME)
def test_one_thing_is_one_entity(type_, a, b):
    first, second = ids(type_, a, b)
    assert first == second


@pytest.mark.parametrize(("type_", "a", "b"), DIFFERENT)
def test_two_things_are_two_entities(type_, a, b):
    first, second = ids(type_, a, b)
    assert first != second


@pytest.mark.parametrize(("type_", "a", "b"), DIFFERENT)
def test_ids_tell_two_things_apart_without_any_corpus(type_, a, b):
    assert entity_id(type_, a) != entity_id(type_, b)
