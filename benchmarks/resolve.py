"""Time and memory of resolving the names of many records, and what to read of the result by eye.

    python benchmarks/resolve.py RECORDS.jsonl [--largest N] [--merges N] [--seed S]

RECORDS is what ``kg extract`` writes. Prints one line of figures as JSON, then, if asked, the N largest entities with
the names they go by, and N random merges (two surfaces of one entity from two papers, with their sentences).
"""

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from kg.names import fold
from kg.resolve import Resolver, link, uses
from kg.types import Extraction


def main() -> None:
    """Measure, then list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--largest", type=int, default=0)
    parser.add_argument("--merges", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    start = time.perf_counter()
    with arguments.records.open(encoding="utf-8") as lines:
        said = [uses(Extraction.model_validate_json(line)) for line in lines]
    reading = time.perf_counter() - start
    before = memory()
    start = time.perf_counter()
    busy = time.process_time()
    resolution = Resolver().resolve(said)
    resolving, busy = time.perf_counter() - start, time.process_time() - busy
    start = time.perf_counter()
    edges = 0
    with arguments.records.open(encoding="utf-8") as lines:
        for line in lines:
            edges += len(link(Extraction.model_validate_json(line), resolution).edges)
    linking = time.perf_counter() - start
    figures = {
        "papers": len(said),
        "mentions": sum(use.count for paper in said for use in paper.names),
        "entities": len(resolution.entities),
        "ambiguous": sum(entity.ambiguous for entity in resolution.entities.values()),
        "joins": dict(Counter(join.why for join in resolution.joins)),
        "names of several types": len(resolution.conflicts),
        "edges": edges,
        "seconds reading": round(reading, 1),
        "seconds resolving": round(resolving, 1),
        "CPU seconds resolving": round(busy, 1),
        "seconds linking (reads again)": round(linking, 1),
        "MB before resolving": before,
        "MB peak": memory(),
    }
    print(json.dumps(figures))

    # entity id -> surface key -> (surface, paper) of every paper
    found: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    papers: Counter[str] = Counter()
    for paper in said:
        ids = set()
        for use in paper.names:
            id_ = resolution.id_of(paper.paper, use.type, use.entity, use.name)
            found[id_][fold(use.name)].append((use.name, paper.paper))
            ids.add(id_)
        papers.update(ids)
    for id_, count in sorted(papers.items(), key=lambda item: (-item[1], item[0]))[: arguments.largest]:
        entity = resolution.entities[id_]
        names = Counter({surfaces[0][0]: len(surfaces) for surfaces in found[id_].values()})
        listed = "; ".join(f"{name} {n}" for name, n in names.most_common(25))
        print(f"{count}\t{id_}\t{entity.name}{' (ambiguous)' if entity.ambiguous else ''}\t{listed}")
    several = sorted(id_ for id_, surfaces in found.items() if len(surfaces) > 1)
    pairs = [
        (id_, one, other)
        for id_ in several
        for one in sorted(found[id_])
        for other in sorted(found[id_])
        if one < other and {p for _, p in found[id_][one]} - {p for _, p in found[id_][other]}
    ]
    if arguments.merges:
        print(f"{len(pairs)} pairs of unequal names were merged", file=sys.stderr)
        for id_, one, other in random.Random(arguments.seed).sample(pairs, min(arguments.merges, len(pairs))):
            print(f"{id_}\t{found[id_][one][0]}\t{found[id_][other][0]}")


def memory() -> int:
    """Peak resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
