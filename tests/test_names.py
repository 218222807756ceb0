import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kg.names
from kg.names import canonical, entity_id, fold, is_short_form, singular

WORDS = st.sampled_from(
    [
        *(
            "graph",
            "Neural",
            "networks",
            "GANs",
            "losses",
            "β-VAE",
            "GPT-4",
            "pre-trained",
            "analysis",
            "Bayes'",
            "C++",
        ),
        *(
            "learning-based",
            "k-means",
            r"$\ell_2$",
            "(OOD)",
            "deep",
            "Gaussian",
            "processes",
            "SAM",
            "2",
            "the",
            "method",
        ),
        *("auto-encoder", "tasks", "optimisation", "RRT*", "ViT-B/16", "É", "3D"),
    ]
)
NAMES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join) | st.text(min_size=1, max_size=30)


def test_the_examples_hold():
    assert doctest.testmod(kg.names).failed == 0


@pytest.mark.parametrize(
    ("name", "type_", "shown"),
    [
        ("Convolutional Neural Networks", "Method", "convolutional neural network"),
        ("Bayesian Neural Networks", "Method", "Bayesian neural network"),
        ("Markov chain Monte Carlo", "Method", "Markov chain Monte Carlo"),
        ("pre-trained language models", "Method", "language model"),
        ("pre-trained models", "Method", "pre-trained model"),
        ("deep belief networks", "Method", "deep belief network"),
        ("deep reinforcement learning", "Method", "reinforcement learning"),
        ("EM algorithm", "Method", "EM"),
        ("language models", "Method", "language model"),
        ("diffusion models", "Method", "diffusion model"),
        ("kernel methods", "Method", "kernel method"),
        ("multi-task learning framework", "Method", "multi-task learning"),
        ("image classification tasks", "Task", "image classification"),
        ("inverse problems", "Task", "inverse problem"),
        ("Penn Treebank corpus", "Dataset", "Penn Treebank"),
        ("Cityscapes", "Dataset", "Cityscapes"),
        ("Ornstein-Uhlenbeck (OU) process", "Method", "Ornstein-Uhlenbeck process"),
        ("few shot learning", "Task", "few-shot learning"),
        ("reinforcement-learning", "Method", "reinforcement learning"),
        ("GENERATIVE ADVERSARIAL NETWORKS", "Method", "generative adversarial network"),
        ("a novel $k$-means algorithm", "Method", "k-means algorithm"),
        ("Clustering", "Task", "clustering"),
        ("PolyLoss", "Method", "PolyLoss"),
        ("DETRs", "Method", "DETR"),
        ("ATLAS", "Method", "ATLAS"),
        ("(weighted) ridge descent", "Method", "ridge descent"),
        ("(1+1) EA", "Method", "(1+1) EA"),
        ("the Grad-CAM method", "Method", "Grad-CAM"),
        ("CLIP-Lite", "Method", "CLIP-Lite"),
        ("Tree-LSTMs", "Method", "Tree-LSTM"),
        ("GAN-Based", "Method", "GAN-based"),
        ("Text-to-SQL", "Task", "text-to-SQL"),
        ("Stable Diffusion model", "Method", "Stable Diffusion model"),
        ("Recognising human actions", "Task", "human action recognition"),
        ("predicting the next word", "Task", "next word prediction"),
        ("detecting objects through occlusion", "Task", "detecting objects through occlusion"),
        ("understanding", "Task", "understanding"),
        ("detecting and segmenting objects", "Task", "detecting and segmenting object"),
        ("generating images", "Method", "generating image"),
    ],
)
def test_the_form_that_is_shown(name, type_, shown):
    assert canonical(name, type_) == shown


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("analyses", "analysis"),
        ("biases", "bias"),
        ("processes", "process"),
        ("responses", "response"),
        ("databases", "database"),
        ("boxes", "box"),
        ("hashes", "hash"),
        ("caches", "cache"),
        ("heuristics", "heuristic"),
        ("robotics", "robotics"),
        ("Stokes", "Stokes"),
        ("vertices", "vertex"),
        ("GPUs", "GPU"),
        ("DPS", "DPS"),
        ("CLIP", "CLIP"),
        ("VAEs", "VAE"),
        ("LASSO", "LASSO"),
        ("Transformers", "Transformer"),
        ("bus", "bus"),
        ("is", "is"),
    ],
)
def test_plurals(plural, one):
    assert singular(plural) == one


@settings(deadline=None)
@given(NAMES)
def test_a_name_always_has_a_key_and_the_key_is_its_own(name):
    if name.strip():
        assert fold(name)
        assert entity_id("Task", name).startswith("task:")


@settings(deadline=None)
@given(NAMES, st.sampled_from(["Method", "Task", "Dataset"]))
def test_the_shown_form_is_stable(name, type_):
    shown = canonical(name, type_)
    assert fold(canonical(shown, type_)) == fold(shown)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["graph", "auto", "multi", "task", "self", "pre", "trained", "of"]), min_size=2, max_size=5
    )
)
def test_hyphens_do_not_matter(words):
    assert fold("-".join(words)) == fold(" ".join(words)) == fold(" ".join(words).title())


def test_short_forms():
    assert is_short_form("HetSSNets") is False
    assert all(map(is_short_form, ["MCMC", "KL", "3DGS", "PU"]))
    assert not any(map(is_short_form, ["A", "Adam", "neural network", "ResNet", "word2vec"]))
