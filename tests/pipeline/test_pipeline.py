import json
import shutil
import subprocess
import sys

import pytest
import spacy

from kg.errors import ModelError
from kg.pipeline import MODELS, extractor_version, load_pipeline, shipped_models
from kg.pipeline.annotations import RELATIONS
from kg.pipeline.entities import Found, _as_defined
from kg.pipeline.scheme import RELATIONS as RELATION_TYPES
from kg.pipeline.scheme import ROLES
from kg.types import ENTITY_TYPES, SCHEMA


def said(doc):
    """Everything the pipeline says about a Doc, in plain values."""
    return {
        "ents": [(e.start_char, e.end_char, e.label_, e._.score) for e in doc.ents],
        "sents": [(s.start_char, s.end_char) for s in doc.sents],
        "relations": [(r.head.start_char, r.relation, r.tail.start_char, r.score) for r in doc._.relations],
        "clusters": [(c.label, [m.start_char for m in c.mentions]) for c in doc._.clusters],
        "roles": [(r.role, r.mentions[0].start_char, r.score, r.sentence.text) for r in doc._.roles],
        "abbreviations": [(a.short.text, a.long.text) for a in doc._.abbreviations],
    }


def test_the_plain_case(nlp, texts):
    doc = nlp(texts[0])
    assert doc.text == texts[0]
    named = {(e.text, e.label_) for e in doc.ents}
    assert {("FooNet", "Method"), ("semantic parsing", "Task"), ("BERT", "Method")} <= named
    assert ("GNN", "graph neural network") in said(doc)["abbreviations"]
    foonet = next(c for c in doc._.clusters if c.mentions[0].text == "FooNet")
    assert {m.text for m in foonet.mentions} == {"FooNet", "FN"}
    assert ("PROPOSES", "FooNet") in {(r.role, r.mentions[0].text) for r in doc._.roles}
    assert ("FooNet", "USED_FOR", "semantic parsing") in {
        (r.head.text, r.relation, r.tail.text) for r in doc._.relations
    }


def test_labels_types_and_scores_fit_the_schema(nlp, texts):
    for doc in nlp.pipe(texts):
        for ent in doc.ents:
            assert ent.label_ in ENTITY_TYPES
            assert 0 <= ent._.score <= 1
        for r in doc._.relations:
            assert (r.head.label_, r.tail.label_) in RELATION_TYPES[r.relation]
            assert r.relation == "SYNONYM_OF" or (r.head.label_, r.tail.label_) in SCHEMA[r.relation].pairs
            assert r.head.sent == r.tail.sent
            assert 0 <= r.score <= 1
        for role in doc._.roles:
            assert role.cluster.label in ROLES[role.role]
            assert ("Paper", role.cluster.label) in SCHEMA[role.role].pairs
            assert any(m.sent == role.sentence for m in role.mentions)
        in_clusters = [m for c in doc._.clusters for m in c.mentions]
        assert sorted(in_clusters, key=lambda s: s.start) == list(doc.ents)


def test_fields_metrics_and_bare_nouns_are_no_names(nlp):
    doc = nlp(
        "Computer vision (CV) and natural language processing (NLP) rely on machine learning. We train a graph neural "
        "network on GPUs for link prediction, and its BLEU beats the state-of-the-art."
    )
    found = {e.text for e in doc.ents}
    assert {"graph neural network", "link prediction"} <= found
    fields = {"Computer vision", "natural language processing", "NLP", "machine learning", "GPUs", "BLEU"}
    assert not found & (fields | {"state-of-the-art"})


def test_a_short_form_is_judged_by_its_long_form(nlp):
    doc = nlp("We propose the graph propagation unit (GPU), a neural network. The GPU beats GNNs on link prediction.")
    assert "GPU" in {e.text for e in doc.ents}
    doc = nlp("We measure the attack success rate (ASR) of the jailbreak attack, and report ASR for GPT-4.")
    assert "ASR" not in {e.text for e in doc.ents}


