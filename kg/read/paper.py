"""From the fields of a record, whatever its format, to a Paper that any store can hold."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from kg.clean import clean
from kg.clean.status import status
from kg.read.identifiers import from_doi, from_url, identify, unique
from kg.types import ID_LIMIT, Paper, Status

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
MARKUP = re.compile(r"[\\${}<&*`_^\[~]|--|''|\s\s|[^\x20-\x7e]")
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")

ABSTRACT_LIMIT = 200_000
"""Characters of the longest abstract that is read: over a hundred times a usual one, a fifth of what spaCy takes."""


class RowError(ValueError):
    """Why one record cannot be read; its reader adds the place."""


def storable(text: str) -> str:
    """The text with what no store can hold (lone surrogates, NUL) replaced one for one by U+FFFD.

    Every offset of kg counts code points of the abstract as stored, and this keeps their number.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return UNSTORABLE.sub("\ufffd", text)
    return text.replace("\x00", "\ufffd") if "\x00" in text else text


def derived_id(kind: str, *parts: str) -> str:
    """An id for a record that has none, the same whenever the same words are read again: ``kind:`` and 16 digits."""
    words = "\n".join(" ".join(part.split()) for part in parts)
    return f"{kind}:{hashlib.sha256(storable(words).encode()).hexdigest()[:16]}"


def text_of(value: Any, name: str) -> str:
    """A text field: absent is empty, a number is its digits; RowError for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "" if value != value else str(value)  # NaN is how tables write that there is none
    return prose_of(value, name)


def prose_of(value: Any, name: str) -> str:
    """A field that can only be text, as an abstract: absent is empty; RowError for anything else, also a number."""
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, dict) and isinstance(value.get("value"), str):
        return str(value["value"])
    raise RowError(f"the {name} is {_kind(value)}, not text")


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", bool: "a truth value", bytes: "a byte string"}
    return kinds.get(type(value), "a number" if isinstance(value, int | float) else f"a {type(value).__name__}")


def year_of(value: Any) -> int | None:
    """The year in a number, a year or a date; None when there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 1500 <= value < 2200 else None
    if value is None or isinstance(value, bool):
        return None
    m = YEAR.search(str(value))
    return int(m[1]) if m else None


def make_paper(
    *,
    id: str = "",
    title: str = "",
    abstract: str = "",
    year: int | None = None,
    venue: str = "",
    url: str = "",
    ids: Iterable[str] = (),
    known: Status | None = None,
    kind: str = "paper",
) -> Paper:
    """A Paper of these fields.

    The abstract stays as it is (but for ``storable``), since offsets count in it; the title is for people to read and
    loses its markup. Without an id the first identifier is one, or else a hash of title and abstract. ``known`` is a
    status that the record itself states. RowError when there is neither a title nor an abstract, for an abstract
    over ABSTRACT_LIMIT and an id over ID_LIMIT.
    """
    if len(abstract) > ABSTRACT_LIMIT:
        raise RowError(f"its abstract has {len(abstract):,} characters; {ABSTRACT_LIMIT:,} are read at most")
    abstract = storable(abstract)
    if title and (MARKUP.search(title) or title[0] == " " or title[-1] == " "):
        title = clean(storable(title)).display()
    if not title and not abstract.strip():
        raise RowError("it has neither a title nor an abstract")
    url = storable(url.strip())
    id = storable(id.strip())
    given = tuple(ids)
    if url and f"doi:{url[16:].lower()}" not in given:  # https://doi.org/10... of a DOI that is there already
        given += from_url(url)
    if id:
        given += identify(id)
    found = [storable(name) for name in given]
    if not id:
        id = next(iter(found), "") or derived_id(kind, title, abstract)
    if len(id) > ID_LIMIT:
        raise RowError(f"its id has {len(id):,} characters; {ID_LIMIT:,} are kept at most")
    return Paper(
        id=id,
        title=title,
        abstract=abstract,
        year=year,
        venue=storable(" ".join(venue.split())) or None,
        url=url or None,
        ids=unique(found, without=id) if found else (),
        status=known or status(title, abstract),
    )


ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "paper_id", "paperid", "uid", "key", "_id"),
    "title": ("title", "paper_title", "display_title", "article title", "document title"),
    "abstract": ("abstract", "summary", "paper_abstract", "abstract_text", "abstracttext", "abstract note"),
    "year": ("year", "publication_year", "publication year", "pub_year", "published", "publication_date", "date", "py"),
    "venue": ("venue", "conference", "journal", "booktitle", "source title", "publication title", "container-title"),
    "url": ("url", "link", "paper_url", "pdf_url", "html_url", "site", "pdf"),
    "doi": ("doi",),
    "arxiv": ("arxiv", "arxiv_id", "arxivid", "eprint"),
    "openreview": ("openreview", "openreview_id", "forum"),
    "acl": ("acl", "acl_id", "anthology_id"),
}
"""The names under which a table or a JSON object may hold a field, the best first."""
FIELDS = tuple(ALIASES)


