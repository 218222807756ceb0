"""spaCy's tokens as the encoder's words, so that every mention starts and ends at a token."""

from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import registry
from spacy.vocab import Vocab

from kg.pipeline.words import split_words


class WordTokenizer:
    """Splits a text into words; whitespace beyond the one space after a word becomes tokens of its own."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Doc of a text; ``doc.text == text`` always."""
        tokens: list[str] = []
        spaces: list[bool] = []
        at = 0
        for word, start, end in split_words(text):
            self._gap(text[at:start], tokens, spaces)
            tokens.append(word)
            spaces.append(False)
            at = end
        self._gap(text[at:], tokens, spaces)
        return Doc(self.vocab, words=tokens, spaces=spaces)

    @staticmethod
    def _gap(gap: str, tokens: list[str], spaces: list[bool]) -> None:
        if gap.startswith(" ") and tokens:
            spaces[-1] = True
            gap = gap[1:]
        if gap:
            tokens.append(gap)
            spaces.append(False)

    def to_bytes(self, **_: Any) -> bytes:
        """Nothing to keep."""
        return b""

    def from_bytes(self, _data: bytes, **_: Any) -> "WordTokenizer":
        """Nothing to restore."""
        return self

    def to_disk(self, _path: str | Path, **_: Any) -> None:
        """Nothing to keep."""

    def from_disk(self, _path: str | Path, **_: Any) -> "WordTokenizer":
        """Nothing to restore."""
        return self


@registry.tokenizers("kg.WordTokenizer.v1")  # type: ignore[untyped-decorator]
def create_tokenizer() -> Any:
    """The tokenizer for a spaCy config."""

    def make(nlp: Language) -> WordTokenizer:
        return WordTokenizer(nlp.vocab)

    return make
