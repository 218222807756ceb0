"""arXiv's metadata snapshot: one JSON object a line, with versions and categories."""

from collections.abc import Mapping
from typing import Any

from kg.clean.status import status
from kg.read.identifiers import arxiv, from_doi
from kg.read.paper import make_paper, prose_of, text_of, year_of
from kg.types import Paper


def paper(record: Mapping[str, Any]) -> Paper:
    """The Paper in an entry: the year is the first version's, the last version's id is kept beside the base id."""
    name = text_of(record.get("id"), "id")
    versions = [v for v in record.get("versions") or () if isinstance(v, dict)]
    found = arxiv(name)
    ids = list(found[1:])
    if found and versions and isinstance(last := versions[-1].get("version"), str):
        ids += arxiv(found[0].removeprefix("arxiv:") + last)[1:]
    if isinstance(record.get("doi"), str):
        ids += from_doi(record["doi"])
    title = " ".join(text_of(record.get("title"), "title").split())
    comments = text_of(record.get("comments"), "comments")
    # The notice of a withdrawn paper is often in the comments, while the abstract stays.
    notice = status("", comments) if comments else "ok"
    first = versions[0].get("created") if versions else None
    return make_paper(
        id=found[0] if found else name,
        title=title,
        abstract=prose_of(record.get("abstract"), "abstract"),
        year=year_of(first) or year_of(record.get("update_date")),
        venue=text_of(record.get("journal-ref"), "journal-ref"),
        url=f"https://arxiv.org/abs/{found[0].removeprefix('arxiv:')}" if found else "",
        ids=ids,
        known=notice if notice in ("withdrawn", "retracted") else None,
    )
