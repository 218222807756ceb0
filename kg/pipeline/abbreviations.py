"""Abbreviations where a text defines them: ``graph neural network (GNN)`` or ``GNN (graph neural network)``.

In the spirit of Schwartz and Hearst (2003): letters of the short form appear in order in the words beside the
bracket. Here the words are aligned rather than scanned from the right, so that letters prefer the starts of words,
brackets nest, and citations are neither short forms nor in the way.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from kg.pipeline.annotations import ABBREVIATIONS, register
from kg.pipeline.component import Component


class Pair(NamedTuple):
    """Character offsets of a short form and of its long form (ends exclusive)."""

    short_start: int
    short_end: int
    long_start: int
    long_end: int


_CLOSERS = {")": "(", "]": "[", "）": "（", "］": "［", "】": "【"}
_OPENERS = frozenset(_CLOSERS.values())
_QUOTES = "\"'`“”‘’«»„*_$ \t\n\u00a0\u2009"
_SHORT = re.compile(r"[^\W_](?:[\w.+/*&-]*[\w+*])?")
_CITATION = re.compile(r"\bet al\b|\b(?:19|20)\d\d[a-z]?\b")
_INTRODUCED = re.compile(r"(?:e\.\s?g|i\.\s?e|cf|see|viz|resp)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"(?<![\w-])(?:[^\W\d_]+-)+$")
_SMALL_WORDS = """
a an and as at by for from in into of on or over the to under via with within without
"""
_COUNT = re.compile(r"([a-z])([2-5])(?!\d)")
_GLUE = frozenset(_SMALL_WORDS.split())
_NUMBERS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight"}


def find_abbreviations(text: str, bounds: Sequence[tuple[int, int]] | None = None) -> list[Pair]:
    """The pairs that a text defines, in order. ``bounds`` are its sentences; a pair never crosses one.

    >>> text = "We study deep Q-networks (DQNs; Doe et al., 2015) and trees (e.g., CART)."
    >>> [(text[a:b], text[c:d]) for a, b, c, d in find_abbreviations(text)]
    [('DQNs', 'deep Q-networks')]
    """
    pairs = []
    for start, end in bounds or [(0, len(text))]:
        for floor, opener, closer in _brackets(text, start, end):
            pair = _pair_at(text, floor, opener, closer)
            if pair:
                pairs.append(pair)
    return sorted(set(pairs))


def _brackets(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """(where the words before it may start, opener, closer) of every bracket, nested ones too."""
    stack: list[int] = []
    for i in range(start, end):
        c = text[i]
        if c in _OPENERS:
            stack.append(i)
        elif c in _CLOSERS and stack and text[stack[-1]] == _CLOSERS[c]:
            opener = stack.pop()
            yield (stack[-1] + 1 if stack else start), opener, i


def _pair_at(text: str, floor: int, opener: int, closer: int) -> Pair | None:
    inside = text[opener + 1 : closer]
    if _INTRODUCED.match(inside.lstrip()):
        return None
    before = _end_of_words(text, floor, opener)
    for start, end in _pieces(text, opener + 1, closer):
        if is_short(text[start:end]):
            long = _long_before(text, floor, before, text[start:end])
            if long:
                return Pair(start, end, *long)
    # The other way round: the short form stands before the bracket and its long form inside
    last = re.search(r"(\S+)$", text[floor:before])
    if last and not _CITATION.search(inside):
        start, end = _trim(text, floor + last.start(1), before)
        for piece_start, piece_end in _pieces(text, opener + 1, closer):
            if is_short(text[start:end]) and len(_WORD.findall(text[piece_start:piece_end])) > 1:
                long = _long_before(text, piece_start, piece_end, text[start:end])
                if long and long[0] == piece_start:
                    return Pair(start, end, *long)
            break
    return None


def _end_of_words(text: str, floor: int, opener: int) -> int:
    """The end of the words before a bracket, past other brackets that stand between (citations)."""
    end = opener
    while True:
        piece = text[floor:end].rstrip(_QUOTES)
        end = floor + len(piece)
        if not piece or piece[-1] not in _CLOSERS:
            return end
        depth, i = 0, end
        while i > floor:
            i -= 1
            depth += (text[i] in _CLOSERS) - (text[i] in _OPENERS)
            if depth == 0:
                break
        if depth or i == floor:
            return end
        end = i


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What a bracket holds, split at commas, semicolons and inner brackets, without quotes around."""
    at = start
    for match in re.finditer(r"[;,:()\[\]（）；，：]|$", text[start:end]):
        a, b = _trim(text, at, start + match.start())
        if a < b:
            yield a, b
        at = start + match.end()


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip(_QUOTES)), start + len(piece.rstrip(_QUOTES))


def is_short(surface: str) -> bool:
    """Whether a surface can be a short form: one word of 2 to 12 characters that is no plain word, number or year.

    >>> [is_short(s) for s in ("GNN", "kNN", "MoE", "S4", "Left", "1995", "a", "GAN-based model", "3D")]
    [True, True, True, True, False, False, False, False, True]
    """
    if not 2 <= len(surface) <= 12 or not _SHORT.fullmatch(surface) or _CITATION.search(surface):
        return False
    capitals = sum(c.isupper() for c in surface)
    digits = any(c.isdigit() for c in surface)
    return capitals >= 2 or (capitals == 1 and (digits or not surface[0].isupper()))


