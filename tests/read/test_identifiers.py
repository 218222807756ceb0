"""One form for each identifier, whatever it is written like."""

import pytest

from kg.read.identifiers import arxiv, doi, from_doi, from_url, identify, unique


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("10.5555/Orchard.17", "doi:10.5555/orchard.17"),
        (" doi:10.5555/orchard.17. ", "doi:10.5555/orchard.17"),
        ("https://doi.org/10.5555/ORCHARD.17", "doi:10.5555/orchard.17"),
        ("http://dx.doi.org/10.5555%2Forchard", "doi:10.5555/orchard"),
        ("orchard.17", None),
        ("", None),
    ],
)
def test_dois(value, expected):
    assert doi(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2101.00001", ("arxiv:2101.00001",)),
        ("arXiv:2101.00001v3", ("arxiv:2101.00001", "arxiv:2101.00001v3")),
        ("https://arxiv.org/pdf/2101.00001v1.pdf", ("arxiv:2101.00001", "arxiv:2101.00001v1")),
        ("math.GT/0309136", ("arxiv:math.gt/0309136",)),
        ("hep-th/9901001", ("arxiv:hep-th/9901001",)),
        ("2101", ()),
    ],
)
def test_arxiv(value, expected):
    assert arxiv(value) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://openreview.net/forum?id=AbC-1_x&noteId=2", ("openreview:AbC-1_x",)),
        ("https://www.aclanthology.org/2020.trees-main.7/", ("acl:2020.trees-main.7",)),
        ("https://aclweb.org/anthology/P19-1001.pdf", ("acl:P19-1001",)),
        ("https://openalex.org/w12", ("openalex:W12",)),
        ("https://www.semanticscholar.org/paper/" + "a" * 40, ("s2:" + "a" * 40,)),
        ("https://doi.org/10.48550/arXiv.2101.00001", ("doi:10.48550/arxiv.2101.00001", "arxiv:2101.00001")),
        ("https://example.org/forum?id=1", ()),
        ("not an address", ()),
        ("https://[broken", ()),
    ],
)
def test_addresses(url, expected):
    assert from_url(url) == expected
    assert identify(url) == expected


def test_what_may_be_of_any_kind():
    assert identify("17") == identify("paper.17") == identify("cutter2024") == ()
    assert identify("DOI:10.5555/X") == from_doi("10.5555/x") == ("doi:10.5555/x",)
    assert identify("CorpusID:17") == ("s2:17",)
    assert from_doi("10.18653/v1/2020.trees-main.7") == ("doi:10.18653/v1/2020.trees-main.7", "acl:2020.trees-main.7")
    assert unique(["a", "b", "a", "c"], without="c") == ("a", "b")
