"""Pairs of entities that may be one thing: proposed with evidence, never merged by kg itself.

Blocking: two entities of one type are compared only if they share a rare word, the beginning or end of their letters,
or if one is the other's initials. A pair is kept where what differs in the names is spelling, not substance (numbers,
signs, negations and added words that define are substance), and is scored by the letters and by the company they keep:
the entities that their papers mention besides them, rare ones weighing more. Names of one thing are seldom written side
by side, so a pair that shares many papers scores lower, and one that is never seen apart is left out.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from kg.errors import must_be_limit
from kg.names import fold, is_short_form
from kg.own_names import resolver_of
from kg.resolve import NeverMerge
from kg.resolve.synonyms import initials, is_coined
from kg.store import Store
from kg.types import Entity, EntityType
from kg.words import AFTER_KNOWN, BEFORE_KNOWN, LOOSE_MODIFIERS

LARGEST_BLOCK = 40
"""Blocks with more entities than this say nothing about any pair and are skipped."""
LETTERS = 6
"""How many letters at the beginning or end of two names make them comparable."""
SAME_WORD = 0.75
"""How alike two words must be to be spellings of one."""
STRING_WEIGHT = 0.65
SIDE_BY_SIDE = 0.3
"""What a pair loses in score when every paper of the rarer one also mentions the other."""
INITIALS = 0.75
"""The string similarity of a short form and words with its initials."""

EMPTY_WORDS = (
    AFTER_KNOWN | BEFORE_KNOWN | LOOSE_MODIFIERS | {"based", "deep", "neural", "network", "learning", "system"}
)
OPPOSED = (
    "un",
    "non",
    "in",
    "im",
    "anti",
    "de",
    "dis",
    "over",
    "under",
    "semi",
    "pre",
    "post",
    "intra",
    "inter",
    "hetero",
)


@dataclass(frozen=True)
class Candidate:
    """Two entities that may be one: scores in [0, 1], papers each and together, and the company they share."""

    score: float
    type: EntityType
    a: str
    b: str
    name_a: str
    name_b: str
    string: float
    context: float
    papers_a: int
    papers_b: int
    together: int
    shared: tuple[str, ...]
    sentence_a: str = ""
    sentence_b: str = ""


def candidates(
    store: Store, *, limit: int = 50, min_score: float = 0.5, type: EntityType | None = None
) -> list[Candidate]:
    """The likeliest pairs, best first; the more mentioned entity of a pair is ``a``.

    Pairs on the never-merge list and pairs that a decision split are left out. ``limit`` is 1 or more.
    """
    must_be_limit(limit)
    entities = {e.id: e for e in store.entities() if type in (None, e.type)}
    papers: dict[str, set[str]] = defaultdict(set)
    company: dict[str, set[str]] = defaultdict(set)
    for row in store.query("MATCH (p:Paper)-[:MENTIONS]->(e) RETURN p.id AS paper, e.id AS entity"):
        papers[row["entity"]].add(row["paper"])
        company[row["paper"]].add(row["entity"])
    never = resolver_of(store).never_merge
    split = {frozenset((d.a, d.b)) for d in store.decisions() if d.kind == "split"}
    found = []
    for a, b in _blocked_pairs(entities.values(), {id_ for id_, found in papers.items() if len(found) > 1}):
        if papers[a.id] <= papers[b.id] or papers[b.id] <= papers[a.id]:
            continue  # never seen apart: two things, or a matter of that one abstract
        string = similarity(a, b)
        if string is None or _kept_apart(a, b, never, split):
            continue
        first, second = sorted((a, b), key=lambda e: (-len(papers[e.id]), e.id))
        context, shared = _context(first.id, second.id, papers, company)
        together = len(papers[first.id] & papers[second.id])
        rarer = max(1, len(papers[second.id]))
        score = STRING_WEIGHT * string + (1 - STRING_WEIGHT) * context - SIDE_BY_SIDE * together / rarer
        if score >= min_score:
            found.append(
                Candidate(
                    score=round(score, 3),
                    type=first.type,
                    a=first.id,
                    b=second.id,
                    name_a=first.name,
                    name_b=second.name,
                    string=round(string, 3),
                    context=round(context, 3),
                    papers_a=len(papers[first.id]),
                    papers_b=len(papers[second.id]),
                    together=together,
                    shared=tuple(entities[id_].name if id_ in entities else id_ for id_ in shared),
                )
            )
    found.sort(key=lambda c: (-c.score, -c.papers_b, c.a, c.b))
    return [_with_sentences(store, candidate) for candidate in found[:limit]]


def similarity(a: Entity, b: Entity) -> float | None:
    """How alike two names are in [0, 1]; None where what differs is substance.

    >>> one, two, three = (Entity(id=n, type="Task", name=n) for n in ("node labeling", "node labelling x", "node"))
    >>> similarity(Entity(id="x", type="Task", name="catastropic forgetting"),
    ...            Entity(id="y", type="Task", name="catastrophic forgetting")) > 0.9
    True
    >>> similarity(Entity(id="x", type="Task", name="convex game"), Entity(id="y", type="Task", name="nonconvex game"))
    """
    if _initials(a, b) or _initials(b, a):
        return INITIALS
    words_a, words_b = fold(a.name).split(), fold(b.name).split()
    if _marks(a.name) != _marks(b.name):
        return None
    if (is_coined(a.name) or is_coined(b.name)) and "".join(words_a) != "".join(words_b):
        return None
    only_a, only_b = (
        list((Counter(words_a) - Counter(words_b)).elements()),
        list((Counter(words_b) - Counter(words_a)).elements()),
    )
    only_a, only_b = _left_over(only_a, only_b)
    only_b, only_a = _left_over(only_b, only_a)
    if (only_a or only_b) and not set(only_a) | set(only_b) <= EMPTY_WORDS:
        return None
    return SequenceMatcher(None, "".join(words_a), "".join(words_b), autojunk=False).ratio()


def _left_over(words: Iterable[str], others: list[str]) -> tuple[list[str], list[str]]:
    """The words of the first list that are no spelling of a word of the second, and the second without those."""
    rest, others = [], list(others)
    for word in words:
        twin = next((o for o in others if _one_word(word, o)), None)
        if twin is None:
            rest.append(word)
        else:
            others.remove(twin)
    return rest, others


def _one_word(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    if len(short) < 5 or short[:2] != long[:2] or (long.endswith(short) and long.removesuffix(short) in OPPOSED):
        return False
    if any(a.startswith(p) != b.startswith(p) for p in OPPOSED if len(p) > 2):
        return False
    return SequenceMatcher(None, a, b, autojunk=False).ratio() >= SAME_WORD


def _initials(short: Entity, long: Entity) -> bool:
    """Whether one is a short form of three letters or more, made of the other's first letters."""
    return is_short_form(short.name) and len(fold(short.name)) > 2 and initials(short.name, long.name)


