"""Conference lists with track and status, one JSON array a conference and year (the file's name says which)."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from kg.read.identifiers import from_url
from kg.read.paper import make_paper, prose_of, text_of
from kg.types import Paper

STEM = re.compile(r"([a-z0-9]*[a-z])[_-]?((?:19|20)\d\d)", re.IGNORECASE)
SPELLED = {"neurips": "NeurIPS", "nips": "NeurIPS", "corl": "CoRL", "acmmm": "ACM MM", "automl": "AutoML"}


def paper(record: Mapping[str, Any], file: str) -> Paper:
    """The Paper in an entry of ``file``; its id is the OpenReview id, or conference, year and the entry's own id."""
    m = STEM.match(PurePath(file).name)
    venue = SPELLED.get(m[1].lower(), m[1].upper()) if m else ""
    site = text_of(record.get("site") or record.get("openreview"), "site")
    name = text_of(record.get("id"), "id")
    found = from_url(site)
    if found:
        name = found[0]
    elif name and m:
        name = f"{m[1].lower()}{m[2]}:{name}"
    withdrawn = text_of(record.get("status"), "status").lower().startswith(("withdraw", "retract"))
    return make_paper(
        id=name,
        title=text_of(record.get("title"), "title"),
        abstract=prose_of(record.get("abstract"), "abstract"),
        year=int(m[2]) if m else None,
        venue=venue,
        url=site,
        known="withdrawn" if withdrawn else None,
    )
