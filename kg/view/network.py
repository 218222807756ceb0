"""Neighbourhoods as pictures one can drag, search and zoom, drawn by Neo4j's own library (``kg[viz]``), offline."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.errors import KGError, counted, must_be_limit
from kg.graph import EntityCard, Graph
from kg.graph.answers import QueryRow
from kg.graph.extras import need
from kg.graph.similarity import MOST
from kg.types import ENTITY_TYPES, SCHEMA
from kg.view.page import COLOURS, Page, escape

_CAPTION = 40  # characters of a caption; the whole name is among the node's properties
_INNER, _BETWEEN, _ONE_RING = 230.0, 135.0, 10  # radius of the inner ring, room for a node, nodes that fit one ring
_AROUND = 24  # neighbours of an entity that can still be told apart on a screen


def view_entity(graph: Graph, name: str, *, limit: int = _AROUND) -> Page:
    """An entity amid what is said of it: ``limit`` statements at most, those made most often first.

    Methods, tasks and datasets go before papers, of which there may be thousands that say the same.

    Raises NotFoundError, which suggests the nearest, where nothing goes by that name.
    """
    must_be_limit(limit)
    card = graph.entity(name, limit=1)
    rows = graph.query("entity-neighbourhood", name=name, limit=MOST)
    found = _chosen([row for row in rows if row["entity"] == card.id], limit)
    nodes = {card.id: _node(card.id, card.type, card.name, size=60)}
    edges = []
    for row in found:
        size = _size(row["statements"])
        nodes.setdefault(row["other"], _node(row["other"], row["type"], row["name"] or row["other"], size=size))
        ends = (card.id, row["other"]) if row["direction"] == "out" else (row["other"], card.id)
        edges.append(_edge(row["relation"], ends[0], ends[1], row.values))
    _place(nodes, card.id)
    lead = f"{card.type} · named by {counted(card.papers, 'paper')} · {_shown(len(nodes) - 1, card)}"
    return _page(card.name, lead, nodes.values(), edges)


def _chosen(rows: Sequence[QueryRow], limit: int) -> list[QueryRow]:
    """The first rows, a third of them papers where there are that many; what one kind leaves goes to the other."""
    things = [row for row in rows if row["type"] != "Paper"]
    others = [row for row in rows if row["type"] == "Paper"]
    kept = things[: limit - min(limit // 3, len(others))]
    return kept + others[: limit - len(kept)]


def _place(nodes: Mapping[str, dict[str, Any]], centre: str) -> None:
    """Put the neighbours around the centre, kinds together, on two rings so that no line runs over a node.

    The library's own layout goes on after it chose what part of the plane to show, and is another one each time.
    """
    around = sorted((n for i, n in nodes.items() if i != centre), key=lambda n: (n["color"], -n["size"], n["id"]))
    inner = max(_INNER, _BETWEEN * math.ceil(len(around) / 2) / math.tau)
    nodes[centre].update(x=0.0, y=0.0)
    for i, node in enumerate(around):
        angle = math.tau * i / len(around) - math.pi / 2
        radius = inner if len(around) <= _ONE_RING or i % 2 else inner + _BETWEEN
        node.update(x=round(radius * math.cos(angle), 1), y=round(radius * math.sin(angle), 1))


def _shown(neighbours: int, card: EntityCard) -> str:
    """How many neighbours a picture has, and of how many statements they are, so that a part is not taken for all."""
    said = sum(n for relation, n in card.relations.items() if relation != "MENTIONS")
    return f"{neighbours} neighbours shown, {said:,} statements in all"


def view_task(graph: Graph, name: str, *, limit: int = 8) -> Page:
    """A task's map: the papers, methods, datasets and tasks around it, ``limit`` of each kind at most."""
    card = graph.entity(name, type="Task", limit=1)
    rows = graph.query("task-map", task=name, limit=limit)
    nodes = {card.id: _node(card.id, "Task", card.name, size=60)}
    edges = []
    for row in rows:
        size = _size(row["papers"])
        nodes.setdefault(row["id"], _node(row["id"], row["kind"], row["name"] or row["id"], size=size))
        edges.append(_edge(row["relation"], row["id"], card.id, row.values))
    _place(nodes, card.id)
    lead = f"Task · named by {counted(card.papers, 'paper')} · {len(edges)} things around it"
    return _page(card.name, lead, nodes.values(), edges)


