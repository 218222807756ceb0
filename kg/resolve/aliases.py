"""The alias table and the never-merge list: read, checked, and applied to one name.

``aliases.csv`` has the columns ``name, alias, type, reason``: what goes by ``alias`` is the thing called ``name``. The
type is Method, Task or Dataset, or several joined by ``|``. ``never_merge.csv`` has ``a, b, reason``: names that look
alike and are different things. Both come with kg; a person's own files are laid over them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from kg.errors import InputError, ResolutionError
from kg.names import canonical, fold, is_short_form, plain, singular
from kg.tables import read_table
from kg.types import ENTITY_TYPES, EntityType
from kg.words import AFTER_KNOWN, BEFORE_KNOWN

ALIAS_COLUMNS = ("name", "alias", "type", "reason")
NEVER_COLUMNS = ("a", "b", "reason")

Key = tuple[EntityType, str]
"""A type and a folded name: what an entity's names are compared by."""


def parse_key(text: str) -> Key:
    """``Method:reinforcement learning`` -> its type and folded name; anything else is a ResolutionError."""
    name, _, key = text.partition(":")
    for type_ in ENTITY_TYPES:
        if type_ == name and key:
            return type_, key
    raise ResolutionError(f"{text!r} is no name of a decision; write Type:name with one of {', '.join(ENTITY_TYPES)}")


@dataclass(frozen=True, slots=True)
class Alias:
    """One row of an alias table and the place it was read from (``file:line``)."""

    name: str
    alias: str
    type: EntityType
    reason: str
    place: str


