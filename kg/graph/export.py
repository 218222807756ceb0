"""The graph as files that other tools open, and the same graph read back from them.

| format | file | read by |
|---|---|---|
| GraphML | ``.graphml`` | Gephi, yEd, igraph, networkx |
| node-link JSON | ``.json`` | d3, networkx |
| CSV | a folder with ``nodes.csv`` and ``edges.csv`` | spreadsheets, ``LOAD CSV`` |
| Parquet | a folder with ``nodes.parquet`` and ``edges.parquet`` | data frames, Spark (``kg[parquet]``) |
| RDF | ``.ttl``, ``.jsonld`` | triple stores (``kg[rdf]``; see kg.graph.rdf) |

A node is known by its id; every property of nodes and edges comes back with its type. A list is JSON text where a
format has no lists. GraphML, being XML, cannot hold control characters: they become U+FFFD there.
"""

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import networkx as nx

from kg.errors import InputError
from kg.files import replacing
from kg.graph.extras import need
from kg.tables import write_row

_NODE_FIRST = ("id", "type")
_EDGE_FIRST = ("id", "head", "relation", "tail")
_INTEGERS = ("year", "start", "end", "count")
_FLOATS = ("score",)
_BOOLEANS = ("ambiguous",)
_LISTS = ("aliases", "ids", "surfaces")


def export(graph: nx.MultiDiGraph, path: str | Path, *, format: str | None = None) -> Path:
    """Write ``graph`` (of ``Graph.to_networkx``) to ``path``; the format is told by the ending or by ``format``.

    Endings are ``.graphml``, ``.json``, ``.ttl`` and ``.jsonld``; ``csv`` and ``parquet`` name the format of a folder.
    The path is written as a whole or not at all, and replaced if it is there.

    >>> export(g.to_networkx(), folder / "graph.graphml").name
    'graph.graphml'

    Raises
    ------
    InputError
        No such format, or a place that cannot be written.
    KGError
        The format needs a package that is not installed.
    """
    path = Path(path)
    writer = _FORMATS[_format(path, format)][0]
    try:
        with replacing(path) as part:
            writer(graph, part)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def import_graph(path: str | Path, *, format: str | None = None) -> nx.MultiDiGraph:
    """Read back what ``export`` wrote: an equal graph.

    Raises
    ------
    InputError
        There is no such file, or it is not what ``export`` writes.
    """
    path = Path(path)
    reader = _FORMATS[_format(path, format)][1]
    if not path.exists():
        raise InputError(f"{path}: no such file")
    try:
        return reader(path)
    except (ValueError, KeyError, TypeError, nx.NetworkXError, OSError, SyntaxError) as error:
        raise InputError(f"{path}: not an exported graph: {error}") from error


def _format(path: Path, format: str | None) -> str:
    chosen = (format or _ENDINGS.get(path.suffix.lower(), "")).lower()
    if chosen not in _FORMATS:
        raise InputError(f"{path}: which format? Give one of {', '.join(_FORMATS)}")
    return chosen


# -- one table of nodes, one of edges --------------------------------------------------------------------------
def _tables(graph: nx.MultiDiGraph) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    nodes = [{"id": n} | values for n, values in sorted(graph.nodes(data=True))]
    edges = [
        {"id": key, "head": head, "tail": tail} | values
        for head, tail, key, values in sorted(graph.edges(keys=True, data=True), key=lambda e: e[:3])
    ]
    return nodes, edges


def _assemble(nodes: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]) -> nx.MultiDiGraph:
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    for node in nodes:
        graph.add_node(node["id"], **{k: v for k, v in node.items() if k != "id"})
    for edge in edges:
        values = {k: v for k, v in edge.items() if k not in ("id", "head", "tail")}
        graph.add_edge(edge["head"], edge["tail"], key=edge["id"], **values)
    return graph


def _columns(rows: Iterable[Mapping[str, Any]], first: tuple[str, ...]) -> list[str]:
    names = {name for row in rows for name in row}
    return [*first, *sorted(names - set(first))]


# -- GraphML ---------------------------------------------------------------------------------------------------
def _write_graphml(graph: nx.MultiDiGraph, path: Path) -> None:
    flat: nx.MultiDiGraph = nx.MultiDiGraph()
    for node, values in sorted(graph.nodes(data=True)):
        flat.add_node(node, **{k: _xml(v) for k, v in values.items()})
    for head, tail, key, values in sorted(graph.edges(keys=True, data=True), key=lambda e: e[:3]):
        flat.add_edge(head, tail, key=key, **{k: _xml(v) for k, v in values.items()})
    nx.write_graphml_xml(flat, path)
    # An XML reader turns a bare carriage return into a line feed; as a character reference it stays what it is.
    path.write_bytes(path.read_bytes().replace(b"\r", b"&#13;"))


