import pytest

from kg.pipeline.abbreviations import find_abbreviations


def pairs(text):
    return [(text[a:b], text[c:d]) for a, b, c, d in find_abbreviations(text)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We train a graph neural network (GNN) here", "GNN", "graph neural network"),
        ("Recent deep Q-networks (DQNs) play games", "DQNs", "deep Q-networks"),
        ("uses k-nearest neighbours (kNN) only", "kNN", "k-nearest neighbours"),
        ("a Mixture of Experts (MoE) layer", "MoE", "Mixture of Experts"),
        ("with long short-term memory (Doe and Roe, 1997) (LSTM)", "LSTM", "long short-term memory"),
        ("with generative adversarial networks (Doe et al., 2014; GANs)", "GANs", "generative adversarial networks"),
        ("(we use variational autoencoders (VAEs) too)", "VAEs", "variational autoencoders"),
        ("the structured state space sequence model (S4)", "S4", "structured state space sequence model"),
        ("using three-dimensional (3D) convolutions", "3D", "three-dimensional"),
        ("we use proximal policy optimisation（PPO）here", "PPO", "proximal policy optimisation"),
        ("with MCTS (Monte Carlo tree search) at its heart", "MCTS", "Monte Carlo tree search"),
        ("the News Reading Framework (NR) reads", "NR", "News Reading Framework"),
        ("the all-atom diffusion transformer (ADiT) draws", "ADiT", "all-atom diffusion transformer"),
        ("of entropy-weighted roost learning (RL) as", "RL", "roost learning"),
        ("by Federated Averaging (FedAvg), which", "FedAvg", "Federated Averaging"),
        ("by “deep image prior” (“DIP”) alone", "DIP", "deep image prior"),
    ],
)
def test_pairs(text, short, long):
    assert pairs(text) == [(short, long)]


def test_no_long_form_begins_inside_a_bracket():
    text = "We study roost learning (RL) from hen feedback (RLHF) for coops."
    assert pairs(text) == [("RL", "roost learning"), ("RLHF", "roost learning (RL) from hen feedback")]


@pytest.mark.parametrize(
    "text",
    [
        "as shown before (Doe et al., 1995)",
        "decision trees (e.g., CART) split",
        "some models (i.e., RL) learn",
        "a large gain (Left) and a loss (right)",
        "it grew in winter (NLP 2015) much",
        "unrelated words stand here (XQZ)",
        "see the appendix (A) and (B)",
        "the sum. Big (SB) is new",
    ],
)
def test_brackets_that_define_nothing(text):
    assert pairs(text) == []


def test_a_short_form_with_two_long_forms_keeps_both_definitions():
    text = "Active learning (AL) differs from adversarial learning (AL)."
    assert [long for _, long in pairs(text)] == ["Active learning", "adversarial learning"]


def test_offsets_lie_in_the_text_as_given():
    text = "  α We use conditional  random\nfields (CRFs)."
    assert pairs(text) == [("CRFs", "conditional  random\nfields")]
