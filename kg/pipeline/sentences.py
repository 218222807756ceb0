"""Sentence boundaries for abstracts: a full stop ends a sentence only where nothing says otherwise."""

import re
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.pipeline.component import Component

_END = re.compile(r"""[.!?…]+["'”’)\]}»]*(?=\s)|[。！？]+["'”’）」』]*|\n\s*\n""")
_DOTTED = """
a.k.a al alg algs approx arg assoc avg ca cf ch chap chs co corp def defs dept dr ed eds eg e.g eq eqn eqns eqs ex exp
fig figs i.e i.i.d ie inc incl jr lem lemm max min mr mrs ms n.b no nos op p pp prof prop props ref refs resp sec secs
sect st subsec supp suppl tab tabs thm thms v.s viz vol vols vs w.h.p w.l.o.g w.p w.r.t wrt
"""
_ABBREVIATIONS = frozenset(_DOTTED.split())
"""Words before a full stop that do not end a sentence (lower case, without the last full stop)."""
_DOTTED_LAST = """
al co corp i.i.d w.h.p inc jr max min no ex st exp def ed avg op p pp s sec
"""
_ENDS_ANYWAY = frozenset(_DOTTED_LAST.split())
"""Of those, the ones that also close sentences: a boundary if the next word is a plain capitalised sentence opener."""
_FIRST_WORDS = """
a all although an and as at because both but by compared despite during each empirically even experimental
experiments extensive finally first for from furthermore given hence here how however if in inspired instead it its
last lastly many moreover most motivated namely next nevertheless on one our prior recent recently second several
since so some specifically such that the their then there therefore these they third this those though through thus
to under unlike unfortunately using via we what when whereas while with within yet
"""
_OPENERS = frozenset(_FIRST_WORDS.split())
_NEXT_WORD = re.compile(r"""\s*[\["'“‘(\\$]*(\w*)""")
_ENUMERATOR = re.compile(r"\s*\((?:[ivx]+|[a-h]|\d)\)\s+[A-Z]")
_INITIAL = re.compile(r"(?:^|[\s(])(?:[A-Z]\.)*[A-Z]$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of the sentences of a text, without the whitespace around them.

    Not boundaries: full stops after ``e.g.``, ``i.e.``, ``et al.``, ``Fig.`` and their like, after initials, inside
    numbers, file names and URLs, inside ``$...$`` and inside brackets. A blank line always is one.
    """
    bounds = []
    start = 0
    closed = _protected(text)
    for match in _END.finditer(text):
        if match.group()[0] != "\n" and (closed[match.start()] or not _ends(text, start, match)):
            continue
        bounds.append((start, match.end()))
        start = match.end()
    bounds.append((start, len(text)))
    return [b for b in (_strip(text, *b) for b in bounds) if b[0] < b[1]]


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _protected(text: str) -> list[bool]:
    """For each character, whether it lies inside ``$...$`` or round or square brackets that close soon after."""
    inside = [False] * (len(text) + 1)
    for match in re.finditer(r"\$[^$\n]{1,200}\$|\([^()\n]{1,300}\)|\[[^\[\]\n]{1,300}\]", text):
        inside[match.start() + 1 : match.end() - 1] = [True] * (match.end() - match.start() - 2)
    return inside


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    following = _NEXT_WORD.match(text, match.end())
    word = following.group(1) if following else ""
    if match.group()[0] != ".":
        # "…" and "?" inside a running sentence are followed by a small letter
        return not word[:1].islower()
    if match.group().startswith("..") and word[:1].islower():
        return False
    before = text[start : match.start()]
    word_before = "" if before[-1:].isspace() else (before.rsplit(None, 1) or [""])[-1].lstrip("([{\"'“‘")
    # DR and MRS are names, not titles
    token = "" if len(word_before) > 1 and word_before.isupper() else word_before.lower()
    opener = word[:1].isupper() and word.lower() in _OPENERS
    if token in _ABBREVIATIONS:
        return token in _ENDS_ANYWAY and opener
    if _INITIAL.search(before[-9:]) and not opener:
        return False
    if _ENUMERATOR.match(text, match.end()):
        return True
    # A small letter after a full stop is a stop inside the sentence ("vs. the", "approx. linear"), unless a name starts
    # there ("... time. pFedMe reaches ...")
    return not (word.islower() and word.isalpha())


class SentenceSplitter(Component[list[tuple[int, int]]]):
    """Sets sentence starts, unless an earlier component of another pipeline has."""

    def predict_one(self, doc: Doc) -> list[tuple[int, int]]:
        """Character offsets of the sentences."""
        return split_sentences(doc.text)

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[tuple[int, int]]]) -> None:
        """Mark the first token of each sentence."""
        for doc, bounds in zip(docs, predictions, strict=True):
            if doc.has_annotation("SENT_START"):
                continue
            ends = doc.to_array(["IDX", "LENGTH"]).astype(np.int64).sum(1)
            marks = np.full((len(doc), 1), -1, np.int64)
            firsts = np.searchsorted(ends, [start for start, _ in bounds], side="right")
            marks[[0, *firsts] if len(doc) else []] = 1
            # One array instead of a setter a token, which checks the whole Doc each time
            doc.from_array(["SENT_START"], cast(Any, marks.astype(np.uint64)))


@Language.factory("kg_sentences", assigns=["token.is_sent_start", "doc.sents"])
def create_sentences(nlp: Language, name: str) -> SentenceSplitter:
    """The component that splits sentences."""
    return SentenceSplitter()
