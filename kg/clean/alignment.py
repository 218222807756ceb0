"""Clean text with an exact way back: every clean character knows the raw characters it stands for."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text as a reader would say it, aligned to the raw text it came from.

    Offsets count Unicode code points. Both ends of the characters' raw spans never decrease from left to right, which
    makes the mapping of spans exact: ``to_raw`` contains the raw span of every clean character asked for, and
    ``to_clean`` undoes it.
    """

    raw: str
    text: str
    starts: "array[int] | None" = field(default=None, repr=False)
    """Where each clean character's raw span starts; None when nothing had to be cleaned and both texts are one."""
    ends: "array[int] | None" = field(default=None, repr=False)
    variants: Mapping[int, str] = field(default_factory=dict, repr=False)
    """Clean offset -> the character a page shows there (``²`` where the text has ``2``)."""

    def to_raw(self, start: int, end: int) -> tuple[int, int]:
        """The raw span that contains all of the clean span ``start:end``.

        An empty span maps to an empty one where its position lies. IndexError when the span is not inside the text.
        """
        self._check(start, end, len(self.text))
        if self.starts is None or self.ends is None:
            return start, end
        if start < end:
            return self.starts[start], self.ends[end - 1]
        position = self.starts[start] if start < len(self.text) else len(self.raw)
        return position, position

    def to_clean(self, start: int, end: int) -> tuple[int, int]:
        """The clean span of all characters that stand for some of the raw span ``start:end`` (empty for markup only).

        ``to_clean(*to_raw(s, e))`` contains ``s:e``. IndexError when the span is not inside the raw text.
        """
        self._check(start, end, len(self.raw))
        if self.starts is None or self.ends is None:
            return start, end
        first = bisect_right(self.ends, start)
        last = bisect_left(self.starts, end) if start < end else first
        return first, max(first, last)

    def display(self, start: int = 0, end: int | None = None) -> str:
        """The clean span as a page would show it: ``I²MoE`` where the text has ``I2MoE``."""
        stop = len(self.text) if end is None else end
        if not self.variants:
            return self.text[start:stop]
        return "".join(self.variants.get(i, self.text[i]) for i in range(start, stop))

    @staticmethod
    def _check(start: int, end: int, length: int) -> None:
        if not 0 <= start <= end <= length:
            raise IndexError(f"span {start}:{end} is not inside a text of {length} characters")
