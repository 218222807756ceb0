"""Names of methods, tasks and datasets: one key to compare them by, one form to show them in, one id.

Three functions, each a pure function of one name; what needs several names (abbreviations, aliases) is in kg.resolve.

``fold``       the comparison key: two surfaces with one key are one name
``canonical``  the form that is shown: no markup, determiner, generic head or plural; lower case unless proper
``entity_id``  the stable id, derived from type and key

Nothing that tells things apart is ever dropped: digits, versions, Greek letters, ``+``, ``#`` and a final ``*`` stay.
"""

import hashlib
import html
import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from kg.types import EntityType
from kg.words import (
    AMERICAN,
    COMMON_NOUNS,
    COMPOUND,
    COMPOUND_SPELLING,
    DEEP_BEFORE,
    DETERMINERS,
    GREEK,
    HEADS,
    JOINED_PREFIXES,
    LEADING_NOISE,
    LOOSE_MODIFIERS,
    NOUN_ENDINGS,
    NOUNS_OF_VERBS,
    PROPER,
    SINGULAR,
    SPELLED_GREEK,
)

DASHES = re.compile(r"[\u2010-\u2015\u2212\u00ad\ufe63\uff0d]")
LATEX_COMMAND = re.compile(r"\\([a-zA-Z]+)(\*?\s*\{)?\*?")
SWITCHES = frozenset("bf em it rm sc sf sl tt cal boldmath displaystyle left right big Big".split())  # noqa: SIM905
UNMARKED = re.compile(r"(?:[A-Za-z0-9 ,;:.()/+#\"'`α-ωΑ-Ω]|-(?! ))*")
EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,2})(\S(?:.*?\S)?)\1(?!\w)")
BROKEN_WORD = re.compile(r"([a-z])- (?!and\b|or\b|to\b)([a-z])")
PARENTHESIS = re.compile(r"\s*\((?:[^()]*[A-Z]{2}[^()]*|i\.e\.[^()]*|e\.g\.[^()]*)\)(?=\s|$|-)")
OPTIONAL = re.compile(r"^\([a-z][a-z-]{2,}\) (?=\w)")
TOKEN = re.compile(r"[^\W_]+(?:\.(?<=\d\.)\d+[^\W_]*)*(?:\+\+|\+(?!\w)|#|\*)?")
PLURAL_ACRONYM = re.compile(r"[A-Z0-9α-ω]([A-Za-z0-9]*[A-Z0-9])?s$")
TITLE_WORD = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ’']+$")
VERSION = re.compile(r"v\d")
DIMENSION = re.compile(r"\d+[dD]")
QUALIFIER = re.compile(r"(\w{3}ed|like|style|free|aware|driven|wise|level|specific|agnostic)$", re.IGNORECASE)
DIGITS_FIRST = re.compile(r"\d+(\.\d+)*([a-z]|x\d+[a-z]?)?$")


@lru_cache(maxsize=1 << 18)
def plain(name: str) -> str:
    r"""The name without markup: LaTeX, HTML and emphasis gone, Greek commands as letters, dashes as ``-``.

    >>> plain(r"$\beta$-VAE"), plain(r"\textbf{Deep} $k$-means"), plain("A$^*$"), plain("net- works")
    ('β-VAE', 'Deep k-means', 'A*', 'networks')
    """
    text = unicodedata.normalize("NFKC", html.unescape(name))
    if UNMARKED.fullmatch(text):
        return " ".join(text.split()).strip(" ,;:.\"'`") or name.strip()
    text = DASHES.sub("-", text.replace("\u00ad", ""))
    text = LATEX_COMMAND.sub(_said, text)
    text = EMPHASIS.sub(r"\2", re.sub(r"</?[a-zA-Z]+>", "", text))
    text = re.sub(r"[_^]\{?", "", re.sub(r"[\\${}~]", "", re.sub(r"[_^]\{([^{}]*)\}", r"\1", text)))
    text = BROKEN_WORD.sub(r"\1\2", re.sub(r"\s+", " ", text))
    return text.strip(" ,;:.\"'`“”‘’") or name.strip()


