"""What an abstract is: text to extract from, nothing, a withdrawal or retraction notice, or another language.

Rules instead of a language-identification model: of the words of English abstracts a third are in the list below and
never under 15 in 100 (over 25,731 of them), of other languages' next to none, so the share of function words decides
with a wide margin. It is deterministic, needs no weights, can be read, and costs microseconds; statistical detectors
are slower by far and unsure of just those texts that are short or full of formulas and names.
"""

import re

from kg.types import Status

ENGLISH = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "a",
        "is",
        "for",
        "that",
        "we",
        "with",
        "on",
        "are",
        "this",
        "by",
        "as",
        "an",
        "be",
        "from",
        "which",
        "can",
        "our",
        "it",
        "such",
        "have",
        "has",
        "these",
        "their",
        "not",
        "or",
        "at",
        "using",
        "between",
        "show",
        "than",
        "but",
        "its",
        "based",
        "also",
        "both",
        "while",
        "where",
        "how",
        "however",
        "when",
        "into",
        "more",
        "been",
        "were",
        "was",
        "they",
        "over",
        "two",
        "under",
        "most",
        "each",
        "only",
        "through",
        "one",
        "other",
        "many",
        "used",
        "new",
        "use",
        "results",
        "propose",
        "paper",
        "study",
    ]
)
OTHERS = {
    "German": "der die das und ist von mit wir zu den für auf eine werden wird einer eines dem sich nicht auch im zur "
    "ein bei durch oder als diese dass sind über wie zum aus nach kann",
    "French": "le la les des et est une un dans pour que qui sur par avec nous ce cette sont du au aux en de ces plus "
    "comme ou se ne pas sont être leur",
    "Spanish": "el la los las de y en que un una por para con del se es al como su este esta más son entre sobre lo "
    "ha nos sus",
    "Portuguese": "o a os as de e em que um uma por para com do da dos das se é ao como no na nos nas este esta mais "
    "são entre sobre foi",
    "Italian": "il lo la gli le di e in che un una per con del della dei delle si è al come nel nella questo questa "
    "più sono tra dal alla ed",
    "Dutch": "de het een van en in is dat op te voor met die zijn wij we door aan als bij deze naar om niet ook wordt "
    "worden kan tot uit",
    "Polish": "w i na z do się jest to że nie o jako oraz dla przez są od po za tym został które który",
    "Turkish": "ve bir bu için ile olarak olan de da daha gibi en çok olduğu üzerinde kadar veya sonra",
    "Indonesian": "yang dan di dengan untuk dari pada ini dalam adalah tidak itu akan oleh sebagai dapat atau ke",
    "Vietnamese": "và của là các một trong được cho có những với này không để từ đã người theo",
    "Swedish": "och i att en det som på är av för med den till har de inte ett om vi kan från",
    "Czech": "a v na se je že s z do o pro jako jsou by k po od které který tento ve",
    "Romanian": "și de în la cu o pe un care din este pentru că nu mai sunt prin au ca",
}
OTHER_WORDS = tuple(frozenset(words.split()) - ENGLISH for words in OTHERS.values())

EMPTY = re.compile(
    r"[\W\d_]*(?:no abstract(?: (?:is )?(?:available|provided|given))?|abstract (?:is )?not (?:available|provided)|"
    r"(?:abstract )?unavailable|not (?:available|applicable|provided)|n/?a|none|null|nan|abstract|tbd|tba|todo)?"
    r"[\W\d_]*",
    re.IGNORECASE,
)
SUBJECT = (
    r"(?:paper|article|submission|manuscript|work|version|preprint|report|abstract|contribution|publication|draft|note)"
)
NOTICE = re.compile(
    rf"\W*(?:(?:this|the|our)\s+(?:\w+\s+){{0,2}}?{SUBJECT}\s+(?:\([^)]*\)\s*)?(?:has|have|had|was|were|is)\s+"
    rf"(?:(?:been|being|now|temporarily|voluntarily|hereby|also)\s+){{0,3}}(?P<a>withdrawn|retracted|removed)\b"
    rf"|(?P<b>withdrawn|retracted)\b\s*(?:[.:!\]]|by\b|due\b|because\b|$)"
    rf"|(?:the\s+)?authors?\s+(?:has\s+|have\s+)?(?P<c>withdrawn?|withdrew|retract(?:ed)?)\s+(?:this|the)\s+{SUBJECT})",
    re.IGNORECASE,
)
TITLE_NOTICE = re.compile(
    r"\W*(?:(?P<w>withdrawn)|retracted|retraction(?:\s+(?:note|notice))?)(?:\s+(?:article|paper|chapter|submission))?\s*(?:[:\]—–]|-\s)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+")


def status(title: str, abstract: str) -> Status:
    """What the abstract is (see ``kg.types.Status``); a retraction marked in the title counts too."""
    head = title[:40]
    if "etract" in head or "ETRACT" in head or "ithdraw" in head or "ITHDRAW" in head:
        m = TITLE_NOTICE.match(title)
        if m:
            return "withdrawn" if m["w"] else "retracted"
    if len(abstract) < 60 and EMPTY.fullmatch(abstract):
        return "no-abstract"
    if not abstract or abstract.isspace():
        return "no-abstract"
    start = abstract[:160].lower()
    if ("ithdr" in start or "retract" in start or "remov" in start) and (m := NOTICE.match(abstract)):
        word = (m["a"] or m["b"] or m["c"]).lower()
        if word != "removed" or re.search("arxiv|author|plagiari|error", abstract[:400], re.IGNORECASE):
            return "retracted" if word.startswith("retract") else "withdrawn"
    return "ok" if english(abstract) else "language"


def english(text: str) -> bool:
    """Whether a text is English, or too short or too formal to say otherwise.

    The first 400 characters decide in almost all cases; a text that is not clearly English there is looked at whole.
    """
    if len(ENGLISH.intersection(text[:400].split())) >= 8:
        return True
    words = [w.lower() for w in WORD.findall(text)]
    letters = sum(map(len, words))
    if not letters:
        return True
    latin = sum(len(w) for w in words if w[0] < "\u0250" or "\u1e00" <= w[0] < "\u1f00")
    if latin * 2 < letters:
        return False
    share = sum(w in ENGLISH for w in words) / len(words)
    hits = max(sum(w in known for w in words) for known in OTHER_WORDS)
    other = hits / len(words) if hits > 2 else 0.0
    if share >= 0.15 or other <= share:
        return len(words) < 40 or share >= 0.06
    return not (other >= 0.1 and other > 1.5 * share)
