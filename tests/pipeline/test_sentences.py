import pytest

from kg.pipeline.sentences import split_sentences


def sentences(text):
    return [text[a:b] for a, b in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "See Fig. 3 and Eq. 2 of Doe et al. (2015) for details.",
        "Many tasks, e.g. parsing, i.e. trees, resist it.",
        "We bound it under i.i.d. Gaussian noise.",
        "It beats BERT, a.k.a. Bidirectional Transformers, on GLUE.",
        "We fit U.S. Census data.",
        "It gains 3.5 points at p < 0.05 vs. BERT.",
        "Code is at github.com/foo/bar.git for all.",
        "The bound $f(x. Y)$ holds.",
        "We test it (on trees. And on graphs.) today.",
        "The results of J. Doe hold w.r.t. Both norms.",
    ],
)
def test_full_stops_that_end_nothing(text):
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It is fast.", "It is small."),
        ("The samples are i.i.d.", "We drop that."),
        ("It was run in the U.S.", "We repeat it."),
        ("Is it fast?", "We think so."),
        ("We extend Doe et al.", "However, ours is faster."),
        ("It needs little memory.", "pFedMe needs more."),
        ("Values grow with p.", "We prove it."),
        ("We beat DR.", "Two ablations follow."),
        ('We call it "small."', "It is."),
        ("It works (see above).", "(ii) There is more."),
    ],
)
def test_boundaries(first, second):
    assert sentences(f"{first} {second}") == [first, second]


def test_blank_lines_and_other_scripts():
    assert sentences("A title\n\nThe text.") == ["A title", "The text."]
    assert sentences("これは文です。次の文です。") == ["これは文です。", "次の文です。"]
    assert sentences("  \n ") == []
    assert sentences("") == []
