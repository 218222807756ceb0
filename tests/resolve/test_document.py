import doctest

import pytest

import kg.resolve.document
import kg.resolve.synonyms
from kg.resolve import name_document


def test_the_examples_hold():
    assert doctest.testmod(kg.resolve.document).failed == 0
    assert doctest.testmod(kg.resolve.synonyms).failed == 0


def test_a_short_form_takes_the_long_form_of_its_document():
    names = name_document(
        [("Plumage Tuning", "Method"), ("PT", "Method"), ("PT-based methods", "Method")], [("PT", "Plumage Tuning")]
    )
    assert names[0] == names[1] == "plumage tuning"


def test_the_document_goes_before_the_table():
    names = name_document([("RL", "Method"), ("offline RL", "Method")], [("RL", "roost learning")])
    assert names == ["roost learning", "offline roost learning"]


def test_two_long_forms_leave_a_short_form_alone():
    names = name_document(
        [("RL", "Method"), ("roost learning", "Method")], [("RL", "roost learning"), ("RL", "ring learning")]
    )
    assert names == ["RL", "roost learning"]


def test_stated_synonyms_share_a_name():
    mentions = [("perch attention", "Method"), ("branch attention", "Method"), ("PA", "Method"), ("perch", "Task")]
    names = name_document(mentions, [("PA", "perch attention")], [[0, 1], [1, 3]])
    assert names == ["perch attention", "perch attention", "perch attention", "perch"]


def test_a_group_takes_the_name_that_the_table_knows():
    mentions = [("localization and mapping", "Task"), ("SLAM", "Task")]
    assert name_document(mentions, (), [[0, 1]]) == ["simultaneous localization and mapping"] * 2


def test_kinds_and_coined_names_leave_a_group():
    mentions = [("RL", "Method"), ("offline RL", "Method"), ("NestRL", "Method"), ("wing learning", "Method")]
    names = name_document(mentions, (), [[0, 1, 2, 3]])
    assert names == ["reinforcement learning", "offline reinforcement learning", "NestRL", "wing learning"]


def test_a_short_form_stands_for_the_words_it_abbreviates():
    names = name_document([("RL", "Method")], [("RL", "offline reinforcement learning")])
    assert names == ["reinforcement learning"]


def test_a_short_form_stands_without_the_generic_head():
    mentions = [("averaged perch gradient", "Method"), ("APG", "Method")]
    names = name_document(mentions, [("APG", "averaged perch gradient method")])
    assert names == ["averaged perch gradient"] * 2


def test_short_forms_within_the_long_form_of_another_are_written_out():
    mentions = [("loss-aware PPO", "Method"), ("LPPO", "Method"), ("PPO", "Method")]
    names = name_document(mentions, [("LPPO", "loss-aware PPO")])
    assert names == ["loss-aware proximal policy optimization"] * 2 + ["proximal policy optimization"]


def test_a_modifier_with_a_letter_in_the_short_form_is_part_of_the_name():
    mentions = [("Pre-trained Roost Tuning", "Method"), ("PRT", "Method"), ("PLM", "Method")]
    names = name_document(mentions, [("PRT", "Pre-trained Roost Tuning"), ("PLM", "pre-trained language model")])
    assert names == ["pre-trained roost tuning", "pre-trained roost tuning", "language model"]


def test_capitals_inside_a_sentence_are_kept():
    mentions = [("Finch models", "Method"), ("Finch model", "Method"), ("Neural networks", "Method")]
    assert name_document(mentions, inside=[1]) == ["Finch model", "Finch model", "neural network"]
    assert name_document(mentions[:1]) == ["finch model"]


def test_a_part_of_a_known_name_is_another_thing():
    mentions = [("SLAM", "Task"), ("mapping", "Task"), ("ADMM", "Method"), ("multipliers", "Method")]
    assert name_document(mentions, (), [[0, 1], [2, 3]])[1::2] == ["mapping", "multiplier"]


def test_one_spelling_a_document():
    assert name_document([("NestNet", "Method"), ("Nestnet", "Method"), ("NestNet", "Method")]) == ["NestNet"] * 3


@pytest.mark.parametrize("abbreviations", [[("FN", "finch net"), ("RL", "roost learning")]])
def test_the_order_of_definitions_does_not_matter(abbreviations):
    mentions = [("FN", "Method"), ("RL", "Task")]
    assert name_document(mentions, abbreviations) == name_document(mentions, abbreviations[::-1])
