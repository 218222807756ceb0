"""One page about a whole graph: what is in it, what is used most and when, what goes with a task, what to review."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from kg.errors import counted
from kg.graph import Graph
from kg.types import ENTITY_TYPES, SCHEMA
from kg.view.page import Page, document, escape

_METHODS, _TASKS, _NEW, _REVIEW = 15, 12, 12, 8
_RECENT = 2
"""How many years before the newest one still count as new."""
_YEARS_ON_A_PHONE = 3
_CANDIDATES = 5_000
"""Rows of a recipe among which those that concern most papers are chosen."""

_BY_YEAR = """
UNWIND $ids AS id
MATCH (m:Method {id: id})<-[:PROPOSES|USES]-(p:Paper) WHERE p.year IS NOT NULL
RETURN m.id AS method, p.year AS year, count(DISTINCT p) AS papers
"""
_TAKEN_UP = """
MATCH (m:Method)<-[:PROPOSES]-(p:Paper) WHERE p.year IS NOT NULL
WITH m, min(p.year) AS year
WHERE year >= $since
MATCH (m)<-[:MENTIONS]-(p:Paper)
WITH m, year, min(p.year) AS named, count(p) AS papers
WHERE named = year
WITH m, year, papers ORDER BY papers DESC, m.id LIMIT $limit
MATCH (m)<-[r:PROPOSES]-(p:Paper) WHERE p.year = year
WITH m, year, papers, p, r ORDER BY r.score DESC, r.id
WITH m, year, papers, collect({title: p.title, sentence: r.sentence})[0] AS first
RETURN m.name AS name, year, papers, first.title AS title, first.sentence AS sentence ORDER BY papers DESC, m.id
"""
_TOP_TASKS = """
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)
RETURN t.id AS id, t.name AS name, count(DISTINCT p) AS papers ORDER BY papers DESC, id LIMIT $limit
"""
_TOP_DATASETS = """
MATCH (d:Dataset)<-[:EVALUATED_ON]-(p:Paper)
RETURN d.id AS id, d.name AS name, count(DISTINCT p) AS papers ORDER BY papers DESC, id LIMIT $limit
"""
_STATUS = "MATCH (p:Paper) RETURN p.status AS status, p.year AS year, count(p) AS papers"
_CALLED = "UNWIND $ids AS id MATCH (n:{label} {id: id}) RETURN n.id AS id, coalesce(n.name, n.title) AS name"


def report(graph: Graph) -> Page:
    """The page about ``graph``; what a recipe answers names that recipe."""
    counts = graph.counts()
    title = f"A graph of {counted(counts.get('Paper', 0), 'paper')}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="lead">{escape(graph.store.url)} · {date.today().isoformat()}</p>',
        _figures(counts),
        _papers(graph),
        _relations(graph),
        _methods(graph),
        _newest(graph),
        _tasks(graph),
        _datasets(graph),
        _review(graph),
    ]
    return document(title, "\n".join(body), style=_STYLE)


def _figures(counts: Mapping[str, int]) -> str:
    edges = sum(counts.get(relation, 0) for relation in SCHEMA)
    cells = [(t + "s", counts.get(t, 0), t) for t in ("Paper", *ENTITY_TYPES)] + [("Edges", edges, "")]
    return (
        '<div class="figures">'
        + "".join(f'<div class="{kind}"><b>{n:,}</b><span>{escape(label)}</span></div>' for label, n, kind in cells)
        + "</div>"
    )


def _papers(graph: Graph) -> str:
    rows = graph.query(_STATUS).to_dicts()
    years: dict[str, int] = {}
    odd: dict[str, int] = {}
    for row in rows:
        years[str(row["year"] or "no year")] = years.get(str(row["year"] or "no year"), 0) + row["papers"]
        if row["status"] not in (None, "ok"):
            odd[row["status"]] = odd.get(row["status"], 0) + row["papers"]
    note = "; ".join(f"{n:,} {status}" for status, n in sorted(odd.items()))
    return _section(
        "Papers by year",
        _bars([(year, n) for year, n in sorted(years.items())], "Paper")
        + (f'<p class="dim">Set apart: {escape(note)}.</p>' if note else ""),
    )


def _relations(graph: Graph) -> str:
    rows = [r for r in graph.query("graph-statistics").to_dicts() if r["kind"] == "edge"]
    table = _table(
        [
            {
                "relation": r["name"],
                "says": SCHEMA[r["name"]].says,
                "edges": f"{r['count']:,}",
                "papers": f"{r['papers']:,}",
                "mean score": f"{r['mean_score']:.2f}",
            }
            for r in rows
        ],
        ("relation", "says", "edges", "papers", "mean score"),
        numbers=("edges", "papers", "mean score"),
    )
    return _section("What is said", table, "graph-statistics")


def _methods(graph: Graph) -> str:
    top = graph.query("most-used-methods", limit=_METHODS).to_dicts()
    found = graph.query(_BY_YEAR, ids=[r["method"] for r in top]).to_dicts()
    years = sorted({r["year"] for r in found})[-12:]
    by_cell = {(r["method"], r["year"]): r["papers"] for r in found}
    most = max((n for (_, year), n in by_cell.items() if year in years), default=1)
    # A narrow screen has room for the last years alone.
    old = dict.fromkeys(years[:-_YEARS_ON_A_PHONE], " old")
    head = "".join(f'<th class="n{old.get(year, "")}">{year}</th>' for year in years)
    rows = []
    for r in top:
        cells = []
        for year in years:
            n = by_cell.get((r["method"], year), 0)
            shade = f' style="--heat:{8 + round(72 * n / most)}%"' if n else ""
            cells.append(f'<td class="n{" heat" if n else ""}{old.get(year, "")}"{shade}>{n or ""}</td>')
        rows.append(
            f'<tr title="{escape(r["sentence"])}"><td class="name">{escape(r["name"])}</td>'
            f'<td class="n">{r["papers"]:,}</td>{"".join(cells)}</tr>'
        )
    table = f'<table><tr><th>method</th><th class="n">papers</th>{head}</tr>{"".join(rows)}</table>'
    return _section("The most used methods, by year", f'<div class="scroll">{table}</div>', "most-used-methods")


def _newest(graph: Graph) -> str:
    years = [r["year"] for r in graph.query(_STATUS).to_dicts() if r["year"]]
    if not years:
        return ""
    since = max(years) - _RECENT
    rows = graph.query(_TAKEN_UP, since=since, limit=_NEW).to_dicts()
    table = _table(rows, ("name", "year", "papers", "sentence"), numbers=("year", "papers"))
    return _section(f"Methods first named since {since}, the most named first", table) if rows else ""


def _tasks(graph: Graph) -> str:
    cards = []
    for task in graph.query(_TOP_TASKS, limit=_TASKS):
        around = graph.query("task-map", task=task["name"], limit=5).to_dicts()
        chips = []
        for kind in ("Method", "Dataset", "Task"):
            chips += [
                f'<span class="chip {kind}" title="{escape(r["sentence"])}">{escape(r["name"])}</span>'
                for r in around
                if r["kind"] == kind
            ]
        number = counted(task["papers"], "paper")
        cards.append(
            f'<div class="card"><h3>{escape(task["name"])} <span class="dim">{number}</span></h3>'
            f"<p>{' '.join(chips)}</p></div>"
        )
    return _section("The map of tasks", f'<div class="cards">{"".join(cards)}</div>', "task-map")


def _datasets(graph: Graph) -> str:
    rows = [(r["name"], r["papers"]) for r in graph.query(_TOP_DATASETS, limit=_TASKS)]
    return _section("The datasets most reported on", _bars(rows, "Dataset"), "papers-on-dataset") if rows else ""


def _review(graph: Graph) -> str:
    parts = []
    for recipe, title, rows in (
        ("low-confidence", "Edges of low confidence", _doubtful(graph)),
        ("ambiguous-names", "Names that stand for several things", _together(graph, "ambiguous-names", "canonical")),
        ("duplicates", "Entities that may be the same", _together(graph, "duplicates", "name")),
        ("several-names", "Entities with several names", _renamed(graph)),
    ):
        if rows:
            parts.append(
                f"<details open><summary>{escape(title)} <code>kg query {recipe}</code></summary>"
                f"{_table(rows, tuple(rows[0]), numbers=('papers', 'score'))}</details>"
            )
    return _section("What to review", "".join(parts) or '<p class="dim">Nothing stands out.</p>')


def _doubtful(graph: Graph) -> list[dict[str, Any]]:
    """The least sure edges, their ends by name."""
    rows = graph.query("low-confidence", limit=_REVIEW).to_dicts()
    ends = sorted({row[end] for row in rows for end in ("head", "tail")})
    called = {
        found["id"]: found["name"]
        for label in ("Paper", *ENTITY_TYPES)
        for found in (graph.query(_CALLED.replace("{label}", label), ids=ends).to_dicts() if ends else ())
    }
    return [
        {
            "edge": " ".join((called.get(r["head"]) or r["head"], "—", _spoken(r["relation"]), "→", called[r["tail"]])),
            "score": r["score"],
            "sentence": r["sentence"],
        }
        for r in rows
    ]


def _together(graph: Graph, recipe: str, name: str) -> list[dict[str, Any]]:
    """One row a name with all that go by it; those come first whose rarer bearers are in most papers."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in graph.query(recipe, limit=_CANDIDATES).to_dicts():
        key = (row["spelling"], row["type"]) if "spelling" in row else (row["name"], "")
        groups.setdefault(key, []).append(row)
    for bearers in groups.values():
        bearers.sort(key=lambda r: (-r["papers"], r["entity"]))
    best = sorted(groups.items(), key=lambda item: (-item[1][1]["papers"] if len(item[1]) > 1 else 0, item[0]))
    shown = []
    for (spelling, type_), bearers in best[:_REVIEW]:
        which = "; ".join(
            f"{r[name]} ({r['type'] + ', ' if not type_ else ''}{counted(r['papers'], 'paper')})"
            for r in bearers[:_REVIEW]
        )
        named = {"entities": which, "type": type_} if type_ else {"name": spelling, "stands for": which}
        shown.append(named | {"sentence": bearers[-1]["sentence"]})
    return shown


