"""The seeds' format: an optional heading line that names venue and year, then one abstract a paragraph.

A paper's id is derived from its text and its display title is made from it: what it proposes when it says so early
and briefly, else its first clause.
"""

import re
from collections.abc import Iterator

from kg.clean import clean
from kg.read.paper import RowError, derived_id, make_paper, storable
from kg.read.source import Rejected, Source, checked
from kg.types import Paper

HEADING = re.compile(
    r"[#*=\s]*(?P<venue>[A-Za-z][\w&/.+ -]{0,60}?)[\s,:'’-]*(?P<year>(?:19|20)\d\d)\s*"
    r"(?:accepted\s+|main\s+|long\s+)*(?:papers?(?:\s+list)?|abstracts?|list of papers|"
    r"论文列表|论文|proceedings)?[#*=:\s]*",
    re.IGNORECASE,
)
PARAGRAPH_LIMIT = 8 * 1024 * 1024
TITLE = 90

ADJECTIVE = (
    r"(?:new|novel|simple|general|generic|principled|efficient|effective|unified|powerful|flexible|scalable|fast|"
    r"practical|comprehensive|large-scale|first|interesting|theoretically motivated|fundamentally different|robust)"
)
PROPOSES = re.compile(
    r"\b(?i:we|(?:this|the|our) (?:paper|work|study|article)|the authors?)\s+"
    r"(?:\w+ly\s+|also\s+|then\s+|thus\s+){0,2}(?:propose|introduce|present|develop|design)s?\s+"
    r"(?:(?:a|an|the|our|two|three|several)\s+)?"
    rf"(?:{ADJECTIVE}(?:\s*,\s*|\s+)(?:(?:yet|but|and)\s+)?)*"
    r"(?P<what>[^\s,;:.()][^,;:.()]{2,120}(?:\([^()]{1,40}\))?)(?P<more>,\s+(?:a|an|the)\s+[^,;:.()]{8,100})?"
)
NAMED = re.compile(
    r"(?P<kind>.+?)\s+(?:named|called|dubbed|termed|coined|namely)\s+(?P<name>\S*[A-Z]\S*(?:\s[A-Z]\S*)*)"
)
NAME = re.compile(r"(?=\S*[A-Z])\S+(?:\s+\([^()]+\))?|\S+(?:\s+\S+){0,4}\s+\([^()]*[A-Z][^()]*\)")
EMPTY_OBJECT = re.compile(
    r"(?:method|approach|framework|algorithm|model|technique|strategy|way|system|scheme|solution|theory|analysis|set|"
    r"family|class|series|variant|idea|use|it|them|this|that|how|new|novel|leverag\w+|us\w+|improv\w+|extend\w+|"
    r"approaches|methods|algorithms|problem|notion|concept|results?|experiments?|evidence|empirical|extensive|numerical|"
    r"measures|implementations?|steps|analyses|to|conduct\w*|perform\w*|study|architecture|test|insights?|"
    r"and|its|their|our|positive|negative)\b(?!-)",
    re.IGNORECASE,
)
STOPS = re.compile(
    r"(?<!\bin)\s+(?=(?:that|which|who|to|where|whose|in order|by|using|via|based on|under|with|in which|able|capable|"
    r"as|when|and|designed|intended|without|combining|grounded)\s)"
)
CLAUSE = re.compile(r"(?:in )?(?:which|who|where|whose|when|as)\b")
LOOSE_END = re.compile(
    r"(?:\s+(?:along|together|in|of|for|with|on|by|to|from|at|and|or|the|a|an|into|as|such|both|than|via|its|their|our|"
    r"is|are|which|that|specifically|especially|explicitly|carefully|designed|intended|tailored|aimed|grounded))+$"
)
PHRASE = re.compile(
    r"\s(?=(?:with|for|in|by|of|from|to|on|that|which|and|or|under|between|among|as|than|via|using|when|while)\s)"
)
LINKING = re.compile(r"\b(?:\w+ing|that \w+s)\s+(?:[A-Z]\S*|\S+s)$")
OPENING = re.compile(
    r"(?:To|In|When|While|Given|Although|Despite|By|With|For|Unlike|However|As|Since|Due|Recently|If)\b"
)
CLAUSE_END = re.compile(
    r"[;:](?=\s)|,(?=\s(?:which|where|but|yet|and|while|because|since|however|whereas|although|so)\b)"
)
SENTENCE_END = re.compile(r"(?<=[a-z0-9)\]%\"'])[.?!](?=\s+[A-Z])|$")


def read(source: Source) -> Iterator[Paper | Rejected]:
    """The papers of a text file; a paragraph that cannot be read is Rejected with its first line's number."""
    venue, year = "", None
    for number, paragraph in paragraphs(source):
        try:
            checked(paragraph)
            if len(paragraph) >= PARAGRAPH_LIMIT:
                raise RowError(f"a paragraph of over {PARAGRAPH_LIMIT // 2**20} MB is no abstract")
            if len(paragraph) < 100 and "\n" not in paragraph and (m := HEADING.fullmatch(paragraph)):
                venue, year = " ".join(m["venue"].split()), int(m["year"])
                continue
            abstract = storable(paragraph)
            yield make_paper(
                id=derived_id("text", abstract), title=title_of(abstract), abstract=abstract, year=year, venue=venue
            )
        except RowError as error:
            yield Rejected(source.name, str(error), line=number)


