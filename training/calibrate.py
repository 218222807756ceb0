"""Fit calibration and thresholds of a model folder: ``python -m training.calibrate FOLDER``.

Runs the exported pipeline, everything kept, over data/annotated/dev; each mention, relation and role it says is right
or wrong there. Platt scaling then turns its log-odds into probabilities, and each label gets the threshold that is
best for its F1. Nothing else is ever fitted on dev. Both go into ``meta.json``.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.clean import clean
from kg.names import fold
from kg.pipeline import load_pipeline
from kg.pipeline.calibration import log_odds, probability
from kg.pipeline.network import load_network
from kg.pipeline.scheme import RELATIONS, ROLES
from kg.types import ENTITY_TYPES
from training.examples import RELATION_NAMES, read_rows

Row = tuple[str, list[float], bool]
"""Label, log-odds, and whether it was right."""
SYNONYM = 0.95
"""Threshold of SYNONYM_OF: it merges mentions, and a wrong merge costs more than a missed one."""
LOWEST = 0.25
"""No threshold lies below: what is three times more likely wrong than right is no edge, whatever F1 says."""


def neutral(folder: Path) -> dict[str, Any]:
    """Write a meta.json that keeps everything, scores untouched; returns it."""
    path = folder / "meta.json"
    meta: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
    meta["calibration"] = {
        "mention": {t: [1.0, 0.0] for t in ENTITY_TYPES},
        "relation": {r: [1.0, 0.0, 0.0, 0.0] for r in RELATIONS},
        "role": {r: [1.0, 0.0, 0.0] for r in ROLES},
    }
    meta["thresholds"] = {
        "relation": {r: SYNONYM if r == "SYNONYM_OF" else 0.0 for r in RELATIONS},
        "role": dict.fromkeys(ROLES, 0.0),
    }
    path.write_text(json.dumps(meta, indent=1) + "\n", encoding="utf8")
    return meta


def observe(nlp: Language, gold: list[dict[str, Any]]) -> dict[str, list[Row]]:
    """What the pipeline says of annotated abstracts, and whether it is right."""
    rows: dict[str, list[Row]] = {"mention": [], "relation": [], "role": []}
    for paper in gold:
        cleaned = clean(paper["text"])
        doc = nlp(cleaned.text)
        spans = {(*cleaned.to_clean(e["start"], e["end"]), e["type"]) for e in paper["entities"]}
        for ent in doc.ents:
            right = (ent.start_char, ent.end_char, ent.label_) in spans
            rows["mention"].append((ent.label_, [log_odds(ent._.score)], right))
        _observe_facts(doc, paper, rows)
    return rows


def _observe_facts(doc: Doc, paper: dict[str, Any], rows: dict[str, list[Row]]) -> None:
    theirs: dict[tuple[str, str], set[str]] = defaultdict(set)
    for e in paper["entities"]:
        theirs[e["type"], e["canonical"]] |= {fold(e["canonical"]), fold(e["norm"])}
    clusters = doc._.clusters
    ours = [(c.label, {fold(m.text) for m in c.mentions}) for c in clusters]
    owner = {m.start: k for k, c in enumerate(clusters) for m in c.mentions}

    def same(k: int, name: tuple[str, str]) -> bool:
        return ours[k][0] == name[0] and bool(ours[k][1] & theirs[name])

    facts = [
        (RELATION_NAMES[r["relation"].lower()], (r["head_type"], r["head"]), (r["tail_type"], r["tail"]))
        for r in paper["relations"]
    ]
    best: dict[tuple[int, str, int], list[float]] = {}
    for r in doc._.relations:
        if r.relation == "SYNONYM_OF":
            continue
        key = (owner[r.head.start], r.relation, owner[r.tail.start])
        features = [log_odds(r.score), log_odds(r.head._.score), log_odds(r.tail._.score)]
        if key[0] != key[2] and (key not in best or sum(features) > sum(best[key])):
            best[key] = features
    for (h, relation, t), features in best.items():
        right = any(
            name == relation
            and ((same(h, a) and same(t, b)) or (name == "COMPARES_WITH" and same(h, b) and same(t, a)))
            for name, a, b in facts
        )
        rows["relation"].append((relation, features, right))
    for role in doc._.roles:
        k = owner[role.mentions[0].start]
        certain = max(m._.score for m in role.mentions)
        right = any(
            p["relation"] == role.role and same(k, (p["type"], p["canonical"])) for p in paper["paper_relations"]
        )
        rows["role"].append((role.role, [log_odds(role.score), log_odds(certain)], right))


def fit(rows: list[Row], labels: list[str]) -> dict[str, list[float]]:
    """Logistic regression with weights shared by all labels and an intercept of each (Newton's method, ridge)."""
    n_features = len(rows[0][1])
    x = np.array([[*f, *(float(label == name) for name in labels)] for label, f, _ in rows])
    y = np.array([float(right) for _, _, right in rows])
    w = np.zeros(x.shape[1])
    w[0] = 1.0
    centre = w.copy()
    ridge = np.array([0.01] * n_features + [1.0] * len(labels))

    def loss(v: Any) -> float:
        z = x @ v
        return float((np.logaddexp(0, z) - y * z).sum() + (ridge * (v - centre) ** 2).sum() / 2)

    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - y) + ridge * (w - centre)
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step, size = np.linalg.solve(hessian, gradient), 1.0
        # A whole step can overshoot where the start says nearly 0 or 1 of everything
        while loss(w - size * step) > loss(w) and size > 1e-4:
            size /= 2
        w -= size * step
    shared = [round(float(v), 4) for v in w[:n_features]]
    return {name: [*shared, round(float(w[n_features + k]), 4)] for k, name in enumerate(labels)}


