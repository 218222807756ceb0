"""Raw text to clean text, with an alignment back to raw offsets, and what a text is at all (its status)."""

from kg.clean.alignment import Cleaned
from kg.clean.markup import TOKEN, Scanner
from kg.clean.pieces import Pieces

__all__ = ["Cleaned", "clean"]


def clean(raw: str) -> Cleaned:
    """Raw text as a reader would say it: no LaTeX, Markdown or HTML, plain characters, single blanks.

    Never fails, whatever the text; ``Cleaned`` maps spans of the result to raw spans and back.

    >>> c = clean(r"We propose $\\texttt{I$^2$MoE}$ for \\emph{fusion}.")
    >>> c.text
    'We propose I2MoE for fusion.'
    >>> start, end = c.to_raw(11, 16)
    >>> c.raw[start:end]
    'I$^2$MoE'
    >>> c.display(11, 16)
    'I²MoE'
    """
    if TOKEN.search(raw) is None and raw[:1] != " " and raw[-1:] != " ":
        return Cleaned(raw, raw)
    pieces = Pieces(raw)
    Scanner(raw).scan(pieces, 0, len(raw))
    return pieces.cleaned()
