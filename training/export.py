"""Turn checkpoints into a model folder: ``python -m training.export FOLDER CHECKPOINT... --name NAME --version V``.

Of several checkpoints of one run (a start and what it was trained on to) the mean of the weights is exported.
The encoder's matrices and embeddings become int8; the two heads stay float. Calibration and
thresholds start neutral: run ``training.calibrate`` next.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from torch import Tensor, nn

from kg.pipeline.scheme import RELATIONS, ROLES
from kg.types import ENTITY_TYPES
from training.model import DOMAINS, JointModel, encoder_folder

LICENCE = "Apache-2.0"
SLOWER = ["SkipLayerNormFusion"]
"""What ONNX Runtime is not to fuse when it loads the model: a sum and its normalisation are faster apart on a CPU."""
PIECES = 16_000_000
"""Bytes between the largest matrix of a layer and the table of word pieces."""
SOURCES = [
    {"name": "all-MiniLM-L6-v2", "what": "pretrained encoder", "license": "Apache-2.0"},
    {"name": "SciER (Zhang et al., 2024)", "what": "annotated sentences of full papers", "license": "GPL-3.0"},
    {"name": "kg annotated abstracts", "what": "annotated abstracts of 18 venues", "license": LICENCE},
]


class Layer(nn.Module):
    """A layer of BERT or MPNet as it runs fastest: one product for queries, keys and values, and no mask or batch."""

    def __init__(self, layer: nn.Module, heads: int) -> None:
        super().__init__()
        around = layer.attention
        if hasattr(around, "attn"):
            query, key, value, self.mix = around.attn.q, around.attn.k, around.attn.v, around.attn.o
            self.norm = around.LayerNorm
        else:
            query, key, value = around.self.query, around.self.key, around.self.value
            self.mix, self.norm = around.output.dense, around.output.LayerNorm
        width = query.in_features
        self.heads, self.size = heads, width // heads
        scale = self.size**-0.5
        self.project = nn.Linear(width, 3 * width)
        self.project.weight.data = torch.cat([query.weight * scale, key.weight, value.weight])
        self.project.bias.data = torch.cat([query.bias * scale, key.bias, value.bias])
        self.widen, self.act = layer.intermediate.dense, layer.intermediate.intermediate_act_fn
        self.narrow, self.last_norm = layer.output.dense, layer.output.LayerNorm

    def forward(self, x: Tensor, bias: Tensor | None = None, rows: Tensor | None = None) -> Tensor:
        """Pieces x width; only ``rows`` of it where they are given. ``bias``: heads x pieces x pieces."""
        parts = (p.reshape(-1, self.heads, self.size) for p in self.project(x).chunk(3, -1))
        query, key, value = (p.transpose(0, 1) for p in parts)
        if rows is not None:
            x, query, bias = x[rows], query[:, rows], None if bias is None else bias[:, rows]
        scores = query @ key.transpose(1, 2)
        if bias is not None:
            scores = scores + bias
        mixed = (scores.softmax(-1) @ value).transpose(0, 1).reshape(-1, self.heads * self.size)
        x = self.norm(self.mix(mixed) + x)
        return self.last_norm(self.narrow(self.act(self.widen(x))) + x)


class Words(nn.Module):
    """What encoder.onnx computes for one text."""

    def __init__(self, model: JointModel) -> None:
        super().__init__()
        self.encoder, self.tags = model.encoder, model.tags
        bert = self.encoder.bert
        self.layers = nn.ModuleList(Layer(layer, bert.config.num_attention_heads) for layer in bert.encoder.layer)

    def forward(self, ids: Tensor, shapes: Tensor, word_at: Tensor, word_shapes: Tensor) -> tuple[Tensor, ...]:
        """Word vectors, then the tag scores of each convention."""
        bert = self.encoder.bert
        embedded = bert.embeddings(inputs_embeds=bert.get_input_embeddings()(ids) + self.encoder.shape(shapes))
        relative = hasattr(bert.encoder, "compute_position_bias")
        bias = bert.encoder.compute_position_bias(embedded)[0] if relative else None
        words = embedded[0]
        for layer in self.layers[:-1]:
            words = layer(words, bias)
        # Nothing reads what the last layer would say of a word's other pieces
        words = self.layers[-1](words, bias, word_at)
        return words, *(self.tags[d](words, word_shapes) for d in DOMAINS)


def quantise(whole: Path, small: Path, *, in_blocks: bool) -> None:
    """Weights of 8 bits from a float model. ``in_blocks``: a scale for each 128 values, of weights and of activations.

    One scale for all activations of a product is faster by half and costs the larger encoder more than a point of F1.
    """
    if not in_blocks:
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8, per_channel=True)
        return
    quantize_dynamic(whole, small, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["Gather"])
    blocks = MatMulNBitsQuantizer(onnx.load(small), bits=8, block_size=128, is_symmetric=True, accuracy_level=4)
    blocks.process()
    # The table of word pieces in a file of its own: some places that keep git repositories take no file over 100 MB
    beside = {"save_as_external_data": True, "location": "pieces.bin", "size_threshold": PIECES}
    onnx.save(blocks.model.model, small, **beside)


def export(checkpoints: list[Path], folder: Path, name: str, version: str) -> None:
    """Write the model folder."""
    states = [torch.load(path, weights_only=False) for path in checkpoints]
    state = states[-1]
    model = JointModel(state["encoder"], pretrained=False, attention="eager")
    weights = {
        k: torch.stack([s["average"][k] for s in states]).mean(0) if v.is_floating_point() else v
        for k, v in state["average"].items()
    }
    model.load_state_dict(weights)
    model.eval()
    folder.mkdir(parents=True, exist_ok=True)
    n, m, p = 12, 3, 2
    ids = torch.randint(5, 1000, (1, 20))
    zeros = torch.zeros
    words = torch.randn(n, model.encoder.width)
    spans = torch.tensor([[0, 1], [3, 3], [5, 8]])
    around = torch.tensor([[0, 4], [0, 4], [5, 11]])
    types = zeros(m, dtype=torch.long)
    pairs = torch.tensor([[0, 1], [1, 2]])
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "encoder.onnx"
        torch.onnx.export(
            Words(model),
            (ids, zeros(1, 20, dtype=torch.long), torch.arange(1, 13), zeros(n, dtype=torch.long)),
            str(whole),
            input_names=["ids", "shapes", "word_at", "word_shapes"],
            output_names=["words", *(f"tags_{d}" for d in DOMAINS)],
            dynamic_axes={
                "ids": {1: "pieces"},
                "shapes": {1: "pieces"},
                "word_at": {0: "n"},
                "word_shapes": {0: "n"},
                "words": {0: "n"},
                **{f"tags_{d}": {0: "n"} for d in DOMAINS},
            },
            opset_version=17,
            dynamo=False,
        )
        quantise(whole, folder / "encoder.onnx", in_blocks=state["encoder"] == "mpnet")
    torch.onnx.export(
        model.relations,
        (words, spans, types, pairs, zeros(p, 2, dtype=torch.long), zeros(p, dtype=torch.long)),
        str(folder / "relations.onnx"),
        input_names=["words", "spans", "types", "pairs", "distances", "domain"],
        output_names=["scores"],
        dynamic_axes={
            "words": {0: "n"},
            "spans": {0: "m"},
            "types": {0: "m"},
            "pairs": {0: "p"},
            "distances": {0: "p"},
            "domain": {0: "p"},
            "scores": {0: "p"},
        },
        opset_version=17,
        dynamo=False,
    )
    torch.onnx.export(
        model.roles,
        (words, spans, types, torch.eye(m), around, zeros(m, 3, dtype=torch.long)),
        str(folder / "roles.onnx"),
        input_names=["words", "spans", "types", "same", "around", "places"],
        output_names=["scores"],
        dynamic_axes={
            "words": {0: "n"},
            "spans": {0: "m"},
            "types": {0: "m"},
            "same": {0: "m", 1: "k"},
            "around": {0: "m"},
            "places": {0: "m"},
            "scores": {0: "m"},
        },
        opset_version=17,
        dynamo=False,
    )
    shutil.copy(encoder_folder(state["encoder"]) / "tokenizer.json", folder / "tokenizer.json")
    sources = [dict(s) for s in SOURCES]
    if state["encoder"] == "mpnet":
        sources[0]["name"] = "all-mpnet-base-v2"
    meta = {
        "name": name,
        "version": version,
        "description": "Methods, tasks, datasets, their relations and their roles in machine-learning abstracts.",
        "license": LICENCE,
        "sources": sources,
        "width": model.encoder.width,
        "disabled_optimizers": SLOWER,
        "training": {"epochs": [s["epoch"] for s in states], "scores": state["scores"]},
        "calibration": {
            "mention": {t: [1.0, 0.0] for t in ENTITY_TYPES},
            "relation": {r: [1.0, 0.0, 0.0, 0.0] for r in RELATIONS},
            "role": {r: [1.0, 0.0, 0.0] for r in ROLES},
        },
        "thresholds": {"relation": dict.fromkeys(RELATIONS, 0.5), "role": dict.fromkeys(ROLES, 0.5)},
    }
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf8")


def main() -> None:
    """Parse the arguments and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("checkpoint", type=Path, nargs="+")
    parser.add_argument("--name", default="kg-default")
    parser.add_argument("--version", default="1.0.0")
    args = parser.parse_args()
    export(args.checkpoint, args.folder, args.name, args.version)


if __name__ == "__main__":
    main()