def _said(command: re.Match[str]) -> str:
    """What a LaTeX command says: a Greek letter, a blank, nothing where it only sets type; else it is its own name."""
    name, brace = command[1], "{" if command[2] else ""
    if name in GREEK:
        return GREEK[name] + brace
    if name in {"quad", "qquad"}:
        return " " + brace
    return brace if brace or name in SWITCHES else name


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """One word without its plural; words that only look plural are left alone.

    >>> [singular(w) for w in "losses GANs policies processes matrices ResNets DETRs equilibria".split()]
    ['loss', 'GAN', 'policy', 'process', 'matrix', 'ResNet', 'DETR', 'equilibrium']
    >>> [singular(w) for w in "Bayes analysis bias dynamics SAS loss corpus series".split()]
    ['Bayes', 'analysis', 'bias', 'dynamics', 'SAS', 'loss', 'corpus', 'series']
    >>> [singular(w) for w in "ATLAS LENS KMeans Matrices".split()]
    ['ATLAS', 'LENS', 'KMeans', 'Matrix']
    """
    low = word.lower()
    if low in SINGULAR:
        known = SINGULAR[low]
        if known == low or not word[1:].islower():
            return word if known == low else known.upper() if word.isupper() else known
        return word[0] + known[1:] if word[0] != low[0] and known[0] == low[0] else known
    if PLURAL_ACRONYM.fullmatch(word) and len(word) > 2:
        return word[:-1]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "as", "os", "ics", "lens")):
        return word
    if word.endswith(("sses", "xes", "shes", "ches", "zzes")):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("yses"):
        return word[:-2] + "is"
    return word[:-1]


@lru_cache(maxsize=1 << 16)
def american(word: str) -> str:
    """One word in American spelling, as the field writes it: ``optimisation`` and ``modelling`` have one key."""
    for pattern, replacement in AMERICAN:
        word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=1 << 18)
def fold(name: str) -> str:
    r"""The key that names are compared by: words without case, markup, accents, hyphens, plural or spelling variant.

    >>> fold("Reinforcement-Learning") == fold("reinforcement learning"), fold("Auto-Encoders") == fold("autoencoder")
    (True, True)
    >>> fold("GPT-4") == fold("GPT4") == fold("GPT 4"), fold("GPT-4o") == fold("GPT-4")
    (True, False)
    >>> fold(r"$\beta$-VAE") == fold("beta-VAE") == fold("β-VAE"), fold("γ-VAE")
    (True, 'γ vae')
    >>> len({fold(x) for x in ("C", "C++", "C#", "A*", "A", "L1", "L2", "SAM", "SAM 2", "Adam", "AdamW")})
    11
    """
    text = plain(name)
    if " " in text and text.isupper():
        text = text.lower()
    text = re.sub(r"(?<=\w)['’]s?\b", "", text.replace("&", " and "))
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = SPELLED_GREEK.sub(lambda m: GREEK[m[0].lower()], text)
    words: list[str] = []
    for token in TOKEN.findall(text):
        word = american(singular(token).casefold())
        last = words[-1] if words else ""
        joins = (
            last in JOINED_PREFIXES
            or (last.isalpha() and (DIGITS_FIRST.match(word) and not re.fullmatch(r"\d+d", word)))
            or (last and VERSION.match(word))
            or (word == "d" and last.isdigit())
        )
        if joins:
            words[-1] = last + word
        else:
            words.append(word)
    return " ".join(words) or re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()


def slug(key: str) -> str:
    """A folded key as the second half of an id: words joined by ``-``; a very long one is cut and ends in a digest.

    >>> slug("q learning"), len(slug("word " * 2000))
    ('q-learning', 200)
    """
    text = re.sub(r"\s+", "-", key)
    # Neo4j cannot index a string of more than about 8,000 bytes, and ids are unique there.
    return text if len(text) <= 200 else f"{text[:183]}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def entity_id(type: EntityType, name: str) -> str:
    """The stable id of what goes by ``name``: its type and its key.

    >>> entity_id("Method", "Reinforcement Learning"), entity_id("Dataset", "CIFAR-10"), entity_id("Method", "β-VAE")
    ('method:reinforcement-learning', 'dataset:cifar10', 'method:β-vae')
    """
    return f"{type.lower()}:{slug(fold(name))}"


