"""How fast and in how much memory lists of papers are read: records a second and peak memory for each format.

    python benchmarks/read.py [RECORDS] [FORMAT ...]

Each format is read in a process of its own, so that its peak memory is its own. The floor is held against processor
seconds, so that a busy machine does not fail it; on an idle one they are seconds. The records are made up here.
"""

import bz2
import csv
import gzip
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FLOOR = 20_000
MEMORY = 200
WORDS = [
    "the",
    "of",
    "a",
    "we",
    "to",
    "in",
    "and",
    "for",
    "on",
    "that",
    "is",
    "with",
    "our",
    "by",
    "this",
    "from",
    "trees",
    "pruning",
    "kernel",
    "learning",
    "method",
    "propose",
    "dataset",
    "results",
    "show",
    "training",
    "large",
    "models",
    "graph",
    "network",
    "robust",
    "estimation",
]


def records(count: int) -> Iterator[dict[str, object]]:
    """Papers of the length abstracts have (some 1,150 characters), the same every time."""
    chance = random.Random(7)
    for i in range(count):
        words = chance.choices(WORDS, k=190)
        if i % 10 == 0:  # about as many as have LaTeX
            words[20:20] = [r"$\ell_1$", r"\emph{sparse}", "$O(n^{2})$"]
        abstract = " ".join(words)
        yield {
            "id": f"paper{i}", "title": f"On Trees, Part {i}", "abstract": f"We study trees. {abstract}.",
            "year": 2000 + i % 25, "venue": "Journal of Orchards", "doi": f"10.5555/orchard.{i}",
        }  # fmt: skip


def write_lines(out: Path, count: int, opened: Callable[..., object] = open, make: Callable | None = None) -> None:
    """JSON Lines, with ``opened`` compressed."""
    with opened(out, "wt") as file:
        for record in records(count):
            file.write(json.dumps(make(record) if make else record) + "\n")


def write_array(out: Path, count: int) -> None:
    """A JSON array over several lines."""
    with out.open("w") as file:
        file.write("[\n")
        for i, record in enumerate(records(count)):
            file.write((",\n" if i else "") + json.dumps(record, indent=2))
        file.write("\n]\n")


def write_csv(out: Path, count: int) -> None:
    """A table with every field quoted where it must be."""
    with out.open("w", newline="") as file:
        table = csv.DictWriter(file, ["id", "title", "abstract", "year", "venue", "doi"])
        table.writeheader()
        table.writerows(records(count))


def openalex(record: dict) -> dict:
    """The record as an OpenAlex work."""
    index: dict[str, list[int]] = {}
    for i, word in enumerate(record["abstract"].split(" ")):
        index.setdefault(word, []).append(i)
    return {
        "id": f"https://openalex.org/W{record['id'][5:]}", "doi": f"https://doi.org/{record['doi']}",
        "title": record["title"], "publication_year": record["year"], "is_retracted": False,
        "primary_location": {"landing_page_url": f"https://doi.org/{record['doi']}", "source": {"display_name": "J"}},
        "locations": [], "abstract_inverted_index": index,
    }  # fmt: skip


def write_text(out: Path, count: int) -> None:
    """The seeds' format."""
    with out.open("w") as file:
        file.write("ICML 2025 Papers\n\n")
        for record in records(count):
            file.write(f"{record['abstract']}\n\n")


def write_bibtex(out: Path, count: int) -> None:
    """BibTeX entries."""
    with out.open("w") as file:
        for r in records(count):
            file.write(
                f"@article{{{r['id']},\n  title = {{{r['title']}}},\n  year = {r['year']},\n  doi = {{{r['doi']}}},\n"
                f"  abstract = {{{r['abstract']}}}\n}}\n\n"
            )


def write_ris(out: Path, count: int) -> None:
    """RIS records."""
    with out.open("w") as file:
        for r in records(count):
            file.write(
                f"TY  - JOUR\nID  - {r['id']}\nTI  - {r['title']}\nPY  - {r['year']}\nDO  - {r['doi']}\n"
                f"AB  - {r['abstract']}\nER  - \n\n"
            )


def write_parquet(out: Path, count: int) -> None:
    """A Parquet table in row groups of 10,000."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows, writer = [], None
    for record in records(count):
        rows.append(record)
        if len(rows) == 10_000:
            table = pa.Table.from_pylist(rows)
            writer = writer or pq.ParquetWriter(out, table.schema)
            writer.write_table(table)
            rows = []
    if rows:
        table = pa.Table.from_pylist(rows)
        writer = writer or pq.ParquetWriter(out, table.schema)
        writer.write_table(table)
    if writer:
        writer.close()


WRITERS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "jsonl": ("x.jsonl", write_lines),
    "gzip": ("x.jsonl.gz", lambda out, n: write_lines(out, n, gzip.open)),
    "csv": ("x.csv", write_csv),
    "openalex": ("works.jsonl", lambda out, n: write_lines(out, n, make=openalex)),
    "json": ("x.json", write_array),
    "text": ("x.txt", write_text),
    "parquet": ("x.parquet", write_parquet),
    "bz2": ("x.jsonl.bz2", lambda out, n: write_lines(out, n, bz2.open)),
    "bibtex": ("x.bib", write_bibtex),
    "ris": ("x.ris", write_ris),
}
HELD = ("jsonl", "gzip", "csv", "openalex")
"""The formats that large dumps come in, which must keep the floor."""


def peak_megabytes() -> int:
    """The most memory this process has held; on Linux without what the process that started it held."""
    status = Path("/proc/self/status")
    if status.exists():
        held = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(held.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(path: str) -> None:
    """Read one file and print records, seconds and peak megabytes as JSON."""
    sys.path.insert(0, str(Path(__file__).parents[1]))  # from a clone, installed or not
    from kg.read import Rejected, read

    started, worked = time.perf_counter(), time.process_time()
    count = rejected = 0
    for item in read([path]):
        count += 1
        rejected += isinstance(item, Rejected)
    seconds, busy = time.perf_counter() - started, time.process_time() - worked
    peak = peak_megabytes()
    print(json.dumps({"records": count, "rejected": rejected, "seconds": seconds, "busy": busy, "megabytes": peak}))


def main() -> int:
    """Measure every format, or those named; 1 when one that is held to the floor misses it."""
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2])
        return 0
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    missed = False
    print(f"{'format':10} {'records':>8} {'MB':>6} {'per CPU s':>10} {'per s':>8} {'peak MB':>8}")
    for name in sys.argv[2:] or WRITERS:
        file, write = WRITERS[name]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / file
            write(path, count)
            size = path.stat().st_size / 1e6
            ran = subprocess.run(
                [sys.executable, __file__, "--measure", str(path)], capture_output=True, text=True, check=True
            )
        found = json.loads(ran.stdout)
        rate, wall = found["records"] / found["busy"], found["records"] / found["seconds"]
        wrong = found["records"] != count or found["rejected"]
        slow = name in HELD and (rate < FLOOR or found["megabytes"] > MEMORY)
        missed |= bool(wrong or slow)
        note = "  WRONG" if wrong else "  below the floor" if slow else ""
        print(
            f"{name:10} {found['records']:8} {size:6.0f} {rate:10.0f} {wall:8.0f} {found['megabytes']:8}{note}",
            flush=True,
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
