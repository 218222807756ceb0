"""JSON that is no JSON Lines: an array of objects, an object around such an array, or objects one after another.

The objects are cut out of the stream one by one and parsed singly, so that memory does not grow with the file and one
damaged object does not take the others with it.
"""

import re
from collections.abc import Iterator

from kg.read.jsonlines import Convert, decode
from kg.read.paper import RowError
from kg.read.source import LINE_LIMIT, TOO_LONG, Rejected, Source
from kg.types import Extraction, Paper

TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]]', re.DOTALL)
WRAPPERS = frozenset((b'"results"', b'"notes"', b'"data"', b'"papers"', b'"items"', b'"works"'))
PAPER_KEYS = frozenset((b'"title"', b'"abstract"'))
QUOTE = ord('"')
CHUNK = 1 << 18
DROPPED = b"\xff\xfe too long "
"""What stands for the beginning of an item that is longer than LINE_LIMIT; no JSON begins with these bytes."""


def read(source: Source, convert: Convert) -> Iterator[Paper | Extraction | Rejected]:
    """What ``convert`` makes of each object; what fails is Rejected with its number, counted from 1."""
    for number, item in enumerate(_items(source), 1):
        try:
            if item.startswith(DROPPED):
                raise RowError(TOO_LONG)
            record = decode(item)
            found = convert(record) if record is not None else None
            if found is not None:
                yield found
        except RowError as error:
            yield Rejected(source.name, str(error), record=number)


def _read(source: Source, count: int, first: bool) -> bytes:
    if source.wide:
        return source.text.read(count).encode(errors="replace")
    data = source.stream.read(count)
    return data.removeprefix(b"\xef\xbb\xbf") if first else data


def _items(source: Source) -> Iterator[bytes]:
    """The bytes of each item: of the array, or of the top level when there is no array around the objects.

    An object that turns out to hold the array (``{"results": [...]}``) is left as soon as the array begins.
    """
    buffer = b""
    start = scan = 0  # where the current item begins, and how far the buffer has been looked at
    depth = level = 0  # how deep the scan is, and how deep items lie
    key, named, done = b"", False, False  # the last string at the top; whether it is a paper's; whether the array ended
    # What is inside one long string is looked at again with every chunk, so chunks grow with what is kept.
    while chunk := _read(source, max(CHUNK, len(buffer) - start), not buffer):
        buffer = buffer[start:] + chunk
        scan, start = scan - start, 0
        for m in TOKEN.finditer(buffer, scan):
            token = m[0]
            if token == b'"':  # a string that goes on in the next chunk
                break
            scan = m.end()
            if token[0] == QUOTE:
                if depth == 1 and not level:
                    key, named = token, named or token in PAPER_KEYS
            elif token in b"{[":
                around = depth == 0 or (depth == 1 and key in WRAPPERS and not named)
                if token == b"[" and around and not level and not done:
                    if depth == 0:
                        yield from _scalars(buffer[start : m.start()])
                    depth, level, start = depth + 1, depth + 1, scan
                    continue
                if depth == level and not done:
                    yield from _scalars(buffer[start : m.start()])
                    start, named = m.start(), False
                depth += 1
            else:
                depth = max(depth - 1, 0)
                if done:
                    done = depth > 0
                elif depth == level:
                    yield buffer[start:scan]
                elif depth < level:
                    yield from _scalars(buffer[start : m.start()])
                    done, level = depth > 0, 0
                else:
                    continue
                start = scan
        if done:
            start = scan
        elif len(buffer) - start > LINE_LIMIT:
            buffer, start, scan = DROPPED + _unfinished(buffer[scan:]), 0, len(DROPPED)
    if done:
        return
    rest = buffer[start:]
    if depth > level and rest.strip():
        yield rest  # cut off, as the decoder will say
    else:
        yield from _scalars(rest)


def _unfinished(rest: bytes) -> bytes:
    """What must be kept of an item that is too long to go on reading it: that it is in a string, or after a ``\\``."""
    _, quote, inside = rest.partition(b'"')
    slashes = len(inside) - len(inside.rstrip(b"\\"))
    return quote + b"\\" * (slashes % 2)


def _scalars(between: bytes) -> Iterator[bytes]:
    """What stands between objects: commas and blanks, or items that are no objects."""
    for part in between.split(b","):
        if part.strip(b" \t\r\n\x00\x1a"):
            yield part
