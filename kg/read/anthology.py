"""The ACL Anthology's XML: a collection of volumes of papers."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from kg.read.identifiers import ACL, from_doi
from kg.read.paper import RowError, make_paper, year_of
from kg.read.source import Rejected, Source
from kg.types import Paper, Status


def read(source: Source) -> Iterator[Paper | Rejected]:
    """The papers of a collection; one that cannot be read is Rejected with its number, broken XML with its line."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    collection = volume = ""
    venue, year, number = "", None, 0
    parents: list[Element] = []
    try:
        for event, element in iterparse(source.stream, events=("start", "end")):
            if event == "start":
                parents.append(element)
                if element.tag == "collection":
                    collection = element.get("id") or ""
                elif element.tag == "volume":
                    volume, venue, year = element.get("id") or "", "", None
                continue
            parents.pop()
            if element.tag == "meta":
                venue, year = _text(element.find("booktitle")), year_of(_text(element.find("year")))
            elif element.tag == "paper":
                number += 1
                try:
                    yield _paper(element, collection, volume, venue, year)
                except RowError as error:
                    yield Rejected(source.name, str(error), record=number)
                if parents:
                    parents[-1].remove(element)
    except ParseError as error:
        yield Rejected(source.name, f"the XML is broken here, the rest was not read ({error})", line=error.position[0])
    except (LookupError, UnicodeError) as error:
        yield Rejected(source.name, f"its encoding cannot be read ({error})")
    except DefusedXmlException as error:
        yield Rejected(source.name, f"the XML defines entities or refers to files, which kg does not follow ({error})")


def _paper(element: Element, collection: str, volume: str, venue: str, year: int | None) -> Paper:
    name = _name(element, collection, volume)
    known: Status | None = None
    if element.find("retracted") is not None:
        known = "retracted"
    elif element.find("removed") is not None:
        known = "withdrawn"
    return make_paper(
        id=f"acl:{name}" if name else "",
        title=_text(element.find("title")),
        abstract=_text(element.find("abstract"), markup=True),
        year=year_of(_text(element.find("year"))) or year,
        venue=venue,
        url=f"https://aclanthology.org/{name}" if ACL.fullmatch(name) else "",
        ids=from_doi(_text(element.find("doi"))),
        known=known,
    )


def _name(element: Element, collection: str, volume: str) -> str:
    """The paper's Anthology id: as its address says, else put together from the ids around it."""
    url = re.sub(r"^https?://(?:www\.)?acl(?:web|anthology)\.org/(?:anthology/)?", "", _text(element.find("url")))
    if ACL.fullmatch(url):
        return url
    number = element.get("id") or ""
    if re.fullmatch(r"[A-Z]\d\d", collection) and all(re.fullmatch(r"\d{1,4}", n) for n in (volume, number)):
        width = 2 if collection[0] == "W" else 3
        return f"{collection}-{int(volume):0{4 - width}d}{int(number):0{width}d}"
    return f"{collection}-{volume}.{number}" if collection and volume and number else ""


def _text(element: Element | None, markup: bool = False) -> str:
    """The text in an element; with ``markup``, formulas stay marked as such (``$...$``)."""
    if element is None:
        return ""
    return "".join(_parts(element, markup)).strip()


def _parts(element: Element, markup: bool) -> Iterator[str]:
    formula = markup and element.tag == "tex-math"
    if formula:
        yield "$"
    yield element.text or ""
    for child in element:
        yield from _parts(child, markup)
        yield child.tail or ""
    if formula:
        yield "$"
