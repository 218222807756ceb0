"""What a reader would say: markup out, names whole, and spans that lead back to the raw text."""

# ruff: noqa: E501 - a text a line is easier to check than a wrapped one

import os
import random
import string

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kg.clean import Cleaned, clean

CASES = {
    # LaTeX
    r"We use \textbf{TreeCut} and \emph{very} {\em old} trees.": "We use TreeCut and very old trees.",
    r"the $\ell_1$-norm and $\epsilon$-greedy cuts": "the ℓ1-norm and ε-greedy cuts",
    r"$\tilde{\mathcal{O}}(n^3/\varepsilon^{-2})$": "Õ(n3/ε⁻²)",
    r"a $10^{-3}$ step, $10^6$ trees, the $5^{th}$": "a 10⁻³ step, 10⁶ trees, the 5th",
    r"$\frac{1}{\epsilon}$, $\sqrt{T}$ and $n \log^2 n$": "1/ε, √T and n log2 n",
    "R-SVM_μ^+, Face2Face^ρ, M^ 3 3D, x^2 and R^d": "R-SVMμ+, Face2Faceρ, M3 3D, x2 and Rd",
    "on $ extit{SimAug}$ and $1 imes1$ cuts": "on SimAug and 1×1 cuts",
    r"$\mathbb{R}^d$, \(x\), $a \leq b$": "Rd, x, a ≤ b",
    r"\href{https://a.example/x_y}{our page}, \url{https://b.example/c\_d}": "our page, https://b.example/c_d",
    r"as shown \citep{a,b}. See Fig.~\ref{f}.": "as shown. See Fig..",
    r"20\% of A\&B, \$5 and C\_D": "20% of A&B, $5 and C_D",
    "it costs $5 and then $10, or $3M to $4M": "it costs $5 and then $10, or $3M to $4M",
    r"Erd\H{o}s, M\"uller, \L ojasiewicz, Gr\'{e}goire, na\"{\i}ve, \AA": "Erdős, Müller, Łojasiewicz, Grégoire, naïve, Å",
    r"our \treecut and \treecut{} models": "our treecut and treecut models",
    r"\textitlinearly, extbf{T}ree and $10 imes$": "linearly, Tree and 10×",
    "``quoted'' and `so' --- or a--b": '"quoted" and \'so\' — or a-b',
    r"he said \"good\" twice": 'he said "good" twice',
    r"see\footnote{Code is online.} and \textsuperscript{2}": "see (Code is online.) and 2",
    r"{\textbf{T}ree} {BERT}s and the set {a, b}": "Tree BERTs and the set {a, b}",
    "a lone \\ backslash, a { brace and $ sign": "a lone backslash, a { brace and $ sign",
    # Markdown
    "**T**ree**C**ut is *very* fast, _really_": "TreeCut is very fast, really",
    "A* search, D* Lite and snake_case_names": "A* search, D* Lite and snake_case_names",
    "[our page](https://a.example/x_y_z) or https://b.example/c_d_e": "our page or https://b.example/c_d_e",
    "run `treecut` now": "run treecut now",
    # HTML
    "<p>H<sub>2</sub>O &amp; R&lt;D &amp;lt; <i>x</i></p>": "H2O & R<D &lt; x",
    "<jats:title>Abstract</jats:title><jats:p>We cut.</jats:p>": "Abstract We cut.",
    "x < y and y > z, <mask> tokens": "x < y and y > z, <mask> tokens",
    # Typography
    "eﬃcient ﬁne ＡＢＣ 𝑑 “x” ‘y’ Cauchy–Schwarz": "efficient fine ABC d \"x\" 'y' Cauchy-Schwarz",
    "cafe\u0301 soft\u00adware zero\u200bwidth\ufeff": "café software zerowidth",
    "two  blanks\u00a0here\tand\r\nthere ": "two blanks here and there",
    "nul\x00 and bell\x07 and \ud800\ufffd": "nul and bell and",
    "eï¬€ective, 360Â° and cafÃ©": "effective, 360° and café",
    # Hyphens at line ends
    "infor-\nmation and state-\nof-the-art, pre- and post-training": "information and state-of-the-art, pre- and post-training",
    "treecut- ters need treecutters": "treecutters need treecutters",
    "real-\nworld trees": "real-world trees",
    "an optimiza- tion prob- lem": "an optimization problem",
}  # fmt: skip


