"""The text being built: clean characters, each with the raw span it stands for."""

import unicodedata
from array import array
from itertools import accumulate

from kg.clean.alignment import Cleaned
from kg.clean.characters import PLAIN_OF_SCRIPT, SUBSCRIPTS, SUPERSCRIPTS, plain


class Pieces:
    """Clean characters in order, with their raw spans; blanks are collapsed as they arrive."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.variants: dict[int, str] = {}

    @property
    def last(self) -> str:
        """The last clean character, empty at the beginning."""
        return self.chars[-1] if self.chars else ""

    def copy(self, start: int, end: int) -> None:
        """Take raw characters as they are, but for those that no clean text may hold."""
        while start < end and self.raw[start] == " " and self.last in ("", " "):
            start += 1
        text = self.raw[start:end]
        if not (text.isascii() and text.isprintable()) or "  " in text:
            for i in range(start, end):
                self.put(plain(self.raw[i]), i, i + 1)
            return
        self.chars.extend(text)
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def put(self, text: str, start: int, end: int) -> None:
        """Let ``text`` stand for the whole raw span; a blank next to a blank, or at the beginning, is left out."""
        for char in text:
            if char == " " and self.last in ("", " "):
                continue
            self.chars.append(char)
            self.starts.append(start)
            self.ends.append(end)

    def put_mark(self, mark: str, start: int, end: int) -> None:
        """Set a combining mark on the last character when the two compose, else take it as it is."""
        composed = unicodedata.normalize("NFC", self.last + mark) if self.last else ""
        if len(composed) == 1:
            self.chars[-1] = composed
            self.ends[-1] = end
        else:
            self.put(mark, start, end)

    def trim(self) -> None:
        """Drop a blank at the end."""
        if self.last == " ":
            self.variants.pop(len(self.chars) - 1, None)
            del self.chars[-1], self.starts[-1], self.ends[-1]

    def append(self, other: "Pieces", wrap: tuple[str, str] = ("", "")) -> None:
        """Add all of ``other``, between two strings that take the raw spans of its outermost characters."""
        if not other.chars:
            return
        self.put(wrap[0], other.starts[0], other.ends[0])
        if other.chars[0] == " " and self.last in ("", " "):
            other = other.without_first()
        shift = len(self.chars)
        self.chars += other.chars
        self.starts += other.starts
        self.ends += other.ends
        self.variants.update({i + shift: shown for i, shown in other.variants.items()})
        if wrap[1]:
            self.put(wrap[1], self.starts[-1], self.ends[-1])

    def without_first(self) -> "Pieces":
        """The same pieces less the first."""
        rest = Pieces(self.raw)
        rest.chars, rest.starts, rest.ends = self.chars[1:], self.starts[1:], self.ends[1:]
        rest.variants = {i - 1: shown for i, shown in self.variants.items() if i}
        return rest

    def append_script(self, script: "Pieces", raised: bool) -> None:
        """Add a super- or subscript the way it is said.

        After a letter its letters and digits stand plainly (``I²MoE`` is written I2MoE, and shown with the small
        digit); after a digit, or with a sign, a superscript stays one (10⁻³), since plain digits would lie.
        """
        text = "".join(script.chars)
        table = SUPERSCRIPTS if raised else SUBSCRIPTS
        lies = self.last.isdigit() or self.last in SUPERSCRIPTS.values() or not (text.isalnum() or len(text) == 1)
        if raised and lies and text not in ("th", "st", "nd", "rd", "°", "'", "''", "*", "∘"):
            if all(c in SUPERSCRIPTS or c in PLAIN_OF_SCRIPT for c in text):
                script.chars = [SUPERSCRIPTS.get(c, c) for c in script.chars]
                self.append(script)
            elif len(text) > 1:
                self.append(script, wrap=("^(", ")"))
            else:
                self.append(script, wrap=("^", ""))
            return
        if text == "∘":
            script.chars = ["°"]
        shift = len(self.chars)
        self.append(script)
        for i in range(shift, len(self.chars)):
            if self.chars[i] in table:
                self.variants[i] = table[self.chars[i]]

    def cleaned(self) -> Cleaned:
        """The finished text; without alignment when nothing changed."""
        self.trim()
        text = "".join(self.chars)
        if text == self.raw:
            return Cleaned(self.raw, self.raw)
        # A piece inside another (a wrapped group) must not end before it
        return Cleaned(self.raw, text, array("I", self.starts), array("I", accumulate(self.ends, max)), self.variants)
