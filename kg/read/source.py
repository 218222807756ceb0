"""A list of papers as a stream of bytes, whatever file, archive or compression it comes in."""

import bz2
import codecs
import gzip
import io
import lzma
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, AnyStr, cast

from kg.read.paper import RowError

HEAD = 65536
QUOTED = 400
LINE_LIMIT = 64 * 1024 * 1024
"""The longest line or record that is read; what is longer is taken for a broken file rather than for one paper."""

TOO_LONG = f"it is longer than {LINE_LIMIT // 2**20} MB"

BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Broken(Exception):
    """The stream cannot be read on; the text says why."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row or file that could not be read as a paper: where it is and why.

    ``line`` counts lines of the (decompressed) file from 1, ``record`` the entries of a format that has no lines.
    """

    file: str
    reason: str
    line: int | None = None
    record: int | None = None

    def __post_init__(self) -> None:
        # Both quote what a file contains, which must reach neither a terminal nor a rejects file as it is.
        for name in ("file", "reason"):
            text = " ".join(getattr(self, name).split())
            shown = "".join(char if char.isprintable() else "\ufffd" for char in text)
            object.__setattr__(self, name, shown if len(shown) <= QUOTED else shown[:QUOTED] + "…")

    @property
    def place(self) -> str:
        """``file:line``, ``file, record n``, or the file alone."""
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return self.file if self.record is None else f"{self.file}, record {self.record}"

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


class Source:
    """One decompressed stream with a name for messages; ``stream`` begins with ``head``."""

    def __init__(self, name: str, stream: IO[bytes], path: Path | None = None) -> None:
        self.name = name
        self.path = path
        """The plain file behind it, when it is one: formats that must seek open it again."""
        self.head = _read(stream, HEAD)
        self.stream = io.BufferedReader(cast(io.RawIOBase, Rewound(self.head, stream)), 1 << 18)
        self.encoding = next((name for bom, name in BOMS if self.head.startswith(bom)), "utf-8")

    @cached_property
    def text(self) -> io.TextIOWrapper:
        """The stream as text, newlines as they are; bytes that are no UTF-8 come out as lone surrogates.

        What is wrong in UTF-16 and UTF-32 comes out as U+FFFD, since only single bytes can be kept as surrogates.
        """
        errors = "replace" if self.wide else "surrogateescape"
        return io.TextIOWrapper(self.stream, encoding=self.encoding, errors=errors, newline="")

    @property
    def wide(self) -> bool:
        """Whether it is in UTF-16 or UTF-32, whose bytes say nothing before they are decoded."""
        return self.encoding in ("utf-16", "utf-32")

    def lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Numbered lines as UTF-8 bytes, without the byte-order mark; None for one that is longer than LINE_LIMIT."""
        if self.wide:
            wrapper = io.TextIOWrapper(self.stream, encoding=self.encoding, errors="replace")
            yield from ((n, None if line is None else line.encode()) for n, line in _lines(wrapper.readline, ("\n",)))
            return
        for number, line in _lines(self.stream.readline, (b"\n",)):
            yield number, line[3:] if number == 1 and line and line.startswith(codecs.BOM_UTF8) else line

    def text_lines(self) -> Iterator[tuple[int, str | None]]:
        """Numbered lines of ``text``; None for one that is longer than LINE_LIMIT."""
        return _lines(self.text.readline, ("\n", "\r"))


def _lines(readline: Callable[[int], AnyStr], ends: tuple[AnyStr, ...]) -> Iterator[tuple[int, AnyStr | None]]:
    number = 0
    while line := readline(LINE_LIMIT):
        number += 1
        if len(line) < LINE_LIMIT or line.endswith(ends):
            yield number, line
            continue
        while line and not line.endswith(ends):
            line = readline(LINE_LIMIT)
        yield number, None


class Rewound(io.RawIOBase):
    """A stream whose beginning was read already, from its beginning; decompression errors come out as Broken."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, first from the beginning, then from the rest."""
        if self._head:
            count = min(len(buffer), len(self._head))
            buffer[:count] = self._head[:count]
            self._head = self._head[count:]
            return count
        data = _read(self._rest, len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Zstd(io.RawIOBase):
    """Decompressed Zstandard frames, one after another; EOFError where one is cut off (zstandard itself just ends)."""

    def __init__(self, stream: IO[bytes]) -> None:
        import zstandard

        self._stream = stream
        self._new = zstandard.ZstdDecompressor(max_window_size=2**31).decompressobj
        self._frame: Any = None
        self._input = b""
        self._output = memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from what is decompressed, decompressing on when that is used up."""
        while not self._output:
            if self._frame is not None and self._frame.eof:
                self._input, self._frame = self._frame.unused_data, None
            data = self._input or self._stream.read(1 << 17)
            self._input = b""
            if not data:
                if self._frame is not None:
                    raise EOFError("the last Zstandard frame has no end")
                return 0
            if self._frame is None:
                self._frame = self._new()
            self._output = memoryview(self._frame.decompress(data))
        count = min(len(buffer), len(self._output))
        buffer[:count] = self._output[:count]
        self._output = self._output[count:]
        return count


def _read(stream: IO[bytes], count: int) -> bytes:
    try:
        return stream.read(count)
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile, RuntimeError) as error:
        raise Broken(f"the compressed data is damaged or cut off ({error})") from error
    except OSError as error:
        raise Broken(f"it cannot be read ({error.strerror or error})") from error
    except Exception as error:  # zstandard's own error class is not importable where zstandard is not installed
        if type(error).__name__ != "ZstdError":
            raise
        raise Broken(f"the compressed data is damaged or cut off ({error})") from error


def mode_of(path: str | Path) -> int:
    """What a path is, as ``stat`` has it; 0 where that cannot be seen, and opening it says why."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def only_once(path: str | Path) -> bool:
    """Whether a path cannot be read a second time: standard input (``-``), a pipe, a terminal or another device."""
    mode = mode_of(path)
    return str(path) == "-" or bool(mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode))


