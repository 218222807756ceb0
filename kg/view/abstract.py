"""A paper's abstract as it was read, its mentions marked and the claims drawn between them as arcs."""

import json
from collections.abc import Iterator, Sequence

from kg.graph import Claim, Graph, PaperCard
from kg.types import Mention
from kg.view.page import Page, document, escape


def view_paper(graph: Graph, ref: str) -> Page:
    """The picture of one paper; ``ref`` is its id, another identifier or its title.

    Raises NotFoundError, which suggests the nearest, where there is no such paper.
    """
    card = graph.paper(ref)
    place = ", ".join(str(part) for part in (card.venue, card.year) if part)
    marks = _outermost(card.mentions)
    entity_of = _entities(card, marks)
    arcs = list(_arcs(card.claims, marks, entity_of))
    lead = " · ".join(escape(part) for part in (place, card.id, card.extractor) if part)
    link = f' · <a href="{escape(card.url)}">source</a>' if (card.url or "").startswith(("http://", "https://")) else ""
    body = f"""<h1>{escape(card.title or card.id)}</h1>
<p class="lead">{lead}{link}</p>
<p>{"".join(f'<span class="chip {t}">{t}</span> ' for t in ("Method", "Task", "Dataset"))}</p>
<div id="text"><svg id="arcs" aria-hidden="true"></svg>{_marked(card, marks, entity_of)}</div>
<h2>What it says ({len(card.claims)})</h2>
{_claims(card.claims)}
<script type="application/json" id="data">{_json(arcs)}</script>"""
    return document(card.title or card.id, body, style=_STYLE, script=_SCRIPT)


def _outermost(mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions in the order of the text without those inside another one: HTML marks cannot overlap."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _entities(card: PaperCard, marks: Sequence[Mention]) -> list[Claim | None]:
    """The MENTIONS edge behind each mark: the entity that its words stand for in the whole graph."""
    by_surface = {(c.tail_type, s.casefold()): c for c in card.entities for s in (*c.surfaces, c.tail_name)}
    return [
        next(
            (
                by_surface[m.type, word.casefold()]
                for word in (m.text, m.name, m.entity)
                if (m.type, word.casefold()) in by_surface
            ),
            None,
        )
        for m in marks
    ]


def _marked(card: PaperCard, marks: Sequence[Mention], entity_of: Sequence[Claim | None]) -> str:
    roles: dict[str, list[str]] = {}
    for claim in card.claims:
        if claim.head_type == "Paper":
            roles.setdefault(claim.tail, []).append(claim.relation)
    parts, at = [], 0
    for i, (mention, entity) in enumerate(zip(marks, entity_of, strict=True)):
        said = sorted(set(roles.get(entity.tail, ()))) if entity else []
        name = entity.tail_name if entity else mention.entity
        tip = f"{name} · {mention.type} · {mention.score:.2f}"
        label = " · ".join(r.lower().replace("_", " ") for r in said) or mention.type.lower()
        parts.append(escape(card.abstract[at : mention.start]))
        parts.append(
            f'<mark class="{mention.type}" id="m{i}" title="{escape(tip)}">'
            f"{escape(mention.text)}<small>{escape(label)}</small></mark>"
        )
        at = mention.end
    return "".join(parts) + escape(card.abstract[at:])


def _arcs(
    claims: Sequence[Claim], marks: Sequence[Mention], entity_of: Sequence[Claim | None]
) -> Iterator[dict[str, object]]:
    """For each claim between two entities, the two marks nearest to each other in its sentence."""
    for number, claim in enumerate(claims):
        inside = [i for i, m in enumerate(marks) if claim.start <= m.start < claim.end and entity_of[i] is not None]
        heads = [i for i in inside if (e := entity_of[i]) and e.tail == claim.head]
        tails = [i for i in inside if (e := entity_of[i]) and e.tail == claim.tail]
        if heads and tails:
            head, tail = min(((h, t) for h in heads for t in tails), key=lambda pair: (abs(pair[0] - pair[1]), pair))
            yield {"claim": number, "from": head, "to": tail, "label": claim.relation.lower().replace("_", " ")}


def _claims(claims: Sequence[Claim]) -> str:
    rows = "".join(
        f'<li data-claim="{i}" tabindex="0"><b>{escape(c.head_name)}</b> '
        f'<span class="rel">{escape(c.relation.lower().replace("_", " "))}</span> '
        f'<span class="chip {c.tail_type}">{escape(c.tail_name)}</span> <span class="dim">{c.score:.2f}</span>'
        f"<q>{escape(c.sentence)}</q></li>"
        for i, c in enumerate(claims)
    )
    return f'<ol id="claims">{rows}</ol>' if rows else "<p class='dim'>No claim was found in it.</p>"


def _json(value: object) -> str:
    """JSON inside a script element, where ``</`` would end it."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


_STYLE = """
#text{position:relative;white-space:pre-wrap;overflow-wrap:anywhere;font-size:1.06rem;line-height:3.1;
  padding:1.2rem 1.1rem .4rem;background:var(--card);border-radius:.6rem}