@dataclass(frozen=True)
class AliasTable:
    """Aliases, checked: no alias has two names, none leads back to itself.

    ``targets`` maps the key of an alias to the key of the name at the end of its chain, ``names`` a key to the spelling
    it is shown in, and ``short_forms`` a capital-letter alias to its long form (``RL``).
    """

    rows: tuple[Alias, ...] = ()
    targets: Mapping[Key, str] = field(default_factory=dict)
    names: Mapping[Key, str] = field(default_factory=dict)
    short_forms: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Alias]) -> "AliasTable":
        """Check the rows against each other; a contradiction is a ResolutionError that names both places."""
        rows = tuple(rows)
        by_key: dict[Key, Alias] = {}
        names: dict[Key, str] = {}
        for row in rows:
            key, target = (row.type, fold(row.alias)), (row.type, fold(row.name))
            spelled = names.setdefault(target, row.name)
            if spelled != row.name:
                raise ResolutionError(
                    f"{row.place}: {row.name!r} is spelled {spelled!r} in another row; use one spelling"
                )
            if key == target:
                continue
            known = by_key.setdefault(key, row)
            if fold(known.name) != target[1]:
                raise ResolutionError(
                    f"{row.place}: {row.type} {row.alias!r} is an alias of {row.name!r} here, "
                    f"but of {known.name!r} in {known.place}; keep one"
                )
        targets = {key: _end_of_chain(key, by_key) for key in by_key}
        short = {
            singular(plain(row.alias)): row.name
            for row in by_key.values()
            if row.type != "Dataset" and is_short_form(row.alias) and not is_short_form(row.name)
        }
        return cls(rows, targets, names, short)

    def over(self, below: "AliasTable") -> "AliasTable":
        """This table laid over another: where the two disagree about an alias or a spelling, this one holds."""
        mine = {(row.type, fold(row.alias)) for row in self.rows}
        spelled = {(row.type, fold(row.name)): row.name for row in self.rows}
        rows = [row for row in below.rows if (row.type, fold(row.alias)) not in mine]
        moved = [Alias(spelled.get((r.type, fold(r.name)), r.name), r.alias, r.type, r.reason, r.place) for r in rows]
        return AliasTable.of((*self.rows, *moved))

    def pointing(self, more: Mapping[Key, Key]) -> "AliasTable":
        """This table with further aliases (alias -> name), which go before its own and keep its spellings."""
        targets = dict(self.targets)
        for alias, name in sorted(more.items()):
            end = targets.get(name, name[1])
            if end == alias[1]:
                raise ResolutionError(f"{alias[1]!r} cannot be an alias of {name[1]!r}, which is an alias of it")
            targets[alias] = end
            targets.update({key: end for key, target in targets.items() if (key[0], target) == alias})
        return replace(self, targets=targets) if more else self

    def expand(self, name: str, type: EntityType, local: Mapping[str, str] | None = None) -> str:
        """The canonical form of a name with the short forms inside it written out, then the table applied.

        ``local``: the document's own short forms, which go before the table's.

        >>> table = AliasTable.of([Alias("reinforcement learning", "RL", "Method", "short form", "here:1")])
        >>> table.expand("RL", "Method"), table.expand("model-free RL", "Method"), table.expand("RL", "Dataset")
        ('reinforcement learning', 'model-free reinforcement learning', 'RL')
        >>> table.expand("end-to-end RL", "Method"), table.expand("RL-based methods", "Method")
        ('reinforcement learning', 'reinforcement learning')
        >>> table.expand("OnRL", "Method", {"OnRL": "online RL"})
        'online reinforcement learning'
        """
        local = local or {}
        written = plain(name)
        if singular(written) not in local and self._known([written], type):
            return self._shown(written, type)
        shown = canonical(name, type)
        own = singular(shown)
        if own in local:
            shown = canonical(local[own], type)
            first, _, rest = local[own].partition(" ")
            # A modifier that the short form has a letter for is part of the name (PPT: pre-trained prompt tuning).
            if fold(rest) == fold(shown) and first[:1].lower() == own[0].lower() and not self._known([shown], type):
                shown = f"{first.lower()} {shown}"
            local = {short: long for short, long in local.items() if short != own}
        if type != "Dataset" and not self._known([shown], type):
            words = [_written_out(word, local, self.short_forms) for word in shown.split(" ")]
            if words != shown.split(" "):
                shown = canonical(" ".join(words), type)
        return self._shown(self._without_loose_words(shown, type), type)

    def _shown(self, name: str, type_: EntityType) -> str:
        key = fold(name)
        target = self.targets.get((type_, key), key)
        return self.names.get((type_, target), name if target == key else target)

    def _without_loose_words(self, shown: str, type_: EntityType) -> str:
        """A well-known name without what does not define it: ``vanilla X``, ``X architecture``, ``X-based method``."""
        words = shown.split(" ")
        while len(words) > 1 and (type_, fold(" ".join(words))) not in self.targets:
            if words[0].lower() in BEFORE_KNOWN and self._known(words[1:], type_):
                words = words[1:]
            elif words[-1] in AFTER_KNOWN and self._known(words[:-1], type_):
                words = words[:-1]
            elif words[-1] in AFTER_KNOWN and (based := BASED_ON.match(" ".join(words[:-1]))):
                stem = canonical(based[1], type_).split(" ")
                if not self._known(stem, type_):
                    break
                words = stem
            else:
                break
        return " ".join(words)

    def knows(self, key: str, type: EntityType) -> bool:
        """Whether a folded name is one of the table's, as name or as alias."""
        return (type, key) in self.names or (type, key) in self.targets

    def _known(self, words: Sequence[str], type_: EntityType) -> bool:
        return self.knows(fold(" ".join(words)), type_)


BASED = re.compile(r"^(.+?)(-based|-driven)$")
BASED_ON = re.compile(r"(.+)[ -]based$")


def _written_out(word: str, local: Mapping[str, str], known: Mapping[str, str]) -> str:
    stem, ending = (match[1], match[2]) if (match := BASED.match(word)) else (word, "")
    stem = singular(stem)
    long = local.get(stem) or known.get(stem)
    return long + ending if long else word


def _end_of_chain(key: Key, by_key: Mapping[Key, Alias]) -> str:
    seen = [key]
    while (row := by_key.get(seen[-1])) is not None:
        following = (key[0], fold(row.name))
        if following in seen:
            raise ResolutionError(f"{row.place}: {row.alias!r} leads back to itself through {row.name!r}; drop one row")
        seen.append(following)
    return seen[-1][1]


