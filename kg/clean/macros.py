"""The LaTeX in abstracts: formulas, braces and macros, as handlers that the scanner calls where one begins.

Each handler adds to ``out`` what a reader would say and returns how far it came.
"""

import re
import unicodedata
from typing import TYPE_CHECKING

from kg.clean import latex
from kg.clean.characters import plain
from kg.clean.pieces import Pieces

if TYPE_CHECKING:
    from kg.clean.markup import Scanner

MACRO = re.compile(r"\\([A-Za-z]+)\*?")
QUOTATION = re.compile(r'\\"[^"\\]{1,200}\\"(?!\w)')
TEXT_GROUP = re.compile(r"\\|[\w\s.:+&'’/-]{1,80}\}|[^{}]\}")
HALVES = re.compile(r"\s*([A-Za-z0-9])([A-Za-z0-9])(?![A-Za-z0-9])")
SPACE = re.compile(r"\s*")
MATH_WINDOW = 400
DEPTH = 24


def _closing_dollar(scanner: "Scanner", at: int, end: int) -> int | None:
    """Where the formula that opens at ``at`` closes; None when this dollar opens none (money)."""
    width = 2 if scanner.raw.startswith("$$", at) else 1
    limit = min(end, at + MATH_WINDOW)
    level = 0
    i = at + width
    if (
        i < end
        and scanner.raw[i].isspace()
        and not re.compile(r"\s{1,3}[^$\n]{0,200}[\\^_={]|\s[^$\s]{1,12}\s?\$").match(scanner.raw, i)
    ):
        return None
    first = None
    while i < limit:
        char = scanner.raw[i]
        if char == "\\":
            i += 2
            continue
        if char == "{":
            level += 1
        elif char == "}":
            level -= 1
        elif char == "$" and scanner.raw.startswith("$" * width, i):
            if first is None:
                first = i
            if level <= 0:
                break
        elif char == "\n" and re.compile(r"\n[ \t]*\n").match(scanner.raw, i):
            limit = i
        i += 1
    close = i if i < limit else first
    if close is None:
        return None
    inside = scanner.raw[at + width : close]
    tex = any(c in "\\^_{=" for c in inside) or "imes" in inside or not any(map(str.isalnum, inside))
    if not tex and (
        inside[-1:].isspace()
        or scanner.raw[close + width : close + width + 1].isdigit()
        or (inside[:1].isdigit() and " " in inside)
    ):
        return None
    return close


