"""JSON Lines: one object a line, of papers, or of extraction records."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import orjson
from pydantic import ValidationError

from kg.read.paper import RowError, storable
from kg.read.source import TOO_LONG, Rejected, Source
from kg.types import Extraction, Paper, record_of

Convert = Callable[[dict[str, Any]], "Paper | Extraction | None"]
"""From a JSON object to what it holds; None for one that holds no paper and is no mistake."""


DIGITS = 4300
"""The longest whole number that is read; none in a list of papers has so many digits."""
ESCAPED = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
KINDS = {int: "a number", float: "a number", str: "a string", list: "an array", bool: "a truth value"}


def read(source: Source, convert: Convert) -> Iterator[Paper | Extraction | Rejected]:
    """What ``convert`` makes of each line; blank lines are nothing, others that fail are Rejected with their number."""
    for number, line in source.lines():
        try:
            if line is None:
                raise RowError(TOO_LONG)
            record = decode(line)
            if record is not None:
                found = convert(record)
                if found is not None:
                    yield found
        except RowError as error:
            yield Rejected(source.name, str(error), line=number)


def decode(line: bytes) -> dict[str, Any] | None:
    """The object in a line, None when it is blank; RowError when it is something else."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if not line.strip(b" \t\r\n\x00\x1a"):
            return None
        # The standard library reads what orjson is too strict for: lone surrogates, NaN, control characters.
        record = _lenient(line, error)
    if not isinstance(record, dict):
        raise RowError(f"it is no JSON object but {KINDS.get(type(record), 'null')}")
    return record


def _lenient(line: bytes, error: ValueError) -> Any:
    try:
        text = line.decode()
    except UnicodeDecodeError as wrong:
        raise RowError(
            f"byte 0x{line[wrong.start]:02x} is not UTF-8; convert the file to UTF-8 first (iconv -t UTF-8)"
        ) from None
    try:
        return json.loads(text.strip("\x00"), strict=False, parse_int=_whole_number)
    except RowError:
        raise
    except RecursionError:
        raise RowError("its JSON is nested too deeply") from None
    except ValueError as wrong:
        cut = "; is the line cut off?" if "Unterminated" in str(wrong) or not text.rstrip().endswith("}") else ""
        raise RowError(f"it is no valid JSON ({wrong}){cut}") from error


def _whole_number(digits: str) -> int:
    if len(digits) > DIGITS:
        raise RowError(f"a number in it has {len(digits):,} digits")
    return int(digits)


def _storable(value: Any) -> Any:
    """The value with what no store can hold replaced in all its texts, one for one, so that offsets hold."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {key: _storable(part) for key, part in value.items()}
    return [_storable(part) for part in value] if isinstance(value, list) else value


def extraction(record: dict[str, Any]) -> Extraction:
    """An extraction record; RowError when it breaks the format."""
    try:
        return Extraction.model_validate(_storable(record))
    except ValidationError as error:
        raise RowError(f"it is no extraction record ({first_problem(error)})") from None


def dumped(record: dict[str, Any]) -> Extraction | None:
    """The extraction record behind a Paper node of an exported graph; None for its other nodes and edges."""
    if record.get("node") != "Paper":
        if "node" in record or "edge" in record:
            return None
        raise RowError("it is neither a node nor an edge of an exported graph")
    try:
        values = _storable(record)
        if ESCAPED.search(values["record"]):  # JSON in JSON
            values["record"] = json.dumps(_storable(json.loads(values["record"])), ensure_ascii=False)
        return record_of(values)
    except ValidationError as error:
        raise RowError(f"its record is damaged ({first_problem(error)})") from None
    except (KeyError, TypeError, ValueError) as error:
        raise RowError(f"its record is damaged ({type(error).__name__}: {error})") from None


def streamed(record: dict[str, Any]) -> Extraction | None:
    """The same of a graph that comes through a pipe; RowError for what is kept only where a whole file is restored."""
    if record.get("node") in ("Decision", "State"):
        raise RowError("decisions and tables of names come back only from a file: give kg load the export's name")
    return dumped(record)


def first_problem(error: ValidationError) -> str:
    """The first of pydantic's findings in one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else str(first["msg"])
