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

PROPOSES = re.compile(
    r"\b(?i:we|(?:this|the|our) (?:paper|work|study|article)|the authors?)\s+"
    r"(?:\w+ly\s+|also\s+|then\s+|thus\s+){0,2}(?:propose|introduce|present|develop|design|describe)s?\s+"
    r"(?:(?:a|an|the|our|two|three|several)\s+)?"
    r"(?:(?:new|novel|simple|general|generic|principled|efficient|effective|unified|powerful|flexible|scalable|fast|"
    r"practical|comprehensive|large-scale|first|yet|but|and|,)[\s,]+)*"
    r"(?P<what>[^\s,;:.()][^,;:.()]{2,120}(?:\([^()]{1,40}\))?)"
)
EMPTY_OBJECT = re.compile(
    r"(?:method|approach|framework|algorithm|model|technique|strategy|way|system|scheme|solution|theory|analysis|set|"
    r"family|class|series|variant|idea|use|it|them|this|that|how|new|novel|leverag\w+|us\w+|improv\w+|extend\w+|"
    r"approaches|methods|algorithms|problem|notion|concept)\b(?!-)",
    re.IGNORECASE,
)
STOPS = re.compile(
    r"\s+(?:that|which|who|to|where|whose|in order|by|using|via|based on|under|with|in which|able|capable|as|when|and)"
    r"\s"
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
    text = source.text
    number = 0
    while line := text.readline(PARAGRAPH_LIMIT):
        for part in re.split(r"\r\n?|\n", line.removesuffix("\n").removesuffix("\r")):
            number += 1
            content = part.strip("\ufeff \t\r\n\x0b\x0c")
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

    >>> title_of("Trees are slow. We propose a novel method, TreeCut, that prunes them. TreeCut is fast.")
    'Trees are slow'
    >>> title_of("Trees are slow. We introduce Tree Cutting (TreeCut), which prunes them.")
    'Tree Cutting (TreeCut)'
    """
    text = clean(abstract[:4000]).display()
    for m in PROPOSES.finditer(text):
        what = STOPS.split(m["what"], maxsplit=1)[0].strip(" -–—\"'")
        if len(what) >= 4 and not EMPTY_OBJECT.match(what) and what.count("(") == what.count(")"):
            return _shortened(what)
    end = SENTENCE_END.search(text)
    return _shortened(text[: end.start()] if end else text)


def _shortened(text: str) -> str:
    text = text.strip().rstrip(".,;:")
    if len(text) > TITLE:
        clause = re.split(r"[,;:](?=\s)", text[: TITLE + 1])[0]
        text = clause if 25 <= len(clause) < TITLE else text[: TITLE + 1].rpartition(" ")[0].rstrip(",;:") + "…"
        if len(text) > TITLE + 1 or text == "…":
            text = clause[:TITLE] + "…"
    return text[:1].upper() + text[1:]
