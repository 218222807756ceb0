"""RIS, of reference managers and publishers: records cut out one by one, each parsed by rispy."""

import re
from collections.abc import Iterator
from typing import Any

from kg.read.identifiers import from_doi
from kg.read.paper import RowError, make_paper, year_of
from kg.read.source import LINE_LIMIT, TOO_LONG, Rejected, Source, checked
from kg.types import Paper

TAG = re.compile(r"([A-Z][A-Z0-9])  ?-(?: |$)")


def read(source: Source) -> Iterator[Paper | Rejected]:
    """The papers of a RIS file; a record that cannot be parsed is Rejected with its first line's number."""
    for line, record in _records(source):
        try:
            if record is None:
                raise RowError(TOO_LONG)
            yield _paper(_parsed(checked(record)))
        except RowError as error:
            yield Rejected(source.name, str(error), line=line)


def _records(source: Source) -> Iterator[tuple[int, str | None]]:
    """The line and text of each record, None for one that is too long.

    A record begins at ``TY`` and ends at ``ER``, or where the next begins.
    """
    lines: list[str] = []
    start = size = 0
    for number, raw in source.text_lines():
        line = "" if raw is None else raw.lstrip("\ufeff").rstrip("\r\n")
        m = TAG.match(line)
        tag = m[1] if m else ""
        if tag == "TY" or not size:
            if size:
                yield start, _whole(lines, size)
                lines, size = [], 0
            if raw is not None and not line.strip():
                continue
            start = number
        if tag == "ER":
            yield start, _whole(lines, size)
            lines, size = [], 0
            continue
        size += LINE_LIMIT + 1 if raw is None else len(line) + 1
        if size <= LINE_LIMIT:
            lines.append(line[:4].replace(f"{tag} -", f"{tag}  ") + line[4:] if tag and line[3] == "-" else line)
    if size:
        yield start, _whole(lines, size)


def _whole(lines: list[str], size: int) -> str | None:
    return None if size > LINE_LIMIT else "\n".join([*lines, "ER  - "])


def _parsed(record: str) -> dict[str, Any]:
    import rispy

    if not TAG.match(record) or not record.startswith("TY"):
        raise RowError("it does not begin with a TY line")
    try:
        found = rispy.loads(record)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise RowError(f"it is no RIS record that can be parsed ({error})") from None
    if not found:
        raise RowError("it is no RIS record that can be parsed")
    return dict(found[0])


def _paper(record: dict[str, Any]) -> Paper:
    def first(*names: str) -> str:
        for name in names:
            value = record.get(name)
            value = value[0] if isinstance(value, list) and value else value
            if value and isinstance(value, str):
                return value
        return ""

    return make_paper(
        id=first("id", "accession_number"),
        title=first("title", "primary_title", "short_title"),
        abstract=first("abstract", "notes_abstract"),
        year=year_of(first("year", "publication_year", "date")),
        venue=first("journal_name", "secondary_title", "alternate_title3", "alternate_title1", "tertiary_title"),
        url=first("url", "urls"),
        ids=from_doi(first("doi")),
    )
