"""Lists of papers in any usual format, as a stream of Papers with every row that could not be read.

Formats are told by content (``detect``), files may be compressed or in zip archives, and memory stays constant
however long a list is. Nothing is ever downloaded.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from kg.errors import InputError
from kg.read import (
    anthology,
    arxiv,
    bibtex,
    jsonarray,
    jsonlines,
    openalex,
    openreview,
    paperlists,
    parquet,
    ris,
    scholar,
    table,
    text,
)
from kg.read.detection import FORMATS, detect_source, json_layout
from kg.read.paper import FIELDS, Fields
from kg.read.source import Broken, Rejected, Source, mode_of, only_once, sources
from kg.types import Extraction, Paper

__all__ = ["FIELDS", "FORMATS", "Rejected", "detect", "read"]

Item = Paper | Extraction | Rejected
WHOLE: Mapping[str, Callable[[Source], Iterator[Paper | Rejected]]] = {
    "text": text.read,
    "bibtex": bibtex.read,
    "ris": ris.read,
    "acl": anthology.read,
}
CONVERT: Mapping[str, jsonlines.Convert] = {
    "openalex": openalex.paper,
    "arxiv": arxiv.paper,
    "s2": scholar.paper,
    "openreview": openreview.paper,
    "records": jsonlines.extraction,
    "dump": jsonlines.dumped,
}
SUFFIXES = re.compile(
    r"\.(?:txt|text|jsonl|ndjson|json|csv|tsv|tab|parquet|bib|bibtex|ris|xml|zip)(?:\.(?:gz|bz2|xz|zst))?$|\.(?:gz|bz2|xz|zst)$",
    re.IGNORECASE,
)


def path_list(paths: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """The paths one by one; a single one may be given as it is, since the letters of a path are no paths.

    >>> path_list("seeds/")
    ['seeds/']
    """
    return [paths] if isinstance(paths, str | Path) else list(paths)


def read(
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    map: Mapping[str, str] | None = None,
    strict: bool = False,
) -> Iterator[Item]:
    """Every paper in one or more files and folders (``-`` is standard input), in order, and every row that is none.

    ``format`` (one of FORMATS) overrides detection; ``map`` says where fields are (``{"abstract": "summary"}``, paths
    into nested JSON with dots). A file of extraction records, or an exported graph, yields Extractions. What cannot be
    read comes as Rejected, which names the place and the reason; with ``strict`` the first such ends it as InputError.
    InputError at once for a URL, an unknown format, or an unknown field in ``map``.

    >>> file = folder / "papers.csv"
    >>> _ = file.write_text("id,title,abstract\\nr1,Rooks,Rooks keep the detail of what they see.\\n")
    >>> [(paper.id, paper.title) for paper in read([file])]
    [('r1', 'Rooks')]
    """
    wanted = [str(path) for path in path_list(paths)]
    for path in wanted:
        _refuse(path)
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}; known are {', '.join(FORMATS)}")
    unknown = sorted(set(map or {}) - set(FIELDS))
    if unknown:
        raise InputError(f"unknown field {unknown[0]!r} to map; a paper has {', '.join(FIELDS)}")
    return _stream(wanted, format, Fields(map), strict)


def detect(path: str | Path) -> str:
    """The format of a file (of the first one in an archive or folder), one of FORMATS; InputError when it is none."""
    _refuse(str(path))
    try:
        for file in files(str(path)):
            for source in sources(file):
                found = detect_source(source)
                if found not in FORMATS:
                    raise InputError(f"{source.name}: {_unreadable(found)}")
                return found
    except Broken as error:
        raise InputError(f"{path}: {error}") from None
    raise InputError(f"{path}: no file with papers in it")


def files(path: str) -> Iterator[str]:
    """The files to read for a path: itself, or in a folder those with the suffix of a format, sorted by name.

    A folder in it that may not be read is among them, so that trying to read it says so.
    """
    if path == "-" or not stat.S_ISDIR(mode_of(path)):
        yield path
        return
    found: list[Path] = []
    for folder, inside, names in os.walk(path, onerror=lambda error: found.append(Path(error.filename))):
        graph = "kg.lock" in names  # whose own JSON is no list of papers
        inside[:] = [] if graph else [name for name in inside if not name.startswith(".")]
        wanted = [] if graph else [name for name in names if SUFFIXES.search(name) and not name.startswith(".")]
        found.extend(file for file in (Path(folder, name) for name in wanted) if not only_once(file))
    yield from map(str, sorted(found))


def _refuse(path: str) -> None:
    if not path:
        raise InputError("one of the paths is empty: give a file, a folder, or - for standard input")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", path):
        raise InputError(f"{path}: kg works offline and fetches nothing; download the file, then give its path")


def _stream(paths: list[str], format: str | None, fields: Fields, strict: bool) -> Iterator[Item]:
    for path in paths:
        for item in _of_path(path, format, fields):
            if strict and isinstance(item, Rejected):
                raise InputError(str(item))
            yield item


def _of_path(path: str, format: str | None, fields: Fields) -> Iterator[Item]:
    empty = True
    for file in files(path):
        empty = False
        try:
            for source in sources(file):
                yield from _of_source(source, format, fields)
        except Broken as error:
            yield Rejected(file, str(error))
    if empty:
        yield Rejected(path, "the folder has no file with papers (text, JSON, CSV, Parquet, BibTeX, RIS or XML)")


def _of_source(source: Source, format: str | None, fields: Fields) -> Iterator[Item]:
    """The items of one stream; a stream that holds no paper at all is itself Rejected."""
    found = format or detect_source(source)
    if found not in FORMATS:
        yield Rejected(source.name, _unreadable(found))
        return
    nothing = True
    try:
        for item in _records(source, found, fields):
            nothing = False
            yield item
    except Broken as error:
        nothing = False
        yield Rejected(source.name, str(error))
    if nothing:
        yield Rejected(source.name, f"no paper in it (read as {found})")


def _records(source: Source, format: str, fields: Fields) -> Iterator[Item]:
    if format in WHOLE:
        return WHOLE[format](source)
    if format == "csv":
        return table.read(source, fields)
    if format == "parquet":
        return parquet.read(source, fields)
    convert: jsonlines.Convert = fields.paper
    if format == "paperlists":
        convert = partial(paperlists.paper, file=source.name)
    elif format == "dump" and only_once(source.name):
        convert = jsonlines.streamed
    elif format in CONVERT:
        convert = CONVERT[format]
    array = format == "json" or (format not in ("jsonl", "records", "dump") and json_layout(source) == "array")
    return jsonarray.read(source, convert) if array else jsonlines.read(source, convert)


def _unreadable(found: str) -> str:
    if found == "empty":
        return "the file is empty"
    if found == "xml":
        return "XML of a kind that is not known (the ACL Anthology's is)"
    return found.removeprefix("binary: ") + "; kg reads lists of papers (text, JSON, CSV, Parquet, BibTeX, RIS, XML)"
