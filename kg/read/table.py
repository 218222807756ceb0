"""CSV and its relatives: any of the usual delimiters and quotings, told by the header."""

import csv
import re
from collections.abc import Iterator

from kg.read.detection import DELIMITERS, table_dialect
from kg.read.paper import Fields, RowError
from kg.read.source import Rejected, Source, checked
from kg.types import Paper

FIELD_LIMIT = 16 * 1024 * 1024
"""The longest field that is read; a longer one is a quote that nothing closes."""


def read(source: Source, fields: Fields) -> Iterator[Paper | Rejected]:
    """The papers of a table with a header line; bad rows are Rejected with their first line's number."""
    csv.field_size_limit(FIELD_LIMIT)
    head = source.head.decode(source.encoding, errors="replace").lstrip("\ufeff")
    reader = csv.reader(_clean_lines(source), _dialect(head))
    try:
        header = next(filter(None, reader), [])
    except csv.Error as error:
        yield Rejected(source.name, f"its header cannot be read ({error})", line=1)
        return
    header = [name.strip().lstrip("\ufeff") for name in header]
    columns = fields.columns(header)
    if "abstract" not in columns:
        names = ", ".join(header[:12])
        yield Rejected(
            source.name, f"no column holds the abstract (columns: {names}); name it with --map abstract=COLUMN", line=1
        )
        return
    places = {field: header.index(column) for field, column in columns.items()}
    width = len(header)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
            if not row or (len(row) == 1 and not row[0].strip()):
                continue
            if len(row) != width:
                if len(row) > width and not any(row[width:]):
                    row = row[:width]
                else:
                    raise RowError(f"it has {len(row)} fields where the header names {width}")
            yield fields.of({field: checked(row[place]) for field, place in places.items()})
        except StopIteration:
            return
        except csv.Error as error:
            hint = "; is a quote left open?" if "field larger" in str(error) else ""
            yield Rejected(source.name, f"it cannot be read as a row ({error}){hint}", line=line)
        except RowError as error:
            yield Rejected(source.name, str(error), line=line)


def _clean_lines(source: Source) -> Iterator[str]:
    text = source.text()
    first = True
    while line := text.readline(FIELD_LIMIT):
        if first:
            line, first = line.lstrip("\ufeff"), False
        yield line


def _dialect(head: str) -> type[csv.Dialect]:
    escaped = re.search(r'[^\\"]\\"[^,;\t|\r\n]', head) is not None and '""' not in head

    class Found(csv.excel):
        delimiter = table_dialect(head) or max(DELIMITERS, key=head.split("\n", 1)[0].count)
        quotechar = "'" if re.match(r"\s*'[^'\n]*'\s*[,;\t|]", head) else '"'
        escapechar = "\\" if escaped else None
        doublequote = not escaped
        skipinitialspace = delimiter != "\t"

    return Found
