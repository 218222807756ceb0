"""What was found against what there is to find: counts and their precision, recall and F1."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from kg.evaluate.gold import GoldPaper, Name
from kg.resolve import Resolver, uses
from kg.types import ENTITY_TYPES, Extraction, Mention

T = TypeVar("T")


class Figure(NamedTuple):
    """One measured row: how many were right, how many there are, how many were said."""

    correct: int
    gold: int
    predicted: int

    @property
    def precision(self) -> float:
        """Right ones among those said, in per cent."""
        return 100 * self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Right ones among those there are, in per cent."""
        return 100 * self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in per cent."""
        total = self.gold + self.predicted
        return 200 * self.correct / total if total else 0.0


@dataclass(frozen=True)
class Evaluation:
    """``papers`` annotated, ``found`` of them with a record, and a Figure a row by name."""

    papers: int
    found: int
    figures: Mapping[str, Figure]

    def __str__(self) -> str:
        lines = [f"{self.found} of {self.papers} papers have a record"]
        lines += [
            f"{name:24} P {f.precision:6.2f}  R {f.recall:6.2f}  F1 {f.f1:6.2f}"
            f"   ({f.correct} of {f.gold} gold, {f.predicted} predicted)"
            for name, f in self.figures.items()
        ]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: ``{"papers", "records found", row: {p, r, f1, gold, predicted, correct}}``."""
        rows = {
            name: {
                "p": round(f.precision, 2),
                "r": round(f.recall, 2),
                "f1": round(f.f1, 2),
                "gold": f.gold,
                "predicted": f.predicted,
                "correct": f.correct,
            }
            for name, f in self.figures.items()
        }
        return {"papers": self.papers, "records found": self.found, **rows}


Pairs = Sequence[tuple[GoldPaper, Extraction | None]]


def score(gold: Sequence[GoldPaper], records: Sequence[Extraction]) -> Evaluation:
    """All the figures of ``records`` against ``gold``, by name, in the order they are read in."""
    pairs = _paired(gold, records)
    figures: dict[str, Figure] = {}
    _score_mentions(figures, pairs)
    _score_roles(figures, pairs)
    _score_relations(figures, pairs)
    _score_entities(figures, pairs, "", _named)
    _score_entities(figures, pairs, " resolved", _resolved(records))
    return Evaluation(len(gold), sum(record is not None for _, record in pairs), figures)


def score_naming(gold: Sequence[GoldPaper], records: Sequence[Extraction]) -> Evaluation:
    """The figures that measure names alone: within each document, and with all of them resolved."""
    pairs = _paired(gold, records)
    figures: dict[str, Figure] = {}
    _score_entities(figures, pairs, "", _named)
    _score_entities(figures, pairs, " resolved", _resolved(records))
    return Evaluation(len(gold), sum(record is not None for _, record in pairs), figures)


def _paired(gold: Sequence[GoldPaper], records: Iterable[Extraction]) -> Pairs:
    by_text = {_text_key(record.paper.abstract): record for record in records}
    return [(paper, by_text.get(_text_key(paper.text))) for paper in gold]


def _named(_: Extraction, mention: Mention) -> Hashable:
    return mention.type, mention.entity


def _resolved(records: Iterable[Extraction]) -> Callable[[Extraction, Mention], Hashable]:
    resolution = Resolver().resolve(uses(record) for record in records)
    return lambda record, m: resolution.id_of(record.paper.id, m.type, m.entity, m.name)


def _text_key(text: str) -> str:
    return " ".join(text.split())


def _shift(record: Extraction) -> int:
    """How far the annotated text, which is stripped, lies behind the record's abstract, in characters."""
    abstract = record.paper.abstract
    return len(abstract) - len(abstract.lstrip())


def _spans(record: Extraction | None) -> dict[tuple[int, int, str], Mention]:
    if record is None:
        return {}
    shift = _shift(record)
    return {(m.start - shift, m.end - shift, m.type): m for m in record.mentions}


def _add(figures: dict[str, Figure], name: str, correct: int, gold: int, predicted: int) -> None:
    before = figures.get(name, Figure(0, 0, 0))
    figures[name] = Figure(before.correct + correct, before.gold + gold, before.predicted + predicted)


def _matched(gold: Iterable[T], predicted: Iterable[T], same: Callable[[T, T], bool]) -> int:
    """How many of ``gold`` find a partner of their own in ``predicted``; first come, first served."""
    free = list(predicted)
    count = 0
    for wanted in gold:
        partner = next((i for i, item in enumerate(free) if same(wanted, item)), None)
        if partner is not None:
            del free[partner]
            count += 1
    return count


def _overlap(a: tuple[int, int, str], b: tuple[int, int, str]) -> bool:
    return a[2] == b[2] and a[0] < b[1] and b[0] < a[1]


