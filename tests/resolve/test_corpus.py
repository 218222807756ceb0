import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import ResolutionError
from kg.resolve import Resolver, link, uses
from kg.resolve.corpus import SHORT_FORM_PAPERS
from kg.types import Decision
from tests.resolve.records import record


def resolve(records, *decisions):
    return Resolver(decisions=decisions).resolve(map(uses, records))


def spelled(paper, long="nest network", short="NN2", type_="Method", **kw):
    return record(paper, [(type_, long), (type_, short)], abbreviations=[(short, long)], **kw)


def only_id(resolution, rec, index=0):
    mention = rec.mentions[index]
    return resolution.id_of(rec.paper.id, mention.type, mention.entity, mention.name)


def test_a_bare_short_form_is_what_most_papers_mean_by_it():
    bare = record("bare", [("Method", "NN2")])
    few = [spelled(f"p{i}") for i in range(SHORT_FORM_PAPERS - 1)]
    assert only_id(resolve([bare, *few]), bare) == "method:nn2"
    assert resolve([bare, *few]).entities["method:nn2"].ambiguous
    enough = [spelled(f"p{i}") for i in range(SHORT_FORM_PAPERS)]
    resolution = resolve([bare, *enough])
    assert only_id(resolution, bare) == "method:nest-network"
    assert [j.why for j in resolution.joins] == ["short form"]


def test_a_short_form_with_rival_long_forms_stays_apart_and_is_marked():
    bare = record("bare", [("Method", "NN2")])
    rivals = [spelled(f"p{i}") for i in range(3)] + [spelled(f"q{i}", "noise norm") for i in range(2)]
    resolution = resolve([bare, *rivals])
    assert only_id(resolution, bare) == "method:nn2"
    assert resolution.entities["method:nn2"].ambiguous
    assert not resolution.entities["method:nest-network"].ambiguous


def test_a_paper_s_own_system_is_not_read_as_another_s_long_form():
    own = record("own", [("Method", "NN2")], triples=[("PROPOSES", "NN2")])
    other = record("other", [("Method", "NN2")])
    resolution = resolve([own, other, *(spelled(f"p{i}") for i in range(9))])
    assert only_id(resolution, own) == "method:nn2"
    assert only_id(resolution, other) == "method:nest-network"


def test_a_task_said_at_length_is_its_usual_name():
    usual = [record(f"p{i}", [("Task", "wing counting"), ("Task", "nest detection")]) for i in range(2)]
    said = record("said", [("Task", "counting wings"), ("Task", "detection of the nests")])
    resolution = resolve([said, *usual])
    assert [only_id(resolution, said, i) for i in (0, 1)] == ["task:wing-counting", "task:nest-detection"]
    assert {j.why for j in resolution.joins} == {"word order"}


def test_another_order_of_words_alone_joins_nothing():
    usual = [record(f"p{i}", [("Task", "online learning"), ("Method", "nest search")]) for i in range(2)]
    said = record("said", [("Task", "learning online"), ("Method", "search of nests"), ("Task", "counting wings")])
    resolution = resolve([said, record("one", [("Task", "wing counting")]), *usual])
    assert resolution.joins == ()


def test_two_systems_of_one_name_are_marked():
    records = [record(p, [("Method", "PRISMA")], triples=[("PROPOSES", "PRISMA")]) for p in "ab"]
    assert resolve(records).entities["method:prisma"].ambiguous


def test_where_a_word_is_split_does_not_matter():
    records = [record("a", [("Task", "birdsong retrieval")]), record("b", [("Task", "bird song retrieval")])]
    assert len(resolve(records).entities) == 1


def test_numbers_are_never_split_differently():
    records = [record("a", [("Method", "Nest 1 24")]), record("b", [("Method", "Nest 12 4")])]
    assert len(resolve(records).entities) == 2


def test_a_name_of_two_types_is_two_entities_and_is_listed():
    records = [record("a", [("Method", "bilevel optimization")]), record("b", [("Task", "bilevel optimisation")])]
    resolution = resolve(records)
    assert set(resolution.entities) == {"method:bilevel-optimization", "task:bilevel-optimization"}
    assert resolution.conflicts == (("bilevel optimization", ("Method", "Task")),)


def test_the_most_common_spelling_is_shown_and_the_others_are_aliases():
    records = [
        record("a", [("Method", "NestFormer")]),
        record("b", [("Method", "NestFormer")]),
        record("c", [("Method", "Nestformer")]),
        spelled("d", "nest transformer", "NTF"),
    ]
    entities = resolve(records).entities
    assert entities["method:nestformer"].name == "NestFormer"
    assert entities["method:nest-transformer"].aliases == ("NTF",)