def test_no_mention_lies_in_an_address(nlp):
    text = "We propose PoE-GAN for image synthesis. Code: https://github.com/Ha0Tang/PoE-GAN and nv.github.io/PoE-GAN/"
    found = list(nlp(text).ents)
    assert found
    assert all(ent.end_char < text.index("Code") for ent in found)


def test_nothing_to_say(nlp):
    for text in ("", " ", "\n\n", "...", "\x00\x01", "🙂🙂", "a" * 3000):
        doc = nlp(text)
        assert doc.text == text
        assert doc._.roles == ()


def test_the_batch_size_changes_nothing(nlp, texts):
    alone = [said(nlp(t)) for t in texts]
    assert [said(d) for d in nlp.pipe(texts, batch_size=3)] == alone
    assert [said(d) for d in nlp.pipe(reversed(texts), batch_size=2)] == alone[::-1]


def test_worker_processes_change_nothing(nlp, texts):
    alone = [said(nlp(t)) for t in texts]
    assert [said(d) for d in nlp.pipe(texts, n_process=2, batch_size=1)] == alone


def test_another_process_says_the_same(nlp, texts):
    code = (
        "import sys; from kg.pipeline import load_pipeline; doc = load_pipeline()(sys.argv[1]);"
        "print([(e.start_char, e.end_char, e.label_, e._.score) for e in doc.ents])"
    )
    out = subprocess.run([sys.executable, "-c", code, texts[1]], capture_output=True, text=True, check=True).stdout
    assert out.strip() == str(said(nlp(texts[1]))["ents"])


def test_a_long_text_is_read_to_its_end(nlp, texts):
    long = " ".join([texts[0]] + ["Nothing is named in this plain sentence at all."] * 80 + [texts[1]])
    doc = nlp(long)
    head, tail = long[: len(texts[0])], len(long) - len(texts[1])
    assert any(e.end_char <= len(head) for e in doc.ents)
    found = {e.text for e in doc.ents if e.start_char >= tail}
    assert "reinforcement learning" in found
    assert "MCTS" in found


def test_an_ambiguous_short_form_joins_nothing(nlp):
    doc = nlp("Active learning (AL) asks for labels, while adversarial learning (AL) resists attacks. AL is hard.")
    synonyms = [r for r in doc._.relations if r.relation == "SYNONYM_OF"]
    assert not [r for r in synonyms if "AL" in (r.head.text, r.tail.text)]
    long_forms = [c for c in doc._.clusters if any(len(m.text) > 2 for m in c.mentions)]
    assert all(m.text != "AL" for c in long_forms for m in c.mentions)


def test_min_score_replaces_all_thresholds(texts):
    strict = load_pipeline(min_score=1.0)(texts[0])
    loose = load_pipeline(min_score=0.05)(texts[0])
    assert strict._.roles == ()
    assert all(r.relation == "SYNONYM_OF" for r in strict._.relations)
    assert len(loose._.relations) > len(strict._.relations)


def test_the_version_names_the_model(nlp):
    assert extractor_version(nlp).split()[0] == "kg-default"


def test_a_model_folder_of_ones_own_is_read_as_the_shipped_one_is(nlp, tmp_path, texts):
    shutil.copytree(MODELS / "default", tmp_path / "mine")
    meta = json.loads((tmp_path / "mine/meta.json").read_text())
    (tmp_path / "mine/meta.json").write_text(json.dumps(meta | {"name": "mine"}))
    own = load_pipeline(tmp_path / "mine")
    assert extractor_version(own).split()[0] == "mine"
    assert [(e.text, e.label_) for e in own(texts[0]).ents] == [(e.text, e.label_) for e in nlp(texts[0]).ents]


