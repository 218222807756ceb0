"""Measure a model folder: ``python -m training.evaluate FOLDER``.

abstracts  data/annotated/dev and gold-dev, through the whole of kg's extraction (kg.evaluate's figures)
scier      SciER's dev and test with its own head: entities, and relations end to end (RE: spans; RE+: types as well),
           at the relation threshold that is best on SciER's dev; each sentence on its own, and (by document) with
           one type for one name in a document, as kg reads abstracts
speed      abstracts a second on one thread, clean to record, and the seconds a load takes
"""

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kg.clean import clean
from kg.evaluate import read_gold, score
from kg.extract.record import record_from
from kg.names import fold
from kg.pipeline import load_pipeline
from kg.pipeline.entities import vote
from kg.pipeline.network import Floats, Network, softmax
from kg.pipeline.relations import best_relation
from kg.pipeline.scheme import RELATION_LABELS, bucket
from kg.pipeline.tags import Span, decode, viterbi
from kg.pipeline.words import Word
from kg.types import ENTITY_TYPES, Extraction, Paper
from training.examples import Example, document, read_rows, scier_documents

Fact = tuple[Span, str, Span]
Said = tuple[Span, str, Span, float]
THRESHOLDS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]


def abstracts(folder: Path, data: Path) -> dict[str, Any]:
    """kg.evaluate's figures on dev and gold-dev."""
    nlp = load_pipeline(folder)
    out = {}
    for name, path in (("dev", data / "annotated/dev.jsonl"), ("gold-dev", data.parent / "gold/gold-dev.jsonl")):
        gold = read_gold(path)
        records: list[Extraction] = []
        for paper in gold:
            cleaned = clean(paper.text)
            records.append(record_from(Paper(id=paper.id, abstract=paper.text), nlp(cleaned.text), cleaned, "x 0"))
        out[name] = {k: v for k, v in score(gold, records).as_dict().items() if isinstance(v, dict)}
    return out


class Sentence(NamedTuple):
    """One SciER sentence as the network reads it."""

    vectors: Floats
    words: Sequence[Word]
    spans: list[Span]
    certain: list[float]
    """The probability of each span."""


def _mentions(network: Network, example: Example) -> Sentence:
    encoding = network.encode(example.text)
    if not encoding.words:
        return Sentence(encoding.vectors, (), [], [])
    log_probs = np.log(softmax(encoding.tags) + 1e-9)
    tags = viterbi(log_probs)
    spans = decode(tags)
    certain = [float(np.exp(sum(log_probs[i, tags[i]] for i in range(a, b)))) for a, b, _ in spans]
    return Sentence(encoding.vectors, encoding.words, spans, certain)


def _vote(examples: list[Example], read: list[Sentence]) -> list[Sentence]:
    """One type for one name in each document."""
    out = list(read)
    by_document: dict[str, list[int]] = defaultdict(list)
    for n, example in enumerate(examples):
        by_document[document(example)].append(n)
    for members in by_document.values():
        named = []
        for n in members:
            words, text = read[n].words, examples[n].text
            for (a, b, label), p in zip(read[n].spans, read[n].certain, strict=True):
                named.append((fold(text[words[a].start : words[b - 1].end]), label, p))
        labels = iter(vote(named))
        for n in members:
            out[n] = out[n]._replace(spans=[(a, b, next(labels)) for a, b, _ in read[n].spans])
    return out


def _relations(network: Network, sentence: Sentence) -> list[Said]:
    """All candidate relations of one SciER sentence."""
    spans = sentence.spans
    pairs = [(i, j) for i in range(len(spans)) for j in range(i + 1, len(spans))]
    if not pairs:
        return []
    ends = np.array([(a, b - 1) for a, b, _ in spans], np.int64)
    types = np.array([ENTITY_TYPES.index(t) for _, _, t in spans], np.int64)
    gaps = np.array([(bucket(max(0, spans[j][0] - spans[i][1])), bucket(j - i - 1)) for i, j in pairs], np.int64)
    rows = network.relations(sentence.vectors, ends, types, np.array(pairs, np.int64), gaps).tolist()
    said: list[Said] = []
    for (i, j), row in zip(pairs, rows, strict=True):
        best = best_relation(row, spans[i][2], spans[j][2])
        if best:
            name, forward, p = best
            head, tail = (spans[i], spans[j]) if forward else (spans[j], spans[i])
            said.append((head, name, tail, p))
    return said


