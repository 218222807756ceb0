"""Whether a document may call one thing by two names.

A document says that names are one thing by an abbreviation in brackets, by apposition, or by what the extractor takes
for either. What is no synonym but a kind, a part or another system is told apart here, by the names alone, so that one
slip in one document does not join two things for the whole corpus.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from kg.names import fold, plain, singular
from kg.resolve.aliases import AliasTable
from kg.types import EntityType
from kg.words import AFTER_KNOWN

STEM = 5
"""Words that begin with as many equal letters are taken for one word."""
SMALL = frozenset(["of", "the", "for", "and", "with", "in", "to", "by", "on", "from", "via", "a", "an"])


def may_be_one(name: str, entity: str, type: EntityType, table: AliasTable) -> bool:
    """Whether ``name`` may stand for ``entity``, given that a document says so.

    A coined name (LostGAN) stands only for words that it abbreviates. A name that the alias table knows stands for what
    the table says, and takes no other names than the table's and its own last words (detection for object detection).
    Of other names, one that contains the other is a kind or a part of it, and two without a word in common are two
    things.

    >>> from kg.resolve.aliases import Alias
    >>> table = AliasTable.of([Alias("reinforcement learning", "RL", "Method", "abbreviation", "here:1")])
    >>> [may_be_one(n, "reinforcement learning", "Method", table) for n in ("RL", "offline RL", "CoCoRL", "learning")]
    [True, False, False, True]
    >>> may_be_one("NTX", "nest perch", "Method", table), may_be_one("NTX", "nest taxonomy", "Method", table)
    (False, True)
    >>> may_be_one("wing nest graph", "nest graph", "Method", table), may_be_one("graph", "nest graph", "Method", table)
    (False, True)
    """
    key, other = fold(table.expand(name, type)), fold(table.expand(entity, type))
    if key == other:
        return True
    known = table.knows(key, type)
    if is_coined(name) or is_coined(entity):
        coined, words = (name, entity) if is_coined(name) else (entity, name)
        if is_coined(words) or fold(coined) in fold(words).split():
            return False
        exact = known or table.knows(other, type)
        return initials(coined, words) if exact else abbreviates(coined, words)
    if known:
        return False
    if table.knows(other, type):
        return _ends(key, other)
    if _within(key, other):
        return _ends(key, other)
    if any(is_coined(word) and abbreviates(word, entity) for word in name.split()):
        return all(is_coined(word) or singular(word.lower()) in AFTER_KNOWN for word in name.split())
    if _within(other, key) or _within(fold(entity), fold(name)):
        return set(fold(name).split()) - set(other.split()) <= AFTER_KNOWN
    return any(a[:STEM] == b[:STEM] for a in key.split() for b in other.split() if a not in SMALL)


@lru_cache(maxsize=1 << 17)
def is_coined(name: str) -> bool:
    """Whether a name is made up: one word with two capitals, or letters and digits together.

    >>> [is_coined(n) for n in ("LostGAN", "RL", "word2vec", "Transformer", "self-attention", "graph network")]
    [True, True, True, False, False, False]
    """
    word = singular(plain(name))
    if " " in word:
        return False
    return sum(c.isupper() for c in word) > 1 or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))


def abbreviates(short: str, words: str) -> bool:
    """Whether ``words`` begin with the first letter of ``short`` and have the others in their order, digits aside.

    The capitals of a short form with small letters begin words.

    >>> [abbreviates("MoCap", w) for w in ("motion capture", "mobile cup")], abbreviates("NerCo", "nest recognition")
    ([True, False], False)
    """
    word = singular(plain(short))
    if not (word.isupper() or word.islower()):
        capitals = "".join(c.casefold() for c in word if c.isupper())
        if not _in_order(capitals, [w[0] for w in re.split(r"[\s/-]+", plain(words).casefold()) if w]):
            return False
    letters = [c for c in word.casefold() if c.isalpha()]
    text = [c for c in plain(words).casefold() if c.isalnum()]
    return bool(letters and text) and letters[0] == text[0] and _in_order(letters, text)


def _in_order(letters: Iterable[str], text: Iterable[str]) -> bool:
    rest = iter(text)
    return all(c in rest for c in letters)


def initials(short: str, words: str) -> bool:
    """Whether ``short`` is made of the first letters of ``words``, small words left out or not.

    >>> initials("MoE", "mixture of experts"), initials("DMs", "diffusion model"), initials("T5", "transformer")
    (True, True, False)
    """
    letters = singular(plain(short)).casefold()
    parts = [part for part in re.split(r"[\s/-]+", plain(words).casefold()) if part]
    return letters in ("".join(p[0] for p in parts), "".join(p[0] for p in parts if p not in SMALL))


def abbreviated_part(short: str, long: str) -> str:
    """The last words of ``long`` whose initials are ``short``; all of it where there are none.

    >>> abbreviated_part("RL", "offline reinforcement learning"), abbreviated_part("MoE", "sparse mixture of experts")
    ('reinforcement learning', 'mixture of experts')
    """
    words = long.split()
    for start in range(len(words) - 1, 0, -1):
        last = " ".join(words[start:])
        if words[start].lower() not in SMALL and initials(short, last):
            return last
    return long


def without_head(short: str, long: str) -> str:
    """``long`` without a generic last word that ``short`` has no letter for.

    >>> without_head("ANG", "averaged nest gradient method"), without_head("NM", "nest model")
    ('averaged nest gradient', 'nest model')
    """
    rest, _, head = long.rpartition(" ")
    last = [c for c in singular(plain(short)).casefold() if c.isalpha()][-1:]
    spare = singular(head.lower()) in AFTER_KNOWN and last != [head[0].lower()]
    return rest if " " in rest and spare and abbreviates(short, rest) else long


def _within(part: str, whole: str) -> bool:
    """Whether the words of ``part`` are some of ``whole``, side by side."""
    return f" {part} " in f" {whole} "


def _ends(part: str, whole: str) -> bool:
    """Whether ``part`` is the end of ``whole``, and so what it is a kind of, not one of two things named together."""
    return whole.endswith(f" {part}") and not {"and", "with", "of"} & set(whole.removesuffix(part).split())
