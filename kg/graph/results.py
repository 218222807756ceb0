"""Answers as typed rows: what every look-up returns, in one shape that terminals, Jupyter and data frames can show."""

import html
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from kg.graph.extras import need
from kg.tables import write_row
from kg.types import Record

if TYPE_CHECKING:
    import pandas
    import polars


class Row(Record):
    """Base of every row: an immutable pydantic model. ``shown`` names the fields that a printed table has, in order."""

    shown: ClassVar[tuple[str, ...]] = ()

    def __getitem__(self, column: str) -> Any:
        return getattr(self, column)

    def to_dict(self) -> dict[str, Any]:
        """The row as a plain dict of JSON values."""
        return self.model_dump(mode="json")


R = TypeVar("R", bound=Row)


def cell(value: object) -> str:
    """A value as the text of one table cell: nothing for None, numbers short, lists joined by ``; ``."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, (list, tuple)):
        return "; ".join(cell(v) for v in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def printable(value: object) -> str:
    """A cell for a terminal, which must show, not obey, the control characters that a text of unknown origin holds."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in cell(value))


class Table(Sequence[R], Generic[R]):
    """The rows of an answer: a sequence of typed rows that prints as a table.

    ``title`` says what was asked, ``note`` what a reader must know of the rows (a cut at ``limit``, for example), and
    ``columns`` are all fields of a row, in order; ``shown`` those of the printed table, the row type's if not given.

    >>> class Pair(Row):
    ...     shown = ("a", "b")
    ...     a: str
    ...     b: int
    >>> table = Table([Pair(a="x", b=1)], of=Pair, title="Pairs")
    >>> table[0].b, len(table), table.to_dicts()
    (1, 1, [{'a': 'x', 'b': 1}])
    """

    def __init__(
        self,
        rows: Iterable[R],
        *,
        of: type[R],
        title: str,
        note: str = "",
        columns: Sequence[str] | None = None,
        shown: Sequence[str] = (),
    ) -> None:
        self.rows = tuple(rows)
        self.of = of
        self.title = title
        self.note = note
        self.columns = tuple(of.model_fields if columns is None else columns)
        self._shown = tuple(shown or of.shown or self.columns)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> "Table[R]": ...
    def __getitem__(self, index: int | slice) -> "R | Table[R]":
        if isinstance(index, slice):
            return Table(
                self.rows[index], of=self.of, title=self.title, note=self.note, columns=self.columns, shown=self._shown
            )
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of the printed table; those that are empty in every row are left out."""
        return tuple(n for n in self._shown if not self.rows or any(cell(r[n]) for r in self.rows))

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as plain dicts of JSON values."""
        return [row.to_dict() for row in self.rows]

    def to_json(self) -> str:
        """The rows as one indented JSON array."""
        return json.dumps(self.to_dicts(), ensure_ascii=False, indent=2)

    def to_csv(self) -> str:
        """The rows as CSV with a header line; a nested value is one JSON cell."""
        out = io.StringIO()
        write_row(out, self.columns)
        for row in self.to_dicts():
            values = (row.get(c) for c in self.columns)
            write_row(out, (json.dumps(v, ensure_ascii=False) if isinstance(v, (list, dict)) else v for v in values))
        return out.getvalue()

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a pandas DataFrame, one column a field (needs pandas: ``kg[pandas]``)."""
        frame: pandas.DataFrame = need("pandas", "to_pandas()").DataFrame(self.to_dicts(), columns=list(self.columns))
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """The rows as a polars DataFrame, one column a field (needs polars: ``kg[polars]``)."""
        polars = need("polars", "to_polars()")
        if not self.rows:
            return polars.DataFrame(schema=list(self.columns))  # type: ignore[no-any-return]
        return polars.DataFrame(self.to_dicts(), infer_schema_length=None)  # type: ignore[no-any-return]

    # -- how it prints -----------------------------------------------------------------------------------------
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"{self.title} ({len(self)})", style="bold")
        texts = [n for n in self.shown if n.endswith("sentence") or n == "reasons"]
        columns = [n for n in self.shown if n not in texts]
        if self.rows and not texts:
            yield self._grid(columns, self.rows, header=True)
        elif self.rows:
            # A sentence needs the whole width to be read, so it goes below its row.
            widths = self._widths(columns, options.max_width)
            yield self._grid(columns, (), header=True, widths=widths)
            for row in self.rows:
                yield self._grid(columns, (row,), widths=widths)
                for name in texts:
                    if row[name]:
                        label = f"{name.removesuffix('sentence').strip('_')}: " if len(texts) > 1 else ""
                        yield Padding(Text(label + printable(row[name]), style="dim"), (0, 0, 0, 4))
        if self.note:
            yield Text(self.note, style="italic")

    def _grid(
        self, columns: Sequence[str], rows: Iterable[R], *, header: bool = False, widths: Sequence[int] = ()
    ) -> RichTable:
        table = RichTable(box=None, show_header=header, pad_edge=False, header_style="bold underline")
        for i, name in enumerate(columns):
            table.add_column(
                name,
                justify="right" if self._numeric(name) else "left",
                overflow="fold",
                width=widths[i] if widths else None,
            )
        for row in rows:
            table.add_row(*(Text(printable(row[name])) for name in columns))
        return table

    def _numeric(self, name: str) -> bool:
        return all(isinstance(row[name], (int, float, type(None))) for row in self.rows)

    def _widths(self, columns: Sequence[str], room: int) -> list[int]:
        """How wide each column is: as its longest cell, the widest narrowed until all fit."""
        widths = [max([len(n), *(cell_len(printable(row[n])) for row in self.rows)]) for n in columns]
        while sum(widths) + 2 * len(widths) > room and max(widths) > 8:
            widths[widths.index(max(widths))] -= 1
        return widths

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.shown)
        body = "".join(
            "<tr>"
            + "".join(f'<td style="text-align:left">{html.escape(cell(row[name]))}</td>' for name in self.shown)
            + "</tr>"
            for row in self.rows
        )
        note = f"<p><em>{html.escape(self.note)}</em></p>" if self.note else ""
        return (
            f"<p><strong>{html.escape(self.title)}</strong> ({len(self)})</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
        )


def as_text(renderable: Any, width: int = 120) -> str:
    """What a rich renderable prints, as plain text of at most ``width`` columns."""
    out = io.StringIO()
    Console(file=out, width=width, color_system=None, force_jupyter=False, legacy_windows=False).print(renderable)
    return out.getvalue().rstrip()