def _score_mentions(figures: dict[str, Figure], pairs: Pairs) -> None:
    for paper, record in pairs:
        annotated = {(m.start, m.end, m.type): m for m in paper.mentions}
        found = _spans(record)
        _add(figures, "mentions", len(annotated.keys() & found.keys()), len(annotated), len(found))
        for type_ in ENTITY_TYPES:
            there = {span for span in annotated if span[2] == type_}
            said = {span for span in found if span[2] == type_}
            _add(figures, f"mentions {type_}", len(there & said), len(there), len(said))
        _add(figures, "mentions~", _matched(annotated, found, _overlap), len(annotated), len(found))


def _fold(name: str) -> str:
    """Comparison key of the scorer, deliberately not the one of resolution: a figure must not move with the code."""
    text = unicodedata.normalize("NFKC", name).lower()
    text = re.sub(r"\\[a-z]+|[$*_{}~^\\]", "", text)
    words = re.sub(r"[^\w+#]+", " ", text).split()
    return " ".join(_singular(word) for word in words)


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


class _Alike:
    """When an annotated thing and a found one are the same, given how one paper names its entities."""

    def __init__(self, paper: GoldPaper, record: Extraction | None) -> None:
        self._theirs = _forms(((m.type, m.canonical), m.name) for m in paper.mentions)
        self._ours = _forms(((m.type, m.entity), m.name) for m in (record.mentions if record else ()))

    def entity(self, gold: Name, said: Name) -> bool:
        forms = self._theirs.get(gold) or {_fold(gold[1])}, self._ours.get(said) or {_fold(said[1])}
        return gold[0] == said[0] and bool(forms[0] & forms[1])

    def role(self, gold: tuple[str, Name], said: tuple[str, Name]) -> bool:
        return gold[0] == said[0] and self.entity(gold[1], said[1])

    def relation(self, gold: tuple[str, Name, Name], said: tuple[str, Name, Name]) -> bool:
        straight = self.entity(gold[1], said[1]) and self.entity(gold[2], said[2])
        crossed = gold[0] == "COMPARES_WITH" and self.entity(gold[1], said[2]) and self.entity(gold[2], said[1])
        return gold[0] == said[0] and (straight or crossed)


def _forms(named: Iterable[tuple[Name, str]]) -> dict[Name, set[str]]:
    """The folded names under which a paper speaks of each of its entities."""
    forms: defaultdict[Name, set[str]] = defaultdict(set)
    for entity, surface in named:
        forms[entity] |= {_fold(entity[1]), _fold(surface)}
    return forms


def _score_roles(figures: dict[str, Figure], pairs: Pairs) -> None:
    each: dict[str, Figure] = {}
    for paper, record in pairs:
        alike = _Alike(paper, record)
        there = sorted(paper.roles)
        triples = record.triples if record else ()
        said = sorted({(t.relation, (str(t.tail_type), t.tail)) for t in triples if t.head_type == "Paper"})
        _add(figures, "paper triples", _matched(there, said, alike.role), len(there), len(said))
        for name in {r[0] for r in there} | {r[0] for r in said}:
            mine, yours = [r for r in there if r[0] == name], [r for r in said if r[0] == name]
            _add(each, f"  {name}", _matched(mine, yours, alike.role), len(mine), len(yours))
    figures.update(sorted(each.items()))


def _score_relations(figures: dict[str, Figure], pairs: Pairs) -> None:
    for paper, record in pairs:
        there = sorted(paper.relations)
        said = sorted(
            {
                (t.relation, (str(t.head_type), t.head), (str(t.tail_type), t.tail))
                for t in (record.triples if record else ())
                if t.head_type != "Paper"
            }
        )
        _add(figures, "entity triples", _matched(there, said, _Alike(paper, record).relation), len(there), len(said))


def _score_entities(
    figures: dict[str, Figure],
    pairs: Pairs,
    suffix: str,
    entity_of: Callable[[Extraction, Mention], Hashable],
) -> None:
    """Cluster pairs and shared methods, with the entity that ``entity_of`` says a mention has."""
    seen: set[tuple[int, str, str, Hashable]] = set()
    theirs: defaultdict[Hashable, set[int]] = defaultdict(set)
    ours: defaultdict[Hashable, set[int]] = defaultdict(set)
    for number, (paper, record) in enumerate(pairs):
        found = _spans(record)
        for m in paper.mentions:
            if m.type == "Method":
                theirs[m.canonical].add(number)
            match = found.get((m.start, m.end, m.type))
            if match is not None and record is not None:
                seen.add((number, m.type, m.canonical, entity_of(record, match)))
        if record is not None:
            for mention in record.mentions:
                if mention.type == "Method":
                    ours[entity_of(record, mention)].add(number)
    both = there = said = 0
    for a, b in combinations(seen, 2):
        if a[0] != b[0] and a[1] == b[1]:
            one, together = a[2] == b[2], a[3] == b[3]
            both, there, said = both + (one and together), there + one, said + together
    _add(figures, f"clusters{suffix}", both, there, said)
    shared_there, shared_said = _sharing(theirs), _sharing(ours)
    _add(figures, f"share-a-method{suffix}", len(shared_there & shared_said), len(shared_there), len(shared_said))


def _sharing(papers_of: Mapping[Hashable, set[int]]) -> set[tuple[int, int]]:
    return {pair for papers in papers_of.values() for pair in combinations(sorted(papers), 2)}
