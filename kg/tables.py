"""CSV: tables that people keep (aliases, pairs never to merge, decisions), read strictly; rows written to be read."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from kg.errors import InputError

FIELD_LIMIT = 4 * 1024 * 1024
"""The longest field that is read, in characters; a longer one is a quote that nothing closes."""


def read_table(path: Path, *headers: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows below a header that is one of ``headers``, each with its place (``file:line``, where the row begins).

    Cells may be quoted and hold line ends; blank lines and those that start with # are left out. Raises InputError,
    naming file and line, for what is no such table.
    """
    csv.field_size_limit(FIELD_LIMIT)
    wanted = " or ".join(",".join(header) for header in headers[:1])
    lines = _Lines(_text(path, wanted))
    rows = csv.reader(lines, strict=True)
    columns: Sequence[str] = ()
    while True:
        lines.between = True
        try:
            cells = [cell.strip() for cell in next(rows)]
        except StopIteration:
            break
        except csv.Error as error:
            raise InputError(f"{path}:{lines.first}: {_why(error)}") from None
        place = f"{path}:{lines.first}"
        if not columns:
            columns = next((header for header in headers if list(header) == cells), ())
            if not columns:
                raise InputError(f"{place}: the first line must be {wanted}, not {','.join(cells)}")
        elif len(cells) != len(columns):
            raise InputError(f"{place}: it has {len(cells)} columns, not the {len(columns)} of {','.join(columns)}")
        else:
            yield place, dict(zip(columns, cells, strict=True))
    if not columns:
        raise InputError(f"{path}: it is empty; the first line must be {wanted}")


def write_row(file: TextIO, cells: Iterable[Any]) -> None:
    """Write one row, its end a line feed. A carriage return is quoted too, since readers end a row at a bare one."""
    row = list(cells)
    writer = csv.writer(file, lineterminator="\n")
    if any(isinstance(cell, str) and "\r" in cell for cell in row):
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(row)


class _Lines:
    """The physical lines of a table, without those between rows that say nothing; ``first``: where a row begins."""

    def __init__(self, text: str) -> None:
        self._lines = enumerate(io.StringIO(text, newline=""), 1)
        self.between = True
        self.first = 1

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        for number, line in self._lines:
            if self.between and (not line.strip() or line.startswith("#")):
                continue
            if self.between:
                self.between, self.first = False, number
            return line
        raise StopIteration


def _text(path: Path, wanted: str) -> str:
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a CSV file whose first line is {wanted}")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}:{line}: byte 0x{error.object[error.start]:02x} is not UTF-8; "
            "convert the file to UTF-8 first (iconv -t UTF-8)"
        ) from None


def _why(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return "a quote in this row is never closed"
    if "field limit" in str(error):
        return f"a cell is longer than {FIELD_LIMIT:,} characters; is a quote left open?"
    return f'this is no row of CSV ({error}); a quote inside a quoted cell is written twice ("")'
