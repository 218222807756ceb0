"""Which format a stream is in, told by its content; its name only breaks ties."""

import json
import re
from typing import Any, Literal

from kg.read.jsonarray import PAPER_KEYS, TOKEN, WRAPPERS
from kg.read.paper import ALIASES
from kg.read.source import Source

FORMATS = (
    "text", "jsonl", "json", "csv", "parquet", "bibtex", "ris", "openalex", "arxiv", "s2", "openreview", "acl",
    "paperlists", "records", "dump",
)  # fmt: skip
"""The formats that can be named; each is also detected."""

MAGIC = {
    b"%PDF": "a PDF; export its abstract as text, BibTeX or JSON",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x7fELF": "a program",
    b"SQLite format 3": "an SQLite database; export the table as CSV",
    b"\xd0\xcf\x11\xe0": "an old Office document; save it as CSV or text",
}
COLUMNS = frozenset(name for names in ALIASES.values() for name in names)
RECORD = re.compile(r'\{\s*"paper"\s*:\s*\{')
ENTRY = re.compile(r"^\s*@\s*[A-Za-z]+\s*[{(]", re.MULTILINE)
RIS = re.compile(r"^\s*TY  ?- ?", re.MULTILINE)
DELIMITERS = ",\t;|"


def detect_source(source: Source) -> str:
    """The format's name (one of FORMATS), ``empty``, ``xml`` of an unknown kind, or ``binary: what it looks like``."""
    head = source.head
    if head.startswith(b"PAR1"):
        return "parquet"
    for magic, what in MAGIC.items():
        if head.startswith(magic):
            return f"binary: it is {what}"
    text = head.decode(source.encoding, errors="replace")
    if source.encoding == "utf-8" and binary(head):
        wide = max(head[at:8192:2].count(0) for at in (0, 1)) > len(head[:8192]) // 4
        return "binary: it is not text" + (", or UTF-16 without a byte-order mark (iconv converts it)" if wide else "")
    stripped = text.lstrip("\ufeff\x00 \t\r\n")
    if not stripped:
        return "empty"
    if stripped[0] == "{":
        return json_kind(stripped)
    if re.match(r"\[\s*(?:[{\]]|$)", stripped):
        return array_kind(stripped[1:].lstrip())
    if stripped[0] == "<":
        if re.search(r"<(?:collection|volume)\b[^>]*\bid=", stripped):
            return "acl"
        return "xml" if re.match(r"<(?:\?xml|!DOCTYPE|[A-Za-z][\w:.-]*[\s/>])", stripped) else "text"
    if RIS.match(stripped) or (RIS.search(stripped) and "\nER  -" in stripped):
        return "ris"
    if ENTRY.match(stripped) or (stripped[0] == "%" and ENTRY.search(stripped)):
        return "bibtex"
    if table_dialect(stripped):
        return "csv"
    return by_name(source.name, stripped)


def by_name(name: str, text: str) -> str:
    """What the file's name says, when the content could be anything."""
    lowered = re.sub(r"\.(?:gz|bz2|xz|zst|zip)$", "", name.lower())
    if lowered.endswith((".csv", ".tsv", ".tab")):
        return "csv"
    if lowered.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if lowered.endswith(".json"):
        return "json"
    if lowered.endswith(".bib"):
        return "bibtex"
    if lowered.endswith(".ris"):
        return "ris"
    return "text"