@pytest.mark.parametrize("raw", CASES)
def test_reads_as_a_person_would_say_it(raw):
    assert clean(raw).text == CASES[raw]


def test_a_name_set_in_markup_is_shown_with_its_small_digits_and_bounds_its_raw_characters():
    raw = r"We propose $\texttt{I$^2$MoE}$ ($\underline{I}$nterpretable $\underline{M}$ixture)."
    cleaned = clean(raw)
    start = cleaned.text.index("I2MoE")
    assert cleaned.display(start, start + 5) == "I²MoE"
    first, last = cleaned.to_raw(start, start + 5)
    assert raw[first:last] == "I$^2$MoE"
    start = cleaned.text.index("Interpretable Mixture")
    first, last = cleaned.to_raw(start, start + len("Interpretable Mixture"))
    assert raw[first:last] == r"I}$nterpretable $\underline{M}$ixture"


def test_plain_text_needs_no_alignment():
    cleaned = clean("We cut trees.")
    assert cleaned.starts is None
    assert cleaned.to_raw(3, 6) == cleaned.to_clean(3, 6) == (3, 6)


def test_the_same_small_digit_typed_or_set_is_one_name():
    assert clean("I²MoE").text == clean("I$^2$MoE").text == "I2MoE"
    assert clean("I²MoE").display() == clean("I$^2$MoE").display() == "I²MoE"
    assert clean("a step of 10⁻³").text == "a step of 10⁻³"


@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 99)])
def test_spans_outside_the_text_are_refused(span):
    for cleaned in (clean("We cut."), clean(r"\emph{We} cut.")):
        with pytest.raises(IndexError):
            cleaned.to_raw(*span)
        with pytest.raises(IndexError):
            cleaned.to_clean(*span)


@pytest.mark.parametrize(
    "raw",
    [
        "{" * 20_000, "}" * 20_000, "$" * 20_000, r"\textbf{" * 5_000, "^{" * 5_000, r"\frac{" * 5_000, "*" * 20_000,
        "_a" * 10_000, "[" * 20_000, "`" * 20_000, "<b" * 10_000, "&amp" * 5_000, "\\" * 20_001, "- " * 10_000,
        r"\'" * 10_000, "$^" * 10_000, "<sup>" * 5_000, "\u0301" * 10_000, "a-\n" * 10_000, "x" * 100_000, "**a" * 9_000,
        r"\begin{a}" * 3_000, "$a" * 9_000, "\\(" * 9_000, "![a](" * 5_000, "<!--" * 5_000, r"\href{a}" * 3_000,
    ],
    ids=lambda raw: raw[:9],
)  # fmt: skip
@pytest.mark.timeout(20)
def test_time_stays_linear_in_hostile_text(raw):
    check(clean(raw))


# -- properties ------------------------------------------------------------------------------------------------

