"""What LaTeX macros stand for: which only format, which take an argument away, which are a symbol.

The symbols are pylatexenc's tables; the groups below say what is left of a macro when a reader says it.
"""

import unicodedata
from functools import cache

FORMAT = frozenset(
    [
        "textbf",
        "textit",
        "texttt",
        "textsc",
        "textsf",
        "textrm",
        "textsl",
        "textmd",
        "textup",
        "textnormal",
        "text",
        "emph",
        "mathbf",
        "mathit",
        "mathtt",
        "mathrm",
        "mathsf",
        "mathcal",
        "mathbb",
        "mathscr",
        "mathfrak",
        "mathds",
        "mathnormal",
        "boldsymbol",
        "bm",
        "bold",
        "pmb",
        "mbox",
        "hbox",
        "fbox",
        "underline",
        "uline",
        "ul",
        "overline",
        "ensuremath",
        "operatorname",
        "mathop",
        "mathbin",
        "mathrel",
        "smash",
        "phantom",
        "uppercase",
        "lowercase",
        "textcolor",
        "mathcolor",
        "colorbox",
        "hl",
        "sout",
        "underbar",
        "substack",
        "centerline",
        "caption",
        "title",
        "section",
        "subsection",
        "paragraph",
        "keywords",
        "abstract",
        "xspace",
        "term",
    ]
)
"""Macros whose argument is read as if they were not there."""

SWITCH = frozenset(
    [
        "bf",
        "it",
        "em",
        "rm",
        "sf",
        "sl",
        "sc",
        "tt",
        "cal",
        "small",
        "large",
        "Large",
        "LARGE",
        "huge",
        "Huge",
        "tiny",
        "footnotesize",
        "normalsize",
        "scriptsize",
        "bfseries",
        "itshape",
        "scshape",
        "ttfamily",
        "sffamily",
        "rmfamily",
        "upshape",
        "mdseries",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "limits",
        "nolimits",
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "middle",
        "noindent",
        "newline",
        "centering",
        "protect",
        "relax",
        "xspace",
        "nonumber",
        "quad",
        "qquad",
        "item",
        "par",
        "linebreak",
        "romannumeral",
        "indent",
        "maketitle",
    ]
)
"""Macros that change what follows, or only the layout."""

DROPPED = frozenset(
    [
        "cite",
        "citep",
        "citet",
        "citealp",
        "citealt",
        "citeauthor",
        "citeyear",
        "citeyearpar",
        "Cite",
        "Citet",
        "Citep",
        "parencite",
        "textcite",
        "autocite",
        "citeProc",
        "footcite",
        "nocite",
        "ref",
        "eqref",
        "autoref",
        "cref",
        "Cref",
        "pageref",
        "label",
        "vspace",
        "hspace",
        "color",
        "thanks",
        "index",
        "bibliographystyle",
        "bibliography",
        "includegraphics",
        "input",
        "usepackage",
        "definecolor",
        "vskip",
        "hskip",
        "setlength",
        "footnotemark",
    ]
)
"""Macros that vanish with their arguments: a reader skips them."""

SECOND = frozenset(["href", "hyperlink", "textcolor", "mathcolor", "colorbox", "hyperref", "resizebox", "scalebox"])
"""Macros of which only the last argument is read."""

URLS = frozenset(["url", "path", "nolinkurl", "burl"])
FRACTIONS = frozenset(["frac", "tfrac", "dfrac", "cfrac", "nicefrac", "sfrac"])

CONTROL_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    '"': "\u0308",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
}
LETTER_ACCENTS = {
    "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "v": "\u030c", "u": "\u0306", "b": "\u0331",
    "d": "\u0323",
}  # fmt: skip
MATH_ACCENTS = {
    "tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304",
    "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300",
    "vec": "\u20d7", "mathring": "\u030a",
}  # fmt: skip

GLUED = tuple(
    sorted(
        [
            "textbf",
            "textit",
            "texttt",
            "textsc",
            "textsf",
            "textrm",
            "emph",
            "mathbf",
            "mathit",
            "mathtt",
            "mathrm",
            "mathsf",
            "mathcal",
            "mathbb",
            "mathscr",
            "mathfrak",
            "boldsymbol",
            "sqrt",
            "widetilde",
            "widehat",
            "tilde",
        ],
        key=len,
        reverse=True,
    )
)
"""Macros recognised even when their braces were lost and the argument is glued on (``\\textitlinearly``)."""

SPELLED = {
    "eps": "ε", "R": "R", "ie": "i.e.", "eg": "e.g.", "etc": "etc.", "etal": "et al.", "wrt": "w.r.t.", "vs": "vs.",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "textmu": "μ", "texttimes": "×", "S": "§", "P": "¶",
    "textregistered": "®", "texttrademark": "™", "textasciitilde": "~", "textasciicircum": "^", "textbackslash": "/",
    "textunderscore": "_", "textendash": "–", "textemdash": "—", "slash": "/", "colon": ":", "ast": "*", "star": "*",
    "vert": "|", "Vert": "∥", "mid": "|", "parallel": "∥", "epsilon": "ε", "infin": "∞", "otilde": "Õ", "hbar": "ℏ",
    "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "backslash": "/", "sim": "~", "dots": "…",
    "textless": "<", "textgreater": ">", "textbar": "|", "textdegree": "°", "degree": "°", "percent": "%",
}  # fmt: skip
"""Macros pylatexenc leaves out, or words they stand for in abstracts."""

LETTERS = frozenset(
    [
        "O",
        "o",
        "L",
        "l",
        "AA",
        "aa",
        "AE",
        "ae",
        "OE",
        "oe",
        "ss",
        "i",
        "j",
        "DH",
        "dh",
        "TH",
        "th",
        "NG",
        "ng",
        "DJ",
        "dj",
        "SS",
    ]
)
"""Letters: in text they swallow the blank that ends their name (``\\L ojasiewicz``)."""


def known(name: str) -> bool:
    """Whether ``\\name`` is a macro of LaTeX rather than of an author."""
    groups = (FORMAT, SWITCH, DROPPED, SECOND, URLS, FRACTIONS, MATH_ACCENTS)
    return len(name) > 1 and (any(name in group for group in groups) or symbol(name) is not None)


@cache
def symbol(name: str) -> str | None:
    """The character or word that macro ``\\name`` stands for; None when it is no symbol."""
    if name in SPELLED:
        return SPELLED[name]
    # Imported at the first macro: most texts have none, and look-ups should not wait for the tables.
    from pylatexenc.latex2text import get_default_latex_context_db

    spec = get_default_latex_context_db().get_macro_spec(name)  # type: ignore[no-untyped-call]
    shown = getattr(spec, "simplify_repl", None)
    if not isinstance(shown, str) or not shown or "%" in shown:
        return None
    return unicodedata.normalize("NFKC", shown) if len(shown) == 1 and shown not in "ℓ…" else shown
