import doctest

import pytest

import kg.generic
from kg.generic import names_nothing


def test_the_examples_hold():
    assert doctest.testmod(kg.generic).failed == 0


@pytest.mark.parametrize(
    "name",
    [
        "learning algorithm",
        "Data-driven Approaches",
        "deep-learning-free",
        "unified two-stage framework",
        "existing methods",
        "SOTA models",
        "the gradient-based kind",
        "iterative manner",
        "generative ones",
        "Vanilla",
        "RMSE",
        "unmanned aerial vehicles",
        "PyTorch",
    ],
)
def test_general_words_and_other_things_are_no_methods(name):
    assert names_nothing(name, "Method")


@pytest.mark.parametrize(
    "name",
    [
        "pre-trained model",
        "reasoning model",
        "hidden Markov model",
        "Unified-IO",
        "first-order method",
        "MAP",
        "OLIVE",
        "Look Both Ways",
    ],
)
def test_a_word_that_defines_makes_a_name(name):
    assert not names_nothing(name, "Method")


def test_a_data_set_has_a_name():
    assert all(names_nothing(n, "Dataset") for n in ("three public benchmarks", "Synthetic datasets", "data"))
    assert not any(names_nothing(n, "Dataset") for n in ("Open Images", "text8", "Common Corpus", "public safety data"))
