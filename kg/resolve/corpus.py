"""Names over the whole corpus: records in, entities with stable ids out.

Every name has a key (type and folded canonical form). Steps, in this order, point one key at another:

1. ``table``      the alias table, the person's own laid over the one that ships
2. ``short form`` a bare short form at the long form that the corpus clearly means by it
3. ``spelling``   keys that differ in where a word is split (``crossvalidation``)
4. ``word order`` a task said at length (``quantification of uncertainty``) at its usual name, where papers use that
5. ``merge`` and ``alias`` decisions of people; ``split`` decisions then take a key, or one paper's use of it, out again

The result is a pure function of the set of records and decisions: no step looks at their order. Steps 2 to 4 never
join what the never-merge list keeps apart. Types are never joined: the role a thing has in an abstract decides whether
it is a Method or a Task there, and a name that occurs as both is two nodes, listed in ``Resolution.conflicts``.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from kg.names import fold, is_short_form, plain, singular_name, slug
from kg.resolve.aliases import (
    AliasTable,
    Key,
    NeverMerge,
    check,
    parse_key,
    shipped_aliases,
    shipped_never_merge,
)
from kg.resolve.joins import Join, passes, root_of_key
from kg.resolve.order import turned
from kg.resolve.synonyms import is_coined, may_be_one
from kg.resolve.usage import Use, Uses, most_common
from kg.types import ENTITY_TYPES, Decision, Entity, EntityType

SHORT_FORM_PAPERS = 3
"""How many papers must spell out a short form as one long form before bare uses elsewhere are read as it."""
SHORT_FORM_SHARE = 0.8
"""Which share of the papers that spell the short form out, or propose something by that name, must agree."""
OWNERS_SHARE = 0.5
"""Which share of the papers that name a system must each propose it as their own for the name to be ambiguous."""
SPELLING_LETTERS = 5
"""How long a name must be, without spaces, for the place of its spaces not to matter."""


@dataclass(frozen=True)
class Resolution:
    """Which entity each use of a name is.

    ``roots``: key -> key of its entity. ``apart``: (paper, key) -> root, where one paper's use differs from the rest.
    ``split_names``: (type, root, folded surface) -> root of mentions with that surface, after a split.
    ``keys``: (type, entity as a record names it) -> key. ``narrower``: (type, entity, surface) -> key, of surfaces that
    a record gives an entity which they cannot stand for (a kind of it, another system).
    """

    entities: Mapping[str, Entity]
    keys: Mapping[tuple[EntityType, str], str]
    narrower: Mapping[tuple[EntityType, str, str], str]
    roots: Mapping[Key, str]
    apart: Mapping[tuple[str, EntityType, str], str]
    split_names: Mapping[tuple[EntityType, str, str], str]
    joins: tuple[Join, ...]
    conflicts: tuple[tuple[str, tuple[EntityType, ...]], ...]

    def id_of(self, paper: str, type: EntityType, entity: str, name: str | None = None) -> str:
        """The id of what ``paper`` calls ``entity`` (by ``name``, if given); KeyError for a record not resolved."""
        return _id(type, self.root_of(paper, type, entity, name))

    def root_of(self, paper: str, type: EntityType, entity: str, name: str | None = None) -> str:
        """The key of the entity whose id ``id_of`` gives."""
        key = self.keys[type, entity]
        if name is not None:
            key = self.narrower.get((type, entity, name), key)
        root = self.apart.get((paper, type, key))
        if root is None:
            root = self.roots.get((type, key), key)
            if name is not None and self.split_names:
                root = self.split_names.get((type, root, fold(name)), root)
        return root

    @cached_property
    def named(self) -> Mapping[EntityType, frozenset[str]]:
        """The keys that records use as entity names, a type."""
        found: dict[EntityType, set[str]] = {type_: set() for type_ in ENTITY_TYPES}
        for (type_, _), key in self.keys.items():
            found[type_].add(key)
        for (type_, _, _), key in self.narrower.items():
            found[type_].add(key)
        return {type_: frozenset(keys) for type_, keys in found.items()}

    @cached_property
    def digest(self) -> str:
        """A fingerprint: two resolutions with one digest give every record the same edges."""
        state = [
            sorted((e.id, e.name, *e.aliases, e.ambiguous) for e in self.entities.values()),
            sorted((*key, root) for key, root in self.roots.items()),
            sorted((*key, root) for key, root in self.apart.items()),
            sorted((*key, root) for key, root in self.split_names.items()),
        ]
        return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:32]


def _id(type_: EntityType, root: str) -> str:
    return f"{type_.lower()}:{slug(root)}"


@dataclass
class _Counts:
    """What the uses of a corpus say, a (type, key) each; papers are counted, never mentions."""

    keys: dict[tuple[EntityType, str], str] = field(default_factory=dict)
    narrower: dict[tuple[EntityType, str, str], str] = field(default_factory=dict)
    papers: Counter[Key] = field(default_factory=Counter)
    surfaces: dict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    defined: dict[Key, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    coined: Counter[Key] = field(default_factory=Counter)
    bare: dict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    own: dict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    plural: set[Key] = field(default_factory=set)


class Resolver:
    """Joins names into entities. Without arguments: the tables that come with kg and nobody's decisions."""

    def __init__(
        self,
        aliases: AliasTable | None = None,
        never_merge: NeverMerge | None = None,
        decisions: Sequence[Decision] = (),
    ) -> None:
        self.decisions = sorted(decisions, key=lambda d: d.id)
        table = shipped_aliases() if aliases is None else aliases
        self.aliases = table.pointing({parse_key(d.b): parse_key(d.a) for d in self.decisions if d.kind == "alias"})
        self.never_merge = shipped_never_merge() if never_merge is None else never_merge
        check(self.aliases, self.never_merge)
        self._shown: dict[tuple[EntityType, str], str] = {}
        self._believed: dict[tuple[EntityType, str, str], bool] = {}

    def key(self, type: EntityType, name: str) -> str:
        """The key of a name of that type, before the corpus and people have a say."""
        return fold(self._expanded(type, name))

    def _may_be_one(self, use: Use, key: str) -> bool:
        known = self._believed.get((use.type, use.entity, use.name))
        if known is None:
            known = fold(use.name) == key or may_be_one(use.name, use.entity, use.type, self.aliases)
            self._believed[use.type, use.entity, use.name] = known
        return known

    def _expanded(self, type_: EntityType, name: str) -> str:
        shown = self._shown.get((type_, name))
        if shown is None:
            shown = self._shown[type_, name] = self.aliases.expand(name, type_)
        return shown

    def resolve(self, uses: Iterable[Uses]) -> Resolution:
        """Entities of all these uses. The order of ``uses`` does not matter."""
        papers = list(uses)
        counts = self._count(papers)
        pointers: dict[Key, Join] = {}
        groups = counts.surfaces
        ambiguous = self._point_short_forms(counts, pointers, groups)
        self._point_spellings(counts, pointers, groups)
        self._point_word_orders(counts, pointers, groups)
        self._point_decisions(pointers)
        apart = {
            (paper, *key): key[1]
            for key, papers in counts.own.items()
            if key in pointers and pointers[key].why == "short form"
            for paper in papers
        }
        roots = {key: root_of_key(key, pointers) for key in {*pointers, *counts.papers}}
        split_names = self._split(pointers, roots, apart)
        by_name: dict[str, set[EntityType]] = defaultdict(set)
        for type_, key in counts.papers:
            by_name[key].add(type_)
        conflicts = tuple(
            (key, tuple(t for t in ENTITY_TYPES if t in types))
            for key, types in sorted(by_name.items())
            if len(types) > 1
        )
        resolution = Resolution(
            entities={},
            keys=counts.keys,
            narrower=counts.narrower,
            roots={key: root for key, root in roots.items() if key[1] != root},
            apart=apart,
            split_names=split_names,
            joins=tuple(pointers[key] for key in sorted(pointers) if key in counts.papers),
            conflicts=conflicts,
        )
        return replace(resolution, entities=self._entities(papers, resolution, ambiguous, self._given(resolution)))

    def _count(self, uses: Iterable[Uses]) -> _Counts:
        counts = _Counts()
        for paper in uses:
            seen: dict[Key, list[tuple[str, str]]] = defaultdict(list)
            for use in paper.names:
                folded = counts.keys.get((use.type, use.entity))
                if folded is None:
                    folded = counts.keys[use.type, use.entity] = self.key(use.type, use.entity)
                if not self._may_be_one(use, folded):
                    folded = counts.narrower[use.type, use.entity, use.name] = self.key(use.type, use.name)
                seen[use.type, folded].append((use.entity, use.name))
            own = {(type_, counts.keys[type_, name]) for type_, name in paper.own if (type_, name) in counts.keys}
            for key, found in seen.items():
                counts.papers[key] += 1
                names = {plain(name): fold(name) for _, name in found}
                counts.surfaces[key].update((key[1], *names.values()))
                counts.coined[key] += sum(1 if is_coined(n) else -1 for n, f in names.items() if f == key[1])
                shorts = {fold(name) for name in names if is_short_form(name)}
                spelled_out = any(f == key[1] for f in names.values())
                for short in shorts:
                    if short == key[1]:
                        counts.bare[key].add(paper.paper)
                    elif spelled_out:
                        counts.defined[key[0], short][key[1]] += 1
                if key[0] == "Task" and any(singular_name(name) != name for name in names):
                    counts.plural.add(key)
                if key in own:
                    counts.own[key].add(paper.paper)
        return counts

    def _point_short_forms(self, counts: _Counts, pointers: dict[Key, Join], groups: dict[Key, set[str]]) -> set[Key]:
        """Bare short forms to the long form the corpus means; the keys of those it leaves open."""
        ambiguous: set[Key] = set()
        for key in sorted(counts.bare):
            longs = counts.defined.get(key, Counter())
            owners = len(counts.own.get(key, ()))
            if len(longs) > 1 or 1 < owners >= OWNERS_SHARE * counts.papers[key]:
                ambiguous.add(key)
            if not longs:
                continue
            long, papers = min(longs.items(), key=lambda item: (-item[1], item[0]))
            total = sum(longs.values()) + owners
            if papers < SHORT_FORM_PAPERS or papers < SHORT_FORM_SHARE * total:
                ambiguous.add(key)
                continue
            target = (key[0], long)
            if self.never_merge.forbids({key[1]}, groups[target]):
                continue
            ambiguous.discard(key)
            reason = f"{papers} of {total} papers that spell it out mean this"
            pointers[key] = Join(key[0], key[1], long, "short form", reason)
        return ambiguous

    def _point_spellings(self, counts: _Counts, pointers: dict[Key, Join], groups: dict[Key, set[str]]) -> None:
        squeezed: dict[Key, list[str]] = defaultdict(list)
        for type_, key in sorted(counts.papers):
            if (type_, key) not in pointers:
                squeezed[type_, key.replace(" ", "")].append(key)
        for (type_, letters), keys in squeezed.items():
            if len(keys) < 2 or len(letters) < SPELLING_LETTERS:
                continue
            best = min(keys, key=lambda k: (-counts.papers[type_, k], k.count(" "), k))
            for key in keys:
                numbers = re.findall(r"\d+", key) == re.findall(r"\d+", best)
                # DeepFusion is someone's system, deep fusion is not.
                alike = numbers and (
                    type_ == "Dataset" or (counts.coined[type_, key] > 0) == (counts.coined[type_, best] > 0)
                )
                if key != best and alike and not self.never_merge.forbids({key}, groups[type_, best] - {key}):
                    pointers[type_, key] = Join(type_, key, best, "spelling", "the same letters, split differently")

    def _point_word_orders(self, counts: _Counts, pointers: dict[Key, Join], groups: dict[Key, set[str]]) -> None:
        """Tasks said at length at the usual name of the same task, if more papers use that."""
        for type_, key in sorted(counts.papers):
            # Only what is done to several things is an act and its object: learning online is no online learning.
            said = (type_ == "Task" and (type_, key) not in pointers) and (
                " of " in key or (type_, key) in counts.plural
            )
            usual = turned(key) if said else None
            if usual is None or counts.papers.get((type_, usual), 0) <= counts.papers[type_, key]:
                continue
            if not self.never_merge.forbids({key}, groups[type_, usual] - {key}):
                pointers[type_, key] = Join(type_, key, usual, "word order", "the same words in another order")

    def _point_decisions(self, pointers: dict[Key, Join]) -> None:
        """Merges and aliases of people: the root of ``b`` points at the root of ``a``."""
        for decision in self.decisions:
            if decision.kind == "split":
                continue
            a, b = parse_key(decision.a), parse_key(decision.b)
            root_a = (a[0], root_of_key(a, pointers))
            # A person who says what a short form is knows better than the count of papers.
            guessed = b in pointers and pointers[b].why == "short form"
            root_b = b if guessed else (b[0], root_of_key(b, pointers))
            if root_a != root_b:
                pointers[root_b] = Join(b[0], root_b[1], root_a[1], decision.kind, decision.reason)

    def _split(
        self,
        pointers: Mapping[Key, Join],
        roots: dict[Key, str],
        apart: dict[tuple[str, EntityType, str], str],
    ) -> dict[tuple[EntityType, str, str], str]:
        """Take out what people split off: a key and one paper's use (in ``roots``, ``apart``), surfaces (returned)."""
        split_names: dict[tuple[EntityType, str, str], str] = {}
        for decision in self.decisions:
            if decision.kind != "split":
                continue
            type_, key = parse_key(decision.a)
            root = roots.get((type_, key), key)
            if decision.b.startswith("Paper:"):
                paper = decision.b.removeprefix("Paper:")
                for each in [k for (t, k), r in roots.items() if t == type_ and r == root]:
                    apart[paper, type_, each] = f"{root} @ {paper}"
                continue
            other = parse_key(decision.b)[1]
            if other == root:
                other = key
            if other == root:
                continue
            for each in [k for (t, k), r in roots.items() if t == type_ and r == root]:
                if each == other or passes(each, other, type_, pointers):
                    roots[type_, each] = other
            split_names[type_, root, other] = other
        return split_names

    def _given(self, resolution: Resolution) -> dict[Key, set[str]]:
        """The names that people gave each entity by a merge or an alias: it goes by them before any paper uses them."""
        given: dict[Key, set[str]] = defaultdict(set)
        for decision in self.decisions:
            if decision.kind != "split":
                type_, key = parse_key(decision.b)
                end = self.aliases.targets.get((type_, key), key)
                root = resolution.roots.get((type_, end), end)
                root = resolution.split_names.get((type_, root, key), root)
                given[type_, root].add(decision.name_b or key)
        return given

    def _entities(
        self, papers: Iterable[Uses], resolution: Resolution, ambiguous: set[Key], given: Mapping[Key, set[str]]
    ) -> dict[str, Entity]:
        """Every entity that some use leads to, named and with the surfaces it goes by, those people gave it too."""
        spellings: dict[Key, Counter[str]] = defaultdict(Counter)
        rest: dict[Key, Counter[str]] = defaultdict(Counter)
        surfaces: dict[Key, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for paper in papers:
            seen: set[tuple[EntityType, str, str, str]] = set()
            for use in paper.names:
                root = resolution.root_of(paper.paper, use.type, use.entity, use.name)
                seen.add((use.type, root, use.entity, singular_name(plain(use.name))))
            for type_, root, entity, surface in seen:
                # The table's name first; after a split that is another entity's, and the text speaks for itself.
                # A record has read the text: the capital that it begins a name with is the name's.
                expanded = self._expanded(type_, entity)
                first = entity if entity[1:] == expanded[1:] and entity[0].isupper() else expanded
                shown = (first, self._expanded(type_, surface), entity, surface)
                key = root.partition(" @ ")[0]  # what one paper's use was given apart from
                spelled = next((name for name in shown if fold(name) == key), None)
                if spelled is not None:
                    spellings[type_, root][spelled] += 1
                else:
                    rest[type_, root][shown[0]] += 1
                surfaces[type_, root][fold(surface)][surface] += 1
        entities = {}
        for (type_, root), found in sorted(surfaces.items()):
            name = self.aliases.names.get((type_, root)) or most_common(
                spellings.get((type_, root)) or found.get(root) or rest[type_, root]
            )
            aliases = {
                most_common(spelled)
                for folded, spelled in found.items()
                if folded not in (root, fold(name)) and not _names_another(type_, folded, root, resolution)
            }
            for person in sorted(given.get((type_, root), ())):
                # As it was typed, in place of the same letters in another case; a paper's plural or hyphen stays too.
                if person.casefold() != name.casefold() and not _names_another(type_, fold(person), root, resolution):
                    aliases = {a for a in aliases if a.casefold() != person.casefold()} | {person}
            id_ = _id(type_, root)
            entities[id_] = Entity(
                id=id_,
                type=type_,
                name=name,
                aliases=tuple(sorted(aliases - {name})),
                ambiguous=(type_, root) in ambiguous,
            )
        return entities


def _names_another(type_: EntityType, surface: str, root: str, resolution: Resolution) -> bool:
    """Whether a surface is the name of another entity of that type, so that it would mislead as an alias."""
    return surface in resolution.named[type_] and resolution.roots.get((type_, surface), surface) != root
