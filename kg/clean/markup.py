"""One pass over raw text: LaTeX, Markdown, HTML and odd characters out, what a reader would say stays.

The pass only ever moves forward and every handler returns how far it came, so time is linear in the text (look-ahead
is bounded) and nothing a text contains can make it fail: markup that makes no sense is taken as text.
"""

import html
import re
import unicodedata
from functools import cached_property
from html.entities import html5

from kg.clean import macros
from kg.clean.characters import MOJIBAKE, PLAIN_OF_SCRIPT, plain
from kg.clean.lexicon import joins
from kg.clean.macros import DEPTH, MACRO
from kg.clean.pieces import Pieces

TOKEN = re.compile(
    r"[\\${}^_*`~<&\[!]|--+|''|  +|-(?=[ \t\r\n])|\b(?:https?://|www\.)|\bext(?:bf|it|tt|sc|rm|sf)\{"
    r"|\bmph\{|(?<=\d)[ \t]imes(?![a-z])|[^\x20-\x7e]"
)
URL = re.compile(r"(?:https?://|www\.)[^\s<>{}\\\[\]\"$]*")
LINK = re.compile(
    r"!?\[([^\[\]\n]{1,200})\]\(((?:https?://|www\.|mailto:|[#/])[^\s()]{0,400}(?:\([^\s()]{0,80}\)[^\s()]{0,80})?)\)"
)
BOLD = re.compile(r"(\*{2,3})(?=[^\s*])((?:(?!\n\s*\n|\*\*).){1,300}?)(?<=[^\s*])\1(?!\*)", re.DOTALL)
STAR = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]{1,200}?)(?<=[^\s*])\*(?![\w*])")
UNDER = re.compile(r"(?<![\w/\\])(__?)(?=[^\s_])([^_\n]{1,200}?)(?<=[^\s_])\1(?!\w)")
CODE = re.compile(r"`([^`'\n]{1,100})`")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
TAG = re.compile(
    r"</?(?P<name>(?:jats:|mml:)?(?:p|br|i|b|em|strong|u|sub|sup|span|div|a|h[1-6]|ul|ol|li|tt|code|font|small|big|"
    r"title|sec|italic|bold|underline|sc|monospace|inline-formula|tex-math|list|list-item|ext-link|xref|math|mi|mo|mn|"
    r"mrow|mtext|msub|msup|msubsup|mfrac|msqrt|mover|munder|mstyle|mspace|semantics|annotation|alternatives|abstract|"
    r"fixed-case|url|scp|inf|blockquote|hr|table|tr|td|pre))(?:\s[^<>]{0,400})?/?>",
    re.IGNORECASE,
)
COMMENT = re.compile(r"<!--.{0,400}?-->", re.DOTALL)
BLOCKS = frozenset(
    [
        "p",
        "br",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "title",
        "sec",
        "list",
        "list-item",
        "blockquote",
        "hr",
        "table",
        "tr",
        "td",
        "pre",
    ]
)
HYPHEN_BREAK = re.compile(r"-[ \t]*(?:\r?\n|\r|[ \t])\s*(?=[A-Za-z])")
BARE_SCRIPT = re.compile(r"(?: (?=\d{1,2}\b))?(?P<script>-?\d+|[A-Za-z]{1,4}(?![A-Za-z])|\*|\+(?![\w(]))")
WORD = re.compile(r"[A-Za-z]+(?:-(?=[a-z]))?")


