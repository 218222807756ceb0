"""What is longer, wider or odder than any list of papers: it costs its own row, and says so in words."""

import io
import json
import zipfile
from importlib import import_module

import pytest

import kg
from kg.errors import InputError
from kg.names import plain
from kg.read import Rejected, read
from tests.read.test_formats import written

LIMIT = 20_000

HUGE = "We prune. " * (LIMIT // 4)
LONG = {
    "jsonl": ("x.jsonl", '{"id": "a", "abstract": "%s"}\n', "We prune.", HUGE),
    "array": ("x.json", '{"id": "a", "abstract": "%s"},\n', "We prune.", HUGE),
    "array with strings cut at a backslash": ("x.json", '{"id": "a", "abstract": "%s"},\n', "We.", '\\" \\\\' * LIMIT),
    "array of long junk": ("x.json", "%s,\n", '{"id": "a", "abstract": "We."}', "1 " * LIMIT),
    "csv": ("x.csv", "a,%s\n", "We prune.", HUGE),
    "bibtex": ("x.bib", "@article{a,\n abstract = {%s}}\n", "We prune.", HUGE),
    "bibtex in lines": ("x.bib", "@article{a,\n abstract = {%s}}\n", "We prune.", HUGE.replace(". ", ".\n")),
    "ris": ("x.ris", "TY  - JOUR\nID  - a\nAB  - %s\nER  - \n", "We prune.", HUGE),
    "ris in lines": ("x.ris", "TY  - JOUR\nID  - a\nAB  - %s\nER  - \n", "We prune.", HUGE.replace(". ", ".\n")),
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("first", [True, False])
def test_what_is_too_long_costs_itself_alone(tmp_path, monkeypatch, name, first):
    for module in ("source", "jsonarray", "bibtex", "ris"):
        monkeypatch.setattr(import_module(f"kg.read.{module}"), "LINE_LIMIT", LIMIT)
    monkeypatch.setattr(import_module("kg.read.jsonarray"), "CHUNK", 1000)
    monkeypatch.setattr(import_module("kg.read.table"), "FIELD_LIMIT", LIMIT)
    file, row, short, long = LONG[name]
    rows = [row % short] * 3
    rows.insert(0 if first else 2, row % long)
    text = "".join(rows)
    if file.endswith("json"):
        text = f"[{text.rstrip(',' + chr(10))}]"
    elif file.endswith("csv"):
        text = f"id,abstract\n{text}"
    items = list(read([written(tmp_path, file, text.encode())]))
    bad = [item for item in items if isinstance(item, Rejected)]
    assert len(items) - len(bad) == 3
    (one,) = bad
    assert items.index(one) == (0 if first else 2)
    assert "longer than" in one.reason or "over" in one.reason
    before = 0 if first else 2
    lines = rows[0].count("\n") if not first else 0
    head = 1 if file.endswith("csv") else 0
    assert (one.record or one.line) == before * (1 if one.record else lines) + 1 + head


def test_a_huge_number_is_said_in_kg_s_own_words(tmp_path):
    text = '{"id": "a", "year": %s, "abstract": "We prune."}\n{"id": "b", "abstract": "We."}\n' % ("9" * 5000)
    bad, good = read([written(tmp_path, "x.jsonl", text.encode())])
    assert bad.reason == "a number in it has 5,000 digits"
    assert good.id == "b"


@pytest.mark.parametrize("value", [5, 0.5, True, ["We prune."], {"a": "b"}])
@pytest.mark.parametrize("name", ["jsonl", "arxiv", "s2", "openreview", "paperlists", "openalex"])
def test_an_abstract_is_text_or_nothing(tmp_path, name, value):
    record = {
        "jsonl": {"id": "a", "title": "A"},
        "arxiv": {"id": "2101.00001", "title": "A", "categories": "cs.LG", "versions": []},
        "s2": {"corpusid": 1, "title": "A"},
        "openreview": {"id": "a", "forum": "a", "content": {"title": "A", "abstract": value}},
        "paperlists": {"id": "a", "title": "A", "track": "main", "status": "Poster"},
        "openalex": {"id": "https://openalex.org/W1", "title": "A"},
    }[name]
    content = json.dumps({"abstract": value} | record).encode()
    (item,) = read([written(tmp_path, "x.jsonl", content)], format=name)
    assert isinstance(item, Rejected)
    assert "not text" in item.reason


def test_tables_write_nothing_as_nan(tmp_path):
    content = b'{"id": 7, "title": 1984, "abstract": NaN}\n{"id": "b", "title": NaN, "abstract": "We prune."}'
    first, second = read([written(tmp_path, "x.jsonl", content)])
    assert (first.id, first.title, first.abstract, first.status) == ("7", "1984", "", "no-abstract")
    assert second.title == ""


def test_columns_of_one_name_are_told(tmp_path):
    (item,) = read([written(tmp_path, "x.csv", b"id,abstract,Abstract\n1,We prune.,We grow.\n")])
    assert "two columns are called 'abstract'" in item.reason
    (paper,) = read([written(tmp_path, "y.csv", b"id,abstract,author,author\n1,We prune.,A,B\n")])
    assert paper.abstract == "We prune."


def test_parquet_columns_of_one_name_are_told(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_arrays([pa.array(["We prune."]), pa.array(["We grow."])], names=["abstract", "abstract"])
    pq.write_table(table, tmp_path / "x.parquet")
    (item,) = read([tmp_path / "x.parquet"])
    assert "two columns are called 'abstract'" in item.reason


@pytest.mark.parametrize("name", ["jsonl", "json", "csv", "bibtex", "ris"])
def test_utf_32_is_read(tmp_path, name):
    from tests.read import samples

    file, _, make = samples.FORMATS[name]
    content, _ = make()
    plain_ = list(read([written(tmp_path, file, content)]))
    assert list(read([written(tmp_path, f"wide-{file}", content.decode().encode("utf-32"))])) == plain_


@pytest.mark.parametrize("name", [None, "text", "jsonl", "json", "csv", "bibtex", "ris", "acl"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_damaged_wide_text_is_no_traceback(tmp_path, name, encoding):
    content = (
        "TY  - JOUR\n".encode(encoding) + b"\x00\xdc\x00\xd8\xff\xff\xff\xff" + "a\n\nb".encode(encoding) + b"\x01"
    )
    assert list(read([written(tmp_path, "x.txt", content)], format=name))


def test_utf_16_without_its_mark_is_told(tmp_path):
    (item,) = read([written(tmp_path, "x.jsonl", '{"abstract": "We prune."}'.encode("utf-16-le"))])
    assert "UTF-16 without a byte-order mark" in item.reason


@pytest.mark.parametrize("members", [[], ["folder/"], ["__MACOSX/._x"]])
def test_an_empty_zip_is_told(tmp_path, members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for member in members:
            archive.writestr(member, "")
    (item,) = read([written(tmp_path, "x.zip", out.getvalue())])
    assert item.reason == "the zip archive has no file in it"


def record(name):
    abstract = f"We use {name} here."
    mention = {"start": 7, "end": 7 + len(name), "text": name, "name": name, "type": "Method", "entity": name}
    return {"paper": {"id": "a", "abstract": abstract}, "mentions": [mention | {"score": 1.0}], "extractor": "x 1"}


def test_a_record_s_names_hold_only_what_a_store_can(tmp_path):
    text = json.dumps(record("a\x00b")) + "\n" + json.dumps(record("c\ud800d"))
    first, second = read([written(tmp_path, "x.jsonl", text.encode())])
    assert (first.mentions[0].name, second.mentions[0].entity) == ("a\ufffdb", "c\ufffdd")


@pytest.mark.parametrize("odd", ["\x00", "\ud800"])
def test_an_export_s_texts_hold_only_what_a_store_can(tmp_path, odd):
    made = record(f"a{odd}b")
    found = {"mentions": [{k: v for k, v in m.items() if k != "text"} for m in made["mentions"]], "triples": []}
    node = {"node": "Paper", "title": "A", "status": "ok", "extractor": "x 1", "record": json.dumps(found)}
    (item,) = read([written(tmp_path, "x.jsonl", json.dumps(node | made["paper"]).encode())], format="dump")
    assert item.mentions[0].name == item.mentions[0].text == "a\ufffdb"


def test_a_macro_of_nobody_keeps_its_name():
    assert len({plain(name) for name in ("a\\b", "a\\", "a\\c")}) == 3
    assert plain(r"\ours-Net") == "ours-Net"
    assert plain(r"{\bf Deep} \textsc{Net}") == "Deep Net"


DIGITS = "9" * 5000


def test_numbers_of_thousands_of_digits_are_no_traceback_anywhere(tmp_path):
    volume = f'<collection id="P20"><volume id="{DIGITS}"><paper id="1"><title>A</title></paper></volume></collection>'
    (rejected,) = read([written(tmp_path, "x.xml", volume.encode())])
    assert "its id has 5," in str(rejected)
    rows = '{"node": "Method", "id": "method:a", "name": "a"}\n{"node": "Paper", "id": "b", "year": ' + DIGITS + "}"
    dump = written(tmp_path, "dump.jsonl", rows.encode())
    with pytest.raises(InputError, match=r"dump\.jsonl:2: not a line of a dump") as caught:
        kg.load([dump], store=str(tmp_path / "graph.db"))
    assert "set_int" not in str(caught.value)
    gold = written(tmp_path, "gold.jsonl", b'{"id": %s}' % DIGITS.encode())
    with pytest.raises(InputError, match=r"gold\.jsonl:1: .*too many digits"):
        kg.evaluate(gold)


def test_deeply_nested_json_is_no_traceback_anywhere(tmp_path):
    nested = written(tmp_path, "x.jsonl", b'{"id": "a", "node": ' + b"[" * 100_000)
    with pytest.raises(InputError, match=r"x\.jsonl:1: "):
        kg.load([nested], store=str(tmp_path / "kg.db"))
    assert not (tmp_path / "kg.db").exists()
    with pytest.raises(InputError, match=r"x\.jsonl:1: "):
        kg.evaluate(nested)


def test_an_id_too_long_for_an_index_costs_its_row_alone(tmp_path):
    rows = [{"id": "r" * n, "abstract": "Rooks sort what they see."} for n in (1000, 1001)]
    found = list(read([written(tmp_path, "x.jsonl", "\n".join(map(json.dumps, rows)).encode())]))
    assert [paper.id for paper in found[:1]] == ["r" * 1000]
    assert str(found[1]).endswith("x.jsonl:2: its id has 1,001 characters; 1,000 are kept at most")
    records = "\n".join(json.dumps({"paper": row, "extractor": "by hand"}) for row in rows)
    found = list(read([written(tmp_path, "y.jsonl", records.encode())]))
    assert found[0].paper.id == "r" * 1000
    assert "y.jsonl:2: it is no extraction record (paper.id: " in str(found[1])


def test_a_record_is_known_by_its_beginning_however_long_its_abstract(tmp_path):
    record = {"paper": {"id": "r", "abstract": "Rooks sort what they see. " * 5000}, "extractor": "by hand"}
    (found,) = read([written(tmp_path, "x.jsonl", json.dumps(record).encode() + b"\n")])
    assert found.extractor == "by hand"
