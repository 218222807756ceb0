"""Names within one document: abbreviations first, then the alias table."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from kg.names import TITLE_WORD, canonical, fold, is_short_form, plain, singular
from kg.resolve.aliases import AliasTable, shipped_aliases
from kg.resolve.synonyms import abbreviated_part, may_be_one, without_head
from kg.types import EntityType
from kg.words import NOUN_ENDINGS


def name_document(
    mentions: Sequence[tuple[str, EntityType]],
    abbreviations: Iterable[tuple[str, str]] = (),
    clusters: Iterable[Sequence[int]] = (),
    *,
    inside: Collection[int] = (),
    aliases: AliasTable | None = None,
) -> list[str]:
    """The entity name of each mention of one document.

    mentions: surface without markup and type. abbreviations: (short form, long form) pairs that the document defines.
    clusters: groups of mentions, by index, that the text says are one thing ("X, also known as Y").
    inside: the mentions, by index, that do not begin a sentence, so that their capital is part of the name.
    A short form that the document defines in two ways is left as it stands; a group is believed only as far as
    its names may be one thing (kg.resolve.synonyms).

    >>> name_document([("graph neural networks", "Method"), ("GNNs", "Method")], [("GNN", "graph neural network")])
    ['graph neural network', 'graph neural network']
    >>> name_document([("AL", "Method")], [("AL", "active learning"), ("AL", "adversarial learning")])
    ['AL']
    >>> name_document([("Rasch models", "Method"), ("Nest models", "Method")], inside=[0])
    ['Rasch model', 'nest model']
    """
    table = shipped_aliases() if aliases is None else aliases
    local, ambiguous = _definitions(abbreviations)
    spelled_out = {fold(long): short for short, long in local.items()}
    names = [
        canonical(name, type_)
        if singular(plain(name)) in ambiguous
        else table.expand(spelled_out.get(fold(name), name), type_, local)
        for name, type_ in mentions
    ]
    same_name: dict[tuple[EntityType, str], list[int]] = defaultdict(list)
    for i, (name, (_, type_)) in enumerate(zip(names, mentions, strict=True)):
        same_name[type_, fold(name)].append(i)
    for group in _joined([*same_name.values(), *clusters], len(mentions)):
        for type_ in sorted({mentions[i][1] for i in group}):
            members = [i for i in group if mentions[i][1] == type_]
            best = _best([names[i] for i in members], type_, table)
            for i in members:
                if may_be_one(names[i], best, type_, table):
                    names[i] = best
    names = _one_spelling(names, [type_ for _, type_ in mentions])
    return _with_capitals(names, mentions, inside, table)


def _definitions(abbreviations: Iterable[tuple[str, str]]) -> tuple[dict[str, str], set[str]]:
    """Short form -> long form where there is one, and the short forms with several."""
    longs: dict[str, dict[str, str]] = defaultdict(dict)
    for short, long in sorted(abbreviations):
        long = without_head(short, abbreviated_part(short, plain(long)))
        longs[singular(plain(short))].setdefault(fold(long), long)
    local = {short: next(iter(found.values())) for short, found in longs.items() if len(found) == 1}
    return local, {short for short, found in longs.items() if len(found) > 1}


def _joined(clusters: Iterable[Sequence[int]], size: int) -> list[list[int]]:
    """Overlapping groups become one."""
    parent = list(range(size))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for group in clusters:
        for i in group[1:]:
            parent[root(i)] = root(group[0])
    groups: dict[int, list[int]] = defaultdict(list)
    for i in range(size):
        groups[root(i)].append(i)
    return [group for group in groups.values() if len(group) > 1]


def _best(names: Sequence[str], type_: EntityType, table: AliasTable) -> str:
    """The name of a group: one the alias table knows, else a long form, the most frequent, the longest."""
    counts = Counter(names)

    def rank(name: str) -> tuple[bool, bool, int, int, str]:
        return ((type_, fold(name)) not in table.names, is_short_form(name), -counts[name], -len(name), name)

    return min(counts, key=rank)


def _one_spelling(names: Sequence[str], types: Sequence[EntityType]) -> list[str]:
    """Names with one key are spelled one way in a document: the most frequent, then the one with fewer capitals."""
    spellings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for name, type_ in zip(names, types, strict=True):
        spellings[type_, fold(name)][name] += 1
    best = {key: min(found, key=lambda n: (-found[n], sum(map(str.isupper, n)), n)) for key, found in spellings.items()}
    return [best[type_, fold(name)] for name, type_ in zip(names, types, strict=True)]


def _with_capitals(
    names: Sequence[str], mentions: Sequence[tuple[str, EntityType]], inside: Collection[int], table: AliasTable
) -> list[str]:
    """Names whose first word alone has a capital, in most mentions inside a sentence, begin with it."""
    votes: Counter[tuple[EntityType, str]] = Counter()
    for i in inside:
        surface, type_ = mentions[i]
        first, *rest = plain(surface).split()
        if rest and fold(surface) == fold(names[i]) and not first.lower().endswith(NOUN_ENDINGS):
            only = TITLE_WORD.match(first) and not any(TITLE_WORD.match(word) for word in rest)
            votes[type_, fold(surface)] += 1 if only else -1 if first[0].islower() else 0
    out = []
    for name, (_, type_) in zip(names, mentions, strict=True):
        key = fold(name)
        proper = votes[type_, key] > 0 and not table.knows(key, type_)
        out.append(name[0].upper() + name[1:] if proper else name)
    return out
