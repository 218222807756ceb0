"""Let trained models label abstracts: ``python -m training.label CHECKPOINT... OUT.jsonl --papers FILE --limit N``.

Writes probabilities, which say more than the likeliest label (Hinton et al., 2015), for ``training.train --labelled``:
of each word's tags by both heads, of the relations between the mentions found, of their entities' roles; of several
models the mean, which is more often right than any of them. An abstract whose mentions are on average less certain
than ``--certain`` is left out. Goes on where an earlier run stopped.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from tokenizers import Tokenizer

from kg.clean import clean
from kg.names import canonical
from kg.pipeline.abbreviations import find_abbreviations
from kg.pipeline.tags import TAGS, decode, viterbi
from kg.pipeline.words import split_words
from kg.types import EntityType
from training.batches import collate, groups
from training.examples import Example, candidate_pairs, packed, read_rows, sentence_words
from training.model import DOMAINS, JointModel, load_tokenizer

Reader = tuple[JointModel, Tokenizer]


def papers(path: Path) -> Iterator[dict[str, Any]]:
    """Rows with ``id`` and ``abstract`` of a JSONL file, gzipped or not."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in text.decode("utf8").split("\n"):
        row = json.loads(line) if line else {}
        if len(row.get("abstract") or "") > 300:
            yield row


def _blank(id: str, abstract: str) -> Example:
    text = clean(abstract).text
    words = split_words(text)
    return Example(id, "abstracts", text, words, [], [], sentence_words(text, words))


def load(checkpoint: Path) -> Reader:
    """A trained model with its tokenizer."""
    state = torch.load(checkpoint, weights_only=False)
    model = JointModel(state["encoder"], pretrained=False)
    model.load_state_dict(state["average"])
    model.eval()
    return model, load_tokenizer(state["encoder"])


@torch.no_grad()
def label(readers: list[Reader], group: list[Example], certain: float) -> Iterator[dict[str, Any]]:
    """Labelled rows of one group of unlabelled texts."""
    read: list[torch.Tensor] = []
    tags = {head: np.zeros((sum(len(e.words) for e in group), len(TAGS)), np.float32) for head in DOMAINS}
    for model, tokenizer in readers:
        batch, _ = collate(group, tokenizer)
        with torch.autocast("cpu", torch.bfloat16):
            read.append(model.words(batch))
        for head in DOMAINS:
            tags[head] += model.tags[head](read[-1], batch.word_shapes).softmax(-1).numpy() / len(readers)
    start = 0
    for example in group:
        place = slice(start, start + len(example.words))
        start = place.stop
        own = np.log(tags["abstracts"][place] + 1e-9)
        best = viterbi(own)
        example.mentions = decode(best)
        inside = [float(own[i, best[i]]) for a, b, _ in example.mentions for i in range(a, b)]
        if inside and np.mean(inside) >= np.log(certain):
            example.clusters = _clusters(example)
            yield {
                "id": example.id,
                "text": example.text,
                "mentions": example.mentions,
                "clusters": example.clusters,
                "tags": {head: packed(rows[place]) for head, rows in tags.items()},
                **_heads(readers, example, [words[place] for words in read]),
            }


def _clusters(example: Example) -> list[int]:
    """Mentions of one type and name are one entity, the short forms that the text defines under their long form."""
    text = example.text
    long_forms = {text[a:b]: text[c:d] for a, b, c, d in find_abbreviations(text)}
    names: dict[tuple[str, str], int] = {}
    clusters = []
    for a, b, kind in example.mentions:
        surface = text[example.words[a].start : example.words[b - 1].end]
        name = canonical(long_forms.get(surface, surface), cast(EntityType, kind))
        clusters.append(names.setdefault((kind, name), len(names)))
    return clusters


def _heads(readers: list[Reader], example: Example, read: list[torch.Tensor]) -> dict[str, Any]:
    """Probabilities of the pairs' relations and of the entities' roles."""
    example.roles = {}
    pairs, roles = [], []
    for (model, tokenizer), words in zip(readers, read, strict=True):
        batch, targets = collate([example], tokenizer)
        relation_scores, role_scores = model.heads(words, batch, "abstracts")
        pairs.append(relation_scores.softmax(-1))
        roles.append(torch.stack([torch.logsumexp(role_scores[m], 0).sigmoid() for m in targets.members]))
    return {
        "pairs": [
            [i, j, [round(p, 3) for p in row]]
            for (i, j), row in zip(candidate_pairs(example), torch.stack(pairs).mean(0).tolist(), strict=True)
        ],
        "roles": [[round(p, 3) for p in row] for row in torch.stack(roles).mean(0).tolist()],
    }


def main() -> None:
    """Parse the arguments and label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--papers", type=Path, default=Path("../shared/corpora/abstracts.jsonl.gz"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int, default=3000)
    parser.add_argument("--certain", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seen", type=Path, nargs="*", default=[], help="earlier files, whose abstracts to leave out")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    readers = [load(checkpoint) for checkpoint in args.checkpoints]
    seen = set()
    for path in (args.data / "annotated/train.jsonl", args.data / "annotated/dev.jsonl"):
        seen |= {" ".join(row["text"].split()) for row in read_rows(path)}
    done = {row["id"] for row in read_rows(args.out)} if args.out.exists() else set()
    earlier = {row["id"] for path in args.seen for row in read_rows(path)}
    wanted = [r for r in papers(args.papers) if r["id"] not in earlier and " ".join(r["abstract"].split()) not in seen]
    random.Random(args.seed).shuffle(wanted)
    blanks = [_blank(r["id"], r["abstract"]) for r in wanted[: args.limit] if r["id"] not in done]
    written = 0
    with args.out.open("a", encoding="utf8") as out:
        for group in groups(blanks, 4000, random.Random(args.seed)):
            for row in label(readers, group, args.certain):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                written += 1
            out.flush()
    print(f"{written} abstracts labelled, {len(blanks) - written} left out as uncertain")


if __name__ == "__main__":
    main()
