"""Abstracts a second, beside spaCy's own CNN recogniser on the same abstracts in the same run.

    python benchmarks/extract.py [--abstracts 2000] [--model NAME]

kg finds entities, relations and roles; spaCy's pipeline (tok2vec, transition-based recogniser, sentencizer) entities
alone. Its weights are untrained, which changes what it finds but hardly how long it takes.
"""

import argparse
import resource
import time
from collections.abc import Callable

import spacy
from machine import corpus, describe
from spacy.training import Example

import kg
from kg.clean import clean


def seconds(run: Callable[[], object]) -> float:
    """How long ``run`` takes by the clock."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def cnn() -> spacy.language.Language:
    """spaCy's default recogniser for three labels."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("ner")
    marked = {"entities": [(3, 12, "Method"), (17, 29, "Task"), (33, 42, "Dataset")]}
    example = Example.from_dict(nlp.make_doc("We WidgetNet for bolt sorting on BoltBench."), marked)
    nlp.initialize(lambda: [example])
    return nlp


def main() -> None:
    """Measure and print one row a way."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--abstracts", type=int, default=2000)
    options.add_argument("--model", default=None)
    given = options.parse_args()
    print(describe("spacy", "onnxruntime"))
    papers = [paper for paper in corpus(given.abstracts) if paper.abstract]
    texts = [clean(paper.abstract).text for paper in papers]
    nlp = cnn()
    taken = seconds(lambda: list(nlp.pipe(texts)))
    print(f"{'spaCy CNN, entities alone, 1 process':40} {len(texts) / taken:7.1f} abstracts a second")
    start = time.perf_counter()
    kg.load_pipeline(given.model)
    print(f"{'kg, loading the model':40} {time.perf_counter() - start:7.2f} seconds")
    for workers in (1, 2):
        taken = seconds(lambda: list(kg.extract(papers, workers=workers, model=given.model)))  # noqa: B023
        rate = len(papers) / taken
        print(f"{f'kg, {workers} worker(s), start-up included':40} {rate:7.1f} abstracts a second")
        if workers == 1:  # of spawned workers the system tells only what they inherited
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{'kg, 1 process with all of this benchmark':40} {peak:7.0f} MB at most")


if __name__ == "__main__":
    main()
