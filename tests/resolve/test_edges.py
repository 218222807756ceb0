import doctest

import kg.resolve.edges
from kg.resolve import Resolver, link, uses
from kg.types import Decision, Extraction, Mention, Paper, Triple
from tests.resolve.records import record

TEXT = "Roost nets, i.e. RNs, find nests. We compare roost nets with perch nets, and RNs win. Code is out."


def extraction():
    def mention(text, entity, after=0):
        start = TEXT.index(text, after)
        return Mention(
            start=start,
            end=start + len(text),
            text=text,
            name=text,
            type="Method",
            entity=entity,
            score=0.5 + after / 100,
        )

    start = TEXT.index("We compare")
    end = TEXT.index(" Code")
    facts = [("roost net", "perch net", 0.9), ("perch net", "roost net", 0.7)]
    return Extraction(
        paper=Paper(id="p", abstract=TEXT),
        mentions=(
            mention("Roost nets", "roost net"),
            mention("roost nets", "roost net", 30),
            mention("RNs", "roost net"),
            mention("perch nets", "perch net"),
        ),
        triples=tuple(
            Triple(
                head=head,
                head_type="Method",
                relation="COMPARES_WITH",
                tail=tail,
                tail_type="Method",
                start=start,
                end=end,
                score=score,
            )
            for head, tail, score in facts
        ),
        extractor="test 1",
    )


def edges(rec, *decisions):
    return link(rec, Resolver(decisions=decisions).resolve([uses(rec)])).edges


def test_the_examples_hold():
    assert doctest.testmod(kg.resolve.edges).failed == 0


def test_mentions_edges_count_and_keep_the_surfaces():
    found = {e.tail: e for e in edges(extraction()) if e.type == "MENTIONS"}
    roost = found["method:roost-net"]
    assert roost.properties == {"count": 3, "surfaces": ["RNs", "Roost nets", "roost nets"]}
    assert roost.sentence == "Roost nets, i.e. RNs, find nests."
    assert roost.sentence == TEXT[roost.start : roost.end]
    assert roost.score == 0.8
    assert found["method:perch-net"].sentence.startswith("We compare")


def test_a_symmetric_fact_said_twice_in_a_sentence_is_one_edge():
    compared = [e for e in edges(extraction()) if e.type == "COMPARES_WITH"]
    assert len(compared) == 1
    assert (compared[0].head, compared[0].score) == ("method:roost-net", 0.9)


def test_ends_that_fall_together_give_no_edge():
    decision = Decision(id="1", kind="merge", a="Method:roost net", b="Method:perch net", reason="x")
    merged = edges(extraction(), decision)
    assert [e.type for e in merged] == ["MENTIONS"]
    assert merged[0].properties["count"] == 4


def test_a_split_surface_leaves_and_the_fact_stays_with_the_more_frequent():
    decision = Decision(id="1", kind="split", a="Method:roost net", b="Method:rn", reason="x")
    found = edges(extraction(), decision)
    assert {e.tail: e.properties["count"] for e in found if e.type == "MENTIONS"} == {
        "method:roost-net": 2,
        "method:rn": 1,
        "method:perch-net": 1,
    }
    assert next(e for e in found if e.type == "COMPARES_WITH").head == "method:roost-net"


def test_edge_ids_do_not_depend_on_the_rest_of_the_corpus():
    rec = extraction()
    other = record("q", [("Method", "perch net"), ("Method", "RL")])
    resolution = Resolver().resolve(map(uses, [other, rec]))
    assert link(rec, resolution).edges == edges(rec)