def _facts(example: Example) -> set[Fact]:
    facts = set()
    for (i, j), label in example.pairs.items():
        name = RELATION_LABELS[label]
        a, b = example.mentions[i], example.mentions[j]
        facts.add((a, name[:-1], b) if name.endswith(">") else (b, name[:-1], a))
    return facts


def scier(folder: Path, data: Path) -> dict[str, Any]:
    """Entity F1, RE and RE+ on SciER, exact spans, direction counted."""
    network = Network(folder, "scier")
    out: dict[str, Any] = {}
    at: dict[str, float] = {}
    for name in ("dev", "test"):
        path = data / f"scier/plm_{name}.jsonl"
        rows = read_rows(path)
        n_gold = sum(len(s) for row in rows for s in row["ner"])
        n_facts = sum(len(s) for row in rows for s in row["relations"])
        examples = list(scier_documents(path))
        alone = [_mentions(network, e) for e in examples]
        wanted = [_facts(e) for e in examples]
        for way, read in (("", alone), (" by document", _vote(examples, alone))):
            said = [_relations(network, sentence) for sentence in read]
            if name == "dev":
                at[way] = max(THRESHOLDS, key=partial(_f1, said, wanted, n_facts, True))
            right = sum(len(set(s.spans) & set(e.mentions)) for s, e in zip(read, examples, strict=True))
            out[name + way] = {
                "entities": round(200 * right / (sum(len(s.spans) for s in read) + n_gold), 2),
                "RE": _f1(said, wanted, n_facts, False, at[way]),
                "RE+": _f1(said, wanted, n_facts, True, at[way]),
                "threshold": at[way],
            }
    return out


def _f1(said: list[list[Said]], wanted: list[set[Fact]], n_wanted: int, typed: bool, threshold: float) -> float:
    """F1 of the relations that score at least the threshold, of spans alone or with their types."""
    cut = (lambda m: m) if typed else (lambda m: m[:2])
    right = n_said = 0
    for facts, gold in zip(said, wanted, strict=True):
        mine = {(cut(h), r, cut(t)) for h, r, t, p in facts if p >= threshold}
        right += len(mine & {(cut(h), r, cut(t)) for h, r, t in gold})
        n_said += len(mine)
    return round(200 * right / (n_said + n_wanted), 2)


def speed(folder: Path, data: Path, n: int) -> dict[str, float]:
    """Abstracts a second on this thread, and seconds to load in a fresh process."""
    nlp = load_pipeline(folder)
    texts = [row["text"] for row in read_rows(data / "annotated/train.jsonl")[:n]]
    nlp(texts[0])
    began = time.perf_counter()
    for number, text in enumerate(texts):
        cleaned = clean(text)
        record_from(Paper(id=str(number), abstract=text), nlp(cleaned.text), cleaned, "x 0")
    took = time.perf_counter() - began
    code = (
        "import time; t = time.perf_counter(); import sys; "
        "from kg.pipeline import load_pipeline; load_pipeline(sys.argv[1]); print(time.perf_counter() - t)"
    )
    load = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True).stdout
    size = sum(p.stat().st_size for p in folder.iterdir()) / 1e6
    return {"abstracts/s": round(n / took, 1), "load s": round(float(load), 2), "MB": round(size, 1)}


def main() -> None:
    """Parse the arguments, measure, print and keep the scores in meta.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--speed", type=int, default=200, metavar="N", help="abstracts to time (0: none)")
    parser.add_argument("--keep", action="store_true", help="write the figures into meta.json")
    args = parser.parse_args()
    figures: dict[str, Any] = {"abstracts": abstracts(args.folder, args.data), "scier": scier(args.folder, args.data)}
    if args.speed:
        figures["speed"] = speed(args.folder, args.data, args.speed)
    for name, rows in figures["abstracts"].items():
        for row, f in rows.items():
            print(f"{name:9} {row:20} P {f['p']:6.2f} R {f['r']:6.2f} F1 {f['f1']:6.2f}  ({f['predicted']} said)")
    print(json.dumps({k: v for k, v in figures.items() if k != "abstracts"}))
    if args.keep:
        path = args.folder / "meta.json"
        meta = json.loads(path.read_text(encoding="utf8"))
        meta["scores"] = {
            **{
                name: {row: rows[row]["f1"] for row in ("mentions", "paper triples", "entity triples")}
                for name, rows in figures["abstracts"].items()
            },
            **{f"SciER {k}": v for k, v in figures["scier"].items()},
            **({"speed": figures["speed"]} if "speed" in figures else {}),
        }
        path.write_text(json.dumps(meta, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
