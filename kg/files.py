"""Files and folders that are written as a whole or not at all."""

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
    folder of the same file names, so that a mistyped path cannot take other work with it. Raises OSError.
    """
    path = Path(os.path.realpath(path))
    special = path.exists() and not (path.is_file() or path.is_dir())
    room = Path(tempfile.mkdtemp(prefix=f".{path.name[:100]}.", dir=None if special else path.parent))
    part = room / path.name
    try:
        yield part
        if special:
            with part.open("rb") as made, path.open("wb") as out:
                shutil.copyfileobj(made, out)
            return
        if path.is_dir():
            strangers = {p.name for p in path.iterdir()} - (
                {p.name for p in part.iterdir()} if part.is_dir() else set()
            )
            if strangers:
                raise FileExistsError(f"the folder holds other things ({', '.join(sorted(strangers)[:3])})")
            path.replace(room / "before")
        part.replace(path)
    finally:
        shutil.rmtree(room, ignore_errors=True)