def _read_graphml(path: Path) -> nx.MultiDiGraph:
    graph: nx.MultiDiGraph = nx.read_graphml(path, force_multigraph=True)
    for _, values in graph.nodes(data=True):
        values.update({k: json.loads(v) for k, v in values.items() if k in _LISTS})
    for _, _, values in graph.edges(data=True):
        values.update({k: json.loads(v) for k, v in values.items() if k in _LISTS})
        values.pop("id", None)
    return graph


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, tuple)) else value


def _xml(value: Any) -> Any:
    """A value as XML can hold it: control characters other than tab and line ends become U+FFFD."""
    value = _flat(value)
    return value.translate(_NOT_XML) if isinstance(value, str) else value


_NOT_XML = {c: "\N{REPLACEMENT CHARACTER}" for c in (*range(0x20), 0xFFFE, 0xFFFF) if chr(c) not in "\t\n\r"}


# -- node-link JSON --------------------------------------------------------------------------------------------
def _write_json(graph: nx.MultiDiGraph, path: Path) -> None:
    nodes, edges = _tables(graph)
    document = {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": nodes,
        "edges": [{("key" if k == "id" else _LINK.get(k, k)): v for k, v in edge.items()} for edge in edges],
    }
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


_LINK = {"head": "source", "tail": "target"}


def _read_json(path: Path) -> nx.MultiDiGraph:
    document = json.loads(path.read_text(encoding="utf-8"))
    graph: nx.MultiDiGraph = nx.node_link_graph(document, edges="edges")
    return graph


# -- CSV -------------------------------------------------------------------------------------------------------
def _write_csv(graph: nx.MultiDiGraph, path: Path) -> None:
    path.mkdir()
    for name, rows, first in zip(("nodes", "edges"), _tables(graph), (_NODE_FIRST, _EDGE_FIRST), strict=True):
        columns = _columns(rows, first)
        with (path / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
            write_row(out, columns)
            for row in rows:
                write_row(out, (_flat(row.get(column, "")) for column in columns))


def _read_csv(path: Path) -> nx.MultiDiGraph:
    tables = []
    csv.field_size_limit(2**31 - 1)
    for name in ("nodes", "edges"):
        with (path / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            tables.append([{k: _typed(k, v) for k, v in row.items() if v} for row in csv.DictReader(lines)])
    return _assemble(*tables)


def _typed(column: str, text: str) -> Any:
    if column in _INTEGERS:
        return int(text)
    if column in _FLOATS:
        return float(text)
    if column in _BOOLEANS:
        return text == "True"
    return json.loads(text) if column in _LISTS else text


# -- Parquet ---------------------------------------------------------------------------------------------------
def _write_parquet(graph: nx.MultiDiGraph, path: Path) -> None:
    arrow, parquet = need("pyarrow", "export to Parquet"), need("pyarrow.parquet", "export to Parquet")
    path.mkdir()
    for name, rows, first in zip(("nodes", "edges"), _tables(graph), (_NODE_FIRST, _EDGE_FIRST), strict=True):
        columns = _columns(rows, first)
        table = arrow.table({c: arrow.array([row.get(c) for row in rows], _arrow_type(arrow, c)) for c in columns})
        parquet.write_table(table, path / f"{name}.parquet", compression="zstd")


def _read_parquet(path: Path) -> nx.MultiDiGraph:
    parquet = need("pyarrow.parquet", "reading Parquet")
    tables = [parquet.read_table(path / f"{name}.parquet").to_pylist() for name in ("nodes", "edges")]
    return _assemble(*([{k: v for k, v in row.items() if v is not None} for row in table] for table in tables))


def _arrow_type(arrow: Any, column: str) -> Any:
    if column in _INTEGERS:
        return arrow.int64()
    if column in _FLOATS:
        return arrow.float64()
    if column in _BOOLEANS:
        return arrow.bool_()
    return arrow.list_(arrow.string()) if column in _LISTS else arrow.string()


# -- RDF: its own module, for its own vocabulary ---------------------------------------------------------------
def _write_turtle(graph: nx.MultiDiGraph, path: Path) -> None:
    from kg.graph.rdf import write

    write(graph, path, "turtle")


def _read_turtle(path: Path) -> nx.MultiDiGraph:
    from kg.graph.rdf import read

    return read(path, "turtle")


def _write_jsonld(graph: nx.MultiDiGraph, path: Path) -> None:
    from kg.graph.rdf import write

    write(graph, path, "json-ld")


def _read_jsonld(path: Path) -> nx.MultiDiGraph:
    from kg.graph.rdf import read

    return read(path, "json-ld")


_FORMATS: Mapping[str, tuple[Callable[[nx.MultiDiGraph, Path], None], Callable[[Path], nx.MultiDiGraph]]] = {
    "graphml": (_write_graphml, _read_graphml),
    "json": (_write_json, _read_json),
    "csv": (_write_csv, _read_csv),
    "parquet": (_write_parquet, _read_parquet),
    "turtle": (_write_turtle, _read_turtle),
    "jsonld": (_write_jsonld, _read_jsonld),
}
_ENDINGS = {".graphml": "graphml", ".json": "json", ".ttl": "turtle", ".jsonld": "jsonld"}