def view_schema(graph: Graph) -> Page:
    """The graph model with what the graph holds of it: nodes a type, edges a relation."""
    counts = graph.counts()
    nodes = [
        _node(t, t, f"{t} ({counts.get(t, 0):,})", size=44, properties={"nodes": counts.get(t, 0)})
        for t in ("Paper", *ENTITY_TYPES)
    ]
    places = {"Paper": (-270, 200), "Method": (270, 200), "Dataset": (0, -220), "Task": (0, 40)}  # no two lines cross
    for node in nodes:
        node["x"], node["y"] = places[node["id"]]
    edges = [
        _edge(relation, head, tail, {"says": spec.says, "edges in all": counts.get(relation, 0)}, key=f"{head}{tail}")
        for relation, spec in SCHEMA.items()
        for head, tail in spec.pairs
    ]
    total = sum(counts.get(relation, 0) for relation in SCHEMA)
    return _page(
        "The graph model",
        f"{counted(counts.get('Paper', 0), 'paper')} · {total:,} edges in {len(SCHEMA)} relations",
        nodes,
        edges,
    )


def _size(said: int) -> int:
    """The radius of a neighbour: more for what is said more often, by its logarithm."""
    return min(48, 30 + round(4 * math.log2(max(1, said))))


def _node(id_: str, type_: str, name: str, *, size: int, properties: dict[str, Any] | None = None) -> dict[str, Any]:
    caption = name if len(name) <= _CAPTION else name[: _CAPTION - 1].rstrip() + "…"
    return {
        "id": id_,
        "caption": caption,
        "caption_size": 1,
        "size": size,
        "color": COLOURS[type_],
        "properties": {"type": type_, "name": name, "id": id_} | (properties or {}),
    }


def _edge(relation: str, source: str, target: str, values: Mapping[str, Any], key: str = "") -> dict[str, Any]:
    keep = ("sentence", "paper", "score", "statements", "papers", "says", "edges in all")
    return {
        "id": f"{relation}|{source}|{target}|{key}",
        "source": source,
        "target": target,
        "caption": relation,
        "properties": {"relation": relation} | {k: values[k] for k in keep if values.get(k) is not None},
    }


def _page(title: str, lead: str, nodes: Iterable[dict[str, Any]], edges: Iterable[dict[str, Any]]) -> Page:
    viz = need("neo4j_viz", "a picture of the graph")
    graph = viz.VisualizationGraph(
        nodes=[viz.Node(**node) for node in nodes], relationships=[viz.Relationship(**edge) for edge in edges]
    )
    legend = "".join(f'<span><i style="background:{COLOURS[t]}"></i>{t}</span>' for t in ("Paper", *ENTITY_TYPES))
    header = f'<header id="kg"><h1>{escape(title)}</h1><p>{escape(lead)}</p><p class="legend">{legend}</p></header>'
    drawn = str(graph.render(width="100%", height="calc(100vh - 6.2rem)", layout="free").data)
    # The library writes a whole document; what is ours is put in at its title, its head and its body.
    for place, ours in (
        (r"<title>[^<]*</title>", f"<title>{escape(title)}</title>"),
        (r"</head>", f"<style>{_STYLE}</style><script>{_FIT}</script></head>"),
        (r"<body[^>]*>", r"\g<0>" + header.replace("\\", r"\\")),
    ):
        drawn, changed = re.subn(place, ours if place.startswith("<body") else lambda _, t=ours: t, drawn, count=1)
        if not changed:
            raise KGError(f"neo4j-viz {viz.__name__} draws a page that kg does not know; install kg[viz] again")
    return Page(title, drawn)


_STYLE = """
#kg{box-sizing:border-box;height:6.2rem;padding:.7rem 1rem 0;overflow:hidden;
  font-family:system-ui,sans-serif;color:#1d2230;background:#fff}
#kg h1{font-size:1.15rem;margin:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
#kg p{margin:.1rem 0;font-size:.85rem;color:#5c6475;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
#kg .legend span{margin-right:1rem}
#kg .legend i{display:inline-block;width:.75em;height:.75em;border-radius:50%;margin-right:.35em}
@media(prefers-color-scheme:dark){#kg{background:#14171e;color:#e6e9ef}#kg p{color:#9aa3b5}body{background:#14171e}}
"""

# The library follows the page's theme only inside notebooks, and shows placed nodes at one zoom on every screen.
_FIT = """
{const data = document.getElementById('neo4j-viz-data');
const drawn = JSON.parse(data.textContent);
drawn.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const room = {x: innerWidth, y: innerHeight - 100};
const stretch = Math.min(1.25, Math.max(0.8, Math.sqrt(room.y / room.x)));
for (const node of drawn.nodes) { node.x /= stretch; node.y *= stretch; }
const reach = axis => 40 + Math.max(...drawn.nodes.map(n => Math.abs(n[axis]) + n.size));
drawn.options.nvlOptions.initialZoom = Math.min(1.6, room.x / 2 / reach('x'), room.y / 2 / reach('y'));
data.textContent = JSON.stringify(drawn);}
"""