MARKUP = [
        "\\textbf{", "\\emph{", "}", "{", "$", "$$", "^", "_", "^{", "_{", "\\", "\\frac{a}{b}", "\\sqrt{", "\\alpha",
        "\\'e", '\\"', "\\c{c}", "\\cite{x}", "\\href{u}{", "\\url{", "\\footnote{", "\\(", "\\)", "\\\\", "\\tilde{O}",
        "\\unknown", "\\left(", "**", "*", "`", "``", "''", "[a](http://b)", "[", "](", "_x_", "<b>", "</b>", "<sub>",
        "</sub>", "<sup>2</sup>", "<br/>", "<", "&amp;", "&#233;", "&nope;", "--", "---", "-\n", "- ", " ", "  ", "\n",
        "\n\n", "\t", "\r\n", "ﬁ", "²", "ａ", "“", "e\u0301", "\u0301", "\u00ad", "\u200b", "\x00", "\ud800", "Ã©", "𝑑",
        "http://a_b_c ", "~", "%", "#", "infor", "mation", "I", "MoE", "2", "10", "the ", "word", "ext", "extbf{", "imes",
]  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(MARKUP), max_size=25).map("".join),
    st.lists(
        st.one_of(st.sampled_from(MARKUP), st.text(max_size=4), st.sampled_from(string.ascii_letters)), max_size=25
    ).map("".join),
    st.text(st.characters(exclude_categories=[]), max_size=60),
)
RANDOM_TEXTS = int(os.environ.get("KG_FUZZ", "2000"))
"""How many random texts to try beside those that hypothesis looks for; ``KG_FUZZ=100000`` is a thorough run."""
PROPERTY = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(cleaned: Cleaned):
    """Everything that must hold of any cleaned text."""
    text, raw = cleaned.text, cleaned.raw
    text.encode()
    assert "  " not in text
    assert text == text.strip(" ") or cleaned.starts is None
    assert len(cleaned.display()) == len(text)
    if cleaned.starts is None:
        assert text == raw
        return
    assert len(text) == len(cleaned.starts) == len(cleaned.ends)
    previous = (0, 0)
    for start, end in zip(cleaned.starts, cleaned.ends, strict=True):
        assert 0 <= start < end <= len(raw)
        assert start >= previous[0]
        assert end >= previous[1]
        previous = (start, end)


def check_span(cleaned: Cleaned, start: int, end: int):
    """A clean span lies within its raw span, character by character, and comes back from it."""
    first, last = cleaned.to_raw(start, end)
    assert 0 <= first <= last <= len(cleaned.raw)
    for i in range(start, end):
        one = cleaned.to_raw(i, i + 1)
        assert first <= one[0] < one[1] <= last
    again = cleaned.to_clean(first, last)
    if start < end:
        assert again[0] <= start
        assert again[1] >= end


@PROPERTY
@given(TEXTS, st.data())
@example("\\'", None)
@example("$\\texttt{I$^2$MoE}$", None)
def test_any_clean_span_maps_to_a_raw_span_that_contains_it_and_back(raw, data):
    cleaned = clean(raw)
    check(cleaned)
    assert clean(raw) == cleaned
    size = len(cleaned.text)
    start, end = (
        (0, size) if data is None else sorted((data.draw(st.integers(0, size)), data.draw(st.integers(0, size))))
    )
    check_span(cleaned, start, end)


@pytest.mark.timeout(0 if RANDOM_TEXTS > 10_000 else 300)
def test_random_texts_keep_the_alignment():
    anything = [
        chr(c) for c in (*range(0x20, 0x7F), *range(0x80, 0x250), 0x3B1, 0x4F60, 0x1D434, 0xD800, 0xFFFD, 0x202E)
    ]
    for seed in range(RANDOM_TEXTS):
        chance = random.Random(seed)
        source = MARKUP if seed % 3 else MARKUP + anything
        raw = "".join(chance.choices(source, k=chance.choice((3, 10, 30, 60))))
        try:
            cleaned = clean(raw)
            check(cleaned)
            size = len(cleaned.text)
            start, end = sorted((chance.randint(0, size), chance.randint(0, size)))
            check_span(cleaned, start, end)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r} in {raw!r}") from error


@PROPERTY
@given(st.text(string.ascii_letters + string.digits + " ,.;:()", max_size=80))
def test_text_without_markup_only_loses_blanks(raw):
    assert clean(raw).text == " ".join(raw.split())


@PROPERTY
@given(TEXTS)
def test_characters_taken_as_they_are_stand_where_they_stood(raw):
    cleaned = clean(raw)
    for i, char in enumerate(cleaned.text):
        start, end = cleaned.to_raw(i, i + 1)
        if end == start + 1 and char.isascii() and char.isalpha() and raw[start].isascii() and raw[start].isalpha():
            assert raw[start] == char
