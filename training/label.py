"""Let a trained model label abstracts: ``python -m training.label CHECKPOINT OUT.jsonl --papers FILE --limit N``.

Writes what the annotated abstracts look like, so that ``training.train --labelled OUT.jsonl`` reads it. Mentions come
from the abstracts' tag head, relations and roles from their heads at probability 0.5; an abstract whose mentions are on
average less certain than ``--certain`` is left out. Goes on where an earlier run stopped.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from kg.clean import clean
from kg.names import canonical
from kg.pipeline.abbreviations import find_abbreviations
from kg.pipeline.relations import best_relation
from kg.pipeline.scheme import ROLE_LABELS
from kg.pipeline.scheme import ROLES as ROLE_TYPES
from kg.pipeline.tags import decode, viterbi
from kg.pipeline.words import split_words
from training.batches import collate, groups
from training.examples import RELATION_NAMES, Example, candidate_pairs, read_rows, sentence_words
from training.model import JointModel, load_tokenizer

NAMES = {ours: theirs for theirs, ours in RELATION_NAMES.items()}


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


@torch.no_grad()
def label(model: JointModel, tokenizer: Tokenizer, group: list[Example], certain: float) -> Iterator[dict[str, Any]]:
    """Labelled rows of one group of unlabelled texts."""
    batch, _ = collate(group, tokenizer)
    with torch.autocast("cpu", torch.bfloat16):
        words = model.words(batch)
    tags = model.tags["abstracts"](words, batch.word_shapes).log_softmax(-1).numpy()
    start = 0
    for example in group:
        part = tags[start : start + len(example.words)]
        best = viterbi(part)
        example.mentions = decode(best)
        inside = [float(part[i, best[i]]) for a, b, _ in example.mentions for i in range(a, b)]
        own = words[start : start + len(example.words)]
        start += len(example.words)
        if not inside or sum(inside) / len(inside) < torch.log(torch.tensor(certain)):
            continue
        yield _row(model, tokenizer, example, _group_names(example), own)


def _group_names(example: Example) -> list[tuple[str, str]]:
    """(type, name) of the entities, the short forms that the text defines under their long form."""
    text = example.text
    long_forms = {text[a:b]: text[c:d] for a, b, c, d in find_abbreviations(text)}
    names: dict[tuple[str, str], int] = {}
    example.clusters = []
    for a, b, kind in example.mentions:
        surface = text[example.words[a].start : example.words[b - 1].end]
        name = canonical(long_forms.get(surface, surface), kind)
        example.clusters.append(names.setdefault((kind, name), len(names)))
    example.roles = {}
    return list(names)


def _row(
    model: JointModel, tokenizer: Tokenizer, example: Example, names: list[tuple[str, str]], words: torch.Tensor
) -> dict[str, Any]:
    batch, targets = collate([example], tokenizer)
    relations, roles = model.heads(words, batch, "abstracts")
    place = [(example.words[a].start, example.words[b - 1].end) for a, b, _ in example.mentions]
    sentences = [(example.words[a].start, example.words[b - 1].end) for a, b in example.sentences]
    found = []
    for (i, j), row in zip(candidate_pairs(example), relations.softmax(-1).tolist(), strict=True):
        best = best_relation(row, example.mentions[i][2], example.mentions[j][2])
        if best is None or best[2] < 0.5:
            continue
        h, t = (i, j) if best[1] else (j, i)
        s = next(s for s in sentences if s[0] <= place[i][0] < s[1])
        found.append(
            {
                "head": names[example.clusters[h]][1],
                "head_type": names[example.clusters[h]][0],
                "relation": NAMES[best[0]],
                "tail": names[example.clusters[t]][1],
                "tail_type": names[example.clusters[t]][0],
                "sentence_start": s[0],
                "sentence_end": s[1],
                "head_text": example.text[slice(*place[h])],
                "tail_text": example.text[slice(*place[t])],
            }
        )
    said = []
    for members in targets.members:
        kind, name = names[example.clusters[members[0]]]
        score = torch.logsumexp(roles[members], 0)
        said += [
            {"relation": role, "type": kind, "canonical": name}
            for k, role in enumerate(ROLE_LABELS)
            if kind in ROLE_TYPES[role] and score[k] > 0
        ]
    entities = [
        {
            "start": start,
            "end": end,
            "text": example.text[start:end],
            "norm": example.text[start:end],
            "type": kind,
            "canonical": names[c][1],
        }
        for (start, end), (_, _, kind), c in zip(place, example.mentions, example.clusters, strict=True)
    ]
    return {
        "id": example.id,
        "text": example.text,
        "entities": entities,
        "paper_relations": said,
        "relations": found,
    }


def main() -> None:
    """Parse the arguments and label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--papers", type=Path, default=Path("../shared/corpora/abstracts.jsonl.gz"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int, default=3000)
    parser.add_argument("--certain", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    state = torch.load(args.checkpoint, weights_only=False)
    model = JointModel(state["encoder"], pretrained=False)
    model.load_state_dict(state["average"])
    model.eval()
    tokenizer = load_tokenizer(state["encoder"])
    seen = set()
    for path in (args.data / "annotated/train.jsonl", args.data / "annotated/dev.jsonl"):
        seen |= {" ".join(row["text"].split()) for row in read_rows(path)}
    done = {row["id"] for row in read_rows(args.out)} if args.out.exists() else set()
    wanted = [r for r in papers(args.papers) if " ".join(r["abstract"].split()) not in seen]
    random.Random(args.seed).shuffle(wanted)
    blanks = [_blank(r["id"], r["abstract"]) for r in wanted[: args.limit] if r["id"] not in done]
    written = 0
    with args.out.open("a", encoding="utf8") as out:
        for group in groups(blanks, 4000, random.Random(args.seed)):
            for row in label(model, tokenizer, group, args.certain):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                written += 1
            out.flush()
    print(f"{written} abstracts labelled, {len(blanks) - written} left out as uncertain")


if __name__ == "__main__":
    main()
