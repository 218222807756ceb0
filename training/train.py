"""Train the joint model: ``python -m training.train minilm`` (the student) or ``mpnet`` (the teacher).

Writes a checkpoint after every epoch and resumes from it; ``--labelled`` adds abstracts that a teacher labelled.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from kg.pipeline.scheme import ROLE_LABELS, ROLES
from kg.pipeline.tags import Span, decode, viterbi
from kg.types import ENTITY_TYPES
from training.batches import Targets, collate, groups
from training.examples import Example, annotated, labelled, passages, scier, scier_documents
from training.model import CACHE, Batch, Dropout, JointModel, load_tokenizer

ALLOWED_ROLES = torch.tensor([[float(t in ROLES[r]) for r in ROLE_LABELS] for t in ENTITY_TYPES])
WARM = 0.06
"""Share of the steps over which learning rates rise."""
AVERAGE_EVERY = 5
"""Steps between two updates of the averaged weights, which cost as much as a third of a small step."""
SETTINGS = {
    # lr of the encoder, lr of the heads, words in a batch of abstracts, of sentences
    "minilm": (1.2e-4, 1e-3, 2600, 1600),
    "mpnet": (8e-5, 1e-3, 1800, 1100),
}


class Clock:
    """How much of the run is over: by steps, or by minutes where those are fewer."""

    def __init__(self, minutes: float) -> None:
        self._minutes = minutes
        self._began = time.time()

    def done(self, share: float = 0.0) -> float:
        """The share of the run that is over, 1 at its end."""
        return max(share, (time.time() - self._began) / 60 / self._minutes) if self._minutes else share


def tag_loss(model: JointModel, words: Tensor, batch: Batch, targets: Targets) -> Tensor:
    """Cross entropy of the words' tags, summed over the heads of which the batch says something."""
    loss = words.sum() * 0
    for head, wanted in targets.tags.items():
        weights = torch.tensor(targets.word_weights) * wanted.sum(-1)
        if weights.any():
            tags = model.tags[head](words, batch.word_shapes)
            loss = loss + (F.cross_entropy(tags, wanted, reduction="none") * weights).sum() / weights.sum()
    return loss


def role_loss(scores: Tensor, batch: Batch, targets: Targets) -> Tensor:
    """Cross entropy of entities' roles, each entity's score being the log-sum-exp over its mentions."""
    rows, wanted, allowed = [], [], []
    for members, roles in zip(targets.members, targets.roles, strict=True):
        rows.append(torch.logsumexp(scores[members], 0))
        wanted.append(roles)
        allowed.append(int(batch.types[members[0]]))
    if not rows:
        return scores.sum() * 0
    weight = ALLOWED_ROLES[allowed]
    loss = F.binary_cross_entropy_with_logits(torch.stack(rows), torch.tensor(wanted), weight, reduction="sum")
    return loss / weight.sum()


