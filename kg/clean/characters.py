"""How single characters are written out: typography to the keyboard's forms, compatibility forms to plain ones."""

import re
import unicodedata
from functools import cache

QUOTES = dict.fromkeys("‘’‚‛′´ʼ＇", "'") | dict.fromkeys("“”„‟″＂«»", '"')
HYPHENS = frozenset("‐‑⁃﹣－−˗")
SPACES = frozenset("\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029")

SUPERSCRIPTS = dict(zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", strict=True)) | {"−": "⁻"}
SUBSCRIPTS = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
PLAIN_OF_SCRIPT = {v: k for k, v in SUPERSCRIPTS.items() if k.isdigit()} | {
    v: k for k, v in SUBSCRIPTS.items() if k.isdigit()
}

MOJIBAKE = re.compile(r"[Â-ôÎÏ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+")
"""A UTF-8 sequence that was once decoded as Latin-1 or Windows-1252; ftfy says whether it really was."""


@cache
def plain(char: str) -> str:
    """What one character becomes: itself, a plain form, a blank, or nothing when no reader would see it."""
    if char in QUOTES:
        return QUOTES[char]
    if char in HYPHENS:
        return "-"
    if char in SPACES:
        return " "
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Cs") or char == "\ufffd":
        return ""
    if category == "Zs":
        return " "
    code = ord(char)
    ligature, fullwidth, math, halfwidth = (
        0xFB00 <= code <= 0xFB06,
        0xFF01 <= code <= 0xFF5E,
        0x1D400 <= code <= 0x1D7FF,
        0xFFE0 <= code <= 0xFFEE,
    )
    if ligature or fullwidth or math or halfwidth or char in "ϵµΩÅKℝℂℕℤℚ𝔽ϕϑϱϖ∊":
        return "∈" if char == "∊" else unicodedata.normalize("NFKC", char)
    return char
