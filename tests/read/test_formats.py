"""Every format gives the papers that JSON Lines gives, compressed or not, and says where a bad row is."""

import bz2
import gzip
import io
import json
import lzma
import zipfile

import pytest
import zstandard

from kg.read import Rejected, detect, read
from kg.types import Paper
from tests.read import samples


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", samples.FORMATS)
def test_a_format_gives_the_papers_that_json_lines_gives(tmp_path, name):
    file, detected, make = samples.FORMATS[name]
    content, records = make()
    path = written(tmp_path, file, content)
    assert detect(path) == detected
    papers = list(read([path]))
    expected = list(read([written(tmp_path, "expected.jsonl", samples.lines(records))]))
    assert papers == expected
    assert [p.status for p in papers] == samples.STATUSES
    assert [p.abstract for p in papers] == [p["abstract"] for p in samples.PAPERS]
    assert papers == list(read([path], format=detected))


@pytest.mark.parametrize("name", samples.FORMATS)
def test_the_content_tells_the_format_whatever_the_name_says(tmp_path, name):
    _, detected, make = samples.FORMATS[name]
    assert detect(written(tmp_path, "list.dat", make()[0])) == detected


def zipped(content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("inside/papers", content)
        archive.writestr("__MACOSX/._papers", b"junk")
    return out.getvalue()


COMPRESSIONS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "zip": zipped,
}


@pytest.mark.parametrize("name", ["jsonl", "json", "csv", "parquet", "bibtex", "ris", "openalex", "acl"])
@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_compressed_files_are_read_as_they_are(tmp_path, name, suffix):
    file, _, make = samples.FORMATS[name]
    content = make()[0]
    plain = list(read([written(tmp_path, file, content)]))
    assert list(read([written(tmp_path, f"{file}.{suffix}", COMPRESSIONS[suffix](content))])) == plain


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_a_cut_off_archive_gives_what_it_still_holds(tmp_path, suffix):
    content = COMPRESSIONS[suffix](samples.jsonl()[0] * 40)
    items = list(read([written(tmp_path, f"x.jsonl.{suffix}", content[: len(content) * 3 // 4])]))
    assert isinstance(items[-1], Rejected)
    assert "cut off" in items[-1].reason or "zip archive" in items[-1].reason


def test_concatenated_gzip_members_are_one_file(tmp_path):
    content = samples.jsonl()[0]
    assert len(list(read([written(tmp_path, "x.gz", gzip.compress(content) * 2)]))) == 2 * len(samples.PAPERS)


def test_papers_written_as_they_are_come_back(tmp_path):
    papers = list(read([written(tmp_path, "x.jsonl", samples.arxiv()[0])]))
    again = list(read([written(tmp_path, "y.jsonl", "".join(p.model_dump_json() + "\n" for p in papers).encode())]))
    assert again == papers


BAD_ROWS = {
    "array": ("x.json", b'[{"id": "a", "abstract": "We prune."}, 7, {"id": "b", "abstract": ["x"]},\n'
              b'{"id": "c", "abs', [2, 3, 4]),
    "openalex": ("x.jsonl", b'{"id": "https://openalex.org/W1", "title": "A", "abstract_inverted_index": {}}\n'
                 b'{"id": "https://openalex.org/W2", "abstract_inverted_index": {"We": [99999999999]}}\n', [2]),
    "bibtex": ("x.bib", b"@article{a,\n title={A}, abstract={We prune.}}\n\n@article{b, title={unclosed\n\n"
               b"@article{c, title={C}}\n", [4]),
    "ris": ("x.ris", b"TY  - JOUR\nTI  - A\nER  - \nTI  - no beginning\nER  - \nTY  - JOUR\nAU  - x\nER  - \n", [4, 6]),
    "acl": ("x.xml", b'<collection id="2020.x"><volume id="1"><paper id="1"><title>A</title></paper>\n<paper id="2">'
            b"</paper>\n<paper id='3'><title>C</paper>", [2, 3]),
    "text": ("x.txt", b"We prune trees.\n\nWe pr\xff\xfene them again.\n", [3]),
    "csv": ("x.csv", b"id,abstract\n1,We prune.\n2,caf\xe9\n", [3]),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_ROWS)
def test_bad_rows_are_listed_with_their_place(tmp_path, name):
    file, content, places = BAD_ROWS[name]
    items = list(read([written(tmp_path, file, content)]))
    bad = [i for i in items if isinstance(i, Rejected)]
    assert [i.line or i.record for i in bad] == places
    assert all(i.file.endswith(file) and i.reason for i in bad)
    assert any(isinstance(i, Paper) for i in items)


@pytest.mark.parametrize("rows", [3, 200_000])
def test_an_unclosed_quote_in_a_table_costs_its_own_line_only(tmp_path, rows):
    content = 'id,abstract\n1,"We prune\n' + "2,We prune again and again.\n" * rows
    items = list(read([written(tmp_path, "x.csv", content.encode())]))
    assert len(items) == rows + 1
    assert (items[0].line, "left open" in items[0].reason) == (2, True)
    assert items[-1].abstract == "We prune again and again."


def test_fields_longer_than_the_csv_modules_limit_are_read(tmp_path):
    content = 'id,abstract\n1,"' + "We prune trees. " * 10_000 + '"\n'
    (paper,) = read([written(tmp_path, "x.csv", content.encode())])
    assert len(paper.abstract) == 160_000


@pytest.mark.parametrize(
    ("encoding", "bom"), [("utf-8-sig", b""), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")]
)
@pytest.mark.parametrize("name", ["jsonl", "json", "csv", "bibtex", "ris"])
def test_byte_order_marks(tmp_path, name, encoding, bom):
    file, _, make = samples.FORMATS[name]
    content, _ = make()
    plain = list(read([written(tmp_path, file, content)]))
    assert list(read([written(tmp_path, f"bom-{file}", bom + content.decode().encode(encoding))])) == plain


@pytest.mark.parametrize("name", ["jsonl", "csv", "bibtex", "ris"])
def test_windows_line_ends(tmp_path, name):
    file, _, make = samples.FORMATS[name]
    content, _ = make()
    plain = list(read([written(tmp_path, file, content)]))
    assert list(read([written(tmp_path, f"crlf-{file}", content.replace(b"\n", b"\r\n"))])) == plain


def test_a_field_map_reaches_into_nested_objects(tmp_path):
    path = written(tmp_path, "x.jsonl", json.dumps({"k": 5, "body": {"text": "We prune.", "head": "A"}}).encode())
    (paper,) = read([path], map={"id": "k", "abstract": "body.text", "title": "body.head"})
    assert (paper.id, paper.title, paper.abstract) == ("5", "A", "We prune.")


def test_folders_are_read_in_the_order_of_their_names(tmp_path):
    for name, text in (("b.txt", "We prune b."), ("a.txt", "We prune a."), (".hidden.txt", "No."), ("notes.md", "No.")):
        written(tmp_path, name, text.encode())
    assert [p.abstract for p in read([tmp_path])] == ["We prune a.", "We prune b."]
    empty = tmp_path / "empty"
    empty.mkdir()
    (item,) = read([empty])
    assert "no file with papers" in item.reason


def test_standard_input(tmp_path, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(samples.bibtex()[0])

    monkeypatch.setattr("sys.stdin", Stdin)
    assert len(list(read(["-"]))) == len(samples.PAPERS)