def noise_spans(examples: list[Example], rng: random.Random) -> list[list[Span]]:
    """A few random spans that overlap no mention: what a wrong mention looks like to the heads."""
    made = []
    for example in examples:
        taken = [False] * len(example.words)
        for a, b, _ in example.mentions:
            taken[a:b] = [True] * (b - a)
        spans: list[Span] = []
        for _ in range(1 + len(example.words) // 40):
            start = rng.randrange(len(example.words))
            end = min(start + rng.choice((1, 1, 2, 2, 3, 4)), len(example.words))
            if rng.random() < 0.5 and not any(taken[start:end]) and example.words[start].text[0].isalpha():
                taken[start:end] = [True] * (end - start)
                spans.append((start, end, rng.choice(ENTITY_TYPES)))
        made.append(spans)
    return made


@torch.no_grad()
def predict(model: nn.Module, examples: list[Example], tokenizer: Tokenizer) -> dict[str, tuple[int, int, int]]:
    """(right, gold, predicted) for mentions, and for relations and roles given the gold mentions."""
    counts = {k: [0, 0, 0] for k in ("mentions", "relations", "roles")}
    domain = examples[0].source
    for group in groups(examples, 4000, None):
        batch, targets = collate(group, tokenizer)
        with torch.autocast("cpu", torch.bfloat16):
            words = model.words(batch)
        tags = model.tags[domain](words, batch.word_shapes).log_softmax(-1).numpy()
        start = 0
        for example in group:
            found = set(decode(viterbi(tags[start : start + len(example.words)])))
            start += len(example.words)
            c = counts["mentions"]
            c[0] += len(found & set(example.mentions))
            c[1] += len(example.mentions)
            c[2] += len(found)
        relations, roles = model.heads(words, batch, domain)
        best = relations.argmax(-1)
        gold = targets.pairs.argmax(-1)
        known = targets.pairs.sum(-1) > 0
        c = counts["relations"]
        c[0] += int(((best == gold) & (gold > 0)).sum())
        c[1] += int((gold > 0).sum())
        c[2] += int((best > 0)[known].sum())
        c = counts["roles"]
        for members, wanted in zip(targets.members, targets.roles, strict=True):
            said = (torch.logsumexp(roles[members], 0) > 0) & (ALLOWED_ROLES[int(batch.types[members[0]])] > 0)
            right = torch.tensor(wanted) > 0.5
            c[0] += int((said & right).sum())
            c[1] += int(right.sum())
            c[2] += int(said.sum())
    return {k: tuple(v) for k, v in counts.items()}


def ahead(
    make: Callable[[list[Example]], tuple[Batch, Targets]], queue: list[tuple[str, list[Example]]]
) -> Iterator[tuple[Batch, Targets]]:
    """Batches in order, the next one made in a thread while a step runs."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(make, queue[0][1])
        for _, group in queue[1:]:
            ready, coming = coming.result(), pool.submit(make, group)
            yield ready
        yield coming.result()


def clip(parameters: list[nn.Parameter], most: float = 1.0) -> None:
    """Scale the gradients so that their norm is at most ``most``; PyTorch's own took a tenth of a step."""
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = float(sum(torch.dot(g.flatten(), g.flatten()) for g in gradients)) ** 0.5
    if norm > most:
        torch._foreach_mul_(gradients, most / norm)


def f1(right: int, gold: int, predicted: int) -> float:
    """F1 in percent."""
    return round(200 * right / (gold + predicted), 2) if gold + predicted else 0.0


def train(args: argparse.Namespace) -> None:
    """Run all epochs, or those that are left."""
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    data = Path(args.data)
    tokenizer = load_tokenizer(args.encoder)
    sources = {
        "abstracts": list(annotated(data / "annotated/train.jsonl")),
        "scier": list(scier(data / "scier/scier_train.jsonl")),
    }
    if args.labelled:
        sources["abstracts"] += labelled(Path(args.labelled), weight=0.5)
    checks = {
        "dev": list(annotated(data / "annotated/dev.jsonl")),
        "gold-dev": list(annotated(data.parent / "gold/gold-dev.jsonl")),
        "scier-dev": list(scier_documents(data / "scier/plm_dev.jsonl")),
        "scier-test": list(scier_documents(data / "scier/plm_test.jsonl")),
    }
    if args.passage:
        checks |= {f"{k} passages": passages(checks[k], args.passage) for k in ("scier-dev", "scier-test")}
    if args.limit:
        sources = {k: v[: args.limit] for k, v in sources.items()}
        checks = {k: v[: args.limit] for k, v in checks.items()}

    def taken(source: str, examples: list[Example]) -> list[Example]:
        if source != "scier":
            return examples
        chosen: list[Example] = []
        for left in range(ceil(args.scier)):
            cut = passages(examples, args.passage, rng) if args.passage else examples
            chosen += rng.sample(cut, round(min(1, args.scier - left) * len(cut)))
        return chosen

    model = JointModel(args.encoder, rounded=args.rounded)
    if args.start:
        model.load_state_dict(torch.load(args.start, weights_only=False)["average"])
    lr, head_lr, budget, small_budget = SETTINGS[args.encoder]
    lr, head_lr = args.rate * lr, args.rate * head_lr
    budget, small_budget = round(args.words * budget), round(args.words * small_budget)
    encoder_parameters = list(model.encoder.bert.parameters())
    known = {id(p) for p in encoder_parameters}
    head_parameters = [p for p in model.parameters() if id(p) not in known]
    optimizer = torch.optim.AdamW(
        [{"params": encoder_parameters, "lr": lr}, {"params": head_parameters, "lr": head_lr}],
        weight_decay=0.01,
        fused=True,
    )
    steps = args.epochs * sum(
        sum(1 for _ in groups(taken(k, v), budget if k == "abstracts" else small_budget, None))
        for k, v in sources.items()
    )
    clock = Clock(args.minutes)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min((s + 1) / (steps * WARM), max(0.02, (1 - clock.done(s / steps)) / (1 - WARM)))
    )
    average = {k: v.detach().clone() for k, v in model.state_dict().items()}
    out = Path(args.out or CACHE / args.encoder)
    out.parent.mkdir(parents=True, exist_ok=True)
    checkpoint = out.with_suffix(".pt")
    done, step = 0, 0
    if args.resume and checkpoint.exists():
        state = torch.load(checkpoint, weights_only=False)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        schedule.base_lrs = [lr, head_lr]  # today's, not those of the run that left the checkpoint
        average, done, step = state["average"], state["epoch"], state["step"]
    trained = JointModel(args.encoder, pretrained=False, rounded=args.rounded)
    parameters = list(model.parameters())
    print(f"{steps} steps", flush=True)
    for epoch in range(done, args.epochs):
        if clock.done() >= 1:
            break
        rng.seed(args.seed * 1000 + epoch)
        Dropout.source = np.random.Generator(np.random.SFC64(args.seed * 1000 + epoch))
        began, total = time.time(), {"tags": 0.0, "relations": 0.0, "roles": 0.0}
        queue = [
            (k, g)
            for k, v in sources.items()
            for g in groups(taken(k, v), budget if k == "abstracts" else small_budget, rng)
        ]
        rng.shuffle(queue)
        model.train()
        made = ahead(lambda group: collate(group, tokenizer, args.mask, noise_spans(group, rng), rng), queue)
        for number, ((domain, _), (batch, targets)) in enumerate(zip(queue, made, strict=True)):
            if clock.done() >= 1:
                break
            with torch.autocast("cpu", torch.bfloat16):
                words = model.words(batch)
            loss = tag_loss(model, words, batch, targets)
            total["tags"] += float(loss.detach())
            relations, roles = model.heads(words, batch, domain)
            if targets.pairs.any():
                part = F.cross_entropy(relations, targets.pairs, reduction="sum") / targets.pairs.sum()
                total["relations"] += float(part.detach())
                loss = loss + args.relation_weight * part
            if domain == "abstracts":
                part = role_loss(roles, batch, targets)
                total["roles"] += float(part.detach())
                loss = loss + args.role_weight * part
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            clip(parameters)
            optimizer.step()
            schedule.step()
            step += 1
            if step % AVERAGE_EVERY == 0:
                decay = min(args.average, (1 + step) / (10 + step)) ** AVERAGE_EVERY
                with torch.no_grad():
                    for k, v in model.state_dict().items():
                        if v.is_floating_point():
                            average[k].lerp_(v, 1 - decay)
            if number % 20 == 0:
                print(f"  {epoch} {number}/{len(queue)} {time.time() - began:.0f}s", flush=True)
        trained.load_state_dict(average)
        trained.eval()
        shown = {k: {n: f1(*c) for n, c in predict(trained, v, tokenizer).items()} for k, v in checks.items()}
        row = {
            "epoch": epoch + 1,
            "seconds": round(time.time() - began),
            "loss": {k: round(v / len(queue), 4) for k, v in total.items()},
            **shown,
        }
        print(json.dumps(row), flush=True)
        with out.with_suffix(".log.jsonl").open("a") as log:
            log.write(json.dumps(row) + "\n")
        state = {
            "encoder": args.encoder,
            "model": model.state_dict(),
            "average": average,
            "optimizer": optimizer.state_dict(),
            "schedule": schedule.state_dict(),
            "epoch": epoch + 1,
            "step": step,
            "args": {k: str(v) for k, v in vars(args).items()},
            "scores": row,
        }
        torch.save(state, checkpoint.with_suffix(".part"))
        checkpoint.with_suffix(".part").replace(checkpoint)


def main() -> None:
    """Parse the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", choices=sorted(SETTINGS))
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--out", help="where the checkpoint goes, without suffix")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--mask", type=float, default=0.08)
    parser.add_argument("--average", type=float, default=0.99)
    parser.add_argument("--relation-weight", type=float, default=1.0)
    parser.add_argument("--role-weight", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=1.0, help="of the encoder's own learning rates, this share")
    parser.add_argument("--words", type=float, default=1.0, help="of the encoder's own words in a step, this share")
    parser.add_argument("--start", type=Path, help="checkpoint whose averaged weights to begin with")
    parser.add_argument("--labelled", help="JSONL of abstracts labelled by a teacher")
    parser.add_argument("--minutes", type=float, default=0, help="end the run, and its schedule, after so long")
    parser.add_argument("--scier", type=float, default=1.0, help="how often an epoch takes SciER's sentences")
    parser.add_argument("--passage", type=int, default=0, help="join SciER's sentences to texts of so many words")
    parser.add_argument("--rounded", action="store_true", help="compute in eight bits, as the exported model will")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