@lru_cache(maxsize=1 << 18)
def canonical(name: str, type: EntityType) -> str:
    """The form of one surface that is shown: singular, lower case unless proper, no determiner, markup or generic head.

    Abbreviations are left as they are (what they stand for takes a document or a table: kg.resolve).

    >>> canonical("Graph Neural Networks", "Method"), canonical("the BERT model", "Method")
    ('graph neural network', 'BERT')
    >>> canonical("Out-of-distribution (OOD) detection tasks", "Task"), canonical("language models", "Method")
    ('out-of-distribution detection', 'language model')
    >>> canonical("ImageNet dataset", "Dataset"), canonical("deep generative modelling", "Method")
    ('ImageNet', 'generative model')
    >>> canonical("modern Hopfield networks", "Method"), canonical("Gaussian Processes", "Method")
    ('modern Hopfield network', 'Gaussian process')
    >>> [canonical(n, "Method") for n in ("Grad-CAM", "the CLIP-Lite model", "GAN-Based", "Text-to-SQL", "Re-ID")]
    ['Grad-CAM', 'CLIP-Lite', 'GAN-based', 'text-to-SQL', 're-ID']
    >>> canonical("Stable Diffusion model", "Method"), canonical("Diffusion models", "Method")
    ('Stable Diffusion model', 'diffusion model')
    >>> canonical("Llama-2", "Method"), canonical("multilingual pretrained language models", "Method")
    ('Llama-2', 'multilingual language model')
    >>> canonical("Detecting anomalies", "Task"), canonical("detecting objects in video", "Task")
    ('anomaly detection', 'detecting object in video')
    >>> canonical("systems of equations", "Method"), canonical("two random variables", "Method")
    ('system of equations', 'two random variables')
    """
    text = PARENTHESIS.sub("", OPTIONAL.sub("", plain(name))).strip() or plain(name)
    words = text.split()
    if not words:
        return name.strip()
    if type == "Dataset":
        return " ".join(_without_dataset_head(words))
    words = _without_leading_noise(words)
    words = _lower_case(words)
    words = _singular_head(words)
    words = [american(w) if w.islower() else w for w in words]
    words = _hyphenated(_without_generic_heads(words, type))
    if type == "Task":
        words = _as_noun(words)
    words = _without_leading_noise(words)
    words = [w for i, w in enumerate(words) if w != "pre-trained" or not 0 < i < len(words) - 2]
    if words[-1] == "net" and len(words) > 1 and words[-2].endswith(("al", "ent")):
        words[-1] = "network"
    if type == "Method" and words[-1] == "modeling" and len(words) > 1:
        words[-1] = "model"
    if words[0] == "deep" and fold(" ".join(words[1:])) in _deep_before():
        words = words[1:]
    return " ".join(words)


def is_short_form(name: str) -> bool:
    """Whether a name looks like an abbreviation: one word, ten characters at most, more than half its letters capitals.

    >>> [is_short_form(x) for x in ("RL", "GANs", "DTZO", "MoE", "BERT", "Transformer", "deep RL", "CIFAR-10", "SAM 2")]
    [True, True, True, True, True, False, False, True, False]
    """
    word = singular(plain(name))
    letters = [c for c in word if c.isalpha()]
    return " " not in word and 2 <= len(word) <= 10 and 2 * sum(c.isupper() for c in letters) > len(letters) > 1


@cache
def _deep_before() -> frozenset[str]:
    return frozenset(map(fold, DEEP_BEFORE))


def singular_name(name: str) -> str:
    """A name with its last word singular.

    >>> singular_name("graph neural networks"), singular_name("Metropolis-Hastings"), singular_name("MDP-nets")
    ('graph neural network', 'Metropolis-Hastings', 'MDP-net')
    """
    head, space, last = name.rpartition(" ")
    return head + space + _singular_last(last)


def _singular_last(word: str) -> str:
    head, dash, tail = word.rpartition("-")
    return head + dash + singular(tail) if len(tail) > 2 else word


def _singular_head(words: list[str]) -> list[str]:
    """The word that says what it is in the singular: the one before ``of`` and the like, or the last.

    What follows stays as it is written (``system of equations``), and so does what a number counts (``two variables``).
    """
    if words[0].lower() in NUMERALS or words[0].isdigit():
        return words
    head = next((i for i, word in enumerate(words) if word in PREPOSITIONS and i), len(words)) - 1
    return [*words[:head], _singular_last(words[head]), *words[head + 1 :]]


def _without_leading_noise(words: list[str]) -> list[str]:
    while len(words) > 1 and (
        words[0].lower() in LEADING_NOISE or (len(words) > 2 and words[0].lower() in LOOSE_MODIFIERS)
    ):
        words = words[1:]
    return words


