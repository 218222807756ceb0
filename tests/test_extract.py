"""From papers to records: offsets into the raw text, one name a thing, order kept whatever the number of workers."""

import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import spacy

import kg
from kg.clean import clean
from kg.errors import ModelError
from kg.extract import extractor_name
from kg.extract.record import record_from

LINGER = 40
TEXTS = [
    r"We propose \textbf{WidgetNet}, a graph neural network (GNN) for link prediction. GNNs need many edges; "
    r"$\beta$-VAE does not. WidgetNet beats LoRA on CIFAR-10.",
    "Bolt sorting is hard.  We train a convolutional neural network on ImageNet and compare it with ResNet.",
    "",
    "Reinforcement learning (RL) helps robots. We study RL for locomotion and evaluate on MuJoCo.",
]


def papers():
    return [
        kg.Paper(id=f"p{i}", abstract=text, status="ok" if text else "no-abstract") for i, text in enumerate(TEXTS * 20)
    ]


@pytest.fixture(scope="module")
def records():
    return list(kg.extract(papers()))


def test_every_mention_is_where_it_says(records):
    assert sum(len(r.mentions) for r in records) > 100
    for record in records:
        for mention in record.mentions:
            assert record.paper.abstract[mention.start : mention.end] == mention.text
        for triple in record.triples:
            assert record.paper.abstract[triple.start : triple.end].strip()


def test_a_name_has_no_markup_and_a_short_form_has_the_name_of_its_long_form(records):
    named = {m.name: m.entity for m in records[0].mentions}
    assert not any(set(name) & set("\\${}") for name in named)
    assert named["GNN"] == named["GNNs"] == named["graph neural network"]


def test_triples_name_what_mentions_name(records):
    facts = [t for r in records for t in r.triples]
    assert any(t.head_type == "Paper" for t in facts)
    assert any(t.head_type != "Paper" for t in facts)
    assert "SYNONYM_OF" not in {t.relation for t in facts}


def test_order_is_kept_and_a_paper_without_an_abstract_has_an_empty_record(records):
    assert [r.paper.id for r in records] == [f"p{i}" for i in range(80)]
    assert records[2].mentions == records[2].triples == ()
    assert records[2].extractor == records[0].extractor


def test_two_workers_give_the_same_records(records):
    assert list(kg.extract(papers(), workers=2)) == records


def test_a_batch_may_be_left_half_read():
    found = kg.extract(papers(), workers=2)
    assert next(found).paper.id == "p0"
    found.close()


def test_a_threshold_of_ones_own_is_part_of_the_name(records):
    sure = list(kg.extract(papers()[:4], min_score=0.95))
    assert all(t.score >= 0.95 for r in sure for t in r.triples)
    assert sure[0].extractor == extractor_name(None, 0.95) != records[0].extractor == extractor_name(None, None)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_model_that_is_not_there_is_a_model_error(workers):
    with pytest.raises(ModelError, match="no-such-model"):
        list(kg.extract(papers()[:1], model="no-such-model", workers=workers))


def test_a_worker_that_dies_is_a_model_error(monkeypatch):
    module = importlib.import_module("kg.extract")
    monkeypatch.setattr(module, "_work", _die)
    with pytest.raises(ModelError, match="worker ended"):
        list(kg.extract(papers()[:1], workers=2))


def test_an_interrupt_does_not_wait_for_the_workers(monkeypatch):
    monkeypatch.setattr(importlib.import_module("kg.extract"), "_work", _linger)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(kg.extract(_interrupting(), workers=2))
    assert time.monotonic() - started < LINGER / 2


def _interrupting():
    yield from papers() * 2
    raise KeyboardInterrupt


def _linger(*_):
    time.sleep(LINGER)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the workers in /proc, which Linux has")
def test_ctrl_c_while_workers_start_is_one_line(tmp_path):
    file = tmp_path / "papers.jsonl"
    file.write_text("".join(p.model_dump_json() + "\n" for p in papers()), encoding="utf-8")
    command = [sys.executable, "-m", "kg", "extract", str(file), "--output", str(tmp_path / "out"), "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        while running.poll() is None and len(children.read_text().split()) < 2:
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them
        _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "kg: interrupted\n")
    assert not (tmp_path / "out").exists()


def _die(*_):
    import os

    os._exit(9)


def test_a_pipeline_that_sets_only_entities_gives_mentions():
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "Method", "pattern": "WidgetNet"}, {"label": "ORG", "pattern": "Acme"}])
    paper = kg.Paper(id="p", abstract="Acme made *WidgetNet*; WidgetNet is nice.")
    cleaned = clean(paper.abstract)
    record = record_from(paper, nlp(cleaned.text), cleaned, "mine 1")
    assert [(m.text, m.entity, m.score) for m in record.mentions] == [("WidgetNet", "WidgetNet", 1.0)] * 2
    assert record.triples == ()


def test_a_pipeline_of_ones_own_stands_in_for_the_recogniser(tmp_path):
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "Method", "pattern": "WidgetNet"},
            {"label": "Task", "pattern": [{"LOWER": "bolt"}, {"LOWER": "sorting"}]},
        ]
    )
    nlp.to_disk(tmp_path / "mine")
    [record] = kg.extract(
        [kg.Paper(id="p", abstract="We propose WidgetNet for bolt sorting.")], model=str(tmp_path / "mine")
    )
    assert {(m.type, m.entity) for m in record.mentions} == {("Method", "WidgetNet"), ("Task", "bolt sorting")}
    assert record.extractor == extractor_name(str(tmp_path / "mine"), None)
    assert record.extractor.startswith("en_pipeline 0.0.0 + kg-")
