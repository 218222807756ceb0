"""The pipeline: text in, mentions, relations, entities and roles out, each with a score and a sentence.

    nlp = load_pipeline()
    doc = nlp("We propose FooNet (FN), a graph network for parsing.")
    doc.ents, doc._.relations, doc._.clusters, doc._.roles, doc._.abbreviations

It is an ordinary spaCy pipeline of one component a step; see docs/extraction.md.
"""

from pathlib import Path

import spacy
from spacy.language import Language

from kg.errors import ModelError
from kg.pipeline import abbreviations, clusters, encoder, entities, relations, roles, sentences, tokenizer
from kg.pipeline.annotations import Abbreviation, Cluster, Relation, Role
from kg.pipeline.network import load_network
from kg.types import ENTITY_TYPES

__all__ = ["Abbreviation", "Cluster", "Relation", "Role", "extractor_version", "load_pipeline", "shipped_models"]

MODELS = Path(__file__).parent.parent / "model"
DEFAULT = "default"
FACTORIES = (abbreviations, clusters, encoder, entities, relations, roles, sentences, tokenizer)
"""The modules whose import registers the components."""


def shipped_models() -> tuple[str, ...]:
    """Names of the models that come with kg, the default first.

    >>> shipped_models()[0]
    'default'
    """
    names = sorted(p.parent.name for p in MODELS.glob("*/meta.json"))
    return tuple(sorted(names, key=lambda n: (n != DEFAULT, n)))


def load_pipeline(model: str | Path | None = None, *, min_score: float | None = None) -> Language:
    """The pipeline that reads abstracts.

    model: None for the shipped default, ``accurate`` for the larger shipped one, the folder of a model made by
    ``training/``, or the path or name of any spaCy pipeline that sets Method, Task and Dataset in ``doc.ents``;
    relations and roles are then found by the default model.
    min_score: in place of the thresholds of all relations and roles (0 to 1).

    Raises ModelError if there is no such model, or it cannot set any of the three labels.

    >>> doc = load_pipeline()("We use reinforcement learning for robot control.")
    >>> {ent.label_ for ent in doc.ents} <= {"Method", "Task", "Dataset"}
    True
    """
    if min_score is not None and not 0 <= min_score <= 1:
        raise ModelError(f"the lowest score must lie between 0 and 1, not {min_score}")
    name = str(model or DEFAULT)
    ours = _folder(name)
    folder = ours or MODELS / DEFAULT
    if ours:
        nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "kg.WordTokenizer.v1"}}})
        network = load_network(str(folder))
        nlp.meta.update(name=network.meta["name"], version=network.meta["version"])
        nlp.meta.update(description=network.meta["description"], license=network.meta["license"])
        extractor = network.version
        for step in ("kg_sentences", "kg_abbreviations"):
            nlp.add_pipe(step)
        for step in ("kg_encoder", "kg_entities"):
            nlp.add_pipe(step, config={"model": str(folder)})
    else:
        nlp = _foreign(name)
        extractor = f"{nlp.meta['lang']}_{nlp.meta['name']} {nlp.meta['version']} + {load_network(str(folder)).version}"
        for step in ("kg_labels", "kg_sentences", "kg_abbreviations"):
            nlp.add_pipe(step)
        nlp.add_pipe("kg_encoder", config={"model": str(folder)})
    settings = {"model": str(folder), "min_score": min_score}
    nlp.add_pipe("kg_relations", config=settings)
    nlp.add_pipe("kg_clusters")
    nlp.add_pipe("kg_roles", config=settings)
    nlp.meta["kg_extractor"] = extractor
    return nlp


def _folder(name: str) -> Path | None:
    """Where the model of kg's own kind lies that has this name or path; None if it is none."""
    folder = MODELS / name if name in shipped_models() else Path(name)
    return folder if (folder / "encoder.onnx").is_file() and (folder / "meta.json").is_file() else None


def extractor_version(nlp: Language) -> str:
    """Name and version of what ``load_pipeline`` returned, as every record carries it (``kg-default 1.2.0``)."""
    return str(nlp.meta["kg_extractor"])


def _foreign(name: str) -> Language:
    """Another spaCy pipeline, by path or by package name."""
    try:
        nlp = spacy.load(name)
    except (OSError, ValueError, ImportError) as error:
        known = ", ".join(shipped_models())
        reason = str(error).splitlines()[0][:200]
        raise ModelError(f"cannot load the spaCy pipeline {name!r} ({reason}); shipped models: {known}") from error
    labels = {label for labels in nlp.pipe_labels.values() for label in labels}
    if labels and not labels & set(ENTITY_TYPES):
        raise ModelError(
            f"the spaCy pipeline {name!r} sets none of the labels {', '.join(ENTITY_TYPES)} (it has "
            f"{', '.join(sorted(labels)[:5])}); rename its labels or train it on them"
        )
    return nlp
