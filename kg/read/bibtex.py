"""BibTeX, of reference managers and of the ACL Anthology: entries cut out one by one, each parsed by bibtexparser."""

import logging
import re
from collections.abc import Iterator, Mapping

from kg.read.identifiers import arxiv, from_doi
from kg.read.paper import RowError, make_paper, year_of
from kg.read.source import LINE_LIMIT, TOO_LONG, Rejected, Source, checked
from kg.types import Paper

START = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]")
PIECE = re.compile(r"\s*(?:\{(?P<braced>.*)\}|\"(?P<quoted>.*)\"|(?P<bare>[^\s{}\"#,]+))\s*", re.DOTALL)


def read(source: Source) -> Iterator[Paper | Rejected]:
    """The papers of a BibTeX file; an entry that cannot be parsed is Rejected with its first line's number."""
    # What bibtexparser would log about a broken entry is reported with its place as Rejected.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    strings: dict[str, str] = {}
    for line, kind, block in _blocks(source):
        try:
            if block is None:
                raise RowError(TOO_LONG)
            checked(block)
            if kind == "string":
                strings |= _strings(block)
            elif kind not in ("comment", "preamble"):
                yield _paper(_fields(block, strings))
        except RowError as error:
            yield Rejected(source.name, str(error), line=line)


def _blocks(source: Source) -> Iterator[tuple[int, str, str | None]]:
    """The line, kind and text of each block, None for one that is too long.

    A block ends where a line starts the next one. That a line that looks like a new entry is one even inside open
    braces keeps an unclosed entry from taking all others with it.
    """
    kind, start, size = "", 0, 0
    block: list[str] = []
    for number, line in source.text_lines():
        if m := START.match((line or "").lstrip("\ufeff")):
            if kind:
                yield start, kind, _whole(block, size)
            kind, block, start, size = m[1].lower(), [], number, 0
            line = m.string
        elif line is None and not kind:
            yield number, "entry", None
        size += LINE_LIMIT + 1 if line is None else len(line)
        if kind and line is not None and size <= LINE_LIMIT:
            block.append(line)
    if kind:
        yield start, kind, _whole(block, size)


def _whole(block: list[str], size: int) -> str | None:
    return None if size > LINE_LIMIT else "".join(block)


def _fields(block: str, strings: Mapping[str, str]) -> dict[str, str]:
    """Field -> value of one entry, the citation key as ``""``; RowError when it does not parse."""
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import DuplicateFieldKeyBlock, Entry

    try:
        library = parse_string(block, parse_stack=[])
    except RecursionError:
        raise RowError("its braces are nested too deeply") from None
    entries = list(library.entries)
    for failed in library.failed_blocks:
        if isinstance(failed, DuplicateFieldKeyBlock) and isinstance(failed.ignore_error_block, Entry):
            entries.append(failed.ignore_error_block)
    if not entries:
        raise RowError("it is no BibTeX entry that can be parsed; are its braces and quotes closed?")
    entry = entries[0]
    fields: dict[str, str] = {"": entry.key.strip()}
    for field in entry.fields:
        fields.setdefault(field.key.lower(), _value(field.value, strings))
    return fields


def _strings(block: str) -> dict[str, str]:
    from bibtexparser.entrypoint import parse_string

    found = parse_string(block, parse_stack=[]).strings
    if not found:
        raise RowError("it is no @string that can be parsed")
    return {s.key.lower(): _value(s.value, {}) for s in found}


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """A field's value without its delimiters, abbreviations expanded, concatenations done."""
    parts = []
    for piece in _concatenated(raw):
        m = PIECE.fullmatch(piece)
        if m is None:
            parts.append(piece.strip())
        elif m["bare"] is not None:
            parts.append(strings.get(m["bare"].lower(), m["bare"]))
        else:
            parts.append(m["braced"] if m["braced"] is not None else m["quoted"])
    return "".join(parts)


def _concatenated(raw: str) -> list[str]:
    """The operands of ``#`` outside braces and quotes."""
    if "#" not in raw:
        return [raw]
    pieces, depth, quoted, start = [], 0, False, 0
    for i, char in enumerate(raw):
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == '"' and depth == 0:
            quoted = not quoted
        elif char == "#" and depth == 0 and not quoted:
            pieces.append(raw[start:i])
            start = i + 1
    return [*pieces, raw[start:]]


def _paper(fields: Mapping[str, str]) -> Paper:
    def first(*names: str) -> str:
        return next((fields[name] for name in names if fields.get(name)), "")

    ids: list[str] = []
    ids += from_doi(first("doi").replace("\\_", "_"))
    if "arxiv" in (first("archiveprefix", "eprinttype", "journal").lower()) or first("arxivid"):
        ids += arxiv(first("eprint", "arxivid"))
    # Braces in a title only protect capitals; those that cleaning leaves are not to be shown.
    title = " ".join(first("title").split())
    return make_paper(
        id=fields[""],
        title=_unbraced(title),
        abstract=first("abstract", "abstractnote", "annote"),
        year=year_of(first("year", "date", "issued")),
        venue=_unbraced(first("booktitle", "journal", "journaltitle", "eventtitle", "series", "howpublished")),
        url=first("url", "ee", "link").replace("\\_", "_").replace("\\%", "%"),
        ids=ids,
    )


def _unbraced(text: str) -> str:
    from kg.clean import clean

    return clean(text).display().replace("{", "").replace("}", "")