@dataclass(frozen=True)
class NeverMerge:
    """Pairs of names that are never joined by kg itself, by key, each with its reason."""

    pairs: Mapping[frozenset[str], str] = field(default_factory=dict)
    partners: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str, str, str]]) -> "NeverMerge":
        """Rows of (a, b, reason, place). Two names that have one key cannot be kept apart: a ResolutionError."""
        pairs: dict[frozenset[str], str] = {}
        partners: dict[str, set[str]] = {}
        for a, b, reason, place in rows:
            key_a, key_b = fold(a), fold(b)
            if key_a == key_b:
                raise ResolutionError(
                    f"{place}: {a!r} and {b!r} are one name to kg ({key_a!r}), so nothing keeps them apart"
                )
            pairs[frozenset((key_a, key_b))] = reason
            partners.setdefault(key_a, set()).add(key_b)
            partners.setdefault(key_b, set()).add(key_a)
        return cls(pairs, {key: frozenset(others) for key, others in partners.items()})

    def over(self, below: "NeverMerge") -> "NeverMerge":
        """Both lists as one."""
        partners = {
            key: self.partners.get(key, frozenset()) | below.partners.get(key, frozenset())
            for key in {*self.partners, *below.partners}
        }
        return NeverMerge({**below.pairs, **self.pairs}, partners)

    def forbids(self, some: Iterable[str], others: Iterable[str]) -> str | None:
        """The reason why no name of the one group may meet any of the other (folded names); None where nothing does."""
        others = set(others)
        for key in sorted(some):
            for other in sorted(self.partners.get(key, frozenset()) & others):
                return self.pairs[frozenset((key, other))]
        return None


def check(aliases: AliasTable, never: NeverMerge) -> None:
    """A ResolutionError where the alias table joins what the never-merge list keeps apart."""
    groups: dict[Key, set[str]] = {}
    for (type_, key), target in aliases.targets.items():
        groups.setdefault((type_, target), {target}).add(key)
    for (_, target), keys in sorted(groups.items()):
        for key in sorted(keys):
            if reason := never.forbids([key], keys - {key}):
                # A name that a decision gave stands in no row.
                places = (f"{r.place}: " for r in aliases.rows if key in (fold(r.alias), fold(r.name)))
                raise ResolutionError(
                    f"{next(places, '')}{key!r} and what else is called {target!r} "
                    f"are on the never-merge list ({reason})"
                )


def load_aliases(path: Path) -> AliasTable:
    """Read an alias table.

    Raises InputError where it cannot be read as one, ResolutionError where it contradicts itself; both name the line.
    """
    return AliasTable.of(_alias_rows(path))


def load_never_merge(path: Path) -> NeverMerge:
    """Read a never-merge list; errors as in ``load_aliases``."""
    return NeverMerge.of((row["a"], row["b"], row["reason"], place) for place, row in _filled(path, NEVER_COLUMNS))


@cache
def shipped_aliases() -> AliasTable:
    """The alias table that comes with kg."""
    with as_file(files("kg").joinpath("data/aliases.csv")) as path:
        return load_aliases(path)


@cache
def shipped_never_merge() -> NeverMerge:
    """The never-merge list that comes with kg."""
    with as_file(files("kg").joinpath("data/never_merge.csv")) as path:
        return load_never_merge(path)


def _alias_rows(path: Path) -> Iterator[Alias]:
    for place, row in _filled(path, ALIAS_COLUMNS):
        for name in row["type"].split("|"):
            type_ = next((t for t in ENTITY_TYPES if t == name.strip()), None)
            if type_ is None:
                raise InputError(f"{place}: type {name.strip()!r} is none of {', '.join(ENTITY_TYPES)}")
            yield Alias(row["name"], row["alias"], type_, row["reason"], place)


def _filled(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table with these columns, in which no cell may be empty."""
    for place, row in read_table(path, columns):
        if empty := [name for name, cell in row.items() if not cell]:
            raise InputError(f"{place}: {empty[0]} is empty; all of {','.join(columns)} must be filled")
        yield place, row
