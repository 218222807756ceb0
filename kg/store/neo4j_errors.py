"""What goes wrong with a Neo4j server, as one line that says what to do next."""

import re

from neo4j.exceptions import Neo4jError, ServiceUnavailable, SessionExpired, UnsupportedServerProduct

from kg.errors import ConnectionLost, ReadOnlyError, StoreError

OLDEST = (5, 26)


def too_old(agent: str, url: str) -> None:
    """Raise StoreError if the server that calls itself ``agent`` (``Neo4j/5.26.30``) is older than kg works with."""
    found = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    if found and (int(found[1]), int(found[2])) < OLDEST:
        raise StoreError(f"{agent} at {url} is too old: kg needs Neo4j {OLDEST[0]}.{OLDEST[1]} or newer")


def first_line(error: BaseException) -> str:
    """The first line of what the driver or the server says."""
    text = error.message if isinstance(error, Neo4jError) else str(error)
    return (text or type(error).__name__).strip().splitlines()[0].rstrip(" .:")


def _root(error: BaseException) -> str:
    """What lies at the bottom of a failed connection: the system's or the driver's own reason."""
    while True:
        inner = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error.__cause__
        if inner is None:
            return error.strerror if isinstance(error, OSError) and error.strerror else first_line(error)
        error = inner


def explain(error: Exception, url: str, user: str | None, database: str | None) -> StoreError:
    """The driver's error as one line that says what to do next."""
    if isinstance(error, UnsupportedServerProduct):
        return StoreError(f"the server at {url} is not one kg can talk to: Neo4j 5.26 or newer is needed")
    if isinstance(error, (ServiceUnavailable, SessionExpired, OSError)):
        if user:
            return ConnectionLost(f"no Neo4j answers at {url} ({_root(error)}): start it or check the address")
        return ConnectionLost(f"the connection to {url} was lost: what was committed stays; run the command again")
    code = error.code or "" if isinstance(error, Neo4jError) else ""
    name = code.rpartition(".")[2]
    said = first_line(error)
    match name:
        case "Unauthorized":
            text = f"{url} refuses user {user or 'neo4j'!r}: check NEO4J_USERNAME and NEO4J_PASSWORD"
        case "AuthenticationRateLimit":
            text = f"{url} refuses log-ins for some seconds after wrong passwords: wait, then check NEO4J_PASSWORD"
        case "CredentialsExpired":
            text = f"the first password of {url} must be changed before use: log in once with Neo4j Browser"
        case "DatabaseNotFound":
            text = f"there is no database {database!r} at {url}: check NEO4J_DATABASE"
        case "TransactionLogError" | "TransactionCommitFailed" | "DatabaseUnavailable":
            text = (
                f"the database at {url} cannot write ({code}): its disk may be full; free space and restart the server"
            )
        case "AccessMode":
            return ReadOnlyError("the query writes, and only reading is allowed here")
        case "Forbidden" | "ForbiddenOnReadOnlyDatabase" | "WriteOnReadOnlyAccessDatabase":
            text = f"no right to do this at {url} ({said}): ask its administrator, or name another database"
        case "TransactionTimedOut" | "TransactionTimedOutClientConfiguration":
            text = "the query took too long and was ended: narrow it, or give it more time"
        case "MemoryPoolOutOfMemoryError" | "TransactionOutOfMemoryError" | "OutOfMemoryError":
            text = f"{url} ran out of memory ({said}): raise server.memory.heap.max_size or load smaller parts"
        case "ConstraintCreationFailed" | "ConstraintValidationFailed":
            text = f"{url} holds data that kg's constraints refuse ({said}): give kg a database of its own"
        case _:
            text = f"Neo4j at {url} refused: {said}" + (f" ({code})" if code else "")
    return StoreError(text)