class Scanner:
    """The pass over one raw text."""

    def __init__(self, raw: str) -> None:
        self.raw = raw

    @cached_property
    def braces(self) -> dict[int, int]:
        """Where each opening brace closes; unmatched ones are left out."""
        found: dict[int, int] = {}
        stack: list[int] = []
        for m in re.finditer(r"\\.|[{}]", self.raw, re.DOTALL):
            if m[0] == "{":
                stack.append(m.start())
            elif m[0] == "}" and stack:
                found[stack.pop()] = m.start()
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the text itself, which decide about hyphens at line ends first."""
        return frozenset(re.findall(r"[a-z]+(?:-[a-z]+)*", self.raw.lower()))

    # -- the pass ----------------------------------------------------------------------------------------------
    def scan(self, out: Pieces, start: int, end: int, math: bool = False, depth: int = 0) -> None:
        """Add what ``raw[start:end]`` says to ``out``."""
        position = start
        while position < end:
            m = TOKEN.search(self.raw, position, end)
            if m is None:
                out.copy(position, end)
                return
            out.copy(position, m.start())
            position = self._step(out, m.start(), m[0], end, math, depth)

    def part(self, start: int, end: int, math: bool, depth: int) -> Pieces:
        """What ``raw[start:end]`` says, on its own."""
        pieces = Pieces(self.raw)
        if depth < DEPTH:
            self.scan(pieces, start, end, math, depth + 1)
        else:
            pieces.put(re.sub(r"[\\{}$]", "", "".join(map(plain, self.raw[start:end]))), start, end)
        return pieces

    def _step(self, out: Pieces, at: int, token: str, end: int, math: bool, depth: int) -> int:
        char = token[0]
        if char == "\\":
            return macros.macro(self, out, at, end, math, depth)
        if char == "$":
            return macros.dollar(self, out, at, end, math, depth)
        if char == "{":
            return macros.brace(self, out, at, end, math, depth)
        if char == "}":
            if not math:
                out.copy(at, at + 1)
            return at + 1
        if char in "^_":
            return self._script_or_emphasis(out, at, end, math, depth)
        if char in "*`[!" and not math:
            return self._markdown(out, at, end, depth)
        if char == "<":
            return self._tag(out, at, end, math, depth)
        if char == "&":
            return self._entity(out, at, end, math)
        if char == "-":
            return self._hyphen(out, at, token, end, math)
        if char in "hw":
            m = URL.match(self.raw, at, end)
            stop = m.end() if m else at + 1
            out.copy(at, stop)
            return stop
        if char in "em":  # \textbf or \emph whose first letter was read as an escape somewhere on its way
            return macros.argument(self, out, at + len(token) - 1, end, math, depth)
        if token == "''":
            out.put('"', at, at + 2)
            return at + 2
        if char == "~":
            joined = at and not self.raw[at - 1].isspace() and at + 1 < end and not self.raw[at + 1].isspace()
            out.put(" " if math or joined else "~", at, at + 1)
            return at + 1
        if char in "*`[!":
            out.copy(at, at + 1)
            return at + 1
        return self._character(out, at, token, end, math)

    def _character(self, out: Pieces, at: int, token: str, end: int, math: bool) -> int:
        """Blanks, control characters and everything beyond ASCII."""
        char = token[0]
        if token.endswith("imes"):
            out.put("×", at, at + len(token))
            return at + len(token)
        if char == " ":
            out.put(" ", at, at + len(token))
            return at + len(token)
        if char == "\t" and re.match(r"\text(?:bf|it|tt|sc|rm|sf)\{", self.raw[at : at + 8]):
            return at + 1
        if char == "\x02" and out.last.isalpha() and at + 1 < end and self.raw[at + 1].isalpha():
            return self._break(out, at, at + 1, keep=True)
        if m := MOJIBAKE.match(self.raw, at, end):
            # ftfy costs an import; mojibake is rare.
            from ftfy import fix_encoding

            fixed = fix_encoding(m[0])
            if fixed != m[0]:
                out.put("".join(map(plain, fixed)), at, m.end())
                return m.end()
        if unicodedata.combining(char):
            out.put_mark(char, at, at + 1)
        elif char in PLAIN_OF_SCRIPT and out.last.isalpha():
            out.put(PLAIN_OF_SCRIPT[char], at, at + 1)
            out.variants[len(out.chars) - 1] = char
        elif char in "–—" and self._between_words(at, at + 1) and char == "–":
            out.put("-", at, at + 1)
        else:
            shown = plain(char)
            if shown == char:
                out.copy(at, at + 1)
            else:
                out.put(shown, at, at + 1)
        return at + 1

    # -- hyphens -----------------------------------------------------------------------------------------------
    def _between_words(self, start: int, end: int) -> bool:
        return start > 0 and end < len(self.raw) and self.raw[start - 1].isalnum() and self.raw[end].isalnum()

    def _hyphen(self, out: Pieces, at: int, token: str, end: int, math: bool) -> int:
        if len(token) > 1:
            if len(token) > 3:
                shown = token
            elif len(token) == 3:
                shown = "—"
            else:
                shown = "-" if self._between_words(at, at + 2) else "–"
            out.put(shown, at, at + len(token))
            return at + len(token)
        m = HYPHEN_BREAK.match(self.raw, at, end)
        if m and out.last.isalpha() and not math:
            return self._break(out, at, m.end(), keep="\n" in m[0] or "\r" in m[0])
        out.copy(at, at + 1)
        return at + 1

    def _break(self, out: Pieces, at: int, resume: int, keep: bool) -> int:
        """A word cut by a hyphen: joined when the whole word is known, else a compound that keeps its hyphen.

        ``keep``: the hyphen stood at a line's end; otherwise a blank follows and may well belong there.
        """
        i = len(out.chars)
        while i and out.chars[i - 1].isascii() and out.chars[i - 1].isalpha():
            i -= 1
        before = "".join(out.chars[i:]).lower()
        m = WORD.match(self.raw, resume)
        after = m[0] if m else ""
        verdict = joins(before, after, self.words)
        if verdict == "join":
            return resume
        if verdict == "keep" and keep:
            out.put("-", at, resume)
            return resume
        out.copy(at, at + 1)
        return at + 1

    # -- HTML --------------------------------------------------------------------------------------------------
    def _tag(self, out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
        if m := COMMENT.match(self.raw, at, end):
            return m.end()
        m = TAG.match(self.raw, at, end)
        if m is None:
            out.copy(at, at + 1)
            return at + 1
        name = m["name"].lower().rpartition(":")[2]
        if name in ("sub", "sup", "inf") and m[0][1] != "/":
            close = self.raw.find("</", m.end(), min(end, m.end() + 120))
            if close >= 0:
                out.append_script(self.part(m.end(), close, math, depth), raised=name == "sup")
                return close
        if name in BLOCKS:
            out.put(" ", at, m.end())
        return m.end()

    def _entity(self, out: Pieces, at: int, end: int, math: bool) -> int:
        m = ENTITY.match(self.raw, at, end)
        if m is None or (m[0][1] != "#" and m[0][1:] not in html5):
            if not math:
                out.copy(at, at + 1)
            return at + 1
        decoded = html.unescape(m[0])
        if len(decoded) == 1 and decoded in PLAIN_OF_SCRIPT and out.last.isalpha():
            out.put(PLAIN_OF_SCRIPT[decoded], at, m.end())
            out.variants[len(out.chars) - 1] = decoded
        elif len(decoded) == 1 and unicodedata.combining(decoded):
            out.put_mark(decoded, at, m.end())
        else:
            out.put("".join(map(plain, decoded)), at, m.end())
        return m.end()

    # -- Markdown ----------------------------------------------------------------------------------------------
    def _markdown(self, out: Pieces, at: int, end: int, depth: int) -> int:
        char = self.raw[at]
        if char in "[!":
            m = LINK.match(self.raw, at, end)
        elif char == "`":
            if self.raw.startswith("``", at):
                out.put('"', at, at + 2)
                return at + 2
            m = CODE.match(self.raw, at, end)
            if m is None:
                out.put("'", at, at + 1)
                return at + 1
            out.copy(m.start(1), m.end(1))
            return m.end()
        else:
            if (
                self.raw.startswith("***", at)
                and not BOLD.match(self.raw, at, end)
                and BOLD.match(self.raw, at + 1, end)
            ):
                return at + 1  # emphasis around a text that begins in bold
            bold = BOLD.match(self.raw, at, end)
            if bold:
                out.append(self.part(bold.start(2), bold.end(2), False, depth))
                return bold.end()
            m = STAR.match(self.raw, at, end)
            if (
                m is None
                and self.raw.startswith("**", at)
                and out.last.isalpha()
                and self.raw[at + 2 : at + 3].isupper()
            ):
                out.put(" ", at, at + 2)  # a footnote's mark
                return at + 2
        if m is None:
            out.copy(at, at + 1)
            return at + 1
        out.append(self.part(m.start(1), m.end(1), False, depth))
        return m.end()

    def _script_or_emphasis(self, out: Pieces, at: int, end: int, math: bool, depth: int) -> int:
        raised = self.raw[at] == "^"
        if not raised and not math:
            m = UNDER.match(self.raw, at, end)
            if m:
                out.append(self.part(m.start(2), m.end(2), False, depth))
                return m.end()
        after = at + 1
        while math and after < end and self.raw[after] == " ":
            after += 1
        nxt = self.raw[after] if after < end else ""
        base = out.last.isalnum() or out.last in (")", "]", "}", "|", "'")
        if nxt == "{" and self.braces.get(after, end) < end and (math or base):
            close = self.braces[after]
            out.append_script(self.part(after + 1, close, math, depth), raised)
            return close + 1
        if math and nxt == "\\" and (m := MACRO.match(self.raw, after, end)):
            script = Pieces(self.raw)
            stop = macros.macro(self, script, after, end, math, depth + 1) if depth < DEPTH else m.end()
            out.append_script(script, raised)
            return stop
        if not math and raised and base and (m := BARE_SCRIPT.match(self.raw, after, end)):
            script = Pieces(self.raw)
            script.copy(m.start("script"), m.end())
            out.append_script(script, raised)
            return m.end()
        if not math and base and nxt.isalpha() and not nxt.isascii():
            broken = MOJIBAKE.match(self.raw, after, end)
            stop = broken.end() if broken else after + 1
            if not self.raw[stop : stop + 1].isalnum():
                out.append_script(self.part(after, stop, math, depth), raised)
                return stop
        if math and (nxt.isalnum() or nxt in ("*", "+", "-", "'")):
            script = Pieces(self.raw)
            if nxt.isascii():
                script.copy(after, after + 1)
            else:
                script.put(plain(nxt), after, after + 1)
            out.append_script(script, raised)
            return after + 1
        if not math:
            out.copy(at, at + 1)
        return at + 1