def paragraphs(source: Source) -> Iterator[tuple[int, str]]:
    """Paragraphs with the number of their first line; lines inside one are joined by a single line feed."""
    block: list[str] = []
    size = start = 0
    begun = False
    text = source.text
    number = 0
    while line := text.readline(PARAGRAPH_LIMIT):
        for part in re.split(r"\r\n?|\n", line.removesuffix("\n").removesuffix("\r")):
            number += 1
            content = part.strip("\ufeff \t\r\n\x0b\x0c")
            if content and not begun:
                begun = True
                if content.lower() in ("abstract", "summary"):  # what the text is called, no part of it
                    continue
            if content:
                if not block:
                    start = number
                if size < PARAGRAPH_LIMIT:  # what is longer is cut here and rejected as a whole
                    block.append(content)
                    size += len(content) + 1
            elif block:
                yield start, "\n".join(block)
                block, size = [], 0
            heading = len(block) == 1 and start == number and len(content) < 100 and HEADING.fullmatch(content)
            if heading:
                yield start, content
                block, size = [], 0
    if block:
        yield start, "\n".join(block)


def title_of(abstract: str) -> str:
    """A display title made from an abstract: what it proposes, or its first clause, cut at a word and capitalised.

    >>> title_of("Trees are slow. We introduce Tree Cutting (TreeCut), which prunes them.")
    'Tree Cutting (TreeCut)'
    >>> title_of("Trees are slow. We present TreeCut, a novel method for pruning that is fast.")
    'TreeCut: method for pruning that is fast'
    >>> title_of("Trees are slow. We propose a new method.")
    'Trees are slow'
    >>> title_of("We introduce twig sorting, a task that links forests to graphs.")
    'Twig sorting: task that links forests to graphs'
    """
    text = clean(abstract[:4000]).display()
    for m in PROPOSES.finditer(text):
        if title := _proposed(m["what"], m["more"] or ""):
            return _shortened(title)
    end = SENTENCE_END.search(text)
    return _shortened(text[: end.start()] if end else text)


def _proposed(what: str, more: str) -> str:
    """What a sentence proposes as a title, empty when the words say nothing by themselves (``a new method``)."""
    what = what.replace('"', "").strip(" -–—'")
    if EMPTY_OBJECT.match(what) or what.count("(") != what.count(")"):
        return ""
    if m := NAMED.match(what):
        return f"{m['name']}: {STOPS.split(m['kind'], maxsplit=1)[0]}"
    parts = STOPS.split(what)
    title = LOOSE_END.sub("", parts[0].strip())
    apposition = re.sub(r"^,\s+(?:a|an|the)\s+", "", more)
    apposition = re.sub(rf"^(?:{ADJECTIVE}(?:\s*,\s*|\s+)(?:(?:yet|but|and)\s+)?)+", "", apposition)
    said = _long_enough(STOPS.split(apposition)) if apposition else ""
    if NAME.fullmatch(title):
        return f"{title}: {said}" if " " in said else title
    if " " in said and " " in title and len(parts) == 1:
        return f"{title}: {said}"
    title = _long_enough(parts)
    return title if len(title.split()) >= 3 or "(" in title else ""


def _long_enough(parts: list[str]) -> str:
    """The first part, with those that follow as long as it says too little: a short common noun, ``linking X (to Y)``.

    A clause of its own is not begun, since it would be cut, and what ``and`` joins to a later part belongs to it.
    """
    said, taken = parts[0].strip(), 1
    while taken < len(parts) and not CLAUSE.match(parts[taken]):
        if len(said.split()) >= 4 and not (parts[taken].startswith("to ") and LINKING.search(said)):
            break
        said = f"{said} {parts[taken].strip()}"
        taken += 1
    if 1 < taken < len(parts) and parts[taken].startswith("and ") and not EMPTY_OBJECT.match(parts[taken][4:]):
        further = PHRASE.split(parts[taken])[0].strip()
        if len(said) + len(further) < TITLE - 25:
            said = f"{said} {further}"
    return LOOSE_END.sub("", said)


def _shortened(text: str) -> str:
    text = text.strip().rstrip(".,;:")
    if len(text) > TITLE:
        clause = CLAUSE_END.split(text[: TITLE + 1])[0]
        if 25 <= len(clause) < TITLE and not OPENING.match(clause):
            text = clause
        else:
            text = LOOSE_END.sub("", _cut(text)).rstrip(",;:") + "…"
    if text.count("(") > text.count(")"):
        text = text[: text.rindex("(")].rstrip()
    return text[:1].upper() + text[1:]


def _cut(text: str) -> str:
    """The beginning of a text that is too long for a title: whole words, and no phrase begun near its end."""
    words = text[: TITLE + 1].rpartition(" ")[0] or text[:TITLE]
    ends = [m.start() for m in PHRASE.finditer(words) if m.start() > TITLE - 35]
    return words[: ends[-1]] if ends else words
