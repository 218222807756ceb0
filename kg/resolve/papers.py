"""Papers: one work read under several identifiers is one Paper with several ids.

Two papers are one work when they share an identifier (``Paper.id`` or one of ``Paper.ids``: DOI, arXiv id with its
versions, OpenReview id, ...), also through a third. Titles say nothing: a work may change its title, and two works may
share one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from kg.types import Paper

VERSION = re.compile(r"arxiv:.*v(\d+)$")


def identifiers(paper: Paper) -> frozenset[str]:
    """All that the paper is known by."""
    return frozenset((paper.id, *paper.ids))


def same_works(known: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of two or more papers that are one work. ``known``: paper id -> its other identifiers.

    >>> same_works({"a": ["doi:10.1/x"], "b": ["arxiv:1"], "c": ["arxiv:1", "doi:10.1/x"], "d": []})
    [['a', 'b', 'c']]
    """
    parent = {id_: id_ for id_ in known}

    def root(id_: str) -> str:
        while parent[id_] != id_:
            parent[id_] = parent[parent[id_]]
            id_ = parent[id_]
        return id_

    first: dict[str, str] = {}
    for id_, others in known.items():
        for name in (id_, *others):
            a, b = root(first.setdefault(name, id_)), root(id_)
            parent[max(a, b)] = min(a, b)
    groups: dict[str, list[str]] = defaultdict(list)
    for id_ in known:
        groups[root(id_)].append(id_)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)


def merge_papers(papers: Iterable[Paper]) -> Paper:
    """One Paper of several that are one work: the latest version's text and id, and everyone's identifiers.

    Latest is the highest year, then arXiv version, then the longest abstract. A withdrawal or retraction of any version
    is one of the work. Neither order nor grouping matters: merging merged papers gives the same.
    """
    papers = list(papers)
    best = max(papers, key=_recency)
    ids = {name for paper in papers for name in identifiers(paper)} - {best.id}
    status = next((s for s in ("retracted", "withdrawn") if any(p.status == s for p in papers)), best.status)
    return best.model_copy(update={"ids": tuple(sorted(ids)), "status": status})


def adds_nothing(paper: Paper, stored: Paper) -> bool:
    """Whether ``paper``, just read, is a version that ``stored`` already speaks for."""
    merged = merge_papers([stored, paper])
    return merged == stored.model_copy(update={"ids": tuple(sorted(stored.ids))})


def _recency(paper: Paper) -> tuple[object, ...]:
    versions = [int(m[1]) for name in identifiers(paper) if (m := VERSION.match(name))]
    own = [int(m[1]) for m in [VERSION.match(paper.id)] if m]
    return (
        paper.year or 0,
        max(own or _if_only_one(versions), default=0),
        len(paper.abstract),
        paper.abstract,
        paper.title,
        paper.id,
        paper.venue or "",
        paper.url or "",
    )


def _if_only_one(versions: list[int]) -> Iterator[int]:
    """A merged paper lists all its versions, which says nothing about which one its text is."""
    return iter(versions if len(versions) == 1 else ())