def dollar(scanner: "Scanner", out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
    """A dollar: a formula to its closing one, or money."""
    width = 2 if scanner.raw.startswith("$$", at) else 1
    if math:
        return at + 1
    close = _closing_dollar(scanner, at, end)
    if close is None:
        out.copy(at, at + 1)
        return at + 1
    out.append(scanner.part(at + width, close, True, depth))
    return close + width


def brace(scanner: "Scanner", out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
    """An opening brace: of a group, which nobody says, or of a set, which stays in text."""
    close = scanner.braces.get(at, end)
    if close < end and (math or TEXT_GROUP.match(scanner.raw, at + 1, close + 1)):
        out.append(scanner.part(at + 1, close, math, depth))
        return close + 1
    if not math:
        out.copy(at, at + 1)
    return at + 1


def _braced(scanner: "Scanner", at: int, end: int) -> tuple[int, int, int] | None:
    """The argument in braces at ``at`` (blanks before it allowed): its start, its end, where to go on."""
    m = SPACE.match(scanner.raw, at, min(end, at + 8))
    opening = m.end() if m else at
    if opening < end and scanner.raw[opening] == "{":
        close = scanner.braces.get(opening, end)
        if close < end:
            return opening + 1, close, close + 1
    return None


def _skip_option(scanner: "Scanner", at: int, end: int) -> int:
    m = re.compile(r"\[[^\[\]\n]{0,80}\]").match(scanner.raw, at, end)
    return m.end() if m else at


def argument(scanner: "Scanner", out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
    """Add the argument at ``at``, if there is one."""
    group = _braced(scanner, at, end)
    if group is None:
        return at
    out.append(scanner.part(group[0], group[1], math, depth))
    return group[2]


def macro(scanner: "Scanner", out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
    """A backslash and what it begins, with its arguments."""
    m = MACRO.match(scanner.raw, at, end)
    if m is None:
        return _control(scanner, out, at, end, math, depth)
    name, after = m[1], m.end()
    if name in latex.SECOND and (first := _braced(scanner, after, end)) and (second := _braced(scanner, first[2], end)):
        out.append(scanner.part(second[0], second[1], math, depth))
        return second[2]
    if name in latex.URLS and (group := _braced(scanner, after, end)):
        out.append(_verbatim(scanner, *group[:2]))
        return group[2]
    if name == "footnote" and (group := _braced(scanner, after, end)):
        out.append(scanner.part(group[0], group[1], False, depth), wrap=(" (", ")"))
        return group[2]
    if name == "enquote" and (group := _braced(scanner, after, end)):
        out.append(scanner.part(group[0], group[1], False, depth), wrap=('"', '"'))
        return group[2]
    if name in ("textsuperscript", "textsubscript") and (group := _braced(scanner, after, end)):
        out.append_script(scanner.part(group[0], group[1], math, depth), raised=name == "textsuperscript")
        return group[2]
    if name in ("begin", "end"):
        group = _braced(scanner, after, end)
        out.put(" ", at, after)
        return _skip_option(scanner, group[2], end) if group else after
    if name in latex.DROPPED:
        return _drop_arguments(scanner, out, after, end)
    if (
        name in latex.FRACTIONS
        and (first := _braced(scanner, after, end))
        and (second := _braced(scanner, first[2], end))
    ):
        _operand(scanner, out, first[0], first[1], depth)
        out.put("/", first[1], second[0])
        _operand(scanner, out, second[0], second[1], depth)
        return second[2]
    if name in latex.FRACTIONS:  # its braces were lost: \frac12 is a half, of others nobody knows the halves
        halves = HALVES.match(scanner.raw, after, end)
        if halves is None:
            return after
        out.copy(halves.start(1), halves.end(1))
        out.put("/", halves.end(1) - 1, halves.start(2) + 1)
        out.copy(halves.start(2), halves.end(2))
        return halves.end()
    if name == "sqrt":
        out.put("√", at, after)
        after = _skip_option(scanner, after, end)
        if group := _braced(scanner, after, end):
            _operand(scanner, out, group[0], group[1], depth)
            return group[2]
        return after
    if name in latex.FORMAT:
        inner = math and name not in ("text", "mbox", "hbox", "textrm")
        return argument(scanner, out, _skip_option(scanner, after, end), end, inner, depth)
    if name in latex.SWITCH:
        if name in ("quad", "qquad", "item", "par", "newline", "linebreak"):
            out.put(" ", at, after)
        if name in ("left", "right") and scanner.raw[after : after + 1] == ".":
            after += 1
        return after + 1 if scanner.raw[after : after + 1] == " " else after
    if name in ("l", "r") and scanner.raw[after : after + 1] in tuple("()[]|\\"):  # authors' short \left and \right
        return after
    accent = latex.MATH_ACCENTS.get(name) or (None if math else latex.LETTER_ACCENTS.get(name))
    if accent and (stop := _accented(scanner, out, at, after, end, accent, math, depth)):
        return stop
    return _named(scanner, out, at, after, end, name, math, depth)


def _named(scanner: "Scanner", out: Pieces, at: int, after: int, end: int, name: str, math: bool, depth: int) -> int:
    """A symbol, or a macro nobody knows: authors' macros are mostly names, so the name is what stays."""
    shown = latex.symbol(name)
    if shown is not None:
        word = shown.isalpha() and len(shown) > 1
        out.put((" " if word and out.last.isalnum() else "") + shown, at, after)
        if scanner.raw.startswith("{}", after):
            return after + 2
        if name in latex.LETTERS and scanner.raw[after : after + 1] == " " and not math:
            return after + 1
        return after
    for known in latex.GLUED:
        if name.startswith(known):
            if known == "sqrt":
                out.put("√", at, at + 5)
            return at + 1 + len(known)
    if name in ("n", "r", "t") or re.fullmatch("n[A-Z][a-z]*", name):  # a line break that was escaped twice
        out.put(" ", at, at + 2)
        return at + 2
    if (group := _braced(scanner, after, end)) and group[0] == after + 1:
        if scanner.raw[group[0] : group[1]].strip():
            out.append(scanner.part(group[0], group[1], math, depth))
        else:
            out.copy(at + 1, after)
        return group[2]
    out.copy(at + 1, after)
    return after


def _operand(scanner: "Scanner", out: Pieces, start: int, end: int, depth: int) -> None:
    part = scanner.part(start, end, True, depth)
    part.trim()
    text = "".join(part.chars)
    out.append(part, wrap=("", "") if text.isalnum() or len(text) < 2 else ("(", ")"))


def _verbatim(scanner: "Scanner", start: int, end: int) -> Pieces:
    pieces = Pieces(scanner.raw)
    for i in range(start, end):
        if scanner.raw[i] not in "\\{}" and plain(scanner.raw[i]) == scanner.raw[i]:
            pieces.copy(i, i + 1)
    return pieces


def _drop_arguments(scanner: "Scanner", out: Pieces, at: int, end: int) -> int:
    at = _skip_option(scanner, _skip_option(scanner, at, end), end)
    if group := _braced(scanner, at, end):
        at = group[2]
    if out.last == " " and scanner.raw[at : at + 1] in tuple(".,;:)"):
        out.trim()
    return at


def _accented(
    scanner: "Scanner", out: Pieces, at: int, after: int, end: int, mark: str, math: bool, depth: int
) -> int | None:
    """A letter under an accent; None when there is no letter for it."""
    named = scanner.raw[after - 1].isalpha()
    if group := _braced(scanner, after, end):
        part = scanner.part(group[0], group[1], math, depth)
        stop = group[2]
    else:
        m = SPACE.match(scanner.raw, after, min(end, after + 2)) if named else None
        start = m.end() if m else after
        if start >= end or (named and start == after and scanner.raw[start] != "\\"):
            return None
        part = Pieces(scanner.raw)
        if scanner.raw[start] == "\\" and depth < DEPTH and MACRO.match(scanner.raw, start, end):
            stop = macro(scanner, part, start, end, math, depth + 1)
        elif scanner.raw[start].isalpha():
            part.put(scanner.raw[start], start, start + 1)
            stop = start + 1
        else:
            return None
    text = "".join(part.chars).replace("ı", "i").replace("ȷ", "j")
    composed = unicodedata.normalize("NFC", text + mark) if len(text) == 1 else ""
    if len(composed) == 1:
        out.put(composed, at, stop)
    elif (named and not (math or mark in latex.MATH_ACCENTS.values())) or (not named and not text):
        return None
    else:
        out.append(part)
    return stop


def _control(scanner: "Scanner", out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
    """A backslash before anything but a letter."""
    char = scanner.raw[at + 1] if at + 1 < end else ""
    if char == "\\":
        if (m := MACRO.match(scanner.raw, at + 1, end)) and latex.known(m[1]):  # a macro that was escaped twice
            return at + 1
        out.put(" ", at, at + 2)
        return _skip_option(scanner, at + 2, end)
    if char in latex.CONTROL_ACCENTS and not math:
        quotation = char == '"' and QUOTATION.match(scanner.raw, at, end)
        if not quotation and (
            stop := _accented(scanner, out, at, at + 2, end, latex.CONTROL_ACCENTS[char], math, depth)
        ):
            return stop
        out.put(plain(char), at, at + 2)
        return at + 2
    if char in ("(", "["):
        close = scanner.raw.find("\\)" if char == "(" else "\\]", at + 2, min(end, at + MATH_WINDOW))
        if close >= 0:
            out.append(scanner.part(at + 2, close, True, depth))
            return close + 2
        return at + 1
    if char in (" ", ",", ";", ":", ">", "\n", "\t"):
        out.put(" ", at, at + 2)
        return at + 2
    if char in ("!", "/", "-", "="):
        return at + 2
    if char == "|":
        out.put("∥", at, at + 2)
        return at + 2
    if char and char in "%&_#${}*[]()<>":
        out.put(char, at, at + 2)
        return at + 2
    return at + 1
