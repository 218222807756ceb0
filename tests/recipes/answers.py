"""What each recipe must answer on the aviary, worked out by hand from its sentences; one or more cases a recipe."""

from typing import Any, NamedTuple

from tests.recipes.aviary import PAPERS

S = {paper: [text for text, _, _ in sentences] for paper, (_, _, sentences) in PAPERS.items()}
"""The sentences of each paper."""


class Case(NamedTuple):
    """A recipe, what it is asked, and its rows in order."""

    recipe: str
    rows: list[tuple[Any, ...]]
    given: dict[str, Any]


def case(recipe: str, rows: list[tuple[Any, ...]], **given: Any) -> Case:
    """A case with its parameters as keywords."""
    return Case(recipe, rows, given)


# fmt: off
CASES = [
    case("papers-sharing-method", [
        ("graph neural network", "p7", "Do GNNs need depth?", 2024, "USES", S["p7"][0], 0.9),
        ("graph neural network", "p4", "Counting birds with Wings-9k", 2023, "USES", S["p4"][1], 0.6),
        ("graph neural network", "p2", "Plover forecasts traffic", 2022, "USES", S["p2"][0], 0.88),
    ], method="gnn"),
    case("papers-sharing-method", [
        ("graph neural network", "p7", "Do GNNs need depth?", 2024, "MENTIONS", S["p7"][0], 0.9),
        ("graph neural network", "p7", "Do GNNs need depth?", 2024, "USES", S["p7"][0], 0.9),
        ("graph neural network", "p4", "Counting birds with Wings-9k", 2023, "MENTIONS", S["p4"][1], 0.9),
        ("graph neural network", "p4", "Counting birds with Wings-9k", 2023, "USES", S["p4"][1], 0.6),
    ], method="Graph Neural Network", mentions=True, limit=4),
    case("papers-sharing-method", [
        ("sparse attention", "p3", "Heron, trained on roads", 2023, "USES", S["p3"][0], 0.84),
        ("simulated annealing", "p4", "Counting birds with Wings-9k", 2023, "USES", S["p4"][1], 0.58),
        ("sparse attention", "p2", "Plover forecasts traffic", 2022, "USES", S["p2"][0], 0.81),
    ], method="SA"),
    case("shared-by-papers", [
        ("dataset:roadset", "Dataset", "RoadSet", 2, "EVALUATED_ON", S["p2"][1], "EVALUATED_ON", S["p3"][0]),
        ("method:plover", "Method", "Plover", 2, "PROPOSES", S["p2"][0], "COMPARES_WITH", S["p3"][1]),
        ("method:sparse-attention", "Method", "sparse attention", 2, "USES", S["p2"][0], "USES", S["p3"][0]),
        ("task:traffic-forecasting", "Task", "traffic forecasting", 2, "ADDRESSES", S["p2"][0], "ADDRESSES",
         S["p3"][0]),
    ], first="p2", second="p3"),
    case("shared-by-papers", [
        ("dataset:citenet", "Dataset", "CiteNet", 2, "EVALUATED_ON", S["p1"][1], "EVALUATED_ON", S["p5"][0]),
        ("task:node-classification", "Task", "node classification", 3, "ADDRESSES", S["p1"][0], "ADDRESSES",
         S["p5"][0]),
        ("method:graph-neural-network", "Method", "graph neural network", 5, "MENTIONS", S["p1"][0],
         "MENTIONS", S["p5"][1]),
    ], first="p1", second="p5", mentions=True),
    case("similar-papers", [
        ("p3", "Heron, trained on roads", 2023, 6.0163, ["RoadSet", "Plover", "sparse attention",
         "traffic forecasting"], S["p3"][0]),
        ("p4", "Counting birds with Wings-9k", 2023, 0.8755, ["graph neural network"], S["p4"][1]),
        ("p7", "Do GNNs need depth?", 2024, 0.8755, ["graph neural network"], S["p7"][0]),
    ], paper="p2"),
    case("methods-for-task", [
        ("node classification", "method:graph-neural-network", "graph neural network", 1, "p7", "USED_FOR",
         S["p7"][0], 0.82),
        ("node classification", "method:ridge-regressions", "Ridge-Regression", 1, "p5", "USED_FOR", S["p5"][0], 0.78),
        ("node classification", "method:tern", "Tern", 1, "p1", "PROPOSES", S["p1"][0], 0.95),
        ("node classification", "method:tern", "Tern", 1, "p1", "USED_FOR", S["p1"][0], 0.85),
    ], task="node classification"),
    case("datasets-for-task", [
        ("node classification", "dataset:citenet", "CiteNet", 2, "p1", "EVALUATED_ON", S["p1"][1], 0.92),
        ("node classification", "dataset:citenet", "CiteNet", 2, "p5", "EVALUATED_ON", S["p5"][0], 0.85),
        ("node classification", "dataset:citenet", "CiteNet", 2, "p5", "BENCHMARK_FOR", S["p5"][0], 0.76),
    ], task="node classification"),
    case("papers-comparing-with-method", [
        ("Plover", "p3", "Heron, trained on roads", 2023, ["Heron"], S["p3"][1], 0.87),
    ], method="PLOVER"),
    case("triple-evidence", [
        ("method:tern", "SUBCLASS_OF", "method:graph-neural-network", "p1", S["p1"][0], 0, 72, 0.8, "aviary 1",
         "p1/SUBCLASS_OF/tern/gnn"),
    ], head="Tern", tail="gnn"),
    case("triple-evidence", [
        ("p2", "USES", "method:graph-neural-network", "p2", S["p2"][0], 0, 100, 0.88, "aviary 1", "p2/USES/P/gnn"),
    ], head="p2", tail="gnn", relation="uses"),
    case("triple-evidence", [
        ("method:heron", "COMPARES_WITH", "method:plover", "p3", S["p3"][1], 84, 109, 0.83, "aviary 1",
         "p3/COMPARES_WITH/heron/plover"),
    ], head="Plover", tail="heron"),
    case("entity-neighbourhood", [
        ("method:plover", "PROPOSES", "in", "p2", "Paper", "Plover forecasts traffic", 1, "p2", S["p2"][0], 0.93),
        ("method:plover", "COMPARES_WITH", "in", "p3", "Paper", "Heron, trained on roads", 1, "p3", S["p3"][1], 0.87),
        ("method:plover", "USED_FOR", "out", "task:traffic-forecasting", "Task", "traffic forecasting", 1,
         "p2", S["p2"][0], 0.86),
        ("method:plover", "COMPARES_WITH", "in", "method:heron", "Method", "Heron", 1, "p3", S["p3"][1], 0.83),
        ("method:plover", "PART_OF", "in", "method:graph-neural-network", "Method", "graph neural network", 1,
         "p2", S["p2"][0], 0.72),
        ("method:plover", "PART_OF", "in", "method:sparse-attention", "Method", "sparse attention", 1, "p2",
         S["p2"][0], 0.71),
    ], name="plover"),
    case("co-occurring-methods", [
        ("graph neural network", "method:plover", "Plover", 1, 0.25, "p2", S["p2"][0], S["p2"][0]),
        ("graph neural network", "method:simulated-annealing", "simulated annealing", 1, 0.3333, "p4",
         S["p4"][1], S["p4"][1]),
        ("graph neural network", "method:sparse-attention", "sparse attention", 1, 0.25, "p2", S["p2"][0], S["p2"][0]),
    ], method="gnn"),
    case("most-used-methods", [
        ("method:graph-neural-network", "graph neural network", 3, 2022, 2024, "p7", S["p7"][0], 0.9),
        ("method:sparse-attention", "sparse attention", 2, 2022, 2023, "p3", S["p3"][0], 0.84),
        ("method:heron", "Heron", 1, 2023, 2023, "p3", S["p3"][0], 0.9),
    ], limit=3),
    case("most-used-methods", [
        ("method:graph-neural-network", "graph neural network", 2, 2023, 2024, "p7", S["p7"][0], 0.9),
        ("method:heron", "Heron", 1, 2023, 2023, "p3", S["p3"][0], 0.9),
        ("method:simulated-annealing", "simulated annealing", 1, 2023, 2023, "p4", S["p4"][1], 0.58),
        ("method:sparse-attention", "sparse attention", 1, 2023, 2023, "p3", S["p3"][0], 0.84),
    ], since=2023),
    case("paper-card", [
        ("p5", "Node classification with the Ridge-Regression", 2022, "Aviary", "ADDRESSES",
         "task:node-classification", "Task", "node classification", S["p5"][0], 0.83),
        ("p5", "Node classification with the Ridge-Regression", 2022, "Aviary", "EVALUATED_ON",
         "dataset:citenet", "Dataset", "CiteNet", S["p5"][0], 0.85),
        ("p5", "Node classification with the Ridge-Regression", 2022, "Aviary", "USES",
         "method:ridge-regressions", "Method", "Ridge-Regression", S["p5"][0], 0.79),
        ("p5", "Node classification with the Ridge-Regression", 2022, "Aviary", "MENTIONS",
         "method:graph-neural-network", "Method", "graph neural network", S["p5"][1], 0.9),
    ], paper="p5"),
    case("paper-card", [
        ("p6", "A position without names", None, None, None, None, None, None, None, None),
    ], paper="p6"),
    case("entity-card", [
        ("method:sparse-attention", "Method", "sparse attention", ["SA"], False, 2, 2022, 2023, [], "p2", S["p2"][0]),
        ("method:simulated-annealing", "Method", "simulated annealing", ["SA"], True, 1, 2023, 2023, [], "p4",
         S["p4"][1]),
    ], name="sa"),
    case("entity-card", [
        ("method:tern", "Method", "Tern", [], False, 1, 2021, 2021, ["p1"], "p1", S["p1"][0]),
    ], name="tern"),
    case("method-comparisons", [
        ("Plover", "method:heron", "Heron", 2, 1, "p3", S["p3"][1], 0.87),
    ], method="plover"),
    case("method-comparisons", [
        ("ridge regression", "method:tern", "Tern", 2, 1, "p1", S["p1"][1], 0.7),
    ], method="ridge regression"),
    case("newest-methods", [
        (2023, "method:heron", "Heron", "p3", "Heron, trained on roads", S["p3"][0], 0.9),
        (2022, "method:plover", "Plover", "p2", "Plover forecasts traffic", S["p2"][0], 0.93),
    ], since=2022),
    case("method-by-year", [
        ("graph neural network", 2022, 1, 0, 1, 0, "p2", S["p2"][0]),
        ("graph neural network", 2023, 1, 0, 1, 0, "p4", S["p4"][1]),
        ("graph neural network", 2024, 1, 0, 1, 0, "p7", S["p7"][0]),
    ], method="gnn"),
    case("method-by-year", [
        ("graph neural network", 2021, 1, 0, 0, 0, "p1", S["p1"][0]),
        ("graph neural network", 2022, 2, 0, 1, 0, "p2", S["p2"][0]),
        ("graph neural network", 2023, 1, 0, 1, 0, "p4", S["p4"][1]),
        ("graph neural network", 2024, 1, 0, 1, 0, "p7", S["p7"][0]),
    ], method="gnn", mentions=True),
    case("bridge-methods", [
        ("method:graph-neural-network", "graph neural network", 2, "p7", S["p7"][0], "p2", S["p2"][0]),
    ], first="node classification", second="traffic forecasting"),
    case("untried-methods", [
        ("time series forecasting", "method:sparse-attention", "sparse attention", 1, 2, "traffic forecasting",
         "p3", S["p3"][0], 0.84),
        ("time series forecasting", "method:graph-neural-network", "graph neural network", 1, 1,
         "traffic forecasting", "p2", S["p2"][0], 0.88),
        ("time series forecasting", "method:heron", "Heron", 1, 1, "traffic forecasting", "p3", S["p3"][0], 0.9),
        ("time series forecasting", "method:plover", "Plover", 1, 1, "traffic forecasting", "p2", S["p2"][0], 0.93),
    ], task="time series forecasting"),
    case("papers-on-task", [
        ("traffic forecasting", "p3", "Heron, trained on roads", 2023, "ADDRESSES", ["Heron"], S["p3"][0], 0.89),
        ("traffic forecasting", "p2", "Plover forecasts traffic", 2022, "ADDRESSES", ["Plover"], S["p2"][0], 0.94),
    ], task="traffic forecasting"),
    case("papers-on-task", [
        ("traffic forecasting", "p3", "Heron, trained on roads", 2023, "ADDRESSES", ["Heron"], S["p3"][0], 0.89),
        ("traffic forecasting", "p2", "Plover forecasts traffic", 2022, "ADDRESSES", ["Plover"], S["p2"][0], 0.94),
    ], task="time series forecasting", subtasks=True),
    case("papers-on-dataset", [
        ("CiteNet", "p5", "Node classification with the Ridge-Regression", 2022, "EVALUATED_ON", [], S["p5"][0], 0.85),
        ("CiteNet", "p1", "Tern: a light graph network for citations", 2021, "EVALUATED_ON", ["Tern"],
         S["p1"][1], 0.92),
    ], dataset="cite-net"),
    case("methods-on-dataset", [
        ("RoadSet", "method:plover", "Plover", "PROPOSES", "p2", S["p2"][0], 0.93),
        ("RoadSet", "method:heron", "Heron", "PROPOSES", "p3", S["p3"][0], 0.9),
        ("RoadSet", "method:heron", "Heron", "TRAINED_ON", "p3", S["p3"][0], 0.8),
    ], dataset="RoadSet"),
    case("benchmark-coverage", [
        ("node classification", "dataset:citenet", "CiteNet", True, 2, 3, 0.6667, 2021, 2022, "p1", S["p1"][1]),
    ], task="node classification"),
    case("benchmark-coverage", [
        ("bird counting", "dataset:wings-9k", "Wings-9k", True, 0, 0, 0.0, None, None, "p4", S["p4"][0]),
    ], task="bird counting"),
    case("task-map", [
        ("traffic forecasting", "Dataset", "dataset:roadset", "RoadSet", 2, "EVALUATED_ON", "p2", S["p2"][1], 0.91),
        ("traffic forecasting", "Method", "method:plover", "Plover", 1, "PROPOSES", "p2", S["p2"][0], 0.93),
        ("traffic forecasting", "Method", "method:heron", "Heron", 1, "PROPOSES", "p3", S["p3"][0], 0.9),
        ("traffic forecasting", "Paper", "p2", "Plover forecasts traffic", 1, "ADDRESSES", "p2", S["p2"][0], 0.94),
        ("traffic forecasting", "Paper", "p3", "Heron, trained on roads", 1, "ADDRESSES", "p3", S["p3"][0], 0.89),
        ("traffic forecasting", "Task", "task:time-series-forecasting", "time series forecasting", 1,
         "SUBTASK_OF", "p2", S["p2"][0], 0.77),
    ], task="traffic forecasting"),
    case("method-lineage", [
        ("sparse attention", "up", 1, "sparse attention", "PART_OF", "Plover", "p2", S["p2"][0], 0.71),
        ("sparse attention", "down", 1, "Heron", "SUBCLASS_OF", "sparse attention", "p3", S["p3"][0], 0.66),
    ], method="SA"),
    case("method-lineage", [
        ("Heron", "up", 1, "Heron", "SUBCLASS_OF", "sparse attention", "p3", S["p3"][0], 0.66),
        ("Heron", "up", 2, "sparse attention", "PART_OF", "Plover", "p2", S["p2"][0], 0.71),
    ], method="heron"),
    case("evidence-path", [
        (1, "p1", "Tern: a light graph network for citations", "ADDRESSES", "task:node-classification",
         "node classification", "p1", S["p1"][0], 0.9),
        (2, "p7", "Do GNNs need depth?", "ADDRESSES", "task:node-classification", "node classification", "p7",
         S["p7"][0], 0.88),
    ], first="p1", second="p7"),
    case("evidence-path", [
        (1, "p1", "Tern: a light graph network for citations", "PROPOSES", "method:tern", "Tern", "p1",
         S["p1"][0], 0.95),
        (2, "method:tern", "Tern", "SUBCLASS_OF", "method:graph-neural-network", "graph neural network", "p1",
         S["p1"][0], 0.8),
        (3, "method:graph-neural-network", "graph neural network", "PART_OF", "method:plover", "Plover", "p2",
         S["p2"][0], 0.72),
        (4, "p3", "Heron, trained on roads", "COMPARES_WITH", "method:plover", "Plover", "p3", S["p3"][1], 0.87),
    ], first="p1", second="p3"),
    case("names-starting-with", [
        ("gnn", "method:graph-neural-network", "Method", "graph neural network", 5),
    ], prefix="GN"),
    case("search-hits", [
        (1, "task:bird-counting", "Task", "bird counting", 1, "p4", S["p4"][0]),
        (3, "p6", "Paper", "A position without names", 0, "p6", None),
        (4, "method:tern", "Method", "Tern", 1, "p1", S["p1"][0]),
    ], ids=["task:bird-counting", "nothing", "p6", "method:tern"]),
    case("several-names", [
        ("method:graph-neural-network", "Method", "graph neural network", ["GNN", "GNNs"], 5, "GNN", "p2", S["p2"][0]),
        ("dataset:citenet", "Dataset", "CiteNet", ["Cite-Net"], 2, "Cite-Net", "p5", S["p5"][0]),
    ], limit=2),
    case("ambiguous-names", [
        ("ridge regression", "method:ridge-regression", "Method", "ridge regression", False, 1, "p1", S["p1"][1]),
        ("ridge regression", "method:ridge-regressions", "Method", "Ridge-Regression", False, 1, "p5", S["p5"][0]),
        ("sa", "method:simulated-annealing", "Method", "simulated annealing", True, 1, "p4", S["p4"][1]),
        ("sa", "method:sparse-attention", "Method", "sparse attention", False, 2, "p2", S["p2"][0]),
    ], ),
    case("low-confidence", [
        (0.45, "p4", "INTRODUCES", "task:bird-counting", "p4", S["p4"][0], 0, 51, "p4/INTRODUCES/P/birds"),
    ], ),
    case("low-confidence", [
        (0.65, "method:tern", "COMPARES_WITH", "method:ridge-regression", "p1", S["p1"][1], 73, 121,
         "p1/COMPARES_WITH/tern/ridge"),
    ], below=0.7, relation="compares_with"),
    case("low-confidence", [
        (0.77, "task:traffic-forecasting", "SUBTASK_OF", "task:time-series-forecasting", "p2", S["p2"][0], 0, 100,
         "p2/SUBTASK_OF/traffic/forecast"),
    ], below=0.8, relation="subtask_of"),
    case("orphans", [
        ("p6", "Paper", "A position without names", "ok", 0, None, None),
    ], ),
    case("duplicates", [
        ("ridgeregression", "Method", "method:ridge-regression", "ridge regression", 1, "p1", S["p1"][1]),
        ("ridgeregression", "Method", "method:ridge-regressions", "Ridge-Regression", 1, "p5", S["p5"][0]),
    ], ),
    case("graph-statistics", [
        ("node", "Dataset", 3, None, None),
        ("node", "Method", 8, None, None),
        ("node", "Paper", 7, None, None),
        ("node", "Task", 4, None, None),
        ("edge", "ADDRESSES", 5, 5, 0.888),
        ("edge", "BENCHMARK_FOR", 2, 2, 0.83),
    ], limit=6),
    # Of what is drawn, nodes and edges stand here by their ids.
    case("draw-method", [
        ("p7", "p7/USES/P/gnn", "method:graph-neural-network"),
        ("p4", "p4/USES/P/gnn", "method:graph-neural-network"),
        ("p2", "p2/USES/P/gnn", "method:graph-neural-network"),
    ], method="gnn"),
    case("draw-paper", [
        ("p4", "p4/INTRODUCES/P/wings", "dataset:wings-9k", "p4/BENCHMARK_FOR/wings/birds", "task:bird-counting"),
        ("p4", "p4/USES/P/gnn", "method:graph-neural-network", None, None),
        ("p4", "p4/USES/P/annealing", "method:simulated-annealing", None, None),
        ("p4", "p4/INTRODUCES/P/birds", "task:bird-counting", None, None),
    ], paper="p4"),
    case("draw-shared", [
        ("p2", "p2/ADDRESSES/P/traffic", "task:traffic-forecasting", "p3/ADDRESSES/P/traffic", "p3"),
        ("p2", "p2/PROPOSES/P/plover", "method:plover", "p3/COMPARES_WITH/P/plover", "p3"),
        ("p2", "p2/EVALUATED_ON/P/roadset", "dataset:roadset", "p3/EVALUATED_ON/P/roadset", "p3"),
        ("p2", "p2/USES/P/attention", "method:sparse-attention", "p3/USES/P/attention", "p3"),
    ], first="p2", second="p3"),
    case("draw-task", [
        ("task:traffic-forecasting", "p2/ADDRESSES/P/traffic", "p2", "p2/EVALUATED_ON/P/roadset", "dataset:roadset"),
        ("task:traffic-forecasting", "p2/ADDRESSES/P/traffic", "p2", "p2/PROPOSES/P/plover", "method:plover"),
        ("task:traffic-forecasting", "p3/ADDRESSES/P/traffic", "p3", "p3/EVALUATED_ON/P/roadset", "dataset:roadset"),
        ("task:traffic-forecasting", "p3/ADDRESSES/P/traffic", "p3", "p3/PROPOSES/P/heron", "method:heron"),
    ], task="traffic forecasting", limit=2),
    case("draw-lineage", [
        ("method:heron", "p3/SUBCLASS_OF/heron/attention", "method:sparse-attention"),
        ("method:sparse-attention", "p2/PART_OF/attention/plover", "method:plover"),
    ], method="heron"),
    case("draw-lineage", [
        ("method:sparse-attention", "p2/PART_OF/attention/plover", "method:plover"),
        ("method:heron", "p3/SUBCLASS_OF/heron/attention", "method:sparse-attention"),
    ], method="sparse attention"),
    case("draw-lineage", [
        ("method:tern", "p1/SUBCLASS_OF/tern/gnn", "method:graph-neural-network"),
        ("method:graph-neural-network", "p2/PART_OF/gnn/plover", "method:plover"),
    ], method="tern"),
    case("draw-path", [
        (["p1", "p1/ADDRESSES/P/nodes", "task:node-classification", "p7/ADDRESSES/P/nodes", "p7"],),
    ], first="p1", second="p7"),
]
# fmt: on