def twice(header: Iterable[str], columns: Iterable[str]) -> str | None:
    """The first of these columns that a table has twice (in any case), so that nobody can tell which one is meant."""
    counts = Counter(name.strip().lower() for name in header)
    return next((name for name in columns if counts[name.strip().lower()] > 1), None)


class Fields:
    """Where the fields of a paper are in records: the usual names, or those that a field map gives.

    A mapped name may be a path into nested objects (``content.abstract.value``).
    """

    def __init__(self, mapping: Mapping[str, str] | None = None) -> None:
        self.mapping = dict(mapping or {})

    def columns(self, header: Iterable[str]) -> dict[str, str]:
        """Field -> the column that holds it, for a table with this header (any case)."""
        by_name: dict[str, str] = {}
        for heading in header:
            by_name.setdefault(heading.strip().lower(), heading)
        found = {}
        for field, aliases in ALIASES.items():
            wanted = (self.mapping[field].lower(),) if field in self.mapping else aliases
            column = next((by_name[alias] for alias in wanted if alias in by_name), None)
            if column is not None:
                found[field] = column
        return found

    def top_columns(self, names: Iterable[str]) -> list[str]:
        """Which top-level columns of a table are needed; none when neither an abstract nor a title is among them."""
        wanted = {alias for aliases in ALIASES.values() for alias in aliases} | {"ids", "status"}
        roots = set(self.mapping.values()) | {path.split(".")[0] for path in self.mapping.values()}
        found = [name for name in names if name.lower() in wanted or name in roots]
        texts = {*ALIASES["abstract"], *ALIASES["title"], *roots}
        return found if any(name.lower() in texts or name in roots for name in found) else []

    def paper(self, record: Mapping[str, Any]) -> Paper:
        """The Paper in a JSON object; RowError when there is none."""
        joined = "".join(record)
        named = record if joined == joined.lower() else _lowered(record)
        values: dict[str, Any] = {}
        for field, aliases in ALIASES.items():
            if field in self.mapping:
                values[field] = _path(record, self.mapping[field])
                continue
            for name in aliases:
                if name in named:
                    value = named[name]
                    if value is not None and value != "":
                        values[field] = value
                        break
                    values[field] = None
        if "abstract" not in values and "title" not in values:
            names = ", ".join(sorted(map(str, record))[:8]) or "none"
            raise RowError(f"no abstract or title in it (its fields: {names}); name them with --map abstract=FIELD")
        values["ids"] = named.get("ids")
        values["status"] = named.get("status")
        return self.of(values)

    @staticmethod
    def of(values: Mapping[str, Any]) -> Paper:
        """The Paper with these fields, those of ALIASES and ``ids`` and ``status`` as a Paper itself has them."""
        ids: list[str] = []
        if isinstance(listed := values.get("ids"), list | tuple):
            ids = [name for value in listed if isinstance(value, str) for name in identify(value)]
        for name in ("doi", "arxiv", "openreview", "acl"):
            value = values.get(name)
            if value and isinstance(value, str):
                ids += from_doi(value) if name == "doi" else identify(value if ":" in value[:12] else f"{name}:{value}")
        return make_paper(
            id=text_of(values.get("id"), "id"),
            title=text_of(values.get("title"), "title"),
            abstract=prose_of(values.get("abstract"), "abstract"),
            year=year_of(values.get("year")),
            venue=_plain(values.get("venue")),
            url=_plain(values.get("url")),
            ids=ids,
            known=values["status"] if values.get("status") in ("withdrawn", "retracted") else None,
        )


def _lowered(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record under lower-case names; of two that become one, what is not empty and then what was so named."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        name = key.lower()
        empty = value is None or value == ""
        if found.get(name) in (None, "") or (key == name and not empty):
            found[name] = value
    return found


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("name")
    return value if isinstance(value, str) else ""


def _path(record: Any, path: str) -> Any:
    if isinstance(record, Mapping) and path in record:
        return record[path]
    for step in path.split("."):
        if not isinstance(record, Mapping):
            return None
        record = record.get(step)
    return record