def _marks(name: str) -> tuple[str, ...]:
    """What tells versions and kinds apart: numbers, signs, Greek letters, single letters."""
    return tuple(re.findall(r"\d+(?:\.\d+)*|[+#*]|[α-ω]|\b[a-z]\b", fold(name)))


def _blocked_pairs(entities: Iterable[Entity], repeated: set[str]) -> Iterator[tuple[Entity, Entity]]:
    """Pairs that share a block, at least one of them ``repeated`` (in several papers)."""
    blocks: dict[tuple[str, ...], list[Entity]] = defaultdict(list)
    for entity in entities:
        key = fold(entity.name)
        letters = key.replace(" ", "")
        names = {("word", w) for w in key.split() if len(w) > 2}
        if len(letters) > LETTERS:
            names |= {("begin", letters[:LETTERS]), ("end", letters[-LETTERS:])}
        if is_short_form(entity.name):
            names.add(("initials", letters))
        elif " " in key:
            names.add(("initials", "".join(w[0] for w in re.split(r"[\s/-]+", entity.name.casefold()) if w)))
        for name in names:
            blocks[entity.type, *name].append(entity)
    seen: set[tuple[str, str]] = set()
    for block in blocks.values():
        if len(block) <= LARGEST_BLOCK:
            for a, b in combinations(sorted(block, key=lambda e: e.id), 2):
                if (a.id in repeated or b.id in repeated) and (a.id, b.id) not in seen:
                    seen.add((a.id, b.id))
                    yield a, b


def _kept_apart(a: Entity, b: Entity, never: NeverMerge, split: set[frozenset[str]]) -> bool:
    names_a, names_b = ({fold(n) for n in (e.name, *e.aliases)} for e in (a, b))
    keys = frozenset(f"{e.type}:{e.id.partition(':')[2].replace('-', ' ')}" for e in (a, b))
    return keys in split or never.forbids(names_a, names_b) is not None


def _context(
    a: str, b: str, papers: Mapping[str, set[str]], company: Mapping[str, set[str]]
) -> tuple[float, tuple[str, ...]]:
    """Cosine of the company they keep where not together, and the three shared companions that weigh most."""
    total = len(company)

    def weights(entity: str) -> dict[str, float]:
        apart = papers[entity] - (papers[a] & papers[b])
        counts = Counter(other for paper in apart for other in company[paper] if other not in (a, b))
        return {other: n * math.log(total / len(papers[other])) for other, n in counts.items()}

    one, two = weights(a), weights(b)
    products = {other: one[other] * two[other] for other in one.keys() & two.keys()}
    norm = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in two.values()))
    best = sorted(products, key=lambda other: (-products[other], other))[:3]
    return (sum(products.values()) / norm if norm else 0.0), tuple(best)


def _with_sentences(store: Store, candidate: Candidate) -> Candidate:
    rows = store.query(
        # Not IN $ids: the embedded engine answers that with a relationship behind it by a scan.
        f"UNWIND $ids AS id MATCH (e:{candidate.type} {{id: id}})<-[m:MENTIONS]-(:Paper) "
        "RETURN e.id AS id, min(m.sentence) AS sentence",
        {"ids": [candidate.a, candidate.b]},
    )
    sentences = {row["id"]: row["sentence"] for row in rows}
    return Candidate(
        **{
            **candidate.__dict__,
            "sentence_a": sentences.get(candidate.a, ""),
            "sentence_b": sentences.get(candidate.b, ""),
        }
    )
