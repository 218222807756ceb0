"""CSV tables that people keep: whatever CSV allows is read, whatever it does not is one line with its place."""

import csv
import doctest
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg.batches
from kg.errors import InputError
from kg.tables import FIELD_LIMIT, read_table, write_row

HEADER = ("name", "note")


def rows(tmp_path, text):
    path = tmp_path / "own.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(place.rpartition(":")[2], *row.values()) for place, row in read_table(path, HEADER)]


def test_the_examples_hold():
    assert doctest.testmod(kg.batches).failed == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_cells_may_hold_line_ends_and_rows_keep_their_place(tmp_path, end):
    text = '\ufeff# "of my own\nname,note\n\nfalcon,"two\n\n# lines"\n# between\n"finch ""F""",x\n'.replace("\n", end)
    assert rows(tmp_path, text) == [("4", "falcon", f"two{end}{end}# lines"), ("8", 'finch "F"', "x")]


def test_what_only_looks_like_a_line_end_is_none(tmp_path):
    assert rows(tmp_path, "name,note\na\u2028b,c\x85d\x0be\n") == [("2", "a\u2028b", "c\x85d\x0be")]


def test_a_long_cell_is_read(tmp_path):
    assert rows(tmp_path, f"name,note\na,{'x' * 200_000}\nb,y\n")[0][2] == "x" * 200_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", r"own\.csv: it is empty"),
        ("# nothing\n\n", r"own\.csv: it is empty"),
        ("falcon,x\n", r"own\.csv:1: the first line must be name,note, not falcon,x"),
        ('name,note\na,b\nc,"d\ne,f\n', r"own\.csv:3: a quote in this row is never closed"),
        ('name,note\n"c\nd,"e\n', r"own\.csv:2: this is no row of CSV .* written twice"),
        ("name,note\na,b,c\n", r"own\.csv:2: it has 3 columns, not the 2"),
        (f'name,note\na,"{"x" * (FIELD_LIMIT + 1)}"\n', r"own\.csv:2: a cell is longer"),
        (b"name,note\na,b\n\xff,c\n", r"own\.csv:3: byte 0xff is not UTF-8"),
    ],
)
def test_what_is_no_table_is_one_line_with_its_place(tmp_path, text, says):
    with pytest.raises(InputError, match=says) as caught:
        rows(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_a_folder_or_nothing_there_is_said_in_words(tmp_path):
    with pytest.raises(InputError, match=r"is a folder; give a CSV file whose first line is name,note"):
        list(read_table(tmp_path, HEADER))
    with pytest.raises(InputError, match=r"none\.csv cannot be read: No such file"):
        list(read_table(tmp_path / "none.csv", HEADER))


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2)))
def test_what_is_written_is_read_back(cells):
    out = io.StringIO()
    for row in cells:
        write_row(out, row)
    assert list(csv.reader(io.StringIO(out.getvalue(), newline=""), strict=True)) == cells
    assert not out.getvalue().endswith("\r\n")


def test_numbers_are_written_as_they_are():
    out = io.StringIO()
    write_row(out, [1, 0.5, None, "a,b", True])
    write_row(out, [1, "a\rb"])
    assert out.getvalue() == '1,0.5,,"a,b",True\n1,"a\rb"\n'
