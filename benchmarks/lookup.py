"""How long a look-up takes on a loaded graph, asked a hundred times with names drawn from it.

python benchmarks/lookup.py [--store kg.db] [--rounds 100]
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable

from machine import describe

import kg


def median_ms(ask: Callable[[str], object], names: list[str]) -> tuple[float, float]:
    """Median and 95th percentile of ``ask(name)`` over ``names``, in milliseconds; the first three warm up."""
    times = []
    for name in [*names[:3], *names]:
        start = time.perf_counter()
        ask(name)
        times.append(1000 * (time.perf_counter() - start))
    times = sorted(times[3:])
    return statistics.median(times), times[int(0.95 * len(times))]


def main() -> None:
    """Measure and print one row a look-up."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--store", default="kg.db")
    options.add_argument("--rounds", type=int, default=100)
    given = options.parse_args()
    print(describe("arcadedb-embedded", "neo4j"))
    draw = random.Random(1)
    with kg.open_graph(given.store) as graph:
        print({name: number for name, number in graph.counts().items() if number})
        names = {
            label: [row["name"] for row in graph.store.query(f"MATCH (n:{label}) RETURN n.{key} AS name ORDER BY name")]
            for label, key in (("Method", "name"), ("Task", "name"), ("Paper", "id"))
        }
        asked = {label: draw.choices(found, k=given.rounds) for label, found in names.items()}
        common = [row["name"] for row in kg.run(graph.store, "most-used-methods", limit=given.rounds)]
        rows: list[tuple[str, Callable[[str], object], list[str]]] = [
            (
                "papers sharing a method, any method",
                lambda n: graph.papers_sharing_method(n, limit=20),
                asked["Method"],
            ),
            ("papers sharing a method, the most used", lambda n: graph.papers_sharing_method(n, limit=20), common),
            ("methods for a task", lambda n: graph.methods_for_task(n, limit=20), asked["Task"]),
            ("one entity, any method", graph.entity, asked["Method"]),
            ("one entity, the most used", graph.entity, common),
            ("one paper", graph.paper, asked["Paper"]),
            ("papers like one", graph.similar, asked["Paper"]),
            ("full-text search", graph.search, asked["Method"]),
        ]
        for title, ask, values in rows:
            median, most = median_ms(ask, values)
            print(f"{title:42} median {median:8.1f} ms, 95 % under {most:8.1f} ms")


if __name__ == "__main__":
    main()