@pytest.mark.parametrize("file", ["encoder.onnx", "meta.json", "tokenizer.json", "roles.onnx"])
def test_a_damaged_model_folder_is_named(tmp_path, file):
    shutil.copytree(MODELS / "default", tmp_path / "mine")
    (tmp_path / "mine" / file).write_text("{")
    with pytest.raises(ModelError, match="mine"):
        load_pipeline(tmp_path / "mine")


def test_a_pipeline_of_ones_own(tmp_path, texts):
    own = spacy.blank("en")
    ruler = own.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "Method", "pattern": "FooNet"},
            {"label": "Method", "pattern": "BERT"},
            {"label": "Task", "pattern": "semantic parsing"},
            {"label": "ORG", "pattern": "SQuAD"},
        ]
    )
    own.to_disk(tmp_path / "own")
    nlp = load_pipeline(tmp_path / "own")
    doc = nlp(texts[0])
    assert [(e.text, e.label_) for e in doc.ents] == [
        ("FooNet", "Method"),
        ("semantic parsing", "Task"),
        ("FooNet", "Method"),
        ("BERT", "Method"),
    ]
    assert ("FooNet", "USED_FOR", "semantic parsing") in {
        (r.head.text, r.relation, r.tail.text) for r in doc._.relations
    }
    assert "PROPOSES" in {r.role for r in doc._.roles}
    assert extractor_version(nlp).endswith("+ " + extractor_version(load_pipeline()))


def test_models_that_will_not_do(tmp_path):
    with pytest.raises(ModelError, match="shipped models: default"):
        load_pipeline("no-such-model")
    own = spacy.blank("en")
    own.add_pipe("entity_ruler").add_patterns([{"label": "ORG", "pattern": "Foo"}])
    own.to_disk(tmp_path / "own")
    with pytest.raises(ModelError, match="sets none of the labels Method, Task, Dataset"):
        load_pipeline(tmp_path / "own")
    with pytest.raises(ModelError, match="between 0 and 1"):
        load_pipeline(min_score=2)


def test_components_declare_what_they_need(nlp):
    problems = nlp.analyze_pipes()["problems"]
    assert not any(problems.values()), problems


def test_predict_leaves_the_doc_alone(nlp, texts):
    doc = nlp(texts[0])
    before = dict(doc.user_data)
    nlp.get_pipe("kg_abbreviations").predict([doc])
    nlp.get_pipe("kg_clusters").predict([doc])
    assert doc.user_data == before
    assert doc.user_data[RELATIONS]


def test_the_default_comes_first():
    assert shipped_models()[0] == "default"


@pytest.mark.parametrize("name", shipped_models())
def test_a_shipped_model_is_small_enough_and_reads(name, texts):
    size = sum(file.stat().st_size for file in (MODELS / name).iterdir())
    assert size <= (60 if name == "default" else 130) * 1_000_000
    own = load_pipeline(name)
    assert extractor_version(own).startswith(f"kg-{name} ")
    found = said(own(texts[0]))
    assert ("FooNet", "Method") in {(texts[0][a:b], label) for a, b, label, _ in found["ents"]}
    assert found == said(load_pipeline(name)(texts[0]))


@pytest.mark.parametrize(
    ("text", "found", "becomes"),
    [
        ("We prune directed acyclic graphs (DAGs).", ["acyclic graphs"], ["directed acyclic graphs"]),
        ("We prune directed acyclic graphs (DAGs).", ["directed", "graphs"], ["directed", "graphs"]),
        ("We prune acyclic graphs, and (DAGs) too.", ["acyclic graphs"], ["acyclic graphs"]),
        ("We prune sparse acyclic graphs (AGs).", ["sparse acyclic graphs"], ["sparse acyclic graphs"]),
    ],
)
def test_a_mention_before_its_short_form_begins_where_the_long_form_does(nlp, text, found, becomes):
    doc = nlp(text)
    mentions = [Found(text.index(name), text.index(name) + len(name), "Method", 0.9) for name in found]
    assert [text[f.start : f.end] for f in _as_defined(doc, text, mentions)] == becomes
