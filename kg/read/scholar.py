"""Semantic Scholar: bulk data sets (papers, abstracts), search results and older S2ORC records."""

from collections.abc import Mapping
from typing import Any

from kg.read.identifiers import arxiv, from_doi
from kg.read.paper import make_paper, prose_of, text_of, year_of
from kg.types import Paper


def paper(record: Mapping[str, Any]) -> Paper:
    """The Paper in a record; its id is the corpus id (``s2:123``), or the paper's hash where there is none."""
    corpus = record.get("corpusid", record.get("corpusId"))
    sha = text_of(record.get("paperId") or record.get("sha") or record.get("paper_id"), "paper id")
    external = record.get("externalids") or record.get("externalIds") or {}
    names = {str(k).lower(): v for k, v in external.items() if v} if isinstance(external, dict) else {}
    names |= {k: record[k] for k in ("doi", "arxiv_id", "acl_id") if record.get(k)}
    if corpus is None:
        corpus = names.get("corpusid")
    ids = [f"s2:{value}" for value in (corpus, sha) if value not in (None, "")]
    if doi := text_of(names.get("doi"), "DOI"):
        ids += from_doi(doi)
    if preprint := text_of(names.get("arxiv") or names.get("arxiv_id"), "arXiv id"):
        ids += arxiv(preprint)
    for name, key in (("acl", "acl"), ("acl", "acl_id"), ("pmid", "pubmed"), ("dblp", "dblp")):
        if value := text_of(names.get(key), f"{name} id"):
            ids.append(f"{name}:{value}")
    return make_paper(
        id=ids[0] if ids else "",
        title=text_of(record.get("title"), "title"),
        abstract=prose_of(record.get("abstract"), "abstract"),
        year=year_of(record.get("year") or record.get("publicationdate") or record.get("publicationDate")),
        venue=text_of(record.get("venue"), "venue"),
        url=text_of(record.get("url"), "url"),
        ids=ids,
    )
