import pytest

from kg.pipeline import load_pipeline

TEXTS = (
    "We propose FooNet (FN), a graph neural network (GNN) for semantic parsing. FooNet uses contrastive learning and "
    "outperforms BERT on SQuAD.",
    "Sample efficiency limits reinforcement learning. We introduce a model-based planner that uses Monte Carlo tree "
    "search (MCTS). Our planner beats proximal policy optimization on Atari games.",
    "This page holds no names.",
)


@pytest.fixture(scope="session")
def nlp():
    return load_pipeline()


@pytest.fixture(scope="session")
def texts():
    return TEXTS
