import math

import pytest

from kg.graph.similarity import weight
from tests.graph.made import PAPERS


def test_a_rare_method_in_common_weighs_more_than_neural_network(g):
    found = g.similar("lark", 3)
    assert found[0].paper == "finch"
    assert {r.paper for r in found[1:]} == {"gull", "swan"}
    assert found[0].similarity > found[1].similarity
    assert [r.name for r in found[0].reasons] == ["dawn pooling", "neural network"]


def test_a_score_is_the_sum_of_its_parts_by_the_documented_formula(g):
    naming = {}
    for record in PAPERS:
        for entity in {m.entity for m in record.mentions}:
            naming[entity] = naming.get(entity, 0) + 1
    for paper in ("rook", "lark", "crow"):
        for near in g.similar(paper, 10):
            assert near.similarity == pytest.approx(math.fsum(r.weight for r in near.reasons), abs=1e-4)
            for reason in near.reasons:
                assert reason.papers == naming[reason.name]
                assert reason.weight == pytest.approx(math.log(1 + len(PAPERS) / naming[reason.name]))
                assert reason.first_sentence
                assert reason.second_sentence
            assert 0 < near.covers <= 1


def test_similarity_is_symmetric(g):
    there = {r.paper: r.similarity for r in g.similar("rook", 10)}
    for other, score in there.items():
        assert {r.paper: r.similarity for r in g.similar(other, 10)}["rook"] == score


def test_shared_is_the_reason_of_similar(g):
    assert tuple(g.shared("rook", "crow")) == g.similar("rook", 1)[0].reasons
    assert {r.name for r in g.shared("rook", "crow")} >= {
        "graph neural network",
        "Pebble-40",
        "node labeling",
        "CrowNet",
    }


def test_mentions_count_only_when_asked_for(g):
    assert "song sorting" not in {r.name for r in g.shared("lark", "swan")}
    assert "song sorting" in {r.name for r in g.shared("lark", "swan", mentions=True)}
    assert g.similar("swan", 1, mentions=True)[0].paper == "lark"


@pytest.mark.parametrize(("total", "papers"), [(10, 1), (10, 10), (25_731, 3)])
def test_the_weight_falls_with_use_and_never_to_nothing(total, papers):
    assert weight(total, papers) >= weight(total, papers + 1) > 0