def _lower_case(words: list[str]) -> list[str]:
    """Title case that only marks a heading or the start of a sentence goes; names and acronyms keep their letters."""
    if len(words) > 1 and all(w.isupper() for w in words) and sum(len(w) > 4 for w in words) > 1:
        words = [w.lower() for w in words]
    if len(words) == 1 and TITLE_WORD.match(words[0]):
        low = words[0].lower()
        return [low if low.endswith(NOUN_ENDINGS) or low in COMMON_NOUNS else words[0]]
    titled = sum(bool(TITLE_WORD.match(w)) and not _is_proper(w) for w in words[1:])
    mixed = titled < 2 and any(w.islower() and w not in SMALL_WORDS for w in words)
    # Stable Diffusion model: a capital that stays inside keeps the one before it.
    inner = mixed and any(TITLE_WORD.match(word) and not _is_proper(word) for word in words[1:2])
    out = []
    for i, word in enumerate(words):
        parts = word.split("-")
        pair_of_names = len(parts) > 1 and all(TITLE_WORD.match(p) for p in parts)
        # Llama-2 and 3C-Net are names, Text-to-3D is a title.
        named = any(p[0].isdigit() and not DIMENSION.fullmatch(p) for p in parts if p) or "Net" in parts[1:]
        named = named or ((mixed or len(words) == 1) and _is_coined(parts))
        keep = named or (mixed and (i > 0 or pair_of_names or inner))
        out.append("-".join(p if keep or not TITLE_WORD.match(p) or _is_proper(p) else p.lower() for p in parts))
    return out


def _is_coined(parts: Sequence[str]) -> bool:
    """Whether a word with hyphens is a name somebody made up (Grad-CAM, CLIP-Lite): a part has two capitals.

    Not a phrase (Text-to-SQL), a prefix (Re-ID) or what says how something is (GAN-Based).
    """
    return (
        any(sum(map(str.isupper, part)) > 1 for part in parts)
        and parts[0].lower() not in JOINED_PREFIXES
        and not any(part in SMALL_WORDS for part in parts)
        and not QUALIFIER.search(parts[-1])
    )


def _without_dataset_head(words: list[str]) -> list[str]:
    """``the ImageNet dataset`` -> ImageNet; a head with a capital is part of the name (Open Graph Benchmark)."""
    while words[0].lower() in DETERMINERS and len(words) > 1:
        words = words[1:]
    while len(words) > 1 and singular(words[-1].lower()) in HEADS["Dataset"]:
        if len(words) > 2 and words[-1][0].isupper() and words[-2][0].isupper():
            break
        words = words[:-1]
    return words


NUMERALS = frozenset(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "multiple", "many"])
PREPOSITIONS = frozenset(["of", "for", "with", "in", "between", "from", "on", "over", "under", "among", "across"])
SMALL_WORDS = frozenset(["of", "for", "with", "and", "in", "to", "the", "on", "by", "from", "via"])
FURTHER = """
about after against as at before during given how if into or per than that through toward towards using what when where
whether while within without
"""
CONNECTIVES = PREPOSITIONS | (SMALL_WORDS - {"the"}) | frozenset(FURTHER.split())


def _is_proper(word: str) -> bool:
    low = re.sub(r"['’]s?$", "", word.lower())
    return low in PROPER or singular(low) in PROPER


def _without_generic_heads(words: list[str], type_: EntityType) -> list[str]:
    """Drop method, framework, task and their like where what is left names the thing by itself."""
    while len(words) > 1 and words[-1] in HEADS[type_]:
        rest = words[:-1]
        last = rest[-1]
        own_name = len(rest) == 1 and any(c.isupper() for c in last) and not last.endswith(("-based", "-style"))
        process = last.endswith(NOUN_ENDINGS) and words[-1] != "model" and (len(rest) > 1 or type_ == "Task")
        if not (own_name and last.lower() not in PROPER) and not process:
            break
        words = rest
    return words


def _as_noun(words: list[str]) -> list[str]:
    """``detecting anomaly`` -> anomaly detection, where the verb has a single thing after it."""
    noun = NOUNS_OF_VERBS.get(words[0])
    if noun is None or not 1 < len(words) <= 5 or any(w in CONNECTIVES for w in words[1:]):
        return words
    return [*words[1:], noun]


def _hyphenated(words: list[str]) -> list[str]:
    """Known compounds with their dictionary hyphen (``few shot`` -> ``few-shot``), known nouns without."""
    text = COMPOUND.sub(lambda m: COMPOUND_SPELLING[m[0].replace("-", " ")], " ".join(words))
    return text.split()
