"""The real abstracts beside the repository: every one is cleaned, aligned, and free of markup."""

import gzip
import json
import os
import re
from pathlib import Path

import pytest

from kg.clean import clean
from kg.clean.status import status
from tests.clean.test_clean import check, check_span

SHARED = Path(os.environ.get("KG_SHARED", Path(__file__).parents[3] / "shared"))
CORPUS = SHARED / "corpora" / "abstracts.jsonl.gz"
MACRO = re.compile(
    r"\\[A-Za-z]|\$[^$\s\d][^$]{0,30}\$|\w\*\*\w|</?(?:i|b|sub|sup|em)>|&(?:amp|lt|gt|nbsp);|\b(?:textbf|emph)\b"
)

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CORPUS.exists(), reason=f"{CORPUS} is not there (set KG_SHARED)"),
]


@pytest.fixture(scope="module")
def papers():
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_abstract_is_cleaned_and_aligned_and_free_of_markup(papers):
    left = []
    for paper in papers:
        cleaned = clean(paper["abstract"])
        check(cleaned)
        step = max(1, len(cleaned.text) // 5)
        for start in range(0, len(cleaned.text), step):
            check_span(cleaned, start, min(start + 30, len(cleaned.text)))
        if m := MACRO.search(cleaned.text):
            left.append((paper["id"], cleaned.text[max(0, m.start() - 20) : m.end() + 20]))
    assert len(papers) == 25_731
    assert left == []


def test_english_conference_papers_are_taken_for_english(papers):
    found = [status(paper["title"], paper["abstract"]) for paper in papers]
    assert {name: found.count(name) for name in set(found)} == {"ok": 25_729, "retracted": 2}
