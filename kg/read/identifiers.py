"""The names a work has elsewhere, each in one form: ``doi:10.1/x``, ``arxiv:2101.00001``, ``openreview:AbC1``.

``Paper.ids`` holds these; two papers that share one (or of which one has the other's as its ``id``) are one work.
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qs, unquote

ARXIV = re.compile(r"(?:arxiv:)?\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(v\d{1,3})?", re.IGNORECASE)
DOI = re.compile(r"(?:doi:)?\s*(10\.\d{4,9}/\S+)", re.IGNORECASE)
ACL = re.compile(r"[A-Z]\d{2}-\d{4,5}|\d{4}\.[a-z0-9]+-[a-z0-9]+\.\d+")
OPENALEX = re.compile(r"W\d+")
ADDRESS = re.compile(
    r"\s*https?://(?:www\.)?(?P<host>[^/?#\s]+)/(?P<path>[^?#\s]*)(?:\?(?P<query>[^#\s]*))?", re.IGNORECASE
)
KNOWN = re.compile(r"(doi|arxiv|openreview|acl|openalex|s2|corpusid|pmid|dblp):(.+)", re.IGNORECASE)


def doi(value: str) -> str | None:
    """``doi:`` and the lower-cased DOI (DOIs ignore case), out of a DOI, ``doi:...`` or a doi.org address."""
    value = value.strip()
    if value[:4].lower() == "http":
        value = re.sub(r"^https?://(?:dx\.)?doi\.org/", "", value, flags=re.IGNORECASE)
    if "%" in value:
        value = unquote(value)
    m = DOI.fullmatch(value.rstrip(".,; "))
    return f"doi:{m[1].lower()}" if m else None


def arxiv(value: str) -> tuple[str, ...]:
    """The arXiv id without its version, then with it if it has one; empty when it is none.

    >>> arxiv("2101.00001v2")
    ('arxiv:2101.00001', 'arxiv:2101.00001v2')
    """
    value = re.sub(r"^https?://(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf|html)/", "", value.strip(), flags=re.IGNORECASE)
    m = ARXIV.fullmatch(re.sub(r"\.pdf$", "", value))
    if m is None:
        return ()
    base = f"arxiv:{m[1].lower()}"
    return (base, base + m[2].lower()) if m[2] else (base,)


def from_doi(value: str) -> tuple[str, ...]:
    """All that a DOI says: itself, and the arXiv or ACL id that arXiv's and the ACL's own DOIs contain."""
    found = doi(value)
    if found is None:
        return ()
    registrant, _, name = found.removeprefix("doi:").partition("/")
    if registrant == "10.48550" and name.startswith("arxiv."):
        return (found, *arxiv(name.removeprefix("arxiv.")))
    if (
        registrant == "10.18653"
        and name.startswith("v1/")
        and ACL.fullmatch(name[3:].upper() if name[3:4].isalpha() else name[3:])
    ):
        return found, f"acl:{name[3:].upper() if name[3:4].isalpha() else name[3:]}"
    return (found,)


def from_url(url: str) -> tuple[str, ...]:
    """The identifiers that an address of doi.org, arXiv, OpenReview, the ACL Anthology, OpenAlex or S2 contains."""
    m = ADDRESS.match(url)
    if m is None:
        return ()
    host, path = m["host"].lower(), m["path"].strip("/")
    if host in ("doi.org", "dx.doi.org"):
        return from_doi(path)
    if host == "arxiv.org" or host.endswith(".arxiv.org"):
        return arxiv(url)
    if host == "openreview.net":
        forum = parse_qs(m["query"] or "").get("id", [""])[0]
        return (f"openreview:{forum}",) if forum and path in ("forum", "pdf", "references/pdf") else ()
    if host in ("aclanthology.org", "aclweb.org"):
        name = re.sub(r"\.(?:pdf|bib)$", "", path.removeprefix("anthology/"))
        return (f"acl:{name}",) if ACL.fullmatch(name) else ()
    if host in ("openalex.org", "api.openalex.org"):
        name = path.rpartition("/")[2].upper()
        return (f"openalex:{name}",) if OPENALEX.fullmatch(name) else ()
    if host == "semanticscholar.org":
        sha = re.search(r"[0-9a-f]{40}$", path)
        return (f"s2:{sha[0]}",) if sha else ()
    return ()


def identify(value: str) -> tuple[str, ...]:
    """The identifiers in a value that may be one of any kind, bare, prefixed or an address; empty when it is none.

    Only forms that cannot be anything else are taken: a bare number is no identifier.
    """
    value = value.strip()
    if value[:4].lower() == "http":
        return from_url(value)
    if m := KNOWN.fullmatch(value):
        kind, name = m[1].lower(), m[2].strip()
        if kind == "doi":
            return from_doi(name)
        if kind == "arxiv":
            return arxiv(name)
        return (f"{'s2' if kind == 'corpusid' else kind}:{name}",)
    if value[:3] == "10.":
        return from_doi(value)
    return arxiv(value) if value[:1].isdigit() and "." in value else ()


def unique(ids: Iterable[str], without: str = "") -> tuple[str, ...]:
    """The ids in order, each once, less ``without`` (a paper's own id)."""

    def kept() -> Iterator[str]:
        seen = {without}
        for found in ids:
            if found not in seen:
                seen.add(found)
                yield found

    return tuple(kept())