mark{position:relative;color:inherit;border-radius:.35em;padding:.18em .3em;background:transparent;
  -webkit-box-decoration-break:clone;box-decoration-break:clone}
mark.Method{background:color-mix(in srgb,var(--method) 32%,transparent)}
mark.Task{background:color-mix(in srgb,var(--task) 36%,transparent)}
mark.Dataset{background:color-mix(in srgb,var(--dataset) 36%,transparent)}
mark small{font-size:.62em;font-weight:700;letter-spacing:.03em;text-transform:uppercase;margin-left:.5em;opacity:.75;
  white-space:nowrap}
mark.on{outline:2px solid var(--ink)}
#arcs{position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:visible}
#arcs path{fill:none;stroke:var(--dim);stroke-width:1.4;opacity:.55}
#arcs text{fill:var(--dim);font-size:11px;font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:4px}
#arcs g.on path{stroke:var(--ink);stroke-width:2.2;opacity:1}
#arcs g.on text{fill:var(--ink)}
#claims{padding-left:1.4rem}
#claims li{margin:.55rem 0;padding:.15rem .3rem;border-radius:.3rem}
#claims li.on,#claims li:focus{background:var(--card);outline:none}
#claims .chip{white-space:normal;overflow-wrap:anywhere;border-radius:.8em;line-height:1.4}
#claims q{display:block;color:var(--dim);font-size:.9rem}
.rel{font-size:.78rem;font-weight:700;letter-spacing:.03em;text-transform:uppercase;color:var(--dim)}
@media(max-width:40rem){#text{font-size:1rem;line-height:2.9;padding:1rem .7rem .2rem}#arcs text{font-size:9.5px}}
"""

_SCRIPT = """
const arcs = JSON.parse(document.getElementById('data').textContent);
const box = document.getElementById('text'), svg = document.getElementById('arcs');
const NS = 'http://www.w3.org/2000/svg';
function make(name, attributes, parent) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}
function draw() {
  svg.replaceChildren();
  const defs = make('defs', {}, svg);
  const marker = make('marker', {id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
    orient: 'auto-start-reverse'}, defs);
  make('path', {d: 'M0,0L8,4L0,8z', style: 'fill:var(--dim);stroke:none;opacity:1'}, marker);
  const origin = box.getBoundingClientRect();
  arcs.forEach((arc, i) => {
    const a = document.getElementById('m' + arc.from).getClientRects()[0];
    const b = document.getElementById('m' + arc.to).getClientRects()[0];
    const shift = (i % 3) * 5 - 5;
    const x1 = a.left + a.width / 2 - origin.left + shift, y1 = a.top - origin.top;
    const x2 = b.left + b.width / 2 - origin.left + shift, y2 = b.top - origin.top;
    const lift = Math.min(26, 13 + Math.abs(x2 - x1) / 28);
    const g = make('g', {'data-claim': arc.claim}, svg);
    const d = `M${x1},${y1}C${x1},${y1 - lift} ${x2},${y2 - lift} ${x2},${y2 - 1}`;
    make('path', {d, 'marker-end': 'url(#tip)'}, g);
    // Between lines the middle of an arc lies on other words; there the label stands beside the tip.
    const sameLine = Math.abs(y2 - y1) < 5, right = x2 < origin.width - 110;
    const at = sameLine ? {x: (x1 + x2) / 2, y: y1 - lift * 0.75 - 1, 'text-anchor': 'middle'}
      : {x: right ? x2 + 8 : x2 - 8, y: y2 - 5, 'text-anchor': right ? 'start' : 'end'};
    const text = make('text', at, g);
    text.textContent = arc.label;
  });
}
function light(claim, on) {
  document.querySelectorAll(`[data-claim="${claim}"]`).forEach(e => e.classList.toggle('on', on));
  arcs.filter(a => a.claim == claim).forEach(a =>
    [a.from, a.to].forEach(m => document.getElementById('m' + m).classList.toggle('on', on)));
}
document.querySelectorAll('#claims li').forEach(li => {
  const claim = li.dataset.claim;
  for (const event of ['mouseenter', 'focus']) li.addEventListener(event, () => light(claim, true));
  for (const event of ['mouseleave', 'blur']) li.addEventListener(event, () => light(claim, false));
});
addEventListener('resize', draw);
draw();
document.fonts?.ready.then(draw);
"""
