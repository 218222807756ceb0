"""The three formats that everything else starts from."""

import doctest
import importlib
import json

import pytest

from kg.errors import InputError
from kg.read import Rejected, detect, read
from kg.read.text import title_of
from kg.types import Paper

TEXT = """ICML 2025 论文列表

Pruning trees is slow. We introduce Tree Cutting (TreeCut), which removes branches in one pass.

Kernels are fast to write and slow to run.
Nobody has measured by how much.
"""


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_text_has_a_heading_and_a_paper_a_paragraph(tmp_path):
    path = write(tmp_path, "list.txt", TEXT)
    assert detect(path) == "text"
    first, second = read([path])
    assert (first.title, first.venue, first.year) == ("Tree Cutting (TreeCut)", "ICML", 2025)
    assert second.abstract == "Kernels are fast to write and slow to run.\nNobody has measured by how much."
    assert first.id.startswith("text:")


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        ("We present Bark, a broad benchmark specifically designed to test saws.", "Bark: broad benchmark"),
        ("We present Root, a two-step method in which each branch and each leaf is cut.", "Root: two-step method"),
        ("We propose a tree pruning framework in which saws are sharp.", "Tree pruning framework"),
        ("We propose a formal framework linking RT to bark.", "Formal framework linking RT to bark"),
        ("We introduce Twig, a model to jointly choose the branch and knot of a tree.",
         "Twig: model to jointly choose the branch and knot"),
        ("We develop a rule-based approach to pruning old trees and use it on oaks.",
         "Rule-based approach to pruning old trees"),
        ("Telling old trees and young trees apart with nothing but pictures of leaves on the ground of dark woods.",
         "Telling old trees and young trees apart with nothing but pictures of leaves…"),
    ],
)  # fmt: skip
def test_a_display_title_is_not_cut_in_a_phrase(abstract, title):
    assert title_of(abstract) == title


def test_text_ids_do_not_depend_on_line_ends_or_on_where_the_paragraph_stands(tmp_path):
    ids = {item.id for item in read([write(tmp_path, "a.txt", TEXT)])}
    windows = write(tmp_path, "b.txt", b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert {item.id for item in read([windows])} == ids


def test_json_lines_reject_bad_rows_with_their_line(tmp_path):
    rows = [
        json.dumps({"id": "a", "title": "A", "abstract": "We study trees."}),
        '{"id": "b", "abstract": "We stu',
        "",
        "[1, 2]",
        json.dumps({"id": "c", "summary": "We study leaves.", "year": "2024-05-01"}),
    ]
    path = write(tmp_path, "x.jsonl", "\n".join(rows))
    items = list(read([path]))
    assert [type(i) for i in items] == [Paper, Rejected, Rejected, Paper]
    assert [i.line for i in items[1:3]] == [2, 4]
    assert "cut off" in items[1].reason
    assert items[3].year == 2024
    with pytest.raises(InputError, match=r"x\.jsonl:2: "):
        list(read([path], strict=True))


@pytest.mark.parametrize("word", ["Abstract", "SUMMARY"])
def test_a_text_under_the_line_abstract_is_one_paper(tmp_path, word):
    content = f"{word}\nWe study saws, which are old.\nThey cut trees.\n"
    (paper,) = read([write(tmp_path, "x.txt", content)])
    assert paper.abstract == "We study saws, which are old.\nThey cut trees."
    rows = list(read([write(tmp_path, "x.csv", f"{word}\nWe study saws.\nThey cut trees.\n")]))
    assert [row.abstract for row in rows] == ["We study saws.", "They cut trees."]


@pytest.mark.parametrize(
    "row",
    [
        {"paper_id": "p7", "title": "Saws", "Abstract": "We saw.", "Published": "2023-01-02", "conference": "ICLR"},
        {"id": None, "paper_id": "p7", "title": "Saws", "abstract": None, "summary": "We saw.", "year": None,
         "published": "2023-01-02", "venue": "", "conference": "ICLR"},
        {"ID": "p7", "Title": "Saws", "Summary": "We saw.", "abstract": "", "YEAR": 2023, "Venue": "ICLR"},
        {"abstract": "We saw.", "Abstract": "", "ID": "", "id": "p7", "title": "Saws", "year": "2023", "venue": "ICLR"},
    ],
)  # fmt: skip
def test_a_field_is_found_in_any_case_and_behind_an_empty_one(tmp_path, row):
    (paper,) = read([write(tmp_path, "x.jsonl", json.dumps(row))])
    assert (paper.id, paper.title, paper.abstract) == ("p7", "Saws", "We saw.")
    assert (paper.year, paper.venue) == (2023, "ICLR")


def test_csv_finds_its_columns_and_its_dialect(tmp_path):
    path = write(
        tmp_path, "x.csv", 'Paper ID;Title;Abstract\n7;"A; B";"We say ""yes""\nin two lines."\n8;short row\n9;C;D.\n'
    )
    items = list(read([path], map={"id": "paper id"}))
    assert items[0].abstract == 'We say "yes"\nin two lines.'
    assert items[0].title == "A; B"
    assert (items[1].line, items[2].id) == (4, "9")


def test_a_table_without_an_abstract_says_which_columns_it_has(tmp_path):
    (item,) = read([write(tmp_path, "x.csv", "id,title,text\n1,A,B\n")])
    assert "id, title, text" in item.reason
    (paper,) = read([tmp_path / "x.csv"], map={"abstract": "text"})
    assert paper.abstract == "B"


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty"), (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "picture"), (bytes(range(256)) * 9, "not text")],
)
def test_files_without_papers_say_so(tmp_path, content, reason):
    (item,) = read([write(tmp_path, "x.txt", content)])
    assert reason in item.reason


def test_missing_files_and_addresses(tmp_path):
    (item,) = read([tmp_path / "none.txt"])
    assert "no such file" in item.reason
    with pytest.raises(InputError, match="offline"):
        read(["https://example.org/papers.jsonl"])
    with pytest.raises(InputError, match="unknown format"):
        read([], format="word")
    with pytest.raises(InputError, match="unknown field"):
        read([], map={"author": "x"})


def test_what_no_store_can_hold_is_replaced_one_for_one(tmp_path):
    path = write(tmp_path, "x.jsonl", '{"id": "a", "abstract": "x\\ud800y\\u0000z and more"}')
    (paper,) = read([path])
    assert paper.abstract == "x\ufffdy\ufffdz and more"


@pytest.mark.parametrize("name", ["kg.clean", "kg.read.text", "kg.read.identifiers", "kg.read.openalex"])
def test_the_examples_in_docstrings_hold(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted
    assert not found.failed
