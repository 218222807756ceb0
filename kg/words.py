"""The word lists behind kg.names, read from ``kg/data/words.toml``, and the patterns made of them. No logic."""

import re
import tomllib
from importlib.resources import files

from kg.types import EntityType

_LISTS = tomllib.loads(files("kg").joinpath("data/words.toml").read_text(encoding="utf-8"))

_GREEK_NAMES = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon
phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell
"""
GREEK = dict(zip(_GREEK_NAMES.split(), "αβγδεεζηθθικλμνξπρστυφφχψωΓΔΘΛΞΠΣΦΨΩl", strict=True))

SPELLED_GREEK = re.compile(r"(?<![\w-])(alpha|beta|gamma|epsilon|lambda|sigma)(?=-[a-z0-9])", re.IGNORECASE)
"""A Greek letter written as a word before a hyphen, as in beta-VAE."""


def _words(name: str) -> frozenset[str]:
    return frozenset(_LISTS[name].split())


JOINED_PREFIXES = _words("joined_prefixes")
DETERMINERS = _words("determiners")
LEADING_NOISE = DETERMINERS | _words("leading_noise")
NO_NAMES = frozenset(_LISTS["no_names"])
GENERAL_WORDS = _words("general_words")
GENERAL_HEADS = _words("general_heads")
BARE_MODIFIERS = _words("bare_modifiers")
MODIFIER_ENDINGS = tuple(_LISTS["modifier_endings"].split())
STAND_INS = _words("stand_ins")
UNNAMED_DATA = _words("unnamed_data")
LOOSE_MODIFIERS = _words("loose_modifiers")
BEFORE_KNOWN = _words("before_known")
AFTER_KNOWN = _words("after_known")
DEEP_BEFORE = frozenset(_LISTS["deep_before"])
NOUN_ENDINGS = tuple(_LISTS["noun_endings"].split())
COMMON_NOUNS = _words("common_nouns")
PROPER = _words("proper")
HEADS: dict[EntityType, frozenset[str]] = {
    "Method": _words("method_heads"),
    "Task": _words("task_heads"),
    "Dataset": _words("dataset_heads"),
}
NOUNS_OF_VERBS: dict[str, str] = _LISTS["nouns_of_verbs"]
SINGULAR: dict[str, str] = {word: word for word in _words("not_plural")} | _LISTS["irregular"]

_ISE_STEMS = """
optim regular general normal maxim minim summar parametr parameter vector token random linear local factor categor organ
real penal discret stabil visual util equal personal anonym symmetr initial diagonal digit synthes amort marginal harmon
character polar contextual decentral central standard custom memor prior recogn emphas formal neutral lexical serial
canonical special quant
"""
AMERICAN = (
    (re.compile(rf"({'|'.join(_ISE_STEMS.split())})is(e|ed|es|ing|er|ers|ation|ations|able)$"), r"\1iz\2"),
    (re.compile(r"isation$"), "ization"),
    (re.compile(r"(model|label|travel|channel|signal|level)l(ing|ed|er)$"), r"\1\2"),
    (re.compile(r"(behavi|col|neighb|fav|endeav)our"), r"\1or"),
    (re.compile(r"^centre$"), "center"),
    (re.compile(r"^artefact$"), "artifact"),
)
"""British endings and what the field mostly writes; a closed list of stems, since promise is no such verb."""


COMPOUND_SPELLING: dict[str, str] = (
    {words: words for words in _LISTS["apart"]}
    | {words: words.replace(" ", "-") for words in _LISTS["hyphenated"]}
    | _LISTS["respelled"]
)
COMPOUND = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(words.replace(" ", "[ -]") for words in sorted(COMPOUND_SPELLING, key=len, reverse=True))
    + r")(?!\w)"
)
"""Compounds however they are hyphenated, and their dictionary spelling by the words apart; for names that are shown."""