def binary(head: bytes) -> bool:
    """Whether bytes are no text in any usual encoding: many control characters, or much that is no UTF-8."""
    sample = head[:8192]
    control = sum(b < 32 and b not in (9, 10, 12, 13, 27) for b in sample)
    if control > max(8, len(sample) // 12):
        return True
    broken = sample.decode("utf-8", errors="replace").count("\ufffd") - sample.count(b"\xef\xbf\xbd")
    return broken > max(2, len(sample) // 5)


def first_object(text: str) -> dict[str, Any] | None:
    """The JSON object at the beginning, when it is whole."""
    try:
        found, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def json_layout(source: Source) -> Literal["lines", "array"]:
    """How the objects of a JSON stream are laid out."""
    text = source.head.decode(source.encoding, errors="replace").lstrip("\ufeff\x00 \t\r\n")
    return layout(text) if text else "lines"


def layout(text: str) -> Literal["lines", "array"]:
    """Whether JSON (its beginning) is one object a line, or has its objects in an array or over several lines."""
    if text[0] == "[" or wrapped_array(text) is not None:
        return "array"
    first_line = text.partition("\n")[0]
    if first_object(first_line) is not None:
        return "lines"
    if first_object(text) is not None or not first_line.strip(" {\r\t"):
        return "array"
    return "lines"


def wrapped_array(text: str) -> int | None:
    """Where the first object of the array in ``{"results": [...]}`` begins; None when this is no such object."""
    depth, key, named = 0, b"", False
    head = text.encode(errors="replace")
    for m in TOKEN.finditer(head):
        token = m[0]
        if token == b"[" and depth == 1 and key in WRAPPERS and not named:
            items = re.compile(rb"\s*\{").match(head, m.end())
            return len(head[: items.end() - 1].decode(errors="replace")) if items else None
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
            if depth <= 0:
                return None
        elif depth == 1:
            key, named = token, named or token in PAPER_KEYS
    return None


def json_kind(text: str) -> str:
    """The kind of the objects in JSON that begins with one."""
    inside = wrapped_array(text)
    if inside is not None:
        return array_kind(text[inside:])
    lines = layout(text) == "lines"
    first = first_object(text)
    found = kind_of(first) if first is not None else kind_by_names(text.partition("\n")[0] if lines else text)
    return found or ("jsonl" if lines else "json")


def array_kind(text: str) -> str:
    """The kind of the objects in an array: by the first, or by the names in it where it is cut off."""
    first = first_object(text)
    kind = kind_of(first) if first is not None else kind_by_names(text)
    return kind if kind in ("openalex", "arxiv", "s2", "openreview", "paperlists") else "json"


def kind_of(record: dict[str, Any]) -> str | None:
    """Which of the known JSON records this is; None for any other."""
    if "extractor" in record and isinstance(record.get("paper"), dict):
        return "records"
    if "node" in record or "edge" in record:
        return "dump"
    if "abstract_inverted_index" in record or str(record.get("id", "")).startswith("https://openalex.org/"):
        return "openalex"
    if "categories" in record and ("versions" in record or "authors_parsed" in record or "update_date" in record):
        return "arxiv"
    if "corpusid" in record or "corpusId" in record or "paperId" in record:
        return "s2"
    if isinstance(record.get("content"), dict) and (record.keys() & {"forum", "invitation", "invitations"}):
        return "openreview"
    if "track" in record and "status" in record and "title" in record:
        return "paperlists"
    return None


def kind_by_names(text: str) -> str | None:
    """The kind told by the names in a cut-off object."""
    names = set(re.findall(r'"([A-Za-z_]+)"\s*:', text[:HEAD_NAMES]))
    stand_ins: dict[str, Any] = dict.fromkeys(names, "")
    if "content" in names:
        stand_ins["content"] = {}
    if "paper" in names:
        stand_ins["paper"] = {}
    if re.search(r'"id"\s*:\s*"https://openalex\.org/', text):
        return "openalex"
    if RECORD.match(text):  # what else a record has stands behind its abstract, however long that is
        return "records"
    return kind_of(stand_ins)


HEAD_NAMES = 20000


def table_dialect(text: str) -> str | None:
    """The delimiter of a table whose header names a paper's fields; None when the first line is no such header."""
    header = re.split(r"\r?\n|\r", text, maxsplit=1)[0]
    if len(header) > 4000:
        return None
    best = max(DELIMITERS, key=header.count)
    cells = [cell.strip().strip("\"'").strip().lower() for cell in header.split(best)]
    known = sum(cell in COLUMNS for cell in cells)
    if len(cells) == 1:
        return None  # a text may begin with the line "Abstract": only a file's name makes one column a table
    return best if known >= 2 or (known == 1 and len(cells) >= 2 and all(len(c) < 40 for c in cells)) else None
