"""The whole graph as a network, its projections and its report: seconds and peak memory.

python benchmarks/graph.py [--store kg.db] [--report report.html]

The engine's own heap is in the memory figure when the graph is embedded.
"""

import argparse
import resource
import time
from collections.abc import Callable
from typing import TypeVar

from machine import describe

import kg
from kg.graph import networks

T = TypeVar("T")


def timed(title: str, call: Callable[[], T]) -> T:
    """Call, and print the seconds it took and the most memory the process has held so far."""
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{title:42} {seconds:8.1f} s, peak {peak:5.2f} GB   {result if not isinstance(result, list) else ''}"[:150])
    return result


def main() -> None:
    """Measure and print one row a step."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--store", default="kg.db")
    options.add_argument("--report", help="also write the report there")
    given = options.parse_args()
    print(describe("networkx", "arcadedb-embedded", "neo4j"))
    with kg.open_graph(given.store) as graph:
        network = timed("to_networkx, all of it", graph.to_networkx)
        papers = timed("papers by shared methods", lambda: networks.paper_projection(network))
        methods = timed("methods by shared papers", lambda: networks.method_projection(network))
        timed("methods and tasks", lambda: networks.method_task_projection(network))
        groups = timed("communities of papers", lambda: networks.communities(papers))
        print(f"  {len(groups)} communities, the largest {[len(group) for group in groups[:5]]}")
        timed("PageRank of methods", lambda: networks.centrality(methods, k=3)[0].name)
        task = graph.query(
            "MATCH (t:Task)<-[r:ADDRESSES]-() RETURN t.id AS id, count(r) AS n ORDER BY n DESC, id LIMIT 1"
        )
        timed("methods to try for a task", lambda: len(networks.suggest_methods(network, task[0]["id"])))
        if given.report:
            from kg.view import report

            timed("the report", lambda: report(graph).save(given.report))


if __name__ == "__main__":
    main()