def sources(path: str) -> Iterator[Source]:
    """The streams in a file: itself decompressed, or each member of a zip archive; ``-`` is standard input.

    Broken when it cannot be opened.
    """
    with ExitStack() as stack:
        if path == "-":
            if sys.stdin is None:
                raise Broken("standard input is closed")
            yield from _unpacked("-", sys.stdin.buffer, None, stack, 0)
            return
        try:
            stream = stack.enter_context(Path(path).open("rb"))
        except OSError as error:
            raise Broken((error.strerror or str(error)).lower()) from error
        yield from _unpacked(path, stream, None if only_once(path) else Path(path), stack, 0)


def _unpacked(name: str, stream: IO[bytes], path: Path | None, stack: ExitStack, depth: int) -> Iterator[Source]:
    source = Source(name, stream, path)
    head = source.head
    if depth > 3:
        raise Broken("it is compressed more than three times over")
    inner: Any
    if head.startswith(b"\x1f\x8b"):
        inner = gzip.GzipFile(fileobj=source.stream)
    elif head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        inner = bz2.BZ2File(source.stream)
    elif head.startswith(b"\xfd7zXZ\x00"):
        inner = lzma.LZMAFile(source.stream)  # noqa: SIM115 - closed by the stack
    elif head.startswith(b"\x28\xb5\x2f\xfd"):
        inner = io.BufferedReader(Zstd(source.stream), 1 << 18)
    elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield from _members(name, source, stack, depth)
        return
    else:
        yield source
        return
    yield from _unpacked(name, stack.enter_context(inner), None, stack, depth + 1)


def _members(name: str, source: Source, stack: ExitStack, depth: int) -> Iterator[Source]:
    try:
        archive = stack.enter_context(zipfile.ZipFile(source.path or stack.enter_context(spooled(source))))
        empty = True
        for member in sorted(archive.namelist()):
            hidden = any(part.startswith((".", "__MACOSX")) and part not in {".", ".."} for part in member.split("/"))
            if not member.endswith("/") and not hidden:
                empty = False
                with ExitStack() as inner:
                    opened = inner.enter_context(archive.open(member))
                    yield from _unpacked(f"{name}/{member}", opened, None, inner, depth + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, struct.error) as error:
        raise Broken(f"the zip archive cannot be read ({error})") from error
    if empty:
        raise Broken("the zip archive has no file in it")


def spooled(source: Source) -> IO[bytes]:
    """The rest of a stream as a file that can be sought in; small ones stay in memory."""
    import shutil
    import tempfile

    copy = tempfile.SpooledTemporaryFile(max_size=32 * 1024 * 1024)  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(source.stream, copy)
    copy.seek(0)
    return cast(IO[bytes], copy)


def checked(text: str) -> str:
    """The text, unless it contains bytes that were no UTF-8 (RowError)."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        if 0xDC80 <= code <= 0xDCFF:
            raise RowError(
                f"byte 0x{code - 0xDC00:02x} is not UTF-8; convert the file to UTF-8 first (iconv -t UTF-8)"
            ) from None
    return text
