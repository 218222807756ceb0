"""Papers: one work read under several identifiers is one Paper with several ids.

Two papers are one work when they share an identifier (``Paper.id`` or one of ``Paper.ids``: DOI, arXiv id with its
versions, OpenReview id, ...), also through a third. Titles say nothing: a work may change its title, and two works may
share one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from kg.types import Paper

VERSION = re.compile(r"\d{4}\.\d{4,5}v(\d{1,3})$")


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


def update(paper: Paper, stored: Paper) -> Paper | None:
    """What a paper just read makes of the stored paper of the same work; None where it adds nothing.

    Under the stored paper's own id it is a correction and holds, whatever the stored text was; under another id it is
    another version, which may be the older one. Either way no identifier is lost.
    """
    known = stored.model_copy(update={"ids": tuple(sorted(stored.ids))})
    if paper.id == stored.id:
        ids = (identifiers(paper) | identifiers(stored)) - {paper.id}
        merged = paper.model_copy(update={"ids": tuple(sorted(ids))})
    else:
        merged = merge_papers([paper, stored])
    return None if merged == known else paper if paper.id != stored.id else merged


def _recency(paper: Paper) -> tuple[object, ...]:
    # Of the identifiers only the paper's own counts: a merged paper lists all versions, and must rank as it did before.
    version = VERSION.search(paper.id)
    return (
        paper.year or 0,
        int(version[1]) if version else 0,
        len(paper.abstract),
        paper.abstract,
        paper.title,
        paper.id,
        paper.venue or "",
        paper.url or "",
    )
