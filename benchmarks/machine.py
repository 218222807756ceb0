"""What the figures of a benchmark were measured on, and where the real abstracts lie."""

import gzip
import json
import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import kg

SHARED = Path(os.environ.get("KG_SHARED", Path(__file__).parents[2] / "shared"))


def describe(*packages: str) -> str:
    """One line: processor, cores, how busy they are, Python, and the versions of ``packages``."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").is_file():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    versions = ", ".join([f"kg {kg.__version__}", *(f"{name} {version(name)}" for name in packages)])
    return f"{model}, {os.cpu_count()} cores, {load}, Python {platform.python_version()}, {versions}"


def corpus(number: int) -> Iterator[kg.Paper]:
    """The first ``number`` real abstracts; leaves with a line where there are none."""
    path = SHARED / "corpora" / "abstracts.jsonl.gz"
    if not path.is_file():
        sys.exit(f"no abstracts at {path}: set KG_SHARED to where they lie")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in islice(lines, number):
            values = json.loads(line)
            yield kg.Paper(id=values["id"], title=values["title"], abstract=values["abstract"])
