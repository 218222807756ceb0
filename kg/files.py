"""Files and folders that are written as a whole or not at all."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write a file or folder at; it takes the place of ``path`` when all went well.

    A link is followed. A device or pipe is never replaced: what was written is copied into it. A folder replaces only a
    folder of the same file names, and a file none, so that a mistyped path cannot take other work with it. Raises
    OSError, which names ``path`` where it is about what was to be written.
    """
    target = Path(os.path.realpath(path))
    try:
        special = target.exists() and not (target.is_file() or target.is_dir())
        room = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", dir=None if special else target.parent))
    except OSError as error:
        raise _about(path, error) from error
    part = room / "made" / target.name  # apart from what it replaces, which may have any name
    try:
        part.parent.mkdir()
        yield part
        if special:
            with part.open("rb") as made, target.open("wb") as out:
                shutil.copyfileobj(made, out)
            return
        if target.is_dir():
            if not part.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if strangers := {p.name for p in target.iterdir()} - {p.name for p in part.iterdir()}:
                raise FileExistsError(
                    errno.EEXIST, f"the folder holds other things ({', '.join(sorted(strangers)[:3])})"
                )
            target.replace(room / "before")
        part.replace(target)
    except OSError as error:
        if error.filename is None or Path(os.fsdecode(error.filename)).is_relative_to(room):
            raise _about(path, error) from error
        raise
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _about(path: Path, error: OSError) -> OSError:
    """The same error about ``path`` itself: a full disk names no file, and the scratch folder means nothing."""
    return OSError(error.errno, error.strerror or str(error), str(path))
