"""Mentions: the best legal sequence of tags, each mention with a calibrated probability."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from kg.generic import names_nothing
from kg.names import fold
from kg.pipeline.annotations import SCORES, register
from kg.pipeline.calibration import Calibration, log_odds
from kg.pipeline.component import Component
from kg.pipeline.encoder import encoding_of
from kg.pipeline.network import load_network, softmax
from kg.pipeline.tags import decode, viterbi
from kg.pipeline.words import Word
from kg.types import ENTITY_TYPES, EntityType

_ADDRESS = re.compile(
    r"(?:\bhttps?://|\bwww\.|(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:ai|com|dev|edu|fr|io|net|org)/)[^\s<>\"]*"
)
_EDGES = frozenset(",;:.!?-–—/\"'`“”‘’«»|&=<>~^_\\")


class Found(NamedTuple):
    """A mention: character offsets, type and probability."""

    start: int
    end: int
    label: str
    score: float


class EntityFinder(Component[list[Found]]):
    """Sets ``doc.ents`` and ``span._.score``."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration

    def predict_one(self, doc: Doc) -> list[Found]:
        """The mentions of a Doc, in order."""
        encoding = encoding_of(doc)
        if not encoding.words:
            return []
        log_probs = np.log(softmax(encoding.tags) + 1e-9)
        tags = viterbi(log_probs)
        text = doc.text  # built anew from the tokens at each call
        spelled_out = {fold(pair.short.text): pair.long.text for pair in doc._.abbreviations}
        addresses = [address.span() for address in _ADDRESS.finditer(text)]
        found: list[Found] = []
        for first, stop, label in decode(tags):
            start, end = trimmed(encoding.words, first, stop)
            if start == end or (found and encoding.words[start].start < found[-1].end):
                continue
            if any(a <= encoding.words[start].start < b for a, b in addresses):
                continue
            name = text[encoding.words[start].start : encoding.words[end - 1].end]
            if names_nothing(spelled_out.get(fold(name), name), cast(EntityType, label)):
                continue
            chosen = sum(float(log_probs[i, tags[i]]) for i in range(start, end))
            score = self.calibration.score("mention", label, [log_odds(float(np.exp(chosen)))])
            found.append(Found(encoding.words[start].start, encoding.words[end - 1].end, label, score))
        return _one_type_a_name(doc, text, _as_defined(doc, text, found))

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[Found]]) -> None:
        """Write entities and scores."""
        for doc, found in zip(docs, predictions, strict=True):
            spans = [doc.char_span(f.start, f.end, label=f.label) for f in found]
            doc.set_ents(cast(list[Span], spans))
            doc.user_data[SCORES] = {f"{f.start}:{f.end}": f.score for f in found}


def trimmed(words: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    """A span without brackets whose other half it lacks, without punctuation at its ends, and to the end of its name.

    >>> from kg.pipeline.words import split_words
    >>> words = split_words("“RAG) based methods (")
    >>> [words[i].text for i in range(*trimmed(words, 0, len(words)))]
    ['RAG']
    >>> words = split_words("Human3.6M")
    >>> trimmed(words, 0, 1) == (0, len(words))
    True
    """
    open_at: list[int] = []
    for i in range(start, end):
        if words[i].text in "([{":
            open_at.append(i)
        elif words[i].text in ")]}" and not open_at:
            if any(words[k].text.isalnum() for k in range(start, i)):
                end = i
                break
            start = i + 1
        elif words[i].text in ")]}":
            open_at.pop()
    if open_at:
        end = open_at[0]
    while start < end and words[start].text in _EDGES:
        start += 1
    while end > start and words[end - 1].text in _EDGES:
        end -= 1
    return start, _whole(words, start, end)


def _whole(words: Sequence[Word], start: int, end: int) -> int:
    """The end of a name that is cut neither in a number (GPT-3.5) nor before its star: RRT and RRT* are two things."""
    after = [w.text for w in words[end : end + 2]]
    together = [b.start == a.end for a, b in pairwise(words[max(0, end - 1) : end + 2])]
    if start < end and together[:1] == [True]:
        if after[0] == "*":
            emphasis = (start > 0 and words[start - 1].text == "*") or after[1:] == ["*"]
            return end if emphasis else end + 1
        if after[0] == "." and together == [True, True] and words[end - 1].text[-1].isdigit() and after[1][0].isdigit():
            return end + 2
    return end


def _as_defined(doc: Doc, text: str, found: list[Found]) -> list[Found]:
    """A mention right before its short form begins where the long form does: directed acyclic graphs (DAGs)."""
    long = {pair.long.end_char: pair.long.start_char for pair in doc._.abbreviations}
    out: list[Found] = []
    for f in found:
        start = long.get(f.end, f.start)
        free = not out or out[-1].end <= start
        out.append(f._replace(start=start) if start < f.start and free and "," not in text[start : f.start] else f)
    return out


def _one_type_a_name(doc: Doc, text: str, found: list[Found]) -> list[Found]:
    """In one document a name, and the short form defined for it, has one type."""
    names = [fold(text[f.start : f.end]) for f in found]
    same = {fold(pair.short.text): fold(pair.long.text) for pair in doc._.abbreviations}
    labels = vote([(same.get(name, name), f.label, f.score) for name, f in zip(names, found, strict=True)])
    return [f._replace(label=label) for f, label in zip(found, labels, strict=True)]


def vote(named: Sequence[tuple[str, str, float]]) -> list[str]:
    """The type of each of a document's mentions (name, type, score): the one with the most evidence for its name.

    One sense per discourse (Gale, Church and Yarowsky, 1992).

    >>> vote([("adam", "Method", 0.9), ("mnist", "Dataset", 0.9), ("adam", "Task", 0.6)])
    ['Method', 'Dataset', 'Method']
    """
    votes: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(ENTITY_TYPES, 0.0))
    for name, label, score in named:
        votes[name][label] += score
    return [max(votes[name], key=lambda label: votes[name][label]) for name, _, _ in named]


class LabelFilter(Component[list[int]]):
    """Keeps only Method, Task and Dataset among the entities of another pipeline.

    They count as certain (score 1) unless that pipeline has set ``span._.score``.
    """

    def predict_one(self, doc: Doc) -> list[int]:
        """The indices of the entities that are kept."""
        return [i for i, ent in enumerate(doc.ents) if ent.label_ in ENTITY_TYPES]

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[int]]) -> None:
        """Drop the others."""
        for doc, kept in zip(docs, predictions, strict=True):
            ents = doc.ents
            doc.set_ents([ents[i] for i in kept])


@Language.factory(
    "kg_entities",
    requires=["doc.user_data", "doc._.abbreviations"],
    assigns=["doc.ents", "span._.score"],
)
def create_entities(nlp: Language, name: str, model: str) -> EntityFinder:
    """The component that finds mentions."""
    register()
    return EntityFinder(Calibration(load_network(model).meta))


@Language.factory("kg_labels", requires=["doc.ents"], assigns=["doc.ents"])
def create_labels(nlp: Language, name: str) -> LabelFilter:
    """The component that leaves out other labels."""
    register()
    return LabelFilter()