def _renamed(graph: Graph) -> list[dict[str, Any]]:
    """The entities with most names, in so many words."""
    rows = graph.query("several-names", limit=_REVIEW).to_dicts()
    return [
        {"name": r["name"], "type": r["type"], "papers": r["papers"], "also written": _some(r["aliases"])} for r in rows
    ]


def _some(names: Sequence[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + more


def _spoken(relation: str) -> str:
    return relation.lower().replace("_", " ")


def _section(title: str, body: str, recipe: str = "") -> str:
    source = f" <code>kg query {recipe}</code>" if recipe else ""
    return f"<section><h2>{escape(title)}{source}</h2>{body}</section>"


def _bars(rows: Sequence[tuple[str, int]], type_: str) -> str:
    most = max((n for _, n in rows), default=1)
    return (
        '<table class="bars">'
        + "".join(
            f'<tr><td>{escape(label)}</td><td class="bar">'
            f'<i class="{type_}" style="width:{max(0.5, 100 * n / most):.1f}%"></i></td><td class="n">{n:,}</td></tr>'
            for label, n in rows
        )
        + "</table>"
    )


def _table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, numbers: Sequence[str]) -> str:
    def shown(value: object) -> str:
        if isinstance(value, float):
            return f"{value:.2f}"
        if isinstance(value, int) and value >= 10_000:  # no year
            return f"{value:,}"
        return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else "" if value is None else str(value)

    head = "".join(f"<th{' class=n' if c in numbers else ''}>{escape(c)}</th>" for c in columns)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td{" class=n" if c in numbers else ""} data-label="{escape(c)}">{escape(shown(row.get(c)))}</td>'
            for c in columns
        )
        + "</tr>"
        for row in rows
    )
    return f'<table class="stack"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


