"""Examples as batches of tensors."""

import random
from collections.abc import Iterator

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from kg.pipeline.scheme import RELATION_LABELS, ROLE_LABELS, bucket
from kg.pipeline.tags import TAGS, encode
from kg.pipeline.words import shape
from kg.types import ENTITY_TYPES
from training.examples import IGNORE, Example, Probabilities, candidate_pairs, mask_words
from training.model import DOMAINS, Batch

LIMIT = 512


def groups(examples: list[Example], budget: int, rng: random.Random | None) -> Iterator[list[Example]]:
    """Groups of texts of like length with at most ``budget`` words (padding counted), in random order."""
    order = sorted(examples, key=lambda e: len(e.words) * (1 + (rng.random() * 0.2 if rng else 0)))
    made: list[list[Example]] = []
    current: list[Example] = []
    for example in order:
        if current and len(example.words) * (len(current) + 1) > budget:
            made.append(current)
            current = []
        current.append(example)
    if current:
        made.append(current)
    if rng:
        rng.shuffle(made)
    yield from made


class Targets:
    """What the model should say for a batch."""

    def __init__(self) -> None:
        self.tags: dict[str, Tensor] = {}
        """Words x TAGS, by tag head: probabilities, or zeros where nothing is known."""
        self.word_weights: list[float] = []
        self.pairs = torch.zeros(0, len(RELATION_LABELS))
        """Pairs x RELATION_LABELS, the same."""
        self.entity: list[int] = []
        self.roles: list[list[float]] = []
        self.members: list[list[int]] = []


def _tags(example: Example, head: str) -> Probabilities:
    """Words x TAGS: what annotators or a teacher say, zeros where neither spoke in this head's convention."""
    if head in example.soft_tags:
        return example.soft_tags[head]
    rows = np.zeros((len(example.words), len(TAGS)), np.float32)
    if head == example.source:
        rows[range(len(rows)), encode(example.mentions, len(rows))] = 1
    return rows


def _pair(label: int | Probabilities) -> Probabilities:
    if not isinstance(label, int):
        return label
    row = np.zeros(len(RELATION_LABELS), np.float32)
    if label != IGNORE:
        row[label] = 1
    return row


def collate(
    examples: list[Example],
    tokenizer: Tokenizer,
    mask_rate: float = 0.0,
    noise: list[list[tuple[int, int, str]]] | None = None,
    rng: random.Random | None = None,
) -> tuple[Batch, Targets]:
    """One batch. ``noise`` holds, a text, spans that are no mentions, with which the heads learn to live."""
    rows: list[tuple[list[int], list[int]]] = []
    word_at: list[tuple[int, int]] = []
    word_shapes: list[int] = []
    spans: list[tuple[int, int]] = []
    types: list[int] = []
    pairs: list[tuple[int, int]] = []
    distances: list[tuple[int, int]] = []
    around: list[tuple[int, int]] = []
    places: list[tuple[int, int, int]] = []
    targets = Targets()
    wanted_pairs: list[Probabilities] = []
    first_word = 0
    mask = "<mask>" if tokenizer.token_to_id("[MASK]") is None else "[MASK]"
    for n, example in enumerate(examples):
        surface = [w.text for w in example.words]
        shapes = [shape(w) for w in surface]
        shown = mask_words(surface, mask_rate, mask, rng) if rng and mask_rate else surface
        encoded = tokenizer.encode(shown, is_pretokenized=True)
        pieces = encoded.ids[:LIMIT]
        piece_shapes = [shapes[w] if w is not None else 0 for w in encoded.word_ids[:LIMIT]]
        at = [0] * len(surface)
        for p, w in reversed(list(enumerate(encoded.word_ids[:LIMIT]))):
            if w is not None:
                at[w] = p
        rows.append((pieces, piece_shapes))
        word_at += [(n, p) for p in at]
        word_shapes += shapes
        targets.word_weights += [example.weight if p else 0.0 for p in at]

        mentions = list(example.mentions)
        clusters = list(example.clusters)
        extra = noise[n] if noise else []
        mentions += extra
        clusters += [max(clusters, default=-1) + 1 + k for k in range(len(extra))]
        order = sorted(range(len(mentions)), key=lambda i: mentions[i][0])
        new = {old: k for k, old in enumerate(order)}
        labels = {(new[i], new[j]): v for (i, j), v in (example.pairs | example.soft_pairs).items()}
        mentions = [mentions[i] for i in order]
        whole = Example(
            example.id, example.source, "", example.words, mentions, [clusters[i] for i in order], example.sentences
        )
        base = len(spans)
        sizes = {c: whole.clusters.count(c) for c in set(whole.clusters)}
        for i, (start, end, kind) in enumerate(mentions):
            spans.append((first_word + start, first_word + end - 1))
            types.append(ENTITY_TYPES.index(kind))
            s = next((s for s, (a, b) in enumerate(whole.sentences) if a <= start < b), len(whole.sentences) - 1)
            a, b = whole.sentences[s]
            around.append((first_word + a, first_word + b - 1))
            places.append((bucket(s), bucket(len(whole.sentences) - 1 - s), bucket(sizes[whole.clusters[i]])))
            targets.entity.append(n * 1000 + whole.clusters[i])
        for i, j in candidate_pairs(whole):
            pairs.append((base + i, base + j))
            gap = max(0, mentions[j][0] - mentions[i][1])
            distances.append((bucket(gap), bucket(j - i - 1)))
            wanted_pairs.append(_pair(labels.get((i, j), 0)))
        if example.roles is not None:
            for c in sorted(sizes):
                targets.members.append([base + i for i, x in enumerate(whole.clusters) if x == c])
                targets.roles.append(example.roles.get(c, [0.0] * len(ROLE_LABELS)))
        first_word += len(surface)
    for head in DOMAINS:
        targets.tags[head] = torch.from_numpy(np.concatenate([_tags(e, head) for e in examples]))
    if wanted_pairs:
        targets.pairs = torch.from_numpy(np.stack(wanted_pairs))

    width = max(len(p) for p, _ in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    if (pad := tokenizer.token_to_id("[PAD]")) is None:
        pad = tokenizer.token_to_id("<pad>")
    ids.fill_(pad)
    shape_ids = torch.zeros_like(ids)
    seen = torch.zeros_like(ids)
    for n, (p, s) in enumerate(rows):
        ids[n, : len(p)] = torch.tensor(p)
        shape_ids[n, : len(p)] = torch.tensor(s)
        seen[n, : len(p)] = 1
    entity = torch.tensor(targets.entity, dtype=torch.long)
    same = (entity[:, None] == entity[None, :]).float()
    same = same / same.sum(1, keepdim=True).clamp(min=1)
    batch = Batch(
        ids,
        shape_ids,
        seen,
        torch.tensor([n * width + p for n, p in word_at]),
        torch.tensor(word_shapes),
        torch.tensor(spans, dtype=torch.long).reshape(-1, 2),
        torch.tensor(types, dtype=torch.long),
        torch.tensor(pairs, dtype=torch.long).reshape(-1, 2),
        torch.tensor(distances, dtype=torch.long).reshape(-1, 2),
        same,
        torch.tensor(around, dtype=torch.long).reshape(-1, 2),
        torch.tensor(places, dtype=torch.long).reshape(-1, 3),
    )
    return batch, targets
