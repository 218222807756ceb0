"""Parquet tables, read batch by batch with pyarrow (``pip install "kg[parquet]"``)."""

from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from kg.read.paper import Fields, RowError, twice
from kg.read.source import Broken, Rejected, Source, spooled
from kg.types import Paper

BATCH = 512


def read(source: Source, fields: Fields) -> Iterator[Paper | Rejected]:
    """The papers of a table; a row that cannot be read is Rejected with its number, counted from 1."""
    try:
        pa: Any = import_module("pyarrow")
        pq: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise Broken('Parquet needs pyarrow; install it with: pip install "kg[parquet]"') from None

    number = 0
    with ExitStack() as stack:
        try:
            file = pq.ParquetFile(source.path or stack.enter_context(spooled(source)), pre_buffer=False)
            columns = fields.top_columns(file.schema_arrow.names)
            if not columns:
                names = ", ".join(file.schema_arrow.names[:12])
                raise Broken(f"no column holds an abstract (columns: {names}); name it with --map abstract=COLUMN")
            if double := twice(file.schema_arrow.names, columns):
                raise Broken(f"two columns are called {double!r}; rename the one that is not meant")
            for batch in file.iter_batches(batch_size=BATCH, columns=columns, use_threads=False):
                for row in _rows(batch):
                    number += 1
                    try:
                        yield fields.paper(row)
                    except RowError as error:
                        yield Rejected(source.name, str(error), record=number)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise Broken(f"the Parquet data is damaged after row {number} ({_line(error)})") from None


def _rows(batch: Any) -> Iterator[dict[str, Any]]:
    """The rows of a batch as dicts; dates as text, so that a year can be read from them."""
    for row in batch.to_pylist():
        yield {k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in row.items()}


def _line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]