_STYLE = """
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.7rem;margin:1.2rem 0}
.figures div{background:var(--card);border-radius:.6rem;padding:.7rem .9rem;border-left:.35rem solid var(--line)}
.figures .Paper{border-color:var(--paper)}.figures .Method{border-color:var(--method)}
.figures .Task{border-color:var(--task)}.figures .Dataset{border-color:var(--dataset)}
.figures b{display:block;font-size:1.5rem;line-height:1.2}.figures span{color:var(--dim);font-size:.85rem}
h2 code,summary code{font-size:.75rem;font-weight:400;color:var(--dim);margin-left:.5rem;white-space:nowrap}
h3{font-size:1rem;margin:0 0 .4rem}h3 .dim{font-weight:400;font-size:.85rem}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.8rem}
.card{background:var(--card);border-radius:.6rem;padding:.8rem .9rem}.card p{margin:0}
.card .chip{max-width:100%;overflow:hidden;text-overflow:ellipsis;margin:.1rem 0;vertical-align:bottom}
.stack td{overflow-wrap:anywhere}.stack td.n{overflow-wrap:normal}
.stack td.n,.stack th.n{padding-right:1.4rem}.stack td[data-label=sentence]{color:var(--dim);min-width:20rem}
.stack td:first-child{min-width:9rem}.stack td[data-label=type]{overflow-wrap:normal}
.bars td{border:0;padding:.15rem .6rem .15rem 0}.bars td:first-child{max-width:14rem}
.bars .bar{width:60%}.bars i{display:block;height:.85rem;border-radius:.2rem}
.bars i.Paper{background:var(--paper)}.bars i.Dataset{background:var(--dataset)}
td.heat{background:color-mix(in srgb,var(--method) var(--heat),transparent);padding-right:.4rem;border-radius:.2rem}
details{margin:.6rem 0 1.4rem}summary{cursor:pointer;font-weight:600}
@media(max-width:40rem){
  .stack thead{display:none}.stack tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}
  .stack td{display:block;border:0;padding:.05rem 0;text-align:left;min-width:0!important;white-space:normal}
  .stack td::before{content:attr(data-label) ": ";color:var(--dim);font-size:.8rem}
  .stack td:first-child{font-weight:600}
  .stack td:first-child::before,.stack td[data-label=sentence]::before{content:none}
  .stack td[data-label=sentence]{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;
    font-size:.88rem}
  .old{display:none}td.name{min-width:7rem}
}
"""
