"""CSV and its relatives: any of the usual delimiters and quotings, told by the header."""

import csv
import re
from collections import deque
from collections.abc import Iterator

from kg.read.detection import DELIMITERS, table_dialect
from kg.read.paper import Fields, RowError, twice
from kg.read.source import Rejected, Source, checked
from kg.tables import FIELD_LIMIT
from kg.types import Paper


class Lines:
    """The physical lines of a table: counted, those of the current row kept, so that they can be read again."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._again: deque[str] = deque()
        self.row: list[str] = []
        self.number = 0
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else self._line()
        if not line:
            self.ended = True
            raise StopIteration
        if not self.number:
            line = line.lstrip("\ufeff")
        self.number += 1
        self.row.append(line)
        return line

    def _line(self) -> str:
        """The next line; of one that is too long its beginning and its end."""
        line = rest = self._text.readline(FIELD_LIMIT)
        while len(rest) == FIELD_LIMIT and not rest.endswith(("\n", "\r")):
            rest = self._text.readline(FIELD_LIMIT)
        return line if rest is line else line + "\n"

    @property
    def too_long(self) -> bool:
        """Whether the current row has such a line."""
        return any(len(line) > FIELD_LIMIT for line in self.row)

    def reread(self) -> None:
        """Give out all lines of the current row but its first once more."""
        self._again.extendleft(reversed(self.row[1:]))
        self.number -= len(self.row) - 1
        self.ended = False


def read(source: Source, fields: Fields) -> Iterator[Paper | Rejected]:
    """The papers of a table with a header line; bad rows are Rejected with their first line's number.

    A quote that nothing closes costs only its own line: what follows is read again without it.
    """
    csv.field_size_limit(FIELD_LIMIT)
    head = source.head.decode(source.encoding, errors="replace").lstrip("\ufeff")
    dialect = _dialect(head)
    lines = Lines(source)
    rows = csv.reader(lines, dialect)
    try:
        header = [name.strip() for name in next(filter(None, rows), [])]
    except csv.Error as error:
        yield Rejected(source.name, f"its header cannot be read ({error})", line=1)
        return
    columns = fields.columns(header)
    if "abstract" not in columns:
        names = ", ".join(header[:12])
        yield Rejected(
            source.name, f"no column holds the abstract (columns: {names}); name it with --map abstract=COLUMN", line=1
        )
        return
    if double := twice(header, columns.values()):
        yield Rejected(source.name, f"two columns are called {double!r}; rename the one that is not meant", line=1)
        return
    places = {field: header.index(column) for field, column in columns.items()}
    while True:
        line, lines.row = lines.number + 1, []
        try:
            row = next(rows)
            if len(lines.row) > 1 and lines.ended and _unclosed(lines.row, dialect):
                raise csv.Error("unexpected end of data")
            if not row or (len(row) == 1 and not row[0].strip()):
                continue
            if lines.too_long:
                raise RowError(f"it has a line of over {FIELD_LIMIT:,} characters")
            if len(row) != len(header) and not (len(row) > len(header) and not any(row[len(header) :])):
                span = f" (lines {line} to {lines.number})" if lines.number > line else ""
                raise RowError(f"it has {len(row)} fields where the header names {len(header)}{span}")
            yield fields.of({field: checked(row[place]) for field, place in places.items()})
        except StopIteration:
            return
        except csv.Error as error:
            if len(lines.row) > 1:
                lines.reread()
                rows = csv.reader(lines, dialect)
                yield Rejected(source.name, "a quote is left open on this line", line=line)
            else:
                yield Rejected(source.name, f"it cannot be read as a row ({error})", line=line)
        except RowError as error:
            yield Rejected(source.name, str(error), line=line)


def _unclosed(row: list[str], dialect: type[csv.Dialect]) -> bool:
    """Whether these lines, the last of a file, end inside a quoted field."""
    try:
        list(csv.reader(row, dialect, strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _dialect(head: str) -> type[csv.Dialect]:
    escaped = re.search(r'[^\\"]\\"[^,;\t|\r\n]', head) is not None and '""' not in head

    class Found(csv.excel):
        delimiter = table_dialect(head) or max(DELIMITERS, key=head.split("\n", 1)[0].count)
        quotechar = "'" if re.match(r"\s*'[^'\n]*'\s*[,;\t|]", head) else '"'
        escapechar = "\\" if escaped else None
        doublequote = not escaped
        skipinitialspace = re.search(rf"[{re.escape(delimiter)}] +{quotechar}", head) is not None

    return Found
