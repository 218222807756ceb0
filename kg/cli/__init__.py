"""The ``kg`` command: one file a group of commands; each calls the public function of the same name, nothing more."""

import errno
import os
import sys
import traceback
from collections.abc import Sequence

import typer

# Each file adds its commands, in the order of help.
from kg.cli import load, look, names, view, export, mcp, neo4j  # isort: skip  # noqa: F401
from kg.cli.base import app
from kg.errors import KGError

__all__ = ["app", "main"]

INTERRUPTED = 130
BROKEN_PIPE = 141
UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave: 0 when it did its work, 1 when it could not, 2 when the command line is not kg's.

    After Ctrl-C it is 130. What goes wrong is one line on standard error. An error that kg did not foresee is one line
    as well, which says how to see the traceback (KG_DEBUG=1).
    """
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_run(arguments))


def _open_closed() -> None:
    """Put streams where the caller closed them (``>&-``), before a file of the graph gets their numbers.

    Writing results then fails, as it must; what goes to standard error was not wanted.
    """
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = app(args=arguments, prog_name="kg", standalone_mode=False)
        sys.stdout.flush()
        # Typer turns Ctrl-C into this code and says nothing.
        return _fail("interrupted", INTERRUPTED) if code == INTERRUPTED else code if isinstance(code, int) else 0
    except KGError as error:
        return _fail(str(error), 1)
    except typer.TyperException as error:
        return _fail(_usage(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except (BrokenPipeError, SystemExit) as error:
        # Typer leaves by SystemExit where a pipe was closed.
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        # Whoever read the output has gone, as in `kg recipes | head`: leave quietly, also at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        # Only what goes to standard output fails without a name here; files and engines name themselves.
        place = error.filename or ("standard output" if error.errno in UNWRITTEN else "")
        return _fail(f"{error.strerror or error}{f': {place}' if place else ''}", 1)
    except Exception as error:
        if os.environ.get("KG_DEBUG"):
            traceback.print_exc()
            return 1
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return _fail(f"unexpected {what} (this is a defect of kg; KG_DEBUG=1 shows where)", 1)


def _usage(error: typer.TyperException) -> str:
    """The message of a command asked wrongly, with where its help is."""
    message = " ".join(error.format_message().split()).replace("Value error, ", "").rstrip(".")
    context = getattr(error, "ctx", None)
    end = "" if message.endswith("?") else "."
    return f"{message}{end} See '{context.command_path} --help'." if context else f"{message}{end}"


def _fail(message: str, code: int) -> int:
    # A name in it may have line ends, or codes that a terminal obeys.
    shown = "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in message)
    print(f"kg: {shown}", file=sys.stderr)
    return code
