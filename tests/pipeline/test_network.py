import json
import pickle
import shutil
from itertools import pairwise

import numpy as np
import pytest

from kg.errors import ModelError
from kg.pipeline import MODELS
from kg.pipeline.calibration import Calibration, log_odds, probability
from kg.pipeline.network import WINDOW, Network, _window_starts, load_network
from kg.pipeline.scheme import RELATIONS, ROLES
from kg.pipeline.words import split_words
from kg.types import ENTITY_TYPES


@pytest.fixture(scope="module")
def network():
    return load_network(str(MODELS / "default"))


def test_windows_cover_every_piece_and_overlap():
    for n in (1, WINDOW - 2, WINDOW - 1, 700, 5000):
        starts = _window_starts(n)
        covered = {i for s in starts for i in range(s, min(s + WINDOW - 2, n))}
        assert covered == set(range(n))
        assert all(b - a <= WINDOW - 2 - 100 for a, b in pairwise(starts))


def test_a_text_alone_and_inside_a_window_get_vectors_for_every_word(network):
    text = "We train a graph neural network . " * 150
    encoding = network.encode(text)
    assert len(encoding.words) == len(encoding.vectors) == len(encoding.tags)
    assert np.abs(encoding.vectors).sum(1).all()


def test_words_that_the_tokenizer_drops_are_no_mention(network):
    encoding = network.encode("\x00 net \ufffd")
    assert len(encoding.words) == 3


def test_pieces_of_a_word_do_not_depend_on_the_words_around_it(network):
    words = [w.text for w in split_words("Naïve GNNs (β-VAE) outperform ResNet-50 on 日本 \ufffd e.g. C++.")]
    whole = network._tokenizer.encode(words, is_pretokenized=True)
    assert [piece for word in words for piece in network._word(word)[1]] == whole.ids[1:-1]
    assert network._ends == (whole.ids[0], whole.ids[-1])


def test_a_network_survives_pickling(network):
    assert pickle.loads(pickle.dumps(network)) is network


def test_a_folder_without_its_files_says_which(tmp_path):
    shutil.copy(MODELS / "default" / "meta.json", tmp_path)
    with pytest.raises(ModelError, match=r"lacks encoder\.onnx, relations\.onnx"):
        Network(tmp_path)


@pytest.mark.parametrize("folder", sorted(p.parent for p in MODELS.glob("*/meta.json")), ids=lambda p: p.name)
def test_meta_has_weights_and_thresholds_for_every_label_and_says_where_it_comes_from(folder):
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    assert set(meta["calibration"]["mention"]) == set(ENTITY_TYPES)
    assert set(meta["calibration"]["relation"]) == set(meta["thresholds"]["relation"]) == set(RELATIONS)
    assert set(meta["calibration"]["role"]) == set(meta["thresholds"]["role"]) == set(ROLES)
    assert all(s["license"] for s in meta["sources"])
    size = sum(p.stat().st_size for p in folder.iterdir()) / 1e6
    assert size <= (60 if folder.name == "default" else 130)


def test_log_odds_and_probability_are_inverse_and_bounded():
    assert probability(log_odds(0.73)) == 0.73
    assert probability(log_odds(0)) == 0.0
    assert probability(log_odds(1)) == 1.0
    assert probability(1e9) == 1.0


def test_calibration_reads_weights_and_thresholds():
    meta = {"calibration": {"role": {"USES": [1.0, 2.0, -1.0]}}, "thresholds": {"role": {"USES": 0.6}}}
    calibration = Calibration(meta)
    assert calibration.score("role", "USES", [1.0, 0.5]) == probability(1.0)
    assert calibration.keeps("role", "USES", 0.6)
    assert not calibration.keeps("role", "USES", 0.59)
    assert Calibration(meta, 0.2).keeps("role", "USES", 0.3)


def test_a_lower_bar_for_edges_merges_no_names():
    meta = {"calibration": {}, "thresholds": {"relation": {"SYNONYM_OF": 0.95, "USED_FOR": 0.4}}}
    assert not Calibration(meta, 0.1).keeps("relation", "SYNONYM_OF", 0.9)
    assert Calibration(meta, 0.99).keeps("relation", "SYNONYM_OF", 0.96)
    assert Calibration(meta, 0.1).keeps("relation", "USED_FOR", 0.2)
