"""What the embedded engine raises, as one line for the person."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kg.errors import KGError, ReadOnlyError, StoreError


def damaged(path: Path) -> StoreError:
    """The error for a folder whose files are not what they should be."""
    return StoreError(f"{path} is damaged: remove it and load the papers anew, or an export of it")


def first_line(error: BaseException) -> str:
    """What went wrong, without the names of the classes it went through."""
    text = str(error).strip()
    text = text.splitlines()[0] if text else type(error).__name__
    while (found := re.match(r"[A-Za-z_$][\w$]*(?:\.[\w$]+)+: |(?:Query|Command) failed: ", text)) is not None:
        text = text[found.end() :]
    return text.rstrip(" .:")


def causes(error: BaseException) -> Iterator[tuple[str, str]]:
    """Class name and message of every Java exception behind an error, outermost first."""
    cause: Any = error
    for _ in range(20):
        if cause is None:
            return
        if hasattr(cause, "getCause"):
            message = cause.getMessage()
            yield str(cause.getClass().getSimpleName()), "" if message is None else str(message)
            cause = cause.getCause()
        else:
            cause = cause.__cause__


@contextmanager
def explained(path: Path, *, query: bool = False) -> Iterator[None]:
    """Turn what the engine raises into a StoreError of one line; ``query``: while a person's query runs."""
    try:
        yield
    except (KGError, GeneratorExit, KeyboardInterrupt):
        raise
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    except Exception as error:
        found = list(causes(error))
        if not found:
            raise
        raise _explain(found, error, path, query) from None


def _explain(found: list[tuple[str, str]], error: BaseException, path: Path, query: bool) -> KGError:
    kinds = {kind for kind, _ in found}
    said = " ".join(message for _, message in found)
    if "QueryNotIdempotentException" in kinds or "DatabaseIsReadOnlyException" in kinds:
        return ReadOnlyError("this query writes, and only reading is allowed here: the graph changes through `kg load`")
    if "TimeoutException" in kinds:
        return StoreError("the query was stopped because it took too long: narrow it, or give it more time")
    if "CommandParameterMissingException" in kinds:
        return StoreError(f"the query names a parameter that was not given: {_last(found)}")
    if "OutOfMemoryError" in kinds or "maximum heap" in said.lower():
        return StoreError("the embedded engine is out of memory: narrow the query, or give it more with KG_HEAP=2g")
    if re.search(r"No space left|File too large|Disk quota", said, re.IGNORECASE):
        return StoreError(f"there is no room left for {path}: free some and try again; what was written before stays")
    if re.search(r"Permission denied|Read-only file system|AccessDenied", said, re.IGNORECASE):
        return StoreError(f"{path} may not be written by you: change its rights, or use another path")
    if "LockException" in kinds or "already in use" in said or "locked by another process" in said.lower():
        return StoreError(f"{path} is in use by another process: wait until it ends, and try again")
    if "DuplicatedKeyException" in kinds:
        return StoreError(f"{path}: an id is not unique ({_last(found)}); nothing of this transaction was kept")
    if kinds & {"DatabaseOperationException", "DatabaseMetadataException", "SchemaException", "SerializationException"}:
        return damaged(path)
    if query and kinds & {"CommandParsingException", "CommandSemanticException", "CommandExecutionException"}:
        return StoreError(f"the query does not run: {_cause(found)}")
    if query:
        return StoreError(f"the query failed: {_cause(found)}")
    return StoreError(f"{path}: {first_line(error)} ({found[0][0]})")


def _last(found: list[tuple[str, str]]) -> str:
    return _text(found[-1][1])


def _cause(found: list[tuple[str, str]]) -> str:
    return _text(next((message for _, message in found if message), found[0][0]))


def _text(message: str) -> str:
    return first_line(ValueError(message))
