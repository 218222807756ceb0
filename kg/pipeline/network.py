"""The trained network: an ONNX encoder and two small heads, with what turns their outputs into probabilities.

A model is a folder: ``encoder.onnx``, ``relations.onnx``, ``roles.onnx``, ``tokenizer.json`` and ``meta.json``, which
holds name, version, thresholds and calibration, and which of its fusions ONNX Runtime is to leave out. Every text is
run alone and on one thread: int8 activations take their scale from the whole input, so that texts padded into one batch
would change each other's scores.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from kg.errors import ModelError
from kg.pipeline.words import Word, shape, split_words

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

_ort: Any = onnxruntime  # its stubs leave out what it exports

FILES = ("encoder.onnx", "relations.onnx", "roles.onnx", "tokenizer.json", "meta.json")
WINDOW = 512
OVERLAP = 128
KNOWN_WORDS = 50_000
"""Words whose pieces are kept; a thousand abstracts have some 15,000 different ones."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """Words of a text, their vectors (words x width) and tag scores (words x tags)."""

    words: tuple[Word, ...]
    vectors: Floats
    tags: Floats


class Network:
    """A model folder, loaded. ``convention`` picks the tag head: ``abstracts``, or ``scier`` to compare with SciER."""

    def __init__(self, folder: Path, convention: str = "abstracts") -> None:
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            raise ModelError(f"model folder {folder} lacks {', '.join(missing)}: reinstall kg or name another model")
        self.folder = folder
        self.convention = convention
        try:
            self._load(folder)
        except Exception as error:  # what the libraries that read the files raise has no class of their own in common
            reason = (str(error).splitlines() or [""])[0][:200]
            raise ModelError(
                f"model folder {folder} cannot be read ({type(error).__name__}: {reason}): "
                "reinstall kg or name another model"
            ) from error

    def _load(self, folder: Path) -> None:
        self.meta: dict[str, Any] = json.loads((folder / "meta.json").read_text(encoding="utf8"))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        ends = self._tokenizer.encode([], is_pretokenized=True).ids
        self._ends = ends[0], ends[-1]
        self._words: dict[str, tuple[int, list[int]]] = {}
        options = _ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._encoder, self._relations, self._roles = (
            _ort.InferenceSession(
                str(folder / name),
                options,
                providers=["CPUExecutionProvider"],
                disabled_optimizers=self.meta.get("disabled_optimizers"),
            )
            for name in FILES[:3]
        )

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return load_network, (str(self.folder), self.convention)

    @property
    def version(self) -> str:
        """Name and version, as they are written into every record."""
        return f"{self.meta['name']} {self.meta['version']}"

    def encode(self, text: str) -> Encoding:
        """One pass over a text; one longer than the window is read in overlapping windows.

        A word in two windows takes its vector from the window in which it lies farther from the edge.
        """
        words = split_words(text)
        width = int(self.meta["width"])
        if not words:
            return Encoding((), np.zeros((0, width), np.float32), np.zeros((0, 1), np.float32))
        known = [self._word(w.text) for w in words]
        shapes = np.array([s for s, _ in known], np.int64)
        pieces = [piece for _, ids in known for piece in ids]
        owner = [i for i, (_, ids) in enumerate(known) for _ in ids]
        vectors: Floats = np.zeros((len(words), width), np.float32)
        tags: Floats | None = None
        depth = np.full(len(words), -1)
        for start in _window_starts(len(pieces)):
            stop = min(start + WINDOW - 2, len(pieces))
            part = np.array(owner[start:stop], np.int64)
            # The first piece of each word; a word cut by the window's edge is left to the other window
            first = np.diff(part, prepend=owner[start - 1] if start else -1) != 0
            at = np.flatnonzero(first) + 1
            index = part[first]
            outputs: list[Floats] = self._encoder.run(
                ["words", f"tags_{self.convention}"],
                {
                    "ids": np.array([[self._ends[0], *pieces[start:stop], self._ends[1]]], np.int64),
                    "shapes": np.concatenate([[0], shapes[part], [0]])[None],
                    "word_at": at,
                    "word_shapes": shapes[index],
                },
            )
            if len(index) == len(words) and part.size == len(pieces):
                return Encoding(words, *outputs)
            if tags is None:
                tags = np.zeros((len(words), outputs[1].shape[1]), np.float32)
                # Words of which the tokenizer keeps nothing (control characters) are no mention
                tags[:, 0] = 20.0
            before = at if start else np.full_like(at, WINDOW)
            after = len(part) - at if stop < len(pieces) else np.full_like(at, WINDOW)
            margin = np.minimum(before, after)
            better = margin > depth[index]
            vectors[index[better]], tags[index[better]] = outputs[0][better], outputs[1][better]
            depth[index[better]] = margin[better]
        if tags is None:
            raise ModelError(f"model folder {self.folder} gives no tags: reinstall kg")
        return Encoding(words, vectors, tags)

    def _word(self, word: str) -> tuple[int, list[int]]:
        """The shape of a word and its pieces, which never depend on the words around it."""
        found = self._words.get(word)
        if found is None:
            if len(self._words) >= KNOWN_WORDS:
                self._words.clear()
            ids = self._tokenizer.encode([word], is_pretokenized=True, add_special_tokens=False).ids
            found = self._words[word] = shape(word), ids
        return found

    def relations(self, vectors: Floats, spans: Ints, types: Ints, pairs: Ints, distances: Ints) -> Floats:
        """Probabilities (pairs x RELATION_LABELS); spans are first and last words, pairs index spans."""
        domain = np.full(len(pairs), 1 if self.convention == "scier" else 0, np.int64)
        inputs = {"words": vectors, "spans": spans, "types": types, "pairs": pairs, "distances": distances}
        scores: Floats = self._relations.run(None, {**inputs, "domain": domain})[0]
        return softmax(scores)

    def roles(self, vectors: Floats, spans: Ints, types: Ints, same: Floats, around: Ints, places: Ints) -> Floats:
        """Scores (mentions x ROLE_LABELS), before the logistic function."""
        inputs = {"words": vectors, "spans": spans, "types": types, "same": same, "around": around, "places": places}
        scores: Floats = self._roles.run(None, inputs)[0]
        return scores


def _window_starts(n_pieces: int) -> list[int]:
    room = WINDOW - 2
    starts = [0]
    while starts[-1] + room < n_pieces:
        starts.append(min(starts[-1] + room - OVERLAP, n_pieces - room))
    return starts


def softmax(scores: Floats) -> Floats:
    """Probabilities along the last axis."""
    e = np.exp(scores - scores.max(-1, keepdims=True))
    result: Floats = e / e.sum(-1, keepdims=True)
    return result


def load_network(folder: str, convention: str = "abstracts") -> Network:
    """The network in a folder, loaded once a process."""
    return _loaded(folder, convention)


@cache
def _loaded(folder: str, convention: str) -> Network:
    return Network(Path(folder), convention)