def test_a_record_s_slip_does_not_join_kinds():
    records = [
        record("a", [("Method", "offline RL", "reinforcement learning"), ("Method", "RL", "reinforcement learning")]),
        record("b", [("Method", "NestGAN", "generative adversarial network"), ("Method", "offline RL")]),
    ]
    resolution = resolve(records)
    assert only_id(resolution, records[0], 0) == only_id(resolution, records[1], 1)
    assert only_id(resolution, records[0], 1) == "method:reinforcement-learning"
    assert only_id(resolution, records[1], 0) == "method:nestgan"
    assert set(resolution.entities) == {
        "method:reinforcement-learning",
        "method:offline-reinforcement-learning",
        "method:nestgan",
    }


def merge(a, b, id_="m1"):
    return Decision(id=id_, kind="merge", a=a, b=b, reason="the same")


def split(a, b, id_="s1"):
    return Decision(id=id_, kind="split", a=a, b=b, reason="two things")


def test_a_merge_joins_and_the_first_name_is_kept():
    records = [record("a", [("Method", "roost net")]), record("b", [("Method", "perch net")])]
    resolution = resolve(records, merge("Method:roost net", "Method:perch net"))
    assert [*resolution.entities] == ["method:roost-net"]
    assert resolution.entities["method:roost-net"].aliases == ("perch net",)


def test_a_split_takes_a_table_alias_out_again():
    records = [record("a", [("Method", "EM", "EM")]), record("b", [("Method", "expectation maximization")])]
    assert len(resolve(records).entities) == 1
    resolution = resolve(records, split("Method:expectation maximization", "Method:em"))
    assert only_id(resolution, records[0]) == "method:em"
    assert only_id(resolution, records[1]) == "method:expectation-maximization"
    assert "EM" not in resolution.entities["method:expectation-maximization"].aliases


def test_a_split_of_one_paper_s_use():
    records = [record("a", [("Method", "PRISMA")]), record("b", [("Method", "PRISMA")])]
    resolution = resolve(records, split("Method:prisma", "Paper:b"))
    assert only_id(resolution, records[0]) == "method:prisma"
    assert only_id(resolution, records[1]) not in ("method:prisma", None)
    assert set(resolution.entities) == {only_id(resolution, r) for r in records}


def test_decisions_are_undone_exactly():
    records = [record("a", [("Method", "roost net")]), record("b", [("Method", "perch net")]), spelled("c")]
    before = resolve(records)
    for decision in (
        merge("Method:roost net", "Method:perch net"),
        split("Method:nest network", "Method:nn2"),
        split("Method:roost net", "Paper:a"),
    ):
        assert resolve(records, decision).digest != before.digest
    assert resolve(records).digest == before.digest


def test_a_decision_without_type_is_refused():
    with pytest.raises(ResolutionError, match="Type:name"):
        resolve([record("a", [("Method", "x net")])], merge("x net", "Method:y"))


NAMES = [
    ("Method", "RL"),
    ("Method", "reinforcement-learning"),
    ("Method", "Nest Networks"),
    ("Method", "NN2"),
    ("Method", "noise norm"),
    ("Method", "nestnetwork"),
    ("Task", "nest network"),
    ("Task", "bird song retrieval"),
    ("Task", "birdsong retrieval"),
    ("Dataset", "AviSet"),
    ("Dataset", "Aviset"),
    ("Method", "PRISMA"),
]
LONGS = ["nest network", "noise norm"]
RECORDS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True),
        st.sampled_from([(), *((("NN2", long),) for long in LONGS)]),
        st.booleans(),
    ),
    min_size=1,
    max_size=14,
)
DECISIONS = st.sets(
    st.sampled_from(
        [
            merge("Method:nest network", "Method:noise norm", "1"),
            merge("Method:prisma", "Method:nest network", "2"),
            split("Method:nest network", "Method:nn2", "3"),
            split("Method:prisma", "Paper:p0", "4"),
            merge("Method:noise norm", "Method:prisma", "5"),
        ]
    ),
    max_size=3,
)


@settings(deadline=None)
@given(RECORDS, DECISIONS, st.randoms(use_true_random=False))
def test_neither_order_nor_split_of_the_records_matters(drawn, decisions, shuffler: random.Random):
    records = [
        record(
            f"p{i}",
            names,
            abbreviations=abbreviations,
            triples=[("PROPOSES", names[0][1])] if own and names[0][0] == "Method" else (),
        )
        for i, (names, abbreviations, own) in enumerate(drawn)
    ]
    shuffled, mixed = list(records), list(decisions)
    shuffler.shuffle(shuffled)
    shuffler.shuffle(mixed)
    one, other = resolve(records, *decisions), resolve(shuffled, *mixed)
    assert one.digest == other.digest
    assert one.entities == other.entities
    assert one.joins == other.joins
    assert [link(r, one) for r in records] == [link(r, other) for r in records]
    mentioned = {edge.tail for r in records for edge in link(r, one).edges}
    assert mentioned == set(one.entities)
    ids = [edge.id for r in records for edge in link(r, one).edges]
    assert len(ids) == len(set(ids))