def threshold(scores: list[tuple[float, bool]], n_gold: int) -> float:
    """The score from which on keeping edges gives the best F1."""
    ranked = sorted(scores, reverse=True)
    best, right, at = 0.0, 0, 0.5
    for kept, (score, good) in enumerate(ranked, 1):
        right += good
        f1 = 2 * right / (kept + n_gold)
        if f1 > best:
            following = ranked[kept][0] if kept < len(ranked) else score
            best, at = f1, (score + following) / 2
    return round(max(LOWEST, min(0.9, at)), 3)


def reliability(scored: list[tuple[float, bool]]) -> list[dict[str, float]]:
    """How often scores of each tenth were right."""
    out = []
    for low in (0.0, 0.3, 0.5, 0.7, 0.8, 0.9):
        high = {0.0: 0.3, 0.3: 0.5, 0.5: 0.7, 0.7: 0.8, 0.8: 0.9, 0.9: 1.01}[low]
        inside = [(s, r) for s, r in scored if low <= s < high]
        if inside:
            right = sum(r for _, r in inside) / len(inside)
            mean = sum(s for s, _ in inside) / len(inside)
            out.append({"from": low, "n": len(inside), "score": round(mean, 3), "right": round(right, 3)})
    return out


def calibrate(folder: Path, data: Path) -> None:
    """Fit and write; prints how scores and truth agree on dev and on gold-dev."""
    meta = neutral(folder)
    nlp = load_pipeline(folder)
    dev, check = read_rows(data / "annotated/dev.jsonl"), read_rows(data.parent / "gold/gold-dev.jsonl")
    rows, checked = observe(nlp, dev), observe(nlp, check)
    # Mentions first: their scores are what relations and roles then build on
    meta["calibration"]["mention"] = fit(rows["mention"], list(ENTITY_TYPES))
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf8")
    load_network(str(folder)).meta.update(meta)
    nlp = load_pipeline(folder)
    rows, checked = observe(nlp, dev), observe(nlp, check)
    n_gold = defaultdict(int)
    for paper in dev:
        for r in paper["relations"]:
            n_gold["relation", RELATION_NAMES[r["relation"].lower()]] += 1
        for r in paper["paper_relations"]:
            n_gold["role", r["relation"]] += 1
    report: dict[str, Any] = {
        "mention": {
            "dev": reliability([(probability(f[0]), right) for _, f, right in rows["mention"]]),
            "gold-dev": reliability([(probability(f[0]), right) for _, f, right in checked["mention"]]),
        }
    }
    for kind, labels in (("relation", [r for r in RELATIONS if r != "SYNONYM_OF"]), ("role", list(ROLES))):
        weights = fit(rows[kind], labels)
        meta["calibration"][kind].update(weights)

        def scored(source: list[Row], weights: dict[str, list[float]] = weights) -> list[tuple[str, float, bool]]:
            return [
                (name, probability(weights[name][-1] + sum(w * v for w, v in zip(weights[name], f, strict=False))), ok)
                for name, f, ok in source
            ]

        on_dev, on_check = scored(rows[kind]), scored(checked[kind])
        for name in labels:
            mine = [(s, ok) for label, s, ok in on_dev if label == name]
            enough = n_gold[kind, name] >= 20
            pool = mine if enough else [(s, ok) for _, s, ok in on_dev]
            total = n_gold[kind, name] if enough else sum(v for (k, _), v in n_gold.items() if k == kind)
            meta["thresholds"][kind][name] = threshold(pool, total)
        report[kind] = {
            "dev": reliability([(s, ok) for _, s, ok in on_dev]),
            "gold-dev": reliability([(s, ok) for _, s, ok in on_check]),
        }
    meta["calibration"]["relation"]["SYNONYM_OF"] = [1.0, 0.0, 0.0, 0.0]
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf8")
    print(json.dumps({"thresholds": meta["thresholds"], "calibration": meta["calibration"]}, indent=1))
    for kind, sets in report.items():
        for name, table in sets.items():
            print(
                kind,
                name,
                *(f"{r['from']}+: {r['score']} said, {r['right']} right ({r['n']})" for r in table),
                sep="\n  ",
            )


def main() -> None:
    """Parse the arguments and calibrate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    args = parser.parse_args()
    calibrate(args.folder, args.data)


if __name__ == "__main__":
    main()