def _long_before(text: str, floor: int, end: int, short: str) -> tuple[int, int] | None:
    """The words up to ``end`` that spell a short form out, or None."""
    letters = "".join(c for c in short.lower() if c.isalnum())
    if counted := _COUNT.search(letters):
        # S4 is four words with s, as well as one with s and a four
        repeated = letters[: counted.start(1)] + counted[1] * int(counted[2]) + letters[counted.end(2) :]
        return _spelled(text, floor, end, short, repeated) or _spelled(text, floor, end, short, letters)
    return _spelled(text, floor, end, short, letters)


def _spelled(text: str, floor: int, end: int, short: str, letters: str) -> tuple[int, int] | None:
    if len(letters) > 2 and short.endswith("s") and short[:-1].isupper():
        letters = letters[:-1]
    words = [(m.start(), m.group().lower()) for m in _WORD.finditer(text, floor, end)]
    best: tuple[float, int] | None = None
    for count in range(1, min(len(words), 2 * len(letters) + 2) + 1):
        start, first = words[-count]
        if first[0] != letters[0] and not (letters[0].isdigit() and first == _NUMBERS.get(letters[0])):
            continue
        if any(c in ".;:!?" for c in re.sub(r"\w\.\w", "", text[start:end])):
            break
        candidate = tuple(w for _, w in words[-count:])
        if "".join(candidate) == letters or short in text[start:end] or not _balanced(text[start:end]):
            continue
        cost = _cost(letters, candidate)
        if cost is not None and (best is None or cost < best[0]):
            best = cost, start
    return (_start_of_compound(text, floor, best[1], letters), end) if best else None


def _balanced(text: str) -> bool:
    """Whether as many brackets close as open: no long form begins inside one, ``RL) from human feedback``."""
    return all(text.count(closer) == text.count(opener) for closer, opener in _CLOSERS.items())


def _start_of_compound(text: str, floor: int, start: int, letters: str) -> int:
    """Where a long form starts that would begin inside a hyphenated word whose first letter fits as well.

    All-atom transformer (AT) is no atom transformer.
    """
    if match := _COMPOUND.search(text, floor, start):
        return match.start() if match[0][0].lower() == letters[0] else start
    return start


def _cost(letters: str, words: tuple[str, ...]) -> float | None:
    """How badly letters spell words out (0 is perfect: each letter starts a word); None when they do not."""

    @cache
    def rest(i: int, w: int, at: int) -> float:
        """Letters i.. remain; word w has been read up to ``at``."""
        found = float("inf")
        if i == len(letters):
            left = [x for x in words[w + 1 :] if x not in _GLUE]
            # "News Environment Perception Framework (NEP)": one plain head may be left over
            return 0.0 if not left else 0.8 if len(left) == 1 and w else found
        if letters[i].isdigit():
            # Digits often count something: S4, BM25
            found = rest(i + 1, w, at) + 0.6
        inner = words[w].find(letters[i], at)
        while inner >= 0:
            step = 0.0 if inner == at and letters[i].isdigit() else 0.3 if inner == at else 1.0
            found = min(found, rest(i + 1, w, inner + 1) + step)
            inner = words[w].find(letters[i], inner + 1)
        skipped = 0.0
        for nxt in range(w + 1, len(words)):
            starts = words[nxt][0] == letters[i] or words[nxt] == _NUMBERS.get(letters[i])
            if starts:
                found = min(found, rest(i + 1, nxt, 1) + skipped)
            skipped += 0.1 if words[nxt] in _GLUE else 1.1
            if skipped > 2.5:
                break
        return found

    cost = rest(1, 0, 1)
    # A letter inside a word is weak evidence: at least half must start words, or nearly all words must take part
    content = sum(w not in _GLUE for w in words)
    limit = max(len(letters) / 2, (len(letters) - 1) if content == 1 else 0)
    return cost + 0.01 * len(words) if cost <= limit else None


class AbbreviationFinder(Component[list[Pair]]):
    """Sets ``doc._.abbreviations``."""

    def predict_one(self, doc: Doc) -> list[Pair]:
        """Character offsets of the pairs that a Doc defines."""
        return find_abbreviations(doc.text, [(s.start_char, s.end_char) for s in doc.sents])

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[list[Pair]]) -> None:
        """Write token offsets of short and long forms."""
        for doc, pairs in zip(docs, predictions, strict=True):
            found = []
            for pair in pairs:
                short = doc.char_span(pair.short_start, pair.short_end, alignment_mode="expand")
                long = doc.char_span(pair.long_start, pair.long_end, alignment_mode="expand")
                if short is not None and long is not None:
                    found.append((short.start, short.end, long.start, long.end))
            doc.user_data[ABBREVIATIONS] = found


@Language.factory("kg_abbreviations", requires=["doc.sents"], assigns=["doc._.abbreviations"])
def create_abbreviations(nlp: Language, name: str) -> AbbreviationFinder:
    """The component that finds abbreviations."""
    register()
    return AbbreviationFinder()
