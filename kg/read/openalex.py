"""OpenAlex works: abstracts come as an inverted index, word -> positions."""

import re
from collections.abc import Mapping
from typing import Any

from kg.read.identifiers import from_doi, from_url
from kg.read.paper import RowError, make_paper, prose_of, text_of, year_of
from kg.types import Paper

WORK = re.compile(r"https://openalex\.org/W\d+")
WORDS = 100_000
"""The longest abstract that is put together, in words; a higher position is taken for a mistake."""


def paper(record: Mapping[str, Any]) -> Paper:
    """The Paper in a work object, whole or with the fields that a query selected."""
    work = text_of(record.get("id"), "id")
    abstract = prose_of(record.get("abstract"), "abstract")
    abstract = abstract or from_inverted_index(record.get("abstract_inverted_index"))
    location = record.get("primary_location")
    location = location if isinstance(location, dict) else {}
    venue = location.get("source") or record.get("host_venue")
    others = record.get("ids")
    others = others if isinstance(others, dict) else {}
    ids: list[str] = []
    doi = record.get("doi") or others.get("doi")
    if isinstance(doi, str):
        ids += from_doi(doi)
    url = location.get("landing_page_url") or doi or work
    for place in record.get("locations") or ():
        address = place.get("landing_page_url") if isinstance(place, dict) else None
        if isinstance(address, str) and address != url:  # what the paper's own address says, make_paper finds
            ids += from_url(address)
    if isinstance(pmid := others.get("pmid"), str):
        ids.append(f"pmid:{pmid.rstrip('/').rpartition('/')[2]}")
    named = (f"openalex:{work[21:]}",) if WORK.fullmatch(work) else from_url(work)
    return make_paper(
        id=named[0] if named else work,
        title=text_of(record.get("title") or record.get("display_title") or record.get("display_name"), "title"),
        abstract=abstract,
        year=year_of(record.get("publication_year") or record.get("publication_date")),
        venue=text_of(venue.get("display_name"), "venue") if isinstance(venue, dict) else "",
        url=url if isinstance(url, str) else "",
        ids=ids,
        known="retracted" if record.get("is_retracted") is True else None,
    )


def from_inverted_index(index: Any) -> str:
    """The abstract behind an inverted index: every position placed, a blank where one is missing; none for None or {}.

    RowError when it is no such index.

    >>> from_inverted_index({"trees": [1], "Pruned": [0], "grow": [3]})
    'Pruned trees  grow'
    """
    if not index:
        return ""
    if not isinstance(index, dict):
        raise RowError("its inverted index is no object")
    if isinstance(nested := index.get("InvertedIndex"), dict):
        index = nested
    try:  # the whole and the holeless are most of all, and this is the hot path
        at, count = {}, 0
        for word, positions in index.items():
            count += len(positions)
            for position in positions:
                at[position] = word
        if len(at) == count:
            return " ".join(map(at.__getitem__, range(count)))
    except (TypeError, KeyError):
        pass  # there are holes, or what the loop below will name
    placed: list[str] = []
    for word, positions in index.items():
        if not isinstance(positions, list):
            raise RowError(f"the positions of {word!r} in its inverted index are no list")
        for position in positions:
            if type(position) is not int or not 0 <= position < WORDS:
                raise RowError(f"{position!r} is no position in an inverted index (0 to {WORDS})")
            if position >= len(placed):
                placed += [""] * (position + 1 - len(placed))
            placed[position] = f"{placed[position]} {word}" if placed[position] else word
    return " ".join(placed)
